C     A loop made of GOTO: values go round the back edge.
      subroutine round(x, y)
      double precision x, y, a
      integer k
      a = x
      k = 0
C$AD CHECKPOINT-START
   10 a = a*x
      k = k + 1
      if (k .lt. 3) goto 10
C$AD CHECKPOINT-END
      y = a*a
      end

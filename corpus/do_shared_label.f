C     Labelled loops, two of them sharing their last statement, and a GOTO to a loop's end.
      subroutine shared(x, y)
      double precision x, y, a(3), b(3)
      integer i, j
      do 5 i = 1, 3
        a(i) = x*i
    5   b(i) = x + i
C$AD CHECKPOINT-START
      do 20 i = 1, 3
      do 20 j = 1, 3
   20 a(i) = a(i) + b(j)*b(j)
      do 30 i = 1, 3
        if (i .eq. 2) goto 30
        b(i) = 2.0d0*a(i)
   30 continue
C$AD CHECKPOINT-END
      y = 0.0d0
      do 40 i = 1, 3
   40 y = y + a(i)*b(i)
      end

C     Arithmetic IF: two of its three ways write a, the third leaves it.
      subroutine arith(x, k, y)
      double precision x, y, a, b, t
      integer k
      a = x
C$AD CHECKPOINT-START
      if (k) 10, 20, 30
   10 a = 2.0d0*x
      goto 40
   20 a = x*x
      goto 40
   30 b = a
   40 t = a*a
C$AD CHECKPOINT-END
      y = t*t
      end

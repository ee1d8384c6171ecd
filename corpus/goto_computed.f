C     Computed GOTO: three ways, of which the last two fall together.
      subroutine comp(x, k, y)
      double precision x, y, a, b, t
      integer k
      a = x
      b = x
C$AD CHECKPOINT-START
      goto (10, 20), k
      a = x*x
      goto 30
   10 a = 2.0d0*x
      goto 30
   20 b = 3.0d0*x
   30 t = a*b
C$AD CHECKPOINT-END
      y = t*t
      end

C     A statement function reads c, which nothing in its reference names.
      subroutine stf(x, y)
      double precision x, y, a, b, c, z, f
      f(z) = z*z*c
      c = 2.0d0
      a = x
C$AD CHECKPOINT-START
      b = f(a)
C$AD CHECKPOINT-END
      c = 3.0d0
      y = b*b*c
      end

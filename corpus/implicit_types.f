C     IMPLICIT typing: k is an integer, so it carries no derivative, but its values are needed.
      subroutine imply(x, y)
      implicit double precision (a-h, o-z)
      a = x
      k = int(3*a)
C$AD CHECKPOINT-START
      a = a*k
      k = k + 1
      b = k*a
C$AD CHECKPOINT-END
      y = b*b
      end

! Overwritten and read, but only c is overwritten after it has been read: the second run finds a(2) and b as the
! first did, and writes a(1) and b again before it reads them. After the turn d is overwritten by the later part.
subroutine unharmed(x, k, y)
  implicit none
  real(8), intent(in) :: x
  integer, intent(in) :: k
  real(8), intent(out) :: y
  real(8) :: a(2), b, c, d, t
  a = x
  b = x
  c = x
  d = x
  !$AD CHECKPOINT-START
  a(1) = 2.0d0*x
  if (k > 3) b = 3.0d0*x
  if (k > 4) d = 4.0d0*x
  t = a(2)*a(1)*b*b*c*d*d
  c = 5.0d0*x
  !$AD CHECKPOINT-END
  y = t*t*c*d
  !$AD CHECKPOINT-START
  t = d*d
  d = t*x
  y = y*d*d
  !$AD CHECKPOINT-END
  y = y*y*d
end subroutine unharmed

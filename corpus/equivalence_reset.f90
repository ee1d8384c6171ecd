! t is z(1). Where t is a constant z(1) does not vary, but z(k) may be it: what z(k) passes back may be in t's
! adjoint, and the constant's assignment sets it to zero.
subroutine overlaid(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: z(3), t
  integer :: k
  equivalence (z(1), t)
  z = x
  k = 1
  !$AD CHECKPOINT-START
  t = 1.0d0
  y = z(k)*z(k) + z(2)
  k = 3
  !$AD CHECKPOINT-END
  y = y*k
end subroutine overlaid

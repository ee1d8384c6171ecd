! A constant assigned to an active variable under a branch: its adjoint is set to zero on that way only, so the second
! run must know the way, and k, overwritten in the part, is saved.
subroutine resetting(x, k0, y)
  implicit none
  real(8), intent(in) :: x
  integer, intent(in) :: k0
  real(8), intent(out) :: y
  real(8) :: a
  integer :: k
  a = x
  k = k0
  !$AD CHECKPOINT-START
  if (k > 0) a = 1.0d0
  k = 2
  !$AD CHECKPOINT-END
  y = a*a*k
end subroutine resetting

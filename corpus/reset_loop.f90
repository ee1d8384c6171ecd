! The same in a loop that may run zero times: the number of its trips decides whether the adjoint is set to zero.
subroutine trips(x, n0, y)
  implicit none
  real(8), intent(in) :: x
  integer, intent(in) :: n0
  real(8), intent(out) :: y
  real(8) :: a
  integer :: i, n
  a = x
  n = n0
  !$AD CHECKPOINT-START
  do i = 1, n
    a = 1.0d0
  end do
  n = 2
  !$AD CHECKPOINT-END
  y = a*a*n
end subroutine trips

! A loop may run zero times: the scalar it writes is still read after it.
subroutine zerotrip(x, n, y)
  implicit none
  real(8), intent(in) :: x
  integer, intent(in) :: n
  real(8), intent(out) :: y
  real(8) :: a, t
  integer :: i
  a = x
  !$AD CHECKPOINT-START
  do i = 1, n
    a = x*i
  end do
  t = a*a
  !$AD CHECKPOINT-END
  y = t*t
end subroutine zerotrip

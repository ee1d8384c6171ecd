! A scalar written at the top of every round is not read from before the loop.
subroutine inner(x, n, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a, t
  integer :: i
  a = x(1)
  t = 0.0d0
  !$AD CHECKPOINT-START
  do i = 1, n
    a = 2.0d0*x(i)
    t = t + a*a
  end do
  !$AD CHECKPOINT-END
  y = t*t
end subroutine inner

! Two elements and a loop over the rest write the whole array: it is killed and not saved.
subroutine stencil(x, n, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: f(n), t
  integer :: i
  f = x
  !$AD CHECKPOINT-START
  f(1) = x(1)
  do i = 2, n - 1
    f(i) = x(i)*x(i - 1)
  end do
  f(n) = x(n)
  t = sum(f*f)
  !$AD CHECKPOINT-END
  y = t*t
end subroutine stencil

! DO CONCURRENT over the whole extent kills b; so nothing is saved.
subroutine conc(x, n, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a(n), b(n), c(n)
  integer :: i
  a = x
  b = x
  !$AD CHECKPOINT-START
  do concurrent (i = 1:n)
    b(i) = a(i)*x(i)
  end do
  do i = 1, n
    c(i) = b(i)*b(i)
  end do
  !$AD CHECKPOINT-END
  y = sum(c*c)
end subroutine conc

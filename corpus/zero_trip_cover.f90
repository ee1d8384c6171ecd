! A covering loop may run zero times only where there is nothing to cover (b); inside another loop it may not run (a).
subroutine covers(x, n, m, y)
  implicit none
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a(n), b(n), c(10), t
  integer :: i, k
  a = x
  b = x
  c = x(1)
  !$AD CHECKPOINT-START
  do k = 1, m
    do i = 1, n
      a(i) = 2.0d0*x(i)
    end do
  end do
  do i = 1, n
    b(i) = 2.0d0*x(i)
  end do
  do i = 1, n
    c(i) = 2.0d0*x(i)
  end do
  t = sum(a*b)*sum(c*c)
  !$AD CHECKPOINT-END
  y = t*t
end subroutine covers

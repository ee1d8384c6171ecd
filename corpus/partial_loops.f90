! Loops that do not write every element: an offset, a stride, a condition, an early exit, another extent.
subroutine partial(x, n, m, y)
  implicit none
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: c(n), d(n), e(n), f(n), g(n), t
  integer :: i
  c = x
  d = x
  e = x
  f = x
  g = x
  !$AD CHECKPOINT-START
  do i = 2, n
    c(i) = 2.0d0*x(i)
  end do
  do i = 1, n, 2
    d(i) = 2.0d0*x(i)
  end do
  do i = 1, n
    if (x(i) > 0.0d0) e(i) = 2.0d0*x(i)
  end do
  do i = 1, n
    if (x(i) > 9.0d0) exit
    f(i) = 2.0d0*x(i)
  end do
  do i = 1, m
    g(i) = 2.0d0*x(i)
  end do
  t = sum(c*d*e*f*g)
  !$AD CHECKPOINT-END
  y = t*t
end subroutine partial

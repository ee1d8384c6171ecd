! head: p(x)>(y)
! given: n=5; x=[0.4, 0.5, 0.3, 0.6, 0.7]
! ways: plain, values, recompute
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a(n), b(n)
  integer :: i
  a = x
  b = x
  y = a(1)*a(1) + b(1)*b(1)
  do i = 1, n - 1
    if (a(i + 1) > 0.45d0) then
      y = y + x(i)*x(i)
    else
      y = y + sin(x(i))
    end if
    a(i + 1) = 0.1d0*y
    !> all: tape a
    b(i + 1) = 0.2d0*y
  end do
  y = y*sum(a) + y*sum(b)
end subroutine p

! head: p(x)>(y)
! given: n=5; x=[0.4, 0.5, 0.3, 0.6, 0.7]
! ways: plain, taped, values, recompute
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a(n), b(n), t, u
  integer :: i
  a = x
  b = x
  y = a(n)*a(n) + b(1)*b(1)
  do i = 2, n - 1
  !> recompute: again behind b = x
    t = a(i) + 2.0d0*a(i - 1)
    !> plain, taped, values: tape t
    u = 3.0d0*b(i)
    !> taped: tape u
    y = y + t*t + u*u
    a(i) = y
    !> recompute: again t = a(i) + 2.0d0*a(i - 1); tape a
    b(i - 1) = 2.0d0*y
    !> plain, values, recompute: again u = 3.0d0*b(i); tape b
    !> taped: tape b
  end do
  y = y + sum(a) + sum(b)
end subroutine p

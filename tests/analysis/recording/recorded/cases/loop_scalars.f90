! head: p(x)>(y)
! given: n=5; x=[0.45, 0.55, 0.4, 0.6, 0.35]
! ways: plain, taped, recompute
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a, t, u, w
  integer :: i
  a = x(1)
  y = a
  w = 1.0d0
  do i = 1, n
  !> plain, recompute: again t = x(i)*a, u = t*t + a
    t = x(i)*a
    !> taped: tape t
    u = t*t + a
    !> taped: tape u
    w = w*t + 1.0d0
    !> all: tape w
    y = y*u + t*w
    !> all: tape y
  end do
  y = y*a
end subroutine p

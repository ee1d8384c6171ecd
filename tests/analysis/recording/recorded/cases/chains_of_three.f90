! head: p(x)>(y)
! given: n=5; x=[0.45, 0.55, 0.4, 0.6, 0.35]
! ways: plain, taped, recompute
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a, b, d, r, s, h(2), t, u, v, w
  integer :: i, j
  a = x(1)
  b = 0.5d0
  y = a
  h = 1.0d0
  do i = 1, n
  !> plain, recompute: again d = x(i) - b, r = d + 0.1d0, s = r - 0.3d0; again behind u = x(2), v = x(1), w = 1.0d0
    ! s is made of r, r of d: where x(i) moves on all three can still be had.
    d = x(i) - b
    !> taped: tape d
    r = d + 0.1d0
    !> taped: tape r
    s = r - 0.3d0
    !> taped: tape s
    y = y + s*s
    u = x(i)*b
    !> taped: tape u
    v = u + b
    !> taped: tape v
    w = v*0.5d0
    !> taped: tape w
    y = y + w*w
    ! w is overwritten first: it is made again of v, v of u.
    w = 1.0d0
    !> plain, recompute: again u = x(i)*b, v = u + b, w = v*0.5d0
    !> taped: tape w
    v = x(1)
    u = x(2)
    y = y + sin(w*u*v)*d*r
    ! Not inside of iterations that have no order.
    t = h(1)*a
    !> taped: tape t
    y = y*sin(t)
    !> all: tape y
    do concurrent (j = 1:2)
    !> plain, recompute: again behind t = h(1)*a
      h(j) = h(j) + x(i)*j
      !> all: tape h
    end do
  end do
  y = y*a
end subroutine p

subroutine bodies(n, nt, x0, v0, m, y)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: x0(3, n), v0(3, n), m(n)
  real(8), intent(out) :: y
  real(8) :: x(3, n), v(3, n)
  integer :: i, j, it
  x = x0
  do i = 1, n
    x(1, i) = x(1, i) + i
  end do
  v = v0
  do it = 1, nt
    do i = 1, n
      do j = i + 1, n
        call kick(x(:, i), x(:, j), v(:, i), v(:, j), m(i), m(j), 0.01d0)
      end do
    end do
    do i = 1, n
      call drift(x(:, i), v(:, i), 0.01d0)
    end do
  end do
  y = sum(x**2) + sum(v**2)
end subroutine
subroutine kick(xa, xb, va, vb, ma, mb, dt)
  implicit none
  real(8), intent(in) :: xa(3), xb(3), ma, mb, dt
  real(8), intent(inout) :: va(3), vb(3)
  real(8) :: d(3), r
  d = xb - xa
  r = sqrt(sum(d*d) + 1d-2)
  va = va + dt*mb*d/r**3*(1d0 - 1d-2*sum(va*vb))
  vb = vb - dt*ma*d/r**3
end subroutine
subroutine drift(x, v, dt)
  implicit none
  real(8), intent(inout) :: x(3)
  real(8), intent(in) :: v(3), dt
  x = x + dt*v/sqrt(1d0 + sum(v*v))
end subroutine

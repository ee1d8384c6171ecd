! Velocity Verlet for particles with a cut-off Lennard-Jones force.
subroutine ljcell(n, nt, x0, eps, energy)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: x0(2, n), eps
  real(8), intent(out) :: energy
  real(8) :: x(2, n), v(2, n), f(2, n), dt, e
  integer :: it, i
  x = x0
  v = 0d0
  dt = 0.005d0
  energy = 0d0
  call forces(n, x, eps, f, e)
  do it = 1, nt
    do i = 1, n
      v(:, i) = v(:, i) + 0.5d0*dt*f(:, i)
      x(:, i) = x(:, i) + dt*v(:, i)
    end do
    call forces(n, x, eps, f, e)
    do i = 1, n
      v(:, i) = v(:, i) + 0.5d0*dt*f(:, i)
    end do
    energy = energy + e*e
  end do
end subroutine
subroutine forces(n, x, eps, f, e)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(2, n), eps
  real(8), intent(out) :: f(2, n), e
  real(8) :: d(2), r2, s6, g
  integer :: i, j
  f = 0d0
  e = 0d0
  do i = 1, n - 1
    do j = i + 1, n
      d(1) = x(1, i) - x(1, j)
      d(2) = x(2, i) - x(2, j)
      r2 = d(1)*d(1) + d(2)*d(2)
      if (r2 < 6.25d0) then
        s6 = 1d0/(r2*r2*r2)
        e = e + 4d0*eps*s6*(s6 - 1d0)
        g = 24d0*eps*s6*(2d0*s6 - 1d0)/r2
        f(:, i) = f(:, i) + g*d
        f(:, j) = f(:, j) - g*d
      end if
    end do
  end do
end subroutine

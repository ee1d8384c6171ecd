! A wind-driven gyre: vorticity in three time levels, leapfrog with a filter, the stream function by relaxation.
module gyre_grid
  implicit none
  integer, parameter :: m = 7
  real(8) :: zeta(m, m, 3), psi(m, m)
  real(8) :: jac(m, m), diff(m, m)
  real(8), parameter :: h = 0.2d0
end module gyre_grid

subroutine arakawa(p, z, a)
  use gyre_grid, only: m, h
  implicit none
  real(8), intent(in) :: p(m, m), z(m, m)
  real(8), intent(out) :: a(m, m)
  integer :: i, j
  a = 0.0d0
  do j = 2, m - 1
    do i = 2, m - 1
      a(i, j) = ((p(i + 1, j) - p(i - 1, j))*(z(i, j + 1) - z(i, j - 1)) &
        - (p(i, j + 1) - p(i, j - 1))*(z(i + 1, j) - z(i - 1, j)))/(4.0d0*h*h)
    end do
  end do
end subroutine arakawa

subroutine laplace(z, d)
  use gyre_grid, only: m, h
  implicit none
  real(8), intent(in) :: z(m, m)
  real(8), intent(out) :: d(m, m)
  d = 0.0d0
  d(2:m - 1, 2:m - 1) = (z(3:m, 2:m - 1) + z(1:m - 2, 2:m - 1) + z(2:m - 1, 3:m) + z(2:m - 1, 1:m - 2) &
    - 4.0d0*z(2:m - 1, 2:m - 1))/h**2
end subroutine laplace

subroutine relax(p, z, sweeps)
  use gyre_grid, only: m, h
  implicit none
  real(8), intent(inout) :: p(m, m)
  real(8), intent(in) :: z(m, m)
  integer, intent(in) :: sweeps
  integer :: i, j, s
  do s = 1, sweeps
    do j = 2, m - 1
      do i = 2, m - 1
        p(i, j) = 0.25d0*(p(i - 1, j) + p(i + 1, j) + p(i, j - 1) + p(i, j + 1) - h*h*z(i, j))
      end do
    end do
  end do
end subroutine relax

subroutine filter(zo, zc, zn, nu)
  use gyre_grid, only: m
  implicit none
  real(8), intent(in) :: zo(m, m), zn(m, m), nu
  real(8), intent(inout) :: zc(m, m)
  zc = zc + nu*(zo - 2.0d0*zc + zn)*(1.0d0 + 0.01d0*zc)
end subroutine filter

subroutine gyre(wind, visc, drag, cost)
  use gyre_grid
  implicit none
  real(8), intent(in) :: wind(m), visc, drag
  real(8), intent(out) :: cost
  integer :: old, now, new, hold, step, i, j
  real(8), parameter :: dt = 0.01d0
  zeta = 0.0d0
  do j = 1, m
    do i = 1, m
      zeta(i, j, 1:2) = 0.1d0*(i - 0.1d0*i*i)*wind(j)
    end do
  end do
  psi = 0.0d0
  old = 1
  now = 2
  new = 3
  do step = 1, 4
    call relax(psi, zeta(:, :, now), 2)
    call arakawa(psi, zeta(1, 1, now), jac)
    call laplace(zeta(1, 1, old), diff)
    do j = 2, m - 1
      do i = 2, m - 1
        zeta(i, j, new) = zeta(i, j, old) + 2.0d0*dt*(-jac(i, j) + visc*diff(i, j) &
          - drag*zeta(i, j, old)*abs(zeta(i, j, old)) - (psi(i + 1, j) - psi(i - 1, j))/(2.0d0*h) &
          - (wind(j + 1) - wind(j - 1))/(2.0d0*h))
      end do
    end do
    call filter(zeta(:, :, old), zeta(:, :, now), zeta(:, :, new), 0.05d0)
    hold = old
    old = now
    now = new
    new = hold
  end do
  cost = sum(psi**2) + sum(zeta(:, :, now)**2)
end subroutine gyre

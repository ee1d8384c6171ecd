! Barotropic vorticity on a beta plane, Adams-Bashforth 3 begun with Euler and AB2: after Maddison, Figures 1 to 3.
subroutine gyre(zeta, psi, q, beta, r, nu, nt, cost)
  implicit none
  integer, parameter :: n = 8
  integer, intent(in) :: nt
  real(8), intent(inout) :: zeta(n, n), psi(n, n)
  real(8), intent(in) :: q(n, n), beta, r, nu
  real(8), intent(out) :: cost
  real(8), parameter :: dt = 0.01d0
  real(8) :: f(n, n), f0(n, n), f1(n, n)
  integer :: i, j, k, sweep
  do k = 0, nt - 1
    f = 0d0
    do j = 2, n - 1
      do i = 2, n - 1
        f(i, j) = q(i, j) - beta*(psi(i+1, j) - psi(i-1, j)) - r*zeta(i, j) &
          + nu*(zeta(i+1, j) + zeta(i-1, j) + zeta(i, j+1) + zeta(i, j-1) - 4*zeta(i, j)) &
          - (psi(i+1, j) - psi(i-1, j))*(zeta(i, j+1) - zeta(i, j-1)) &
          + (psi(i, j+1) - psi(i, j-1))*(zeta(i+1, j) - zeta(i-1, j))
      end do
    end do
    if (k == 0) then
      zeta = zeta + dt*f
      f0 = f
    else if (k == 1) then
      zeta = zeta + dt*(1.5d0*f - 0.5d0*f0)
      f1 = f
    else
      zeta = zeta + dt*(23*f - 16*f1 + 5*f0)/12
      f0 = f1
      f1 = f
    end if
    psi = 0d0
    do sweep = 1, 5
      do j = 2, n - 1
        do i = 2, n - 1
          psi(i, j) = 0.25d0*(psi(i+1, j) + psi(i-1, j) + psi(i, j+1) + psi(i, j-1) - zeta(i, j))
        end do
      end do
    end do
  end do
  cost = sum(psi**2)
end subroutine gyre

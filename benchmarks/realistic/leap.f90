! A barotropic model by leap-frog, time levels by index.
module baro
  implicit none
  integer, parameter :: n = 8
  real(8) :: zeta(n, n, 0:2), psi(n, n), rhs(n, n)
end module baro
subroutine vorticity(z0, nu, cost, nt)
  use baro
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: z0(n, n), nu
  real(8), intent(out) :: cost
  integer :: t, old, now, new
  zeta(:, :, 0) = z0
  zeta(:, :, 1) = 0.95d0*z0
  zeta(:, :, 2) = 0d0
  psi = 0d0
  old = 0; now = 1; new = 2
  do t = 1, nt
    call poisson(zeta(:, :, now), psi)
    call arakawa(zeta(1, 1, now), psi, rhs)
    call step(zeta(:, :, old), zeta(:, :, now), zeta(:, :, new), nu)
    call asselin(zeta(:, :, old), zeta(:, :, now), zeta(:, :, new))
    old = mod(old + 1, 3)
    now = mod(now + 1, 3)
    new = mod(new + 1, 3)
  end do
  cost = sum(zeta(:, :, now)**2) + sum(psi*z0)
end subroutine vorticity
subroutine poisson(z, p)
  use baro, only: n
  implicit none
  real(8), intent(in) :: z(n, n)
  real(8), intent(inout) :: p(n, n)
  integer :: it, i, j
  do it = 1, 3
    do j = 2, n-1
      do i = 2, n-1
        p(i, j) = 0.25d0*(p(i-1, j) + p(i+1, j) + p(i, j-1) + p(i, j+1) - z(i, j))
      end do
    end do
  end do
end subroutine poisson
subroutine arakawa(z, p, r)
  use baro, only: n
  implicit none
  real(8), intent(in) :: z(n, n), p(n, n)
  real(8), intent(inout) :: r(n, n)
  integer :: i, j
  do j = 2, n-1
    do i = 2, n-1
      r(i, j) = (p(i+1, j) - p(i-1, j))*(z(i, j+1) - z(i, j-1)) - (p(i, j+1) - p(i, j-1))*(z(i+1, j) - z(i-1, j))
    end do
  end do
end subroutine arakawa
subroutine step(zo, zc, zn, nu)
  use baro, only: n, rhs
  implicit none
  real(8), intent(in) :: zo(n, n), zc(n, n), nu
  real(8), intent(out) :: zn(n, n)
  integer :: i, j
  zn = zc
  do j = 2, n-1
    do i = 2, n-1
      zn(i, j) = zo(i, j) + 0.2d0*(rhs(i, j) + nu*(zo(i+1, j) + zo(i-1, j) + zo(i, j+1) + zo(i, j-1) - 4*zo(i, j)))
    end do
  end do
end subroutine step
subroutine asselin(zo, zc, zn)
  use baro, only: n
  implicit none
  real(8), intent(in) :: zo(n, n), zn(n, n)
  real(8), intent(inout) :: zc(n, n)
  zc = zc + 0.05d0*(zo - 2d0*zc + zn)
end subroutine asselin

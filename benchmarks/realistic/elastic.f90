! Elastic waves on staggered grids: stresses and velocities in turn, a source, an absorbing border, receivers.
subroutine stress(n, lam, mu, vx, vy, sxx, syy, sxy, dt)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: lam(n, n), mu(n, n), vx(n, n), vy(n, n), dt
  real(8), intent(inout) :: sxx(n, n), syy(n, n), sxy(n, n)
  real(8) :: dxx, dyy, dxy
  integer :: i, j
  do j = 2, n - 1
    do i = 2, n - 1
      dxx = vx(i+1, j) - vx(i, j)
      dyy = vy(i, j) - vy(i, j-1)
      dxy = vx(i, j+1) - vx(i, j) + vy(i, j) - vy(i-1, j)
      sxx(i, j) = sxx(i, j) + dt*((lam(i, j) + 2.0d0*mu(i, j))*dxx + lam(i, j)*dyy)
      syy(i, j) = syy(i, j) + dt*((lam(i, j) + 2.0d0*mu(i, j))*dyy + lam(i, j)*dxx)
      sxy(i, j) = sxy(i, j) + dt*mu(i, j)*dxy
    end do
  end do
end subroutine stress

subroutine momentum(n, rho, vx, vy, sxx, syy, sxy, damp, dt)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: rho(n, n), sxx(n, n), syy(n, n), sxy(n, n), damp(n), dt
  real(8), intent(inout) :: vx(n, n), vy(n, n)
  real(8) :: ax, ay, d
  integer :: i, j
  do j = 2, n - 1
    do i = 2, n - 1
      d = damp(i)*damp(j)
      ax = sxx(i, j) - sxx(i-1, j) + sxy(i, j) - sxy(i, j-1)
      ay = syy(i, j+1) - syy(i, j) + sxy(i+1, j) - sxy(i, j)
      vx(i, j) = d*(vx(i, j) + dt*ax/rho(i, j))
      vy(i, j) = d*(vy(i, j) + dt*ay/rho(i, j))
    end do
  end do
end subroutine momentum

subroutine seismic(vp, vs, rho, obs, misfit, n, nt)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: vp(n, n), vs(n, n), rho(n, n), obs(n, nt)
  real(8), intent(out) :: misfit
  real(8) :: lam(n, n), mu(n, n), vx(n, n), vy(n, n), sxx(n, n), syy(n, n), sxy(n, n), damp(n)
  real(8) :: dt, arg, src, res
  integer :: t, i, j
  dt = 0.1d0
  do j = 1, n
    do i = 1, n
      mu(i, j) = (0.5d0 + rho(i, j))*vs(i, j)**2
      lam(i, j) = (0.5d0 + rho(i, j))*(1.0d0 + vp(i, j))**2 - 2.0d0*mu(i, j)
    end do
    damp(j) = exp(-(0.1d0*min(j - 1, n - j))**2)
  end do
  vx = 0.0d0
  vy = 0.0d0
  sxx = 0.0d0
  syy = 0.0d0
  sxy = 0.0d0
  misfit = 0.0d0
  do t = 1, nt
    arg = 3.14d0*0.2d0*(t - 2)
    src = (1.0d0 - 2.0d0*arg**2)*exp(-arg**2)
    sxx(n/2, n/2) = sxx(n/2, n/2) + src
    syy(n/2, n/2) = syy(n/2, n/2) + src
    call stress(n, lam, mu, vx, vy, sxx, syy, sxy, dt)
    call momentum(n, rho + 0.5d0, vx, vy, sxx, syy, sxy, damp, dt)
    do i = 2, n - 1
      res = vy(i, 2) - 0.01d0*obs(i, t)
      misfit = misfit + res*res
    end do
  end do
end subroutine seismic

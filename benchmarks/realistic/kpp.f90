! An ocean's surface boundary layer by a profile scheme: Richardson number, depth of the layer by search and
! interpolation, shape functions, non-local flux, implicit mixing of two momenta and two tracers by one solver that
! overwrites its bands; the state and the tridiagonal's bands are module variables.
module ocean_column
  implicit none
  integer, parameter :: nz = 8
  real(8) :: u(nz), v(nz), t(nz), s(nz), b(nz), km(0:nz), kt(0:nz), gam(0:nz)
  real(8) :: lo(nz), di(nz), up(nz), rh(nz)
  real(8) :: zc(nz), zf(0:nz), hbl, ustar, bflux
  real(8) :: f = 0.3d0, vonk = 0.4d0, ric = 0.3d0
contains
  subroutine grid()
    integer :: k
    zf(0) = 0d0
    do k = 1, nz
      zf(k) = zf(k-1) - 0.5d0*(1d0 + 0.1d0*k)
      zc(k) = 0.5d0*(zf(k) + zf(k-1))
    end do
  end subroutine grid

  subroutine state()
    integer :: k
    do k = 1, nz
      b(k) = 0.2d0*t(k) - 0.1d0*s(k) - 0.01d0*t(k)**2
    end do
  end subroutine state

  subroutine scale_speed(sigma, w)
    real(8), intent(in) :: sigma
    real(8), intent(out) :: w
    real(8) :: zeta
    zeta = vonk*sigma*hbl*bflux/(ustar**3 + 1d-6)
    if (zeta >= 0d0) then
      w = vonk*ustar/(1d0 + 5d0*zeta)
    else if (zeta > -0.2d0) then
      w = vonk*ustar*(1d0 - 16d0*zeta)**0.25d0
    else
      w = vonk*(1.26d0*ustar**3 - 8.38d0*zeta*ustar**3)**(1d0/3d0)
    end if
  end subroutine scale_speed

  subroutine layer_depth()
    integer :: k
    real(8) :: ri, old, du2, w
    old = 0d0
    hbl = -zc(nz)
    do k = 2, nz
      hbl = -zc(k)
      call scale_speed(0.1d0, w)
      du2 = (u(1) - u(k))**2 + (v(1) - v(k))**2 + 0.05d0*hbl*w
      ri = (b(1) - b(k))*(-zc(k) + zc(1))/(du2 + 1d-4)
      if (ri > ric) then
        hbl = -(zc(k-1) + (zc(k) - zc(k-1))*(ric - old)/(ri - old + 1d-6))
        exit
      end if
      old = ri
    end do
    hbl = max(hbl, -zc(1))
  end subroutine layer_depth

  subroutine coefficients()
    integer :: k
    real(8) :: sigma, w, shape, n2, s2, ri
    do k = 1, nz - 1
      n2 = (b(k) - b(k+1))/(zc(k) - zc(k+1))
      s2 = ((u(k) - u(k+1))**2 + (v(k) - v(k+1))**2)/(zc(k) - zc(k+1))**2
      ri = n2/(s2 + 1d-3)
      if (ri < 0d0) then
        km(k) = 0.5d0
      else if (ri < 0.7d0) then
        km(k) = 0.5d0*(1d0 - (ri/0.7d0)**2)**3
      else
        km(k) = 0.001d0
      end if
      kt(k) = 0.8d0*km(k)
      gam(k) = 0d0
      sigma = -zf(k)/hbl
      if (sigma < 1d0) then
        call scale_speed(min(sigma, 0.1d0), w)
        shape = sigma*(1d0 - sigma)**2
        km(k) = max(km(k), hbl*w*shape)
        kt(k) = max(kt(k), 1.1d0*hbl*w*shape)
        if (bflux < 0d0) gam(k) = -6d0*bflux/(w*hbl + 1d-3)
      end if
    end do
    km(0) = 0d0
    kt(0) = 0d0
    gam(0) = 0d0
    km(nz) = 0d0
    kt(nz) = 0d0
    gam(nz) = 0d0
  end subroutine coefficients

  subroutine bands(kap, dt)
    real(8), intent(in) :: kap(0:nz), dt
    integer :: k
    real(8) :: thick
    do k = 1, nz
      thick = zf(k-1) - zf(k)
      lo(k) = 0d0
      up(k) = 0d0
      if (k > 1) lo(k) = -dt*kap(k-1)/(thick*(zc(k-1) - zc(k)))
      if (k < nz) up(k) = -dt*kap(k)/(thick*(zc(k) - zc(k+1)))
      di(k) = 1d0 - lo(k) - up(k)
    end do
  end subroutine bands

  subroutine thomas(x)
    real(8), intent(inout) :: x(nz)
    integer :: k
    real(8) :: piv
    piv = di(1)
    x(1) = x(1)/piv
    do k = 2, nz
      rh(k) = up(k-1)/piv
      piv = di(k) - lo(k)*rh(k)
      x(k) = (x(k) - lo(k)*x(k-1))/piv
    end do
    do k = nz - 1, 1, -1
      x(k) = x(k) - rh(k+1)*x(k+1)
    end do
  end subroutine thomas
end module ocean_column

subroutine mixed_layer(nt, t0, s0, taux, heat, sst)
  use ocean_column
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: t0(nz), s0(nz), taux(nt), heat(nt)
  real(8), intent(out) :: sst
  integer :: it, k
  real(8) :: dt, uold
  call grid()
  t = t0
  s = s0
  do k = 1, nz
    t(k) = t(k) - 0.01d0*k
  end do
  u = 0.1d0
  v = 0d0
  dt = 0.5d0
  sst = 0d0
  do it = 1, nt
    ustar = sqrt(abs(taux(it))*0.01d0)
    bflux = 0.02d0*(heat(it) - 1d0)
    call state()
    call layer_depth()
    call coefficients()
    do k = 1, nz
      uold = u(k)
      u(k) = u(k) + dt*f*v(k)
      v(k) = v(k) - dt*f*uold
    end do
    u(1) = u(1) + dt*0.01d0*taux(it)/(-zf(1))
    call bands(km, dt)
    call thomas(u)
    call thomas(v)
    t(1) = t(1) + dt*0.1d0*heat(it)/(-zf(1))
    do k = 1, nz
      t(k) = t(k) - dt*(kt(k-1)*gam(k-1) - kt(k)*gam(k))/(zf(k-1) - zf(k))
    end do
    call bands(kt, dt)
    call thomas(t)
    call thomas(s)
    sst = sst + (t(1) - 0.3d0*s(1))**2 + 0.1d0*hbl
  end do
end subroutine mixed_layer

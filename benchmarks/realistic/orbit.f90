! A satellite: J2, drag in an exponential atmosphere, solar pressure with eclipses; Dormand-Prince with rejected steps,
! perigee passages found by bisection on the last step.
module sky
  implicit none
  real(8), parameter :: mu = 1d0, re = 0.5d0, j2 = 1d-2
  integer :: neval = 0
contains
  real(8) function density(h, scale)
    real(8), intent(in) :: h, scale
    if (h < 0.3d0) then
      density = 0.1d0*exp(-h/(0.2d0*scale))
    else
      density = 0.1d0*exp(-1.5d0/scale)*exp(-(h - 0.3d0)/(0.4d0*scale))
    end if
  end function density
  real(8) function shadow(r)
    real(8), intent(in) :: r(3)
    real(8) :: perp
    perp = sqrt(r(2)**2 + r(3)**2)
    if (r(1) >= 0d0) then
      shadow = 1d0
    else if (perp < 0.9d0*re) then
      shadow = 0d0
    else if (perp > 1.1d0*re) then
      shadow = 1d0
    else
      shadow = (perp - 0.9d0*re)/(0.2d0*re)
    end if
  end function shadow
  subroutine accel(y, par, f)
    real(8), intent(in) :: y(6), par(3)
    real(8), intent(out) :: f(6)
    real(8) :: r, r2, z2, k, rho, v, s
    integer :: i
    r2 = y(1)**2 + y(2)**2 + y(3)**2
    r = sqrt(r2)
    z2 = 5d0*y(3)**2/r2
    k = 1.5d0*j2*mu*re**2/(r2*r2*r)
    f(1:3) = y(4:6)
    f(4) = -mu*y(1)/(r*r2) - k*y(1)*(1d0 - z2)
    f(5) = -mu*y(2)/(r*r2) - k*y(2)*(1d0 - z2)
    f(6) = -mu*y(3)/(r*r2) - k*y(3)*(3d0 - z2)
    rho = density(r - re, par(1))
    v = sqrt(y(4)**2 + y(5)**2 + y(6)**2)
    do i = 4, 6
      f(i) = f(i) - 0.5d0*par(2)*rho*v*y(i)
    end do
    s = shadow(y(1:3))
    f(4) = f(4) - 1d-2*par(3)*s
    neval = neval + 1
  end subroutine accel
  subroutine dopri(y, h, par, ynew, err)
    real(8), intent(in) :: y(6), h, par(3)
    real(8), intent(out) :: ynew(6), err
    real(8) :: k1(6), k2(6), k3(6), k4(6), e
    integer :: i
    call accel(y, par, k1)
    ynew = y + 0.5d0*h*k1
    call accel(ynew, par, k2)
    ynew = y + 0.75d0*h*k2
    call accel(ynew, par, k3)
    ynew = y + h*(2d0*k1 + 3d0*k2 + 4d0*k3)/9d0
    call accel(ynew, par, k4)
    err = 0d0
    do i = 1, 6
      e = h*(-5d0*k1(i)/72d0 + k2(i)/12d0 + k3(i)/9d0 - k4(i)/8d0)
      err = err + e*e
    end do
    err = sqrt(err)
  end subroutine dopri
end module sky
subroutine orbit(y0, par, tend, miss)
  use sky
  implicit none
  real(8), intent(in) :: y0(6), par(3), tend
  real(8), intent(out) :: miss
  real(8) :: y(6), yn(6), yt(6), t, h, err, tol, rv, rvn, a, b, c, perigee
  integer :: it, k
  y(1) = y0(1)
  y(2) = 0.3d0*y0(2)
  y(3) = 0.2d0*y0(3)
  y(4) = -0.3d0*y0(4)
  y(5) = 0.8d0*y0(5)
  y(6) = 0.1d0*y0(6)
  t = 0d0
  h = 0.3d0
  tol = 2d-3
  perigee = 0d0
  it = 0
  do while (t < 2d0*tend .and. it < 30)
    it = it + 1
    if (t + h > 2d0*tend) h = 2d0*tend - t
    call dopri(y, h, par, yn, err)
    if (err > tol) then
      h = h*max(0.3d0, 0.9d0*(tol/err)**0.3333d0)
      cycle
    end if
    rv = y(1)*y(4) + y(2)*y(5) + y(3)*y(6)
    rvn = yn(1)*yn(4) + yn(2)*yn(5) + yn(3)*yn(6)
    if (rv < 0d0 .and. rvn >= 0d0) then
      a = 0d0
      b = h
      do k = 1, 6
        c = 0.5d0*(a + b)
        call dopri(y, c, par, yt, err)
        if (yt(1)*yt(4) + yt(2)*yt(5) + yt(3)*yt(6) < 0d0) then
          a = c
        else
          b = c
        end if
      end do
      perigee = perigee + sqrt(yt(1)**2 + yt(2)**2 + yt(3)**2)
    end if
    t = t + h
    y = yn
    h = h*min(2d0, 0.9d0*(tol/max(err, 1d-8))**0.3333d0)
  end do
  miss = (y(1) - 0.5d0)**2 + y(2)**2 + y(3)**2 + 0.1d0*perigee
end subroutine orbit

! The surface energy balance of streets: walls, road and roof of every tile with layers of heat storage, radiation with
! reflections between facets, turbulent fluxes with a stability function, Newton's method for the skin temperature, air
! in the canyon that mixes with the air above; tiles are derived types in a list of allocatable layers.
module urban
  implicit none
  integer, parameter :: nl = 4
  type facet
    real(8) :: t(nl), skin, cap, cond, albedo
  end type facet
  type tile
    type(facet) :: roof, wall, road
    real(8) :: air, hw, frac
  end type tile
  real(8), parameter :: sb = 0.05d0
contains
  function stability(ri) result(fm)
    real(8), intent(in) :: ri
    real(8) :: fm
    if (ri > 0d0) then
      fm = 1d0/(1d0 + 10d0*ri*(1d0 + 8d0*ri))
    else
      fm = sqrt(1d0 - 16d0*ri)
    end if
  end function stability

  subroutine exchange(tsurf, tair, wind, z0, coef, h)
    real(8), intent(in) :: tsurf, tair, wind, z0
    real(8), intent(out) :: coef, h
    real(8) :: ri, cn
    ri = 0.3d0*(tair - tsurf)/(wind**2 + 0.1d0)
    cn = (0.4d0/log(10d0/z0))**2
    coef = cn*wind*stability(ri)
    h = coef*(tsurf - tair)
  end subroutine exchange

  subroutine skin_balance(f, absorbed, longwave, tair, wind, z0, h)
    type(facet), intent(inout) :: f
    real(8), intent(in) :: absorbed, longwave, tair, wind, z0
    real(8), intent(out) :: h
    real(8) :: r, dr, coef, g
    integer :: it
    do it = 1, 4
      call exchange(f%skin, tair, wind, z0, coef, h)
      g = 2d0*f%cond*(f%skin - f%t(1))
      r = absorbed + longwave - sb*f%skin**4 - h - g
      dr = -4d0*sb*f%skin**3 - coef - 2d0*f%cond
      f%skin = f%skin - r/dr
      if (abs(r) < 1d-10) exit
    end do
    call exchange(f%skin, tair, wind, z0, coef, h)
  end subroutine skin_balance

  subroutine conduct(f, dt, inner)
    type(facet), intent(inout) :: f
    real(8), intent(in) :: dt, inner
    real(8) :: flux(0:nl)
    integer :: k
    flux(0) = 2d0*f%cond*(f%skin - f%t(1))
    do k = 1, nl - 1
      flux(k) = f%cond*(f%t(k) - f%t(k+1))*(1d0 + 0.05d0*f%t(k))
    end do
    flux(nl) = f%cond*(f%t(nl) - inner)
    do k = 1, nl
      f%t(k) = f%t(k) + dt/f%cap*(flux(k-1) - flux(k))
    end do
  end subroutine conduct

  subroutine radiation(one, sun, sky, roof, wall, road, lwall, lroad)
    type(tile), intent(in) :: one
    real(8), intent(in) :: sun, sky
    real(8), intent(out) :: roof, wall, road, lwall, lroad
    real(8) :: psir, psiw, r0, w0, wbar, rbar, den
    psir = sqrt(one%hw**2 + 1d0) - one%hw
    psiw = 0.5d0*(one%hw + 1d0 - sqrt(one%hw**2 + 1d0))/one%hw
    roof = sun*(1d0 - one%roof%albedo)
    r0 = one%road%albedo*sun*psir
    w0 = one%wall%albedo*sun*psiw
    den = 1d0 - (1d0 - 2d0*psiw)*one%wall%albedo - (1d0 - psir)*psiw*one%wall%albedo*one%road%albedo
    wbar = (w0 + psiw*one%wall%albedo*r0)/den
    rbar = r0 + (1d0 - psir)*one%road%albedo*wbar
    wall = (1d0 - one%wall%albedo)*(sun*psiw + psiw*rbar + (1d0 - 2d0*psiw)*wbar)
    road = (1d0 - one%road%albedo)*(sun*psir + (1d0 - psir)*wbar)
    lwall = psiw*sky + psiw*sb*one%road%skin**4 + (1d0 - 2d0*psiw)*sb*one%wall%skin**4
    lroad = psir*sky + (1d0 - psir)*sb*one%wall%skin**4
  end subroutine radiation

  subroutine advance(one, sun, sky, tabove, wind, inner, dt, heat)
    type(tile), intent(inout) :: one
    real(8), intent(in) :: sun, sky, tabove, wind, inner, dt
    real(8), intent(out) :: heat
    real(8) :: aroof, awall, aroad, lwall, lroad, hroof, hwall, hroad, htop, coef
    call radiation(one, sun, sky, aroof, awall, aroad, lwall, lroad)
    call skin_balance(one%roof, aroof, sky, tabove, wind, 0.1d0, hroof)
    call skin_balance(one%wall, awall, lwall, one%air, 0.5d0*wind, 0.05d0, hwall)
    call skin_balance(one%road, aroad, lroad, one%air, 0.4d0*wind, 0.05d0, hroad)
    call conduct(one%roof, dt, inner)
    call conduct(one%wall, dt, inner)
    call conduct(one%road, dt, (one%road%t(nl)))
    call exchange(one%air, tabove, wind, 0.8d0, coef, htop)
    one%air = one%air + dt*(hroad + 2d0*one%hw*hwall - htop)/(0.5d0 + one%hw)
    heat = one%frac*hroof + (1d0 - one%frac)*htop
  end subroutine advance
end module urban

subroutine city(nt, nu, hw, albedo, cond, t0, sun, wind, target, misfit)
  use urban
  implicit none
  integer, intent(in) :: nt, nu
  real(8), intent(in) :: hw(nu), albedo(3, nu), cond(3), t0(nu), sun(nt), wind(nt), target(nt)
  real(8), intent(out) :: misfit
  type(tile) :: tiles(nu)
  real(8) :: above, heat, total
  integer :: it, k
  do k = 1, nu
    call ready(tiles(k)%roof, t0(k), 2d0, 0.2d0*cond(1), 0.3d0*albedo(1, k))
    call ready(tiles(k)%wall, t0(k), 2d0, 0.2d0*cond(2), 0.3d0*albedo(2, k))
    call ready(tiles(k)%road, t0(k), 3d0, 0.2d0*cond(3), 0.2d0*albedo(3, k))
    tiles(k)%air = t0(k)
    tiles(k)%hw = hw(k)
    tiles(k)%frac = 0.4d0
  end do
  above = 1d0
  misfit = 0d0
  do it = 1, nt
    total = 0d0
    do k = 1, nu
      call advance(tiles(k), sun(it), 0.04d0*above**4, above, wind(it), 1.1d0, 0.3d0, heat)
      total = total + heat/nu
    end do
    above = above + 0.2d0*total - 0.05d0*(above - 1d0)
    misfit = misfit + (above - target(it))**2 + 0.1d0*(tiles(1)%road%skin - target(it))**2
  end do
contains
  subroutine ready(f, t, cap, c, a)
    type(facet), intent(out) :: f
    real(8), intent(in) :: t, cap, c, a
    integer :: l
    do l = 1, nl
      f%t(l) = t + 0.02d0*l
    end do
    f%skin = t
    f%cap = cap
    f%cond = c
    f%albedo = a
  end subroutine ready
end subroutine city

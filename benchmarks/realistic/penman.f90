! Penman-Monteith evaporation, soil water and biomass of plots, each a derived type.
module pm
  implicit none
  type site
    real(8) :: albedo, rs, height, soil, cap
  end type
contains
  real(8) function esat(t)
    real(8), intent(in) :: t
    esat = 0.6108d0*exp(17.27d0*t/(t + 237.3d0))
  end function
  subroutine et0(s, t, rn, wind, rh, et)
    type(site), intent(in) :: s
    real(8), intent(in) :: t, rn, wind, rh
    real(8), intent(out) :: et
    real(8) :: del, ra, es, ea, gam, num
    es = esat(t)
    ea = rh*es
    del = 4098d0*es/(t + 237.3d0)**2
    ra = 208d0/(wind*(1d0 + 0.1d0*s%height))
    gam = 0.066d0
    num = 0.408d0*del*(1d0 - s%albedo)*rn + gam*900d0/(t + 273d0)*wind*(es - ea)
    et = num/(del + gam*(1d0 + s%rs/ra))
  end subroutine
  subroutine soil_step(s, p, et, drain)
    type(site), intent(inout) :: s
    real(8), intent(in) :: p, et
    real(8), intent(out) :: drain
    real(8) :: stress, w
    w = s%soil/s%cap
    if (w < 0.4d0) then
      stress = w/0.4d0
    else
      stress = 1d0
    end if
    s%soil = s%soil + p - stress*et
    if (s%soil > s%cap) then
      drain = s%soil - s%cap
      s%soil = s%cap
    else
      drain = 0.002d0*s%soil*w**3
      s%soil = s%soil - drain
    end if
  end subroutine
end module
subroutine penman(np, nt, par, p, t, rn, wind, rh, yield)
  use pm
  implicit none
  integer, intent(in) :: np, nt
  real(8), intent(in) :: par(3), p(nt), t(nt), rn(nt), wind(nt), rh(nt)
  real(8), intent(out) :: yield
  type(site) :: s(np)
  real(8) :: et, dr, biomass(np), stress
  integer :: i, d
  do i = 1, np
    s(i)%albedo = par(1)
    s(i)%rs = par(2)*(1d0 + 0.1d0*i)
    s(i)%height = 0.2d0
    s(i)%cap = par(3)
    s(i)%soil = 0.6d0*par(3)
    biomass(i) = 1d0
  end do
  do d = 1, nt
    do i = 1, np
      call et0(s(i), t(d), rn(d), wind(d), rh(d), et)
      call soil_step(s(i), p(d), et, dr)
      stress = s(i)%soil/(s(i)%cap*0.5d0 + s(i)%soil)
      biomass(i) = biomass(i)*(1d0 + 0.05d0*stress)/(1d0 + 0.001d0*biomass(i))
      s(i)%height = 0.2d0 + 0.01d0*biomass(i)
    end do
  end do
  yield = 0d0
  do i = 1, np
    yield = yield + biomass(i)**2
  end do
end subroutine

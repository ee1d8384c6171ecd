! Snow and firn columns: melt, refreezing liquid, and a flux through layers of each cell.
module snow_par
  implicit none
  integer, parameter :: nl = 4
  real(8), parameter :: tfr = 273.15d0, lf = 3.34d5, cw = 4186d0
end module
subroutine snow(nc, nt, par, forc, tair, total)
  use snow_par
  implicit none
  integer, intent(in) :: nc, nt
  real(8), intent(in) :: par(4), forc(nc, nt), tair(nc, nt)
  real(8), intent(out) :: total
  real(8) :: swe(nc), liq(nc), tsn(nl, nc), run(nc)
  integer :: i, t
  swe = par(4)*50d0
  liq = 0d0
  tsn = tfr - 2d0
  total = 0d0
  do t = 1, nt
    do i = 1, nc
      call melt(par, forc(i, t), tair(i, t), swe(i), liq(i), run(i))
      call diffuse(par(3), tair(i, t), swe(i), tsn(:, i))
    end do
    do i = 1, nc
      total = total + run(i)**2 + 0.01d0*(tsn(nl, i) - tfr)**2
    end do
  end do
end subroutine
subroutine melt(par, p, ta, swe, liq, run)
  use snow_par
  implicit none
  real(8), intent(in) :: par(4), p, ta
  real(8), intent(inout) :: swe, liq
  real(8), intent(out) :: run
  real(8) :: fsnow, m, cap
  fsnow = 1d0/(1d0 + exp(2d0*(ta - tfr - par(1))))
  swe = swe + fsnow*p
  liq = liq + (1d0 - fsnow)*p
  m = par(2)*log(1d0 + exp(ta - tfr))
  if (m > swe) m = 0.99d0*swe
  swe = swe - m
  liq = liq + m
  cap = 0.1d0*swe
  if (liq > cap) then
    run = liq - cap
    liq = cap
  else
    run = 0.01d0*liq*liq
    liq = liq - run
  end if
end subroutine
subroutine diffuse(k, ta, swe, t)
  use snow_par
  implicit none
  real(8), intent(in) :: k, ta, swe
  real(8), intent(inout) :: t(nl)
  real(8) :: flux(0:nl), depth
  integer :: l
  depth = (swe + 10d0)/nl
  flux(0) = k*(ta - t(1))/depth*2d0
  do l = 1, nl - 1
    flux(l) = k*(1d0 + 0.001d0*t(l))*(t(l) - t(l+1))/depth
  end do
  flux(nl) = 0d0
  do l = 1, nl
    t(l) = t(l) + (flux(l-1) - flux(l))/depth
  end do
end subroutine

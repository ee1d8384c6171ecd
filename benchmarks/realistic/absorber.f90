! A packed absorber: gas up, liquid down, stage by stage; equilibrium from a table with a search that remembers its
! place, the top's liquid guess corrected by secants until the profile closes, heat of absorption.
module equilibrium
  implicit none
  integer, parameter :: nt = 6
  real(8), parameter :: xt(nt) = (/ 0d0, 0.1d0, 0.25d0, 0.5d0, 1d0, 2d0 /)
  real(8), parameter :: yt(nt) = (/ 0d0, 0.04d0, 0.12d0, 0.3d0, 0.8d0, 2.1d0 /)
  integer, save :: last = 1
contains
  real(8) function henry(x, t)
    real(8), intent(in) :: x, t
    real(8) :: y
    integer :: k
    k = last
    do while (k < nt - 1 .and. x > xt(k+1))
      k = k + 1
    end do
    do while (k > 1 .and. x < xt(k))
      k = k - 1
    end do
    last = k
    y = yt(k) + (yt(k+1) - yt(k))*(x - xt(k))/(xt(k+1) - xt(k))
    henry = y*exp(0.5d0*(t - 1d0))
  end function henry
end module equilibrium
subroutine profile(ns, ytop, xtop, ttop, lg, kya, x, y, t)
  use equilibrium
  implicit none
  integer, intent(in) :: ns
  real(8), intent(in) :: ytop, xtop, ttop, lg, kya(ns)
  real(8), intent(out) :: x(0:ns), y(0:ns), t(0:ns)
  real(8) :: rate, ystar
  integer :: i
  x(0) = xtop
  y(0) = ytop
  t(0) = ttop
  do i = 1, ns
    ystar = henry(x(i-1), t(i-1))
    rate = kya(i)*(y(i-1) - ystar)
    if (rate < 0d0) rate = 0.1d0*rate
    y(i) = y(i-1) + rate
    x(i) = x(i-1) + rate/lg
    t(i) = t(i-1) + 0.3d0*rate - 0.02d0*(t(i-1) - 1d0)
  end do
end subroutine profile
subroutine absorber(ns, nd, yin, kya, lg, tin, slip, cost)
  use equilibrium
  implicit none
  integer, intent(in) :: ns, nd
  real(8), intent(in) :: yin(nd), kya(ns), lg, tin, slip
  real(8), intent(out) :: cost
  real(8) :: x(0:ns), y(0:ns), t(0:ns), kl(ns)
  real(8) :: g0, g1, r0, r1, gn, wear
  integer :: d, it, i
  cost = 0d0
  wear = 1d0
  do d = 1, nd
    do i = 1, ns
      kl(i) = 0.2d0*kya(i)*wear
    end do
    last = 1
    g0 = 0.2d0*yin(d)
    call profile(ns, g0, 0.01d0, 1d0 + 0.1d0*tin, 1d0 + lg, kl, x, y, t)
    r0 = y(ns) - yin(d)
    g1 = 0.3d0*yin(d)
    do it = 1, 8
      call profile(ns, g1, 0.01d0, 1d0 + 0.1d0*tin, 1d0 + lg, kl, x, y, t)
      r1 = y(ns) - yin(d)
      if (abs(r1) < 1d-8) exit
      if (abs(r1 - r0) < 1d-12) exit
      gn = g1 - r1*(g1 - g0)/(r1 - r0)
      g0 = g1
      r0 = r1
      g1 = max(gn, 1d-3)
    end do
    wear = wear*(1d0 - 0.1d0*slip*x(ns))
    cost = cost + g1**2 + 0.05d0*t(ns)
  end do
end subroutine absorber

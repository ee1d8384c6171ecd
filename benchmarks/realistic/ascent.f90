! A two-stage rocket through a tabulated atmosphere: Runge-Kutta 4 on a state vector, thrust by stage, drag by a table of
! Mach numbers, a pitch programme, staging when the tank is empty, an ensemble of winds.
module vehicle
  implicit none
  integer, parameter :: nh = 6, nm = 5
  real(8), parameter :: ht(nh) = (/ 0d0, 1d0, 2d0, 4d0, 7d0, 12d0 /)
  real(8), parameter :: rhot(nh) = (/ 1d0, 0.8d0, 0.6d0, 0.35d0, 0.15d0, 0.02d0 /)
  real(8), parameter :: at(nh) = (/ 1d0, 0.97d0, 0.94d0, 0.9d0, 0.88d0, 0.9d0 /)
  real(8), parameter :: mt(nm) = (/ 0d0, 0.8d0, 1.1d0, 1.6d0, 4d0 /)
  real(8), parameter :: ct(nm) = (/ 0.3d0, 0.35d0, 0.6d0, 0.5d0, 0.25d0 /)
  real(8) :: thrust(2), flow(2), dry(2)
  integer :: stage
contains
  function table(xs, ys, n, x) result(y)
    integer, intent(in) :: n
    real(8), intent(in) :: xs(n), ys(n), x
    real(8) :: y
    integer :: lo, hi, mid
    lo = 1
    hi = n
    do while (hi - lo > 1)
      mid = (lo + hi)/2
      if (x >= xs(mid)) then
        lo = mid
      else
        hi = mid
      end if
    end do
    y = ys(lo) + (ys(hi) - ys(lo))*(x - xs(lo))/(xs(hi) - xs(lo))
  end function table
  subroutine derivs(s, theta, wind, ds)
    real(8), intent(in) :: s(5), theta, wind
    real(8), intent(out) :: ds(5)
    real(8) :: rho, a, vr, mach, drag, t
    rho = table(ht, rhot, nh, s(2))
    a = table(ht, at, nh, s(2))
    vr = sqrt((s(3) - wind)**2 + s(4)**2 + 1d-8)
    mach = vr/a
    drag = 0.1d0*rho*vr*table(mt, ct, nm, mach)
    t = 0d0
    if (stage <= 2) t = thrust(stage)
    ds(1) = s(3)
    ds(2) = s(4)
    ds(3) = (t*cos(theta) - drag*(s(3) - wind))/s(5)
    ds(4) = (t*sin(theta) - drag*s(4))/s(5) - 0.3d0
    ds(5) = 0d0
    if (stage <= 2) ds(5) = -flow(stage)
  end subroutine derivs
  subroutine rk4(s, theta, wind, dt)
    real(8), intent(inout) :: s(5)
    real(8), intent(in) :: theta, wind, dt
    real(8) :: k1(5), k2(5), k3(5), k4(5), w(5)
    call derivs(s, theta, wind, k1)
    w = s + 0.5d0*dt*k1
    call derivs(w, theta, wind, k2)
    w = s + 0.5d0*dt*k2
    call derivs(w, theta, wind, k3)
    w = s + dt*k3
    call derivs(w, theta, wind, k4)
    s = s + dt/6d0*(k1 + 2d0*k2 + 2d0*k3 + k4)
  end subroutine rk4
end module vehicle
subroutine ascent(nw, nt, isp, mass, kick, wind, cost)
  use vehicle
  implicit none
  integer, intent(in) :: nw, nt
  real(8), intent(in) :: isp(2), mass(2), kick, wind(nw)
  real(8), intent(out) :: cost
  real(8) :: s(5), theta, fuel
  integer :: w, it
  cost = 0d0
  do w = 1, nw
    stage = 1
    thrust(1) = 1.2d0 + isp(1)
    thrust(2) = 0.4d0 + 0.5d0*isp(2)
    flow(1) = 0.3d0
    flow(2) = 0.08d0
    dry(1) = 0.9d0 + 0.2d0*mass(1)
    dry(2) = 0.3d0 + 0.1d0*mass(2)
    s = (/ 0d0, 0.1d0, 0d0, 0.1d0, 1.5d0 /)
    do it = 1, 4*nt
      theta = 1.57d0 - 0.05d0*kick*it
      if (s(2) > 6d0) theta = theta - 0.1d0
      call rk4(s, theta, 0.1d0*wind(w), 0.2d0)
      if (stage <= 2) then
        fuel = s(5) - dry(stage)
        if (fuel < 0d0) then
          s(5) = s(5) - 0.3d0*dry(stage)
          stage = stage + 1
        end if
      end if
      if (s(2) < 0d0) exit
    end do
    cost = cost + s(2) + 0.5d0*(s(3)**2 + s(4)**2)
  end do
  cost = cost/nw
end subroutine ascent

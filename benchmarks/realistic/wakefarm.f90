! A wind farm: wakes superposed by a function whose result is an array, turbine curves as tables with an inverse search, yaw
! control by trial, wind roses summed in bins.
module turbines
  implicit none
  integer, parameter :: nt = 5, nb = 6
  real(8), parameter :: vtab(nb) = (/0d0, 0.3d0, 0.6d0, 0.9d0, 1.2d0, 2d0/)
  real(8), parameter :: ctab(nb) = (/0.9d0, 0.85d0, 0.8d0, 0.7d0, 0.4d0, 0.1d0/)
contains
  integer function bin_of(v) result(k)
    real(8), intent(in) :: v
    integer :: lo, hi
    lo = 1
    hi = nb
    do while (hi - lo > 1)
      k = (lo + hi)/2
      if (vtab(k) > v) then
        hi = k
      else
        lo = k
      end if
    end do
    k = lo
  end function bin_of
  real(8) function thrust(v)
    real(8), intent(in) :: v
    integer :: k
    k = bin_of(v)
    thrust = ctab(k) + (ctab(k+1) - ctab(k))*(v - vtab(k))/(vtab(k+1) - vtab(k))
  end function thrust
  function deficit(i, x, y, ct, yaw, spread) result(d)
    integer, intent(in) :: i
    real(8), intent(in) :: x(nt), y(nt), ct, yaw, spread
    real(8) :: d(nt), w, s, r
    integer :: k
    d = 0d0
    do k = 1, nt
      s = x(k) - x(i)
      if (s <= 0d0) cycle
      w = 0.3d0 + spread*s
      r = y(k) - y(i) - 0.2d0*ct*sin(yaw)*s
      d(k) = (1d0 - sqrt(1d0 - 0.9d0*ct*cos(yaw)**2))*(0.3d0/w)**2*exp(-0.5d0*(r/w)**2)
    end do
  end function deficit
  subroutine farm(x, y, yaw, wind, spread, v, power)
    real(8), intent(in) :: x(nt), y(nt), yaw(nt), wind, spread
    real(8), intent(out) :: v(nt), power
    real(8) :: sq(nt), d(nt)
    integer :: i, pass
    sq = 0d0
    power = 0d0
    do i = 1, nt
      v(i) = wind*(1d0 - sqrt(sq(i) + 1d-6))
      if (v(i) < 0.1d0) cycle
      d = deficit(i, x, y, thrust(v(i)), yaw(i), spread)
      sq = sq + d*d
      power = power + (v(i)*cos(yaw(i)))**3
    end do
  end subroutine farm
  subroutine steer(x, y, yaw, wind, spread, v, best)
    real(8), intent(in) :: x(nt), y(nt), wind, spread
    real(8), intent(inout) :: yaw(nt)
    real(8), intent(out) :: v(nt), best
    real(8) :: p, keep
    integer :: i
    call farm(x, y, yaw, wind, spread, v, best)
    do i = 1, 2
      keep = yaw(i)
      yaw(i) = keep + 0.1d0*(1d0 + v(i))
      call farm(x, y, yaw, wind, spread, v, p)
      if (p > best) then
        best = p
      else
        yaw(i) = keep
      end if
    end do
  end subroutine steer
end module turbines
subroutine wakefarm(nd, px, py, wind, rose, spread, energy)
  use turbines
  implicit none
  integer, intent(in) :: nd
  real(8), intent(in) :: px(nt), py(nt), wind(nd), rose(nd), spread
  real(8), intent(out) :: energy
  real(8) :: x(nt), y(nt), yaw(nt), v(nt), p, a
  integer :: id, i
  energy = 0d0
  yaw = 0d0
  do id = 1, nd
    a = 0.3d0*(id - 3)
    do i = 1, nt
      x(i) = cos(a)*(i + px(i)) + sin(a)*py(i)*mod(i, 2)
      y(i) = -sin(a)*(i + px(i)) + cos(a)*py(i)*mod(i, 2)
    end do
    call steer(x, y, yaw, wind(id), 0.1d0*spread, v, p)
    energy = energy + rose(id)*p
    yaw = 0.9d0*yaw
  end do
end subroutine wakefarm

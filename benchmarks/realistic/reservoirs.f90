! A cascade of reservoirs with rule curves, spillways, evaporation from the lake's area and routed releases.
module cascade_types
  implicit none
  type reservoir
    real(8) :: storage, capacity, area, release, spill
  end type
end module
subroutine reservoirs(n, nt, inflow, rule, value)
  use cascade_types
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: inflow(nt), rule(n)
  real(8), intent(out) :: value
  type(reservoir) :: res(n)
  real(8) :: channel(n), arrive, power
  integer :: it, i
  do i = 1, n
    res(i)%storage = 2d0 + 0.1d0*i
    res(i)%capacity = 3d0
    res(i)%area = 0d0
    res(i)%release = 0d0
    res(i)%spill = 0d0
    channel(i) = 0.5d0
  end do
  value = 0d0
  do it = 1, nt
    arrive = inflow(it)
    do i = 1, n
      call evaporate(res(i), 0.05d0*(1d0 + 0.5d0*sin(0.5d0*it)))
      call operate(res(i), arrive, rule(i))
      call route(channel(i), res(i)%release + res(i)%spill, 0.4d0, arrive)
      call generate(res(i), power)
      value = value + power*(1d0 + 0.1d0*mod(it, 3))
      if (res(i)%spill > 0.5d0) value = value - 0.2d0*(res(i)%spill - 0.5d0)**2
    end do
  end do
  do i = 1, n
    value = value - (res(i)%storage - 2d0)**2
  end do
end subroutine
subroutine evaporate(r, rate)
  use cascade_types
  implicit none
  type(reservoir), intent(inout) :: r
  real(8), intent(in) :: rate
  r%area = 1d0 + 0.5d0*r%storage**0.7d0
  r%storage = max(r%storage - rate*r%area, 0.1d0)
end subroutine
subroutine operate(r, arrive, rule)
  use cascade_types
  implicit none
  type(reservoir), intent(inout) :: r
  real(8), intent(in) :: arrive, rule
  real(8) :: want, s
  s = r%storage + arrive
  want = rule*(s/r%capacity)**1.5d0
  r%release = min(want, 0.8d0*s)
  s = s - r%release
  r%spill = 0d0
  if (s > r%capacity) then
    r%spill = s - r%capacity
    s = r%capacity
  end if
  r%storage = s
end subroutine
subroutine route(channel, inlet, k, outlet)
  implicit none
  real(8), intent(inout) :: channel
  real(8), intent(in) :: inlet, k
  real(8), intent(out) :: outlet
  channel = channel + inlet
  outlet = k*channel*sqrt(channel)/(1d0 + sqrt(channel))
  channel = channel - outlet
end subroutine
subroutine generate(r, power)
  use cascade_types
  implicit none
  type(reservoir), intent(in) :: r
  real(8), intent(out) :: power
  real(8) :: head, q
  head = 5d0*(r%storage/r%capacity)**0.4d0
  q = min(r%release, 1.5d0)
  power = 9.81d0*0.85d0*q*head
end subroutine

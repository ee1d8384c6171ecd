! An epidemic in several towns and age groups, with commuting, vaccination by schedule and seasonal forcing.
module epi
  implicit none
  integer, parameter :: na = 3
  type town
    real(8) :: s(na), e(na), i(na), r(na), pop
    real(8) :: foi(na)
  end type town
  type params
    real(8) :: beta, sigma, gamma, mu, season
  end type params
contains
  subroutine force(nt, towns, mix, comm, p, t)
    integer, intent(in) :: nt
    type(town), intent(inout) :: towns(nt)
    real(8), intent(in) :: mix(na, na), comm(nt, nt), t
    type(params), intent(in) :: p
    real(8) :: prev(na), b
    integer :: k, l, a, c
    b = p%beta*(1d0 + 0.2d0*p%season*cos(0.6d0*t))
    do k = 1, nt
      do a = 1, na
        prev(a) = 0d0
        do l = 1, nt
          prev(a) = prev(a) + comm(k, l)*towns(l)%i(a)/towns(l)%pop
        end do
      end do
      do a = 1, na
        towns(k)%foi(a) = 0d0
        do c = 1, na
          towns(k)%foi(a) = towns(k)%foi(a) + b*mix(a, c)*prev(c)
        end do
      end do
    end do
  end subroutine force
  subroutine advance(tw, p, dt, vacc, infections)
    type(town), intent(inout) :: tw
    type(params), intent(in) :: p
    real(8), intent(in) :: dt, vacc
    real(8), intent(inout) :: infections
    real(8) :: new, inc, rec, v
    integer :: a
    do a = 1, na
      new = tw%s(a)*(1d0 - exp(-dt*tw%foi(a)))
      inc = tw%e(a)*(1d0 - exp(-dt*p%sigma))
      rec = tw%i(a)*(1d0 - exp(-dt*p%gamma))
      v = 0d0
      if (a == na) v = min(vacc*dt, tw%s(a) - new)
      tw%s(a) = tw%s(a) - new - v
      tw%e(a) = tw%e(a) + new - inc
      tw%i(a) = tw%i(a) + inc - rec
      tw%r(a) = tw%r(a) + rec*(1d0 - p%mu) + v
      infections = infections + new
    end do
    tw%pop = sum(tw%s) + sum(tw%e) + sum(tw%i) + sum(tw%r)
  end subroutine advance
end module epi
subroutine metapop(nt, ndays, beta, rates, seedi, comm0, vrate, cost)
  use epi
  implicit none
  integer, intent(in) :: nt, ndays
  real(8), intent(in) :: beta, rates(3), seedi(nt), comm0(nt, nt), vrate(ndays)
  real(8), intent(out) :: cost
  type(town) :: towns(nt)
  type(params) :: p
  real(8) :: mix(na, na), comm(nt, nt), row, infections, peak, now
  integer :: k, l, a, c, day
  p%beta = 0.8d0*beta
  p%sigma = 0.5d0*rates(1)
  p%gamma = 0.3d0*rates(2)
  p%mu = 0.02d0
  p%season = rates(3)
  do a = 1, na
    do c = 1, na
      mix(a, c) = 1d0/(1d0 + abs(a - c))
    end do
  end do
  do k = 1, nt
    row = 0d0
    do l = 1, nt
      comm(k, l) = 0.05d0*comm0(k, l)
      if (k == l) comm(k, l) = 1d0
      row = row + comm(k, l)
    end do
    comm(k, :) = comm(k, :)/row
    do a = 1, na
      towns(k)%i(a) = 0.02d0*seedi(k)
      towns(k)%s(a) = 1d0 - towns(k)%i(a)
      towns(k)%e(a) = 0d0
      towns(k)%r(a) = 0d0
    end do
    towns(k)%pop = na
  end do
  infections = 0d0
  peak = 0d0
  do day = 1, ndays
    call force(nt, towns, mix, comm, p, dble(day))
    now = 0d0
    do k = 1, nt
      call advance(towns(k), p, 1d0, 0.05d0*vrate(day), infections)
      now = now + sum(towns(k)%i)
    end do
    peak = max(peak, now)
  end do
  cost = infections + 2d0*peak**2
end subroutine metapop

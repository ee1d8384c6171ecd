! A zonal energy balance model with ice, a mixed layer and a diffusive deep ocean, carbon in three boxes: two-level time
! stepping by indices in a module, all prognostic variables in one array x(band, variable, level).
module bands
  implicit none
  integer, parameter :: nb = 6, nv = 3, its = 1, ito = 2, iic = 3
  real(8) :: x(nb,nv,2), co2(3), ins(nb)
  integer :: now, nxt
contains
  subroutine initialise(t0)
    real(8), intent(in) :: t0(nb)
    integer :: i
    real(8) :: s
    now = 1
    nxt = 2
    do i = 1, nb
      s = (i - 0.5d0)/nb
      ins(i) = 1.2d0*(1d0 - 0.48d0*0.5d0*(3d0*s*s - 1d0))
      x(i,its,now) = t0(i) + 0.5d0 - s
      x(i,ito,now) = 0.2d0
      x(i,iic,now) = 0.1d0
    end do
    co2(:) = (/ 1d0, 1.2d0, 3d0 /)
  end subroutine initialise
  function albedo(t, ice) result(a)
    real(8), intent(in) :: t, ice
    real(8) :: a
    a = 0.45d0 - 0.2d0*tanh(3d0*t)
    if (ice > 0.3d0) a = a + 0.1d0*(ice - 0.3d0)
  end function albedo
  subroutine radiate(i, forcing, net)
    integer, intent(in) :: i
    real(8), intent(in) :: forcing
    real(8), intent(out) :: net
    real(8) :: olr
    olr = 0.5d0 + 0.4d0*x(i,its,now) - forcing*log(co2(1))
    net = ins(i)*(1d0 - albedo(x(i,its,now), x(i,iic,now))) - olr
  end subroutine radiate
  subroutine step(diff, mixing, forcing, dt)
    real(8), intent(in) :: diff, mixing, forcing, dt
    real(8) :: net, fluxn, fluxs, ex, melt
    integer :: i
    do i = 1, nb
      call radiate(i, forcing, net)
      fluxn = 0d0
      fluxs = 0d0
      if (i < nb) fluxn = diff*(x(i+1,its,now) - x(i,its,now))
      if (i > 1) fluxs = diff*(x(i,its,now) - x(i-1,its,now))
      ex = mixing*(x(i,its,now) - x(i,ito,now))
      if (x(i,its,now) > x(i,ito,now)) ex = 0.5d0*ex
      melt = 0.1d0*max(x(i,its,now), 0d0)*x(i,iic,now)
      x(i,its,nxt) = x(i,its,now) + dt*(net + fluxn - fluxs - ex - melt)
      x(i,ito,nxt) = x(i,ito,now) + 0.2d0*dt*ex
      x(i,iic,nxt) = x(i,iic,now) + dt*(0.05d0*max(-x(i,its,now), 0d0) - melt)
      if (x(i,iic,nxt) < 0d0) x(i,iic,nxt) = 0d0
    end do
  end subroutine step
  subroutine carbon(emission, dt)
    real(8), intent(in) :: emission, dt
    real(8) :: f12, f23, tm
    tm = sum(x(:,its,nxt))/nb
    f12 = 0.2d0*(co2(1) - co2(2)*(1d0 + 0.1d0*tm)**2)
    f23 = 0.05d0*(co2(2) - co2(3)/3d0)
    co2(1) = co2(1) + dt*(emission - f12)
    co2(2) = co2(2) + dt*(f12 - f23)
    co2(3) = co2(3) + dt*f23
  end subroutine carbon
  subroutine swap
    integer :: k
    k = now
    now = nxt
    nxt = k
  end subroutine swap
end module bands
subroutine climband(nt, t0, emission, diff, mixing, forcing, record, misfit)
  use bands
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: t0(nb), emission(nt), diff, mixing, forcing, record(nt)
  real(8), intent(out) :: misfit
  integer :: it
  real(8) :: mean
  call initialise(t0)
  misfit = 0d0
  do it = 1, nt
    call step(diff, mixing, forcing, 0.2d0)
    call carbon(0.3d0*emission(it), 0.2d0)
    call swap
    mean = sum(x(:,its,now))/nb
    misfit = misfit + (mean - record(it))**2 + 0.01d0*x(nb,iic,now)
  end do
end subroutine climband

! A snow pack of changing layers: heat by a tridiagonal solve, melt from the top, refreezing, layers merged when thin
! and split when thick, all by moving up the arrays; fresh snow on top.
module snow
  implicit none
  integer, parameter :: nmax = 6
  integer :: nl
  real(8) :: dz(nmax), tk(nmax), liq(nmax), rho(nmax)
contains
  subroutine add_layer(d, t, r)
    real(8), intent(in) :: d, t, r
    integer :: k
    if (nl == nmax) call merge_layers(nl - 1)
    do k = nl, 1, -1
      dz(k+1) = dz(k)
      tk(k+1) = tk(k)
      liq(k+1) = liq(k)
      rho(k+1) = rho(k)
    end do
    nl = nl + 1
    dz(1) = d
    tk(1) = t
    liq(1) = 0d0
    rho(1) = r
  end subroutine add_layer

  subroutine merge_layers(k)
    integer, intent(in) :: k
    real(8) :: mass, m1, m2
    integer :: j
    m1 = dz(k)*rho(k)
    m2 = dz(k+1)*rho(k+1)
    mass = m1 + m2
    tk(k) = (tk(k)*m1 + tk(k+1)*m2)/mass
    dz(k) = dz(k) + dz(k+1)
    rho(k) = mass/dz(k)
    liq(k) = liq(k) + liq(k+1)
    do j = k + 1, nl - 1
      dz(j) = dz(j+1)
      tk(j) = tk(j+1)
      liq(j) = liq(j+1)
      rho(j) = rho(j+1)
    end do
    nl = nl - 1
  end subroutine merge_layers

  subroutine conduct(tair, cond, dt)
    real(8), intent(in) :: tair, cond, dt
    real(8) :: a(nmax), b(nmax), c(nmax), d(nmax), f, w
    integer :: k
    do k = 1, nl
      f = dt*cond*rho(k)/dz(k)
      a(k) = -f
      c(k) = -f
      b(k) = 1d0 + 2d0*f
      d(k) = tk(k)
    end do
    d(1) = d(1) - a(1)*tair
    b(nl) = b(nl) + c(nl)
    do k = 2, nl
      w = a(k)/b(k-1)
      b(k) = b(k) - w*c(k-1)
      d(k) = d(k) - w*d(k-1)
    end do
    tk(nl) = d(nl)/b(nl)
    do k = nl - 1, 1, -1
      tk(k) = (d(k) - c(k)*tk(k+1))/b(k)
    end do
  end subroutine conduct

  subroutine melt(runoff, hold)
    real(8), intent(inout) :: runoff
    real(8), intent(in) :: hold
    real(8) :: w, over
    integer :: k
    over = 0d0
    do k = 1, nl
      liq(k) = liq(k) + over
      if (tk(k) > 0d0) then
        w = 0.1d0*tk(k)*rho(k)*dz(k)
        dz(k) = dz(k)*(1d0 - 0.1d0*tk(k))
        liq(k) = liq(k) + w
        tk(k) = 0.5d0*tk(k)
      else if (liq(k) > 0d0) then
        w = min(liq(k), -0.05d0*tk(k))
        liq(k) = liq(k) - w
        tk(k) = tk(k) + 2d0*w
        rho(k) = rho(k) + w/dz(k)
      end if
      over = max(0d0, liq(k) - hold*dz(k))
      liq(k) = liq(k) - over
    end do
    runoff = runoff + over
  end subroutine melt
end module snow

subroutine season(cond, hold, fresh, tair, cost)
  use snow
  implicit none
  real(8), intent(in) :: cond, hold, fresh, tair(8)
  real(8), intent(out) :: cost
  real(8) :: runoff
  integer :: day, k
  nl = 2
  dz = 0d0
  dz(1:2) = [0.2d0, 0.4d0]
  tk = 0d0
  tk(1:2) = [-1d0, -0.5d0]
  liq = 0d0
  rho = 0d0
  rho(1:2) = [0.2d0, 0.3d0]
  runoff = 0d0
  do day = 1, 8
    if (mod(day, 3) == 0) call add_layer(fresh*(1d0 + 0.1d0*day), tair(day), 0.1d0)
    call conduct(tair(day), cond, 0.3d0)
    call melt(runoff, hold)
    k = 1
    do while (k < nl)
      if (dz(k) < 0.1d0) then
        call merge_layers(k)
      else
        k = k + 1
      end if
    end do
  end do
  cost = runoff**2 + sum(dz(1:nl)*rho(1:nl)) + sum(tk(1:nl)**2)
end subroutine season

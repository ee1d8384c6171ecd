! A flame: reactions with a fall-off by branches, two-stage steps that a norm damps, heat conducted from cell to cell.
module kinetics
  implicit none
  integer, parameter :: ns = 4, nr = 3
contains
  subroutine rates(t, y, k0, w)
    real(8), intent(in) :: t, y(ns), k0(nr)
    real(8), intent(out) :: w(nr)
    real(8) :: arr, third, pr, fc
    integer :: r
    do r = 1, nr
      arr = k0(r)*exp(-1.5d0*r/t)
      if (r == 1) then
        w(r) = arr*y(1)*y(2)
      else if (r == 2) then
        third = y(1) + 2.5d0*y(2) + 12.0d0*y(3)
        w(r) = arr*y(3)*third
      else
        pr = arr*(y(1) + y(4))/(0.5d0 + t)
        if (pr > 0.1d0) then
          fc = 0.6d0 + 0.1d0*t
        else
          fc = 1.0d0 - pr
        end if
        w(r) = fc*pr/(1.0d0 + pr)*y(4)
      end if
    end do
  end subroutine rates

  subroutine source(t, y, k0, dy, dt_t)
    real(8), intent(in) :: t, y(ns), k0(nr)
    real(8), intent(out) :: dy(ns), dt_t
    real(8) :: w(nr), cp, h
    integer :: s
    call rates(t, y, k0, w)
    dy(1) = -w(1) + w(2)
    dy(2) = -w(1)
    dy(3) = 2.0d0*w(1) - w(2)
    dy(4) = w(2) - w(3)
    cp = 0.0d0
    h = 0.0d0
    do s = 1, ns
      cp = cp + y(s)*(1.0d0 + 0.1d0*s*t)
      h = h + dy(s)*(0.3d0*s + 0.05d0*s*t*t)
    end do
    dt_t = -h/cp
  end subroutine source

  subroutine advance(t, y, k0, dt)
    real(8), intent(inout) :: t, y(ns)
    real(8), intent(in) :: k0(nr), dt
    real(8) :: dy(ns), dtt, ym(ns), tm, err
    integer :: s
    call source(t, y, k0, dy, dtt)
    ym = y + 0.5d0*dt*dy
    tm = t + 0.5d0*dt*dtt
    do s = 1, ns
      if (ym(s) < 0.0d0) ym(s) = 0.0d0
    end do
    err = maxval(abs(dy))*dt
    call source(tm, ym, k0, dy, dtt)
    if (err > 0.05d0) then
      y = y + 0.9d0*dt*dy
      t = t + 0.9d0*dt*dtt
    else
      y = y + dt*dy
      t = t + dt*dtt
    end if
    where (y < 1.0d-6) y = 1.0d-6
    if (t > 2.5d0) t = 2.5d0 - 0.1d0*(t - 2.5d0)
  end subroutine advance
end module kinetics

subroutine flame(k0, t0, cost, nc, nt)
  use kinetics
  implicit none
  integer, intent(in) :: nc, nt
  real(8), intent(in) :: k0(nr), t0(nc)
  real(8), intent(out) :: cost
  real(8) :: t(nc), y(ns, nc), flux(nc), lam
  integer :: c, it
  t = 1.0d0 + 0.2d0*t0
  do c = 1, nc
    y(:, c) = (/ 0.4d0, 0.3d0, 0.1d0, 0.2d0 /)
  end do
  do it = 1, nt
    do c = 1, nc
      call advance(t(c), y(:, c), k0, 0.05d0)
    end do
    flux(1) = 0.0d0
    do c = 2, nc
      lam = 0.1d0*sqrt(0.5d0*(t(c) + t(c-1)))
      flux(c) = lam*(t(c) - t(c-1))
    end do
    do c = 1, nc - 1
      t(c) = t(c) + 0.2d0*(flux(c+1) - flux(c))
    end do
  end do
  cost = 0.0d0
  do c = 1, nc
    cost = cost + t(c)**2*y(3, c) + y(1, c)*y(4, c)
  end do
end subroutine flame

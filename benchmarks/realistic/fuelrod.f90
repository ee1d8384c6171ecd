! A fuel rod in a transient: pellet conduction with gap conductance that depends on the gap's width (expansion), cladding,
! coolant channel with a boiling curve in branches, point kinetics with two delayed groups and Doppler feedback.
module rod
  implicit none
  integer, parameter :: nr = 5, nax = 3
  type pin
    real(8) :: tf(nr), tc(2), gap, q
  end type pin
contains
  real(8) function cond(t)
    real(8), intent(in) :: t
    cond = 1d0/(0.4d0 + 0.3d0*t) + 0.05d0*t**3
  end function cond
  subroutine boiling(tw, tb, h)
    real(8), intent(in) :: tw, tb
    real(8), intent(out) :: h
    real(8) :: ds
    ds = tw - 0.8d0
    if (ds < 0d0) then
      h = 1d0 + 0.1d0*abs(tw - tb)
    else if (ds < 0.3d0) then
      h = 1d0 + 8d0*ds**2
    else if (ds < 0.8d0) then
      h = 1.72d0 - 2d0*(ds - 0.3d0)
    else
      h = 0.72d0 + 0.1d0*(ds - 0.8d0)
    end if
  end subroutine boiling
  subroutine heat(p, tb, dt)
    type(pin), intent(inout) :: p
    real(8), intent(in) :: tb, dt
    real(8) :: k(nr), hg, h, a(nr+2), b(nr+2), c(nr+2), r(nr+2), m
    integer :: i
    do i = 1, nr
      k(i) = cond(p%tf(i))
    end do
    p%gap = max(0.02d0, 0.1d0 - 0.05d0*sum(p%tf)/nr + 0.02d0*p%tc(1))
    hg = 0.05d0/p%gap
    call boiling(p%tc(2), tb, h)
    do i = 1, nr
      a(i) = 0d0
      c(i) = 0d0
      if (i > 1) a(i) = -dt*2d0*(i - 1)*0.5d0*(k(i) + k(i-1))/(2d0*i - 1d0)
      if (i < nr) c(i) = -dt*2d0*i*0.5d0*(k(i) + k(i+1))/(2d0*i - 1d0)
      b(i) = 1d0 - a(i) - c(i)
      r(i) = p%tf(i) + dt*p%q
    end do
    c(nr) = -dt*hg
    b(nr) = b(nr) + dt*hg
    a(nr+1) = -dt*hg
    c(nr+1) = -dt*3d0
    b(nr+1) = 1d0 + dt*(hg + 3d0)
    r(nr+1) = p%tc(1)
    a(nr+2) = -dt*3d0
    c(nr+2) = 0d0
    b(nr+2) = 1d0 + dt*(3d0 + h)
    r(nr+2) = p%tc(2) + dt*h*tb
    do i = 2, nr + 2
      m = a(i)/b(i-1)
      b(i) = b(i) - m*c(i-1)
      r(i) = r(i) - m*r(i-1)
    end do
    r(nr+2) = r(nr+2)/b(nr+2)
    do i = nr + 1, 1, -1
      r(i) = (r(i) - c(i)*r(i+1))/b(i)
    end do
    p%tf = r(1:nr)
    p%tc(1) = r(nr+1)
    p%tc(2) = r(nr+2)
  end subroutine heat
end module rod
subroutine fuelrod(nt, pow, rho, flow, tin, dopp, peak)
  use rod
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: pow, rho(nt), flow, tin, dopp
  real(8), intent(out) :: peak
  type(pin) :: pins(nax)
  real(8) :: n, c1, c2, tb, h, dt, tavg, react, wall
  integer :: it, i, s
  dt = 0.05d0
  n = pow
  c1 = 2d0*pow
  c2 = pow
  do i = 1, nax
    pins(i)%tf = tin + 0.2d0
    pins(i)%tc = tin
    pins(i)%gap = 0.1d0
    pins(i)%q = 0d0
  end do
  peak = 0d0
  do it = 1, nt
    tavg = 0d0
    do i = 1, nax
      tavg = tavg + sum(pins(i)%tf)/(nr*nax)
    end do
    react = 0.1d0*rho(it) - 0.2d0*dopp*(sqrt(tavg) - sqrt(tin))
    do s = 1, 4
      n = n + 0.25d0*dt*((react - 0.3d0)*n/0.5d0 + 0.2d0*c1 + 0.4d0*c2)
      c1 = c1 + 0.25d0*dt*(0.4d0*n - 0.2d0*c1)
      c2 = c2 + 0.25d0*dt*(0.4d0*n - 0.4d0*c2)
    end do
    !$AD CHECKPOINT-START
    tb = 0.5d0*tin
    do i = 1, nax
      pins(i)%q = n*(1d0 + 0.5d0*mod(i, 2))
      call heat(pins(i), tb, dt)
      wall = pins(i)%tc(2)
      call boiling(wall, tb, h)
      tb = tb + 0.2d0*h*(wall - tb)/(0.5d0 + flow)
    end do
    !$AD CHECKPOINT-END
    peak = peak + pins(2)%tf(1)**2 + tb**2
  end do
end subroutine fuelrod

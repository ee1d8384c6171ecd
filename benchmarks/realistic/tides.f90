! A tidal basin: harmonic forcing at the mouth, nodal factors, channels as objects, two levels that change places,
! quadratic friction, wetting of flats, misfit at gauges.
module harmonics
  implicit none
  integer, parameter :: nc = 3
  type constituent
    real(8) :: amp, phase, speed
  end type constituent
  type reach
    integer :: first, last
    real(8) :: rough, width
  end type reach
contains
  subroutine nodal(c, day, f, u)
    type(constituent), intent(in) :: c
    real(8), intent(in) :: day
    real(8), intent(out) :: f, u
    f = 1d0 + 0.04d0*cos(0.3d0*day + c%phase)
    u = 0.1d0*sin(0.3d0*day)
  end subroutine nodal
  subroutine mouth(c, t, eta)
    type(constituent), intent(in) :: c(nc)
    real(8), intent(in) :: t
    real(8), intent(out) :: eta
    real(8) :: f, u
    integer :: k
    eta = 0d0
    do k = 1, nc
      call nodal(c(k), t/24d0, f, u)
      eta = eta + f*c(k)%amp*cos(c(k)%speed*t + u - c(k)%phase)
    end do
  end subroutine mouth
  subroutine momentum(r, n, eta, q, qn, dt)
    type(reach), intent(in) :: r
    integer, intent(in) :: n
    real(8), intent(in) :: eta(0:n), q(n), dt
    real(8), intent(inout) :: qn(n)
    real(8) :: d, slope, cd
    integer :: i
    do i = r%first, r%last
      d = 1d0 + 0.5d0*(eta(i-1) + eta(i))
      d = max(d, 0.1d0)
      slope = eta(i) - eta(i-1)
      cd = r%rough/d**2
      qn(i) = (q(i) - dt*d*slope)/(1d0 + dt*cd*abs(q(i)))
    end do
  end subroutine momentum
end module harmonics
subroutine tides(n, nt, amp, pha, rough, obs, cost)
  use harmonics
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: amp(nc), pha(nc), rough(2), obs(n)
  real(8), intent(out) :: cost
  type(constituent) :: c(nc)
  type(reach) :: r(2)
  real(8) :: eta(0:n, 2), q(n, 2), t, dt, flux
  integer :: it, i, k, old, new, m
  do k = 1, nc
    c(k)%amp = amp(k)
    c(k)%phase = pha(k)
    c(k)%speed = 0.5d0*k
  end do
  m = n/2
  r(1)%first = 1
  r(1)%last = m
  r(2)%first = m + 1
  r(2)%last = n
  r(1)%rough = 0.1d0*rough(1)
  r(2)%rough = 0.2d0*rough(2)
  eta = 0d0
  q = 0d0
  dt = 0.2d0
  t = 0d0
  cost = 0d0
  old = 1
  new = 2
  do it = 1, nt
    t = t + dt
    call mouth(c, t, eta(0, old))
    do k = 1, 2
      call momentum(r(k), n, eta(0, old), q(1, old), q(1, new), dt)
    end do
    do i = 1, n
      flux = q(i, new)
      if (i < n) flux = flux - q(i+1, new)
      eta(i, new) = eta(i, old) + dt*flux/(1d0 + 0.3d0*max(0d0, eta(i, old)))
    end do
    eta(0, new) = eta(0, old)
    cost = cost + (eta(n, new) - obs(min(it, n)))**2
    k = old
    old = new
    new = k
  end do
end subroutine tides

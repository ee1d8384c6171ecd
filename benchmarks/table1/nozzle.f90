! Euler's equations in a nozzle of varying section: finite volumes, slope-limited reconstruction, Rusanov's flux,
! two-stage Runge-Kutta. Head: from the nozzle's shape to the thrust at the end of the run.
module gas
  implicit none
  real(8), parameter :: gamma = 1.4d0
contains
  subroutine primitive(w, rho, vel, p)
    real(8), intent(in) :: w(3)
    real(8), intent(out) :: rho, vel, p
    rho = w(1)
    vel = w(2)/w(1)
    p = (gamma - 1.0d0)*(w(3) - 0.5d0*rho*vel*vel)
  end subroutine primitive

  subroutine physical(w, f)
    real(8), intent(in) :: w(3)
    real(8), intent(out) :: f(3)
    real(8) :: rho, vel, p
    call primitive(w, rho, vel, p)
    f(1) = rho*vel
    f(2) = rho*vel*vel + p
    f(3) = (w(3) + p)*vel
  end subroutine physical

  subroutine rusanov(left, right, f)
    real(8), intent(in) :: left(3), right(3)
    real(8), intent(out) :: f(3)
    real(8) :: fl(3), fr(3), rho, vel, p, fastest
    integer :: k
    call physical(left, fl)
    call physical(right, fr)
    call primitive(left, rho, vel, p)
    fastest = abs(vel) + sqrt(gamma*p/rho)
    call primitive(right, rho, vel, p)
    fastest = max(fastest, abs(vel) + sqrt(gamma*p/rho))
    do k = 1, 3
      f(k) = 0.5d0*(fl(k) + fr(k)) - 0.5d0*fastest*(right(k) - left(k))
    end do
  end subroutine rusanov

  real(8) function limited(a, b)
    real(8), intent(in) :: a, b
    if (a*b <= 0.0d0) then
      limited = 0.0d0
    else
      limited = 2.0d0*a*b/(a + b)
    end if
  end function limited
end module gas

subroutine residual(n, w, area, dx, rate)
  use gas
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: w(3, 0:n + 1), area(0:n), dx
  real(8), intent(out) :: rate(3, n)
  real(8) :: slope(3, 0:n + 1), flux(3, 0:n), left(3), right(3), rho, vel, p, middle
  integer :: i, k
  slope(:, 0) = 0.0d0
  slope(:, n + 1) = 0.0d0
  do i = 1, n
    do k = 1, 3
      slope(k, i) = limited(w(k, i) - w(k, i - 1), w(k, i + 1) - w(k, i))
    end do
  end do
  do i = 0, n
    left = w(:, i) + 0.5d0*slope(:, i)
    right = w(:, i + 1) - 0.5d0*slope(:, i + 1)
    call rusanov(left, right, flux(:, i))
  end do
  do i = 1, n
    middle = 0.5d0*(area(i - 1) + area(i))
    do k = 1, 3
      rate(k, i) = -(area(i)*flux(k, i) - area(i - 1)*flux(k, i - 1))/(dx*middle)
    end do
    call primitive(w(:, i), rho, vel, p)
    rate(2, i) = rate(2, i) + p*(area(i) - area(i - 1))/(dx*middle)
  end do
end subroutine residual

subroutine boundary(n, w)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: w(3, 0:n + 1)
  w(1, 0) = 1.0d0
  w(2, 0) = w(2, 1)
  w(3, 0) = 2.5d0 + 0.5d0*w(2, 0)**2
  w(1, n + 1) = w(1, n)
  w(2, n + 1) = w(2, n)
  w(3, n + 1) = 0.6d0/0.4d0 + 0.5d0*w(2, n)**2/w(1, n)
end subroutine boundary

subroutine nozzle(shape, n, nsteps, thrust)
  implicit none
  integer, intent(in) :: n, nsteps
  real(8), intent(in) :: shape(5)
  real(8), intent(out) :: thrust
  real(8) :: w(3, 0:n + 1), old(3, 0:n + 1), rate(3, n), area(0:n), dx, dt, x
  integer :: i, k, step, stage
  dx = 1.0d0/n
  dt = 0.2d0*dx
  do i = 0, n
    x = i*dx
    area(i) = 1.0d0
    do k = 1, 5
      area(i) = area(i) - 0.05d0*shape(k)*sin(k*3.14159265d0*x)/k
    end do
  end do
  do i = 0, n + 1
    w(1, i) = 1.0d0 - 0.2d0*i/n
    w(2, i) = 0.3d0
    w(3, i) = (1.0d0 - 0.4d0*i/n)/0.4d0 + 0.045d0
  end do
  do step = 1, nsteps
    !$AD CHECKPOINT-START
    old = w
    do stage = 1, 2
      call boundary(n, w)
      call residual(n, w, area, dx, rate)
      do i = 1, n
        do k = 1, 3
          w(k, i) = old(k, i) + dt*rate(k, i)*0.5d0*stage
        end do
      end do
    end do
    !$AD CHECKPOINT-END
  end do
  thrust = area(n)*(w(2, n)**2/w(1, n) + 0.4d0*(w(3, n) - 0.5d0*w(2, n)**2/w(1, n)))
end subroutine nozzle

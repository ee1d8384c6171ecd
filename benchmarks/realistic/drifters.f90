! Drifters in a stored, time-varying flow: cell search, bilinear interpolation in space and linear in time, RK4 on a
! workspace, reflection at walls, a random walk from a linear congruence, a distance map as cost.
module flow
  implicit none
  integer, parameter :: nx = 6, ny = 5, nt = 4
  real(8) :: u(nx, ny, nt), v(nx, ny, nt)
  integer :: seed
contains
  subroutine fill(amp, phase)
    real(8), intent(in) :: amp, phase
    integer :: i, j, k
    do k = 1, nt
      do j = 1, ny
        do i = 1, nx
          u(i, j, k) = amp*sin(0.9d0*j + phase*k)*cos(0.4d0*i)
          v(i, j, k) = -amp*cos(0.7d0*i - phase*k)*sin(0.5d0*j)
        end do
      end do
    end do
  end subroutine fill

  subroutine velocity(x, y, t, ux, vy)
    real(8), intent(in) :: x, y, t
    real(8), intent(out) :: ux, vy
    integer :: i, j, k
    real(8) :: a, b, c, w(2, 2)
    i = max(1, min(nx - 1, int(x)))
    j = max(1, min(ny - 1, int(y)))
    k = max(1, min(nt - 1, int(t)))
    a = x - i
    b = y - j
    c = t - k
    w(1, 1) = (1 - a)*(1 - b)
    w(2, 1) = a*(1 - b)
    w(1, 2) = (1 - a)*b
    w(2, 2) = a*b
    ux = (1 - c)*sum(w*u(i:i+1, j:j+1, k)) + c*sum(w*u(i:i+1, j:j+1, k+1))
    vy = (1 - c)*sum(w*v(i:i+1, j:j+1, k)) + c*sum(w*v(i:i+1, j:j+1, k+1))
  end subroutine velocity

  subroutine reflect(p, lo, hi)
    real(8), intent(inout) :: p
    real(8), intent(in) :: lo, hi
    if (p < lo) p = 2*lo - p
    if (p > hi) p = 2*hi - p
  end subroutine reflect

  real(8) function kick()
    seed = mod(seed*137 + 41, 1009)
    kick = seed/1009d0 - 0.5d0
  end function kick

  subroutine advance(p, t, dt, spread)
    real(8), intent(inout) :: p(2)
    real(8), intent(in) :: t, dt, spread
    real(8) :: k(2, 4), q(2)
    integer :: s
    real(8), parameter :: c(4) = [0d0, 0.5d0, 0.5d0, 1d0]
    do s = 1, 4
      q = p
      if (s > 1) q = p + c(s)*dt*k(:, s-1)
      call velocity(q(1), q(2), t + c(s)*dt, k(1, s), k(2, s))
    end do
    p = p + dt/6*(k(:, 1) + 2*k(:, 2) + 2*k(:, 3) + k(:, 4))
    p(1) = p(1) + spread*kick()
    p(2) = p(2) + spread*kick()
    call reflect(p(1), 1d0, real(nx, 8))
    call reflect(p(2), 1d0, real(ny, 8))
  end subroutine advance
end module flow

subroutine drift(start, amp, phase, spread, cost)
  use flow
  implicit none
  real(8), intent(in) :: start(2, 4), amp, phase, spread
  real(8), intent(out) :: cost
  real(8) :: p(2, 4), t
  integer :: it, m
  seed = 7
  call fill(amp, phase)
  p = start
  t = 1d0
  do it = 1, 6
    do m = 1, 4
      call advance(p(:, m), t, 0.4d0, spread)
    end do
    t = t + 0.4d0
  end do
  cost = 0d0
  do m = 1, 4
    cost = cost + (p(1, m) - 3d0)**2 + p(1, m)*p(2, m)
  end do
end subroutine drift

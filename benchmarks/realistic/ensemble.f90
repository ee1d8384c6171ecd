! An ensemble of states in the columns of x: forecast by a nonlinear map, then the analysis by a small gain.
module ens_par
  implicit none
  integer, parameter :: n = 8, ne = 4, nobs = 3
end module ens_par

subroutine forecast(x, force, dt)
  use ens_par
  implicit none
  real(8), intent(inout) :: x(n)
  real(8), intent(in) :: force, dt
  real(8) :: dx(n)
  integer :: i, ip, im, im2
  do i = 1, n
    ip = mod(i, n) + 1
    im = mod(i + n - 2, n) + 1
    im2 = mod(i + n - 3, n) + 1
    dx(i) = (x(ip) - x(im2))*x(im) - x(i) + force
  end do
  x = x + dt*dx
end subroutine forecast

subroutine average(x, mean, dev)
  use ens_par
  implicit none
  real(8), intent(in) :: x(n, ne)
  real(8), intent(out) :: mean(n), dev(n, ne)
  integer :: e
  mean = 0.0d0
  do e = 1, ne
    mean = mean + x(:, e)/ne
  end do
  do e = 1, ne
    dev(:, e) = x(:, e) - mean
  end do
end subroutine average

subroutine gain(dev, at, r, k)
  use ens_par
  implicit none
  real(8), intent(in) :: dev(n, ne), r
  integer, intent(in) :: at
  real(8), intent(out) :: k(n)
  real(8) :: s
  integer :: e, i
  s = r
  do e = 1, ne
    s = s + dev(at, e)**2/(ne - 1)
  end do
  do i = 1, n
    k(i) = 0.0d0
    do e = 1, ne
      k(i) = k(i) + dev(i, e)*dev(at, e)/(ne - 1)
    end do
    k(i) = k(i)/s
  end do
end subroutine gain

subroutine correct(m, x, k, inno)
  implicit none
  integer, intent(in) :: m
  real(8), intent(inout) :: x(m)
  real(8), intent(in) :: k(m), inno
  integer :: i
  do i = 1, m
    x(i) = x(i) + k(i)*inno
  end do
end subroutine correct

subroutine inflate(x, mean, rho)
  use ens_par
  implicit none
  real(8), intent(inout) :: x(n, ne)
  real(8), intent(in) :: mean(n), rho
  integer :: e, i
  do e = 1, ne
    do i = 1, n
      x(i, e) = mean(i) + (1.0d0 + rho*abs(mean(i)))*(x(i, e) - mean(i))
    end do
  end do
end subroutine inflate

subroutine ensemble(start, y, r, rho, cost)
  use ens_par
  implicit none
  real(8), intent(in) :: start(n), y(nobs), r, rho
  real(8), intent(out) :: cost
  real(8) :: x(n, ne), dev(n, ne), work(n, 2)
  integer :: e, o, cycle, i
  do e = 1, ne
    do i = 1, n
      x(i, e) = start(i)*(1.0d0 + 0.05d0*real(mod(i*e, 5) - 2, 8))
    end do
  end do
  do cycle = 1, 3
    do e = 1, ne
      call forecast(x(1, e), 2.0d0, 0.05d0)
      call forecast(x(:, e), 2.1d0, 0.04d0)
    end do
    do o = 1, nobs
      call average(x, work(1, 1), dev)
      call gain(dev, 2*o, r, work(1, 2))
      do e = 1, ne
        call correct(n, x(:, e), work(:, 2), y(o) - x(2*o, e))
      end do
    end do
    call average(x, work(:, 1), dev)
    call inflate(x, work(:, 1), rho)
  end do
  cost = 0.0d0
  do e = 1, ne
    cost = cost + sum(x(:, e)**2)
  end do
end subroutine ensemble

! Price of an American put by least squares Monte Carlo: paths from a stored table of normal numbers (a linear congruential
! generator and Box-Muller), regression on three basis functions at each exercise date, smoothed exercise; stochastic vol.
module random_mod
  implicit none
  integer, parameter :: maxz = 2000
  real(8), save :: z(maxz)
contains
  subroutine fill_table(n)
    integer, intent(in) :: n
    integer :: i, seed
    real(8) :: u1, u2
    seed = 4711
    do i = 1, n
      seed = mod(seed*171 + 11213, 53125)
      u1 = (seed + 0.5d0)/53125d0
      seed = mod(seed*171 + 11213, 53125)
      u2 = (seed + 0.5d0)/53125d0
      z(i) = sqrt(-2d0*log(u1))*cos(6.283185307179586d0*u2)
    end do
  end subroutine fill_table
end module random_mod
subroutine paths(np, nt, s0, v0, rate, kappa, theta, xi, s)
  use random_mod
  implicit none
  integer, intent(in) :: np, nt
  real(8), intent(in) :: s0, v0, rate, kappa, theta, xi
  real(8), intent(out) :: s(np, 0:nt)
  real(8) :: v, dt, w1, w2
  integer :: p, t, iz
  dt = 1d0/nt
  iz = 0
  do p = 1, np
    v = v0
    s(p, 0) = s0
    do t = 1, nt
      w1 = z(iz+1)
      w2 = -0.5d0*w1 + 0.8660254037844386d0*z(iz+2)
      iz = iz + 2
      s(p, t) = s(p, t-1)*exp((rate - 0.5d0*max(v, 0d0))*dt + sqrt(max(v, 1d-10)*dt)*w1)
      v = v + kappa*(theta - max(v, 0d0))*dt + xi*sqrt(max(v, 1d-10)*dt)*w2
    end do
  end do
end subroutine paths
subroutine regress(np, x, y, beta)
  implicit none
  integer, intent(in) :: np
  real(8), intent(in) :: x(np), y(np)
  real(8), intent(out) :: beta(3)
  real(8) :: a(3, 3), b(3), phi(3), f
  integer :: p, i, j, k
  a = 0d0
  b = 0d0
  do i = 1, 3
    a(i, i) = 1d-3
  end do
  do p = 1, np
    call basis(x(p), phi)
    do i = 1, 3
      do j = 1, 3
        a(i, j) = a(i, j) + phi(i)*phi(j)
      end do
      b(i) = b(i) + phi(i)*y(p)
    end do
  end do
  do k = 1, 2
    do i = k + 1, 3
      f = a(i, k)/a(k, k)
      do j = k + 1, 3
        a(i, j) = a(i, j) - f*a(k, j)
      end do
      b(i) = b(i) - f*b(k)
    end do
  end do
  do i = 3, 1, -1
    beta(i) = b(i)
    do j = i + 1, 3
      beta(i) = beta(i) - a(i, j)*beta(j)
    end do
    beta(i) = beta(i)/a(i, i)
  end do
end subroutine regress
subroutine basis(x, phi)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: phi(3)
  real(8) :: e
  e = exp(-0.5d0*x)
  phi(1) = e
  phi(2) = e*(1d0 - x)
  phi(3) = e*(1d0 - 2d0*x + 0.5d0*x*x)
end subroutine basis
subroutine amoption(np, nt, s0, strike, rate, v0, kappa, theta, xi, price)
  use random_mod
  implicit none
  integer, intent(in) :: np, nt
  real(8), intent(in) :: s0, strike, rate, v0, kappa, theta, xi
  real(8), intent(out) :: price
  real(8) :: s(np, 0:nt), cash(np), beta(3), phi(3), hold, now, w, disc
  integer :: p, t
  call fill_table(2*np*nt)
  call paths(np, nt, s0, 0.1d0*v0, 0.05d0*rate, kappa, 0.1d0*theta, 0.3d0*xi, s)
  disc = exp(-0.05d0*rate/nt)
  do p = 1, np
    cash(p) = max(strike - s(p, nt), 0d0)
  end do
  do t = nt - 1, 1, -1
    cash = disc*cash
    call regress(np, s(:, t)/strike, cash, beta)
    do p = 1, np
      now = strike - s(p, t)
      if (now > 0d0) then
        call basis(s(p, t)/strike, phi)
        hold = beta(1)*phi(1) + beta(2)*phi(2) + beta(3)*phi(3)
        w = 1d0/(1d0 + exp(-20d0*(now - hold)))
        cash(p) = w*now + (1d0 - w)*cash(p)
      end if
    end do
  end do
  price = disc*sum(cash)/np
end subroutine amoption

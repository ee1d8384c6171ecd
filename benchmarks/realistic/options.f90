! American option by projected SOR inside Crank-Nicolson on a stretched grid.
module grid_data
  implicit none
  integer, parameter :: n = 7
  real(8) :: s(0:n), a(n), b(n), c(n), payoff(0:n)
end module
subroutine options(nt, sigma, rate, strike, price)
  use grid_data
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: sigma, rate, strike
  real(8), intent(out) :: price
  real(8) :: v(0:n), rhs(n), dt
  integer :: it, i, k
  dt = 1d0/nt
  call coefficients(sigma, rate, dt)
  do i = 0, n
    payoff(i) = max(strike - s(i), 0d0)
  end do
  v = payoff
  do it = 1, nt
    do i = 1, n - 1
      rhs(i) = v(i) + 0.5d0*(a(i)*v(i - 1) + b(i)*v(i) + c(i)*v(i + 1))
    end do
    v(0) = strike
    v(n) = 0d0
    do k = 1, 5
      call psor(rhs, v)
    end do
  end do
  price = 0.3d0*v(2) + 0.7d0*v(3)
end subroutine
subroutine coefficients(sigma, rate, dt)
  use grid_data
  implicit none
  real(8), intent(in) :: sigma, rate, dt
  real(8) :: hm, hp, d, e
  integer :: i
  do i = 0, n
    s(i) = 0.3d0*i + 0.02d0*i*i
  end do
  do i = 1, n - 1
    hm = s(i) - s(i - 1)
    hp = s(i + 1) - s(i)
    d = sigma*sigma*s(i)*s(i)
    e = rate*s(i)
    a(i) = dt*(d/(hm*(hm + hp)) - e/(hm + hp))
    c(i) = dt*(d/(hp*(hm + hp)) + e/(hm + hp))
    b(i) = -a(i) - c(i) - dt*rate
  end do
end subroutine
subroutine psor(rhs, v)
  use grid_data
  implicit none
  real(8), intent(in) :: rhs(n)
  real(8), intent(inout) :: v(0:n)
  real(8) :: y
  integer :: i
  do i = 1, n - 1
    y = (rhs(i) + 0.5d0*a(i)*v(i - 1) + 0.5d0*c(i)*v(i + 1))/(1d0 - 0.5d0*b(i))
    y = v(i) + 1.2d0*(y - v(i))
    v(i) = max(y, payoff(i))
  end do
end subroutine

! Reactive transport by operator splitting: each species is carried (a column of c), each cell reacts (a row of c).
module plume_data
  implicit none
  integer, parameter :: nc = 10, ns = 4
  real(8) :: c(nc, ns), vel(nc + 1)
  real(8) :: sorbed(nc), rate(3)
end module plume_data

subroutine carry(x, v, inflow, lam)
  use plume_data, only: nc
  implicit none
  real(8), intent(inout) :: x(nc)
  real(8), intent(in) :: v(nc + 1), inflow, lam
  real(8) :: f(nc + 1), r, phi
  integer :: i
  f(1) = v(1)*inflow
  f(2) = v(2)*x(1)
  do i = 3, nc
    r = (x(i - 1) - x(i - 2))/(x(i) - x(i - 1) + 1.0d-3)
    if (r > 0.0d0) then
      phi = min(1.0d0, 2.0d0*r)
    else
      phi = 0.0d0
    end if
    f(i) = v(i)*(x(i - 1) + 0.5d0*phi*(x(i) - x(i - 1)))
  end do
  f(nc + 1) = v(nc + 1)*x(nc)
  do i = 1, nc
    x(i) = x(i) - lam*(f(i + 1) - f(i))
  end do
end subroutine carry

subroutine react(y, k, dt)
  use plume_data, only: ns
  implicit none
  real(8), intent(inout) :: y(ns)
  real(8), intent(in) :: k(3), dt
  real(8) :: r1, r2
  integer :: sub
  do sub = 1, 2
    r1 = k(1)*y(1)*y(2)/(0.2d0 + y(1))
    r2 = k(2)*y(3)*sqrt(0.1d0 + y(2))
    y(1) = y(1) - 0.5d0*dt*r1
    y(2) = y(2) - 0.5d0*dt*(r1 + 0.5d0*r2)
    y(3) = y(3) + 0.5d0*dt*(r1 - r2)
    y(4) = y(4) + 0.5d0*dt*r2
  end do
end subroutine react

subroutine sorb(y, s, kd, dt)
  implicit none
  real(8), intent(inout) :: y, s
  real(8), intent(in) :: kd, dt
  real(8) :: eq, ex
  eq = kd*y**0.8d0
  ex = dt*(eq - s)
  s = s + ex
  y = y - ex
end subroutine sorb

subroutine plume(k, source, cost)
  use plume_data
  implicit none
  real(8), intent(in) :: k(3), source(ns)
  real(8), intent(out) :: cost
  integer :: step, s, i
  rate = k
  do i = 1, nc + 1
    vel(i) = 0.5d0 + 0.02d0*i
  end do
  do s = 1, ns
    do i = 1, nc
      c(i, s) = 0.3d0 + 0.05d0*s + 0.01d0*i
    end do
  end do
  sorbed = 0.1d0
  do step = 1, 4
    do s = 1, ns
      call carry(c(:, s), vel, source(s), 0.2d0)
    end do
    do i = 1, nc
      call react(c(i, :), rate, 0.1d0)
      call sorb(c(i, 3), sorbed(i), rate(3), 0.1d0)
    end do
    vel(2:nc) = vel(2:nc)*(1.0d0 - 0.01d0*sorbed(2:nc))
  end do
  cost = sum(c(nc, :)**2) + sum(sorbed)
end subroutine plume

! All states are kept, one column a step; observations are compared along the way.
module predator
  implicit none
  integer, parameter :: ns = 4, nt = 15
contains
  subroutine tendency(x, par, dx)
    real(8), intent(in) :: x(ns), par(ns)
    real(8), intent(out) :: dx(ns)
    integer :: i
    dx(1) = x(1)*(par(1) - x(2))
    do i = 2, ns - 1
      dx(i) = x(i)*(par(i)*x(i - 1) - x(i + 1) - 0.1d0*x(i))
    end do
    dx(ns) = x(ns)*(par(ns)*x(ns - 1) - 0.5d0)
  end subroutine tendency

  subroutine step_heun(xa, xb, par, dt)
    real(8), intent(in) :: xa(ns), par(ns), dt
    real(8), intent(out) :: xb(ns)
    real(8) :: k1(ns), k2(ns), y(ns)
    integer :: i
    call tendency(xa, par, k1)
    do i = 1, ns
      y(i) = xa(i) + dt*k1(i)
    end do
    call tendency(y, par, k2)
    do i = 1, ns
      xb(i) = xa(i) + 0.5d0*dt*(k1(i) + k2(i))
    end do
  end subroutine step_heun
end module predator

subroutine assimilate(x0, par, obs, cost)
  use predator
  implicit none
  real(8), intent(in) :: x0(ns), par(ns), obs(ns, nt)
  real(8), intent(out) :: cost
  real(8) :: x(ns, 0:nt), dt, misfit
  integer :: i, step
  dt = 0.05d0
  do i = 1, ns
    x(i, 0) = x0(i)
  end do
  do step = 1, nt
    call step_heun(x(:, step - 1), x(:, step), par, dt)
    do i = 1, ns
      x(i, step) = max(x(i, step), 1.0d-3)
    end do
  end do
  cost = 0.0d0
  do step = 1, nt
    do i = 1, ns
      misfit = x(i, step) - obs(i, step)
      cost = cost + misfit*misfit*x(i, step - 1)
    end do
  end do
end subroutine assimilate

! Two time levels in one array, exchanged by their indices: a nonlinear wave equation.
module levels
  implicit none
  integer, parameter :: n = 20
contains
  subroutine flux(m, v, f)
    integer, intent(in) :: m
    real(8), intent(in) :: v(m)
    real(8), intent(out) :: f(m)
    integer :: i
    do i = 1, m - 1
      f(i) = 0.25d0*(v(i) + v(i + 1))**2 - 0.2d0*(v(i + 1) - v(i))
    end do
    f(m) = 0.5d0*v(m)**2
  end subroutine flux

  subroutine update(m, dt, v, f, w)
    integer, intent(in) :: m
    real(8), intent(in) :: dt, v(m), f(m)
    real(8), intent(out) :: w(m)
    integer :: i
    w(1) = v(1)
    do i = 2, m
      w(i) = v(i) - dt*(f(i) - f(i - 1))
    end do
  end subroutine update
end module levels

subroutine march(u0, dt, nsteps, cost)
  use levels
  implicit none
  real(8), intent(in) :: u0(n), dt
  integer, intent(in) :: nsteps
  real(8), intent(out) :: cost
  real(8) :: u(n, 2), f(n), total
  integer :: i, old, new, swap, step
  old = 1
  new = 2
  do i = 1, n
    u(i, old) = u0(i)
  end do
  total = 0.0d0
  do step = 1, nsteps
    call flux(n, u(:, old), f)
    call update(n, 0.1d0*dt, u(:, old), f, u(:, new))
    do i = 2, n - 1
      u(i, new) = u(i, new) + 0.01d0*(u(i - 1, old) - 2.0d0*u(i, old) + u(i + 1, old))*u(i, old)
    end do
    total = total + u(n/2, new)**2
    swap = old
    old = new
    new = swap
  end do
  cost = total
  do i = 1, n
    cost = cost + u(i, old)*u(i, old)
  end do
end subroutine march

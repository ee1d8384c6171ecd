! Stages of a scheme in the columns of a module array, and the same in components of a type.
module store
  implicit none
  integer, parameter :: n = 8
  real(8) :: wk(n, 5)
  type grid
    real(8) :: f(n, 3)
    real(8) :: g(4*n)
  end type grid
end module store
subroutine deriv(u, f)
  use store, only: n
  implicit none
  real(8), intent(in) :: u(n)
  real(8), intent(out) :: f(n)
  integer :: i
  do i = 2, n - 1
    f(i) = u(i)*(u(i - 1) - u(i + 1))
  end do
  f(1) = -u(1)**2
  f(n) = -u(n)**2
end subroutine deriv
subroutine advance(dt)
  use store
  implicit none
  real(8), intent(in) :: dt
  call deriv(wk(:, 1), wk(:, 2))
  wk(:, 5) = wk(:, 1) + 0.5d0*dt*wk(:, 2)
  call deriv(wk(:, 5), wk(:, 3))
  wk(:, 5) = wk(:, 1) + dt*wk(:, 3)
  call deriv(wk(:, 5), wk(:, 4))
  wk(:, 1) = wk(:, 1) + dt/6.0d0*(wk(:, 2) + 4.0d0*wk(:, 3) + wk(:, 4))
end subroutine advance
subroutine mix(g, c)
  use store
  implicit none
  type(grid), intent(inout) :: g
  real(8), intent(in) :: c
  call deriv(g%f(:, 1), g%f(:, 2))
  call deriv(g%f(:, 2), g%f(:, 3))
  g%f(:, 1) = g%f(:, 1) + c*g%f(:, 3)*g%f(:, 2)
  call deriv(g%g(1:n), g%g(n + 1:2*n))
  call deriv(g%g(n + 1:2*n), g%g(2*n + 1:3*n))
  g%g(1:n) = g%g(1:n) + c*g%g(2*n + 1:3*n)
end subroutine mix
subroutine stages(x, cost)
  use store
  implicit none
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: cost
  type(grid) :: g
  integer :: it
  wk = 0.0d0
  wk(:, 1) = x
  g%f(:, 1) = 0.5d0*x
  g%g(1:n) = 0.3d0*x
  do it = 1, 4
    call advance(0.05d0)
    call mix(g, 0.1d0)
  end do
  cost = sum(wk(:, 1)**2) + sum(g%f(:, 1)*g%g(1:n))
end subroutine stages

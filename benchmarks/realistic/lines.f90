! Method of lines in the old manner: one vector w holds the stages, slices of it go to the right-hand side.
module lines_par
  implicit none
  integer, parameter :: n = 12
  real(8), parameter :: dx = 0.3d0
end module lines_par

subroutine rhs(t, u, f, visc)
  use lines_par
  implicit none
  real(8), intent(in) :: t, u(n), visc
  real(8), intent(out) :: f(n)
  real(8) :: left, right
  integer :: i
  do i = 1, n
    left = u(max(i - 1, 1))
    right = u(min(i + 1, n))
    f(i) = -u(i)*(right - left)/(2.0d0*dx) + visc*(right - 2.0d0*u(i) + left)/dx**2 + 0.01d0*sin(t)
  end do
end subroutine rhs

subroutine axpy(m, a, x, y, z)
  implicit none
  integer, intent(in) :: m
  real(8), intent(in) :: a, x(m), y(m)
  real(8), intent(out) :: z(m)
  integer :: i
  do i = 1, m
    z(i) = y(i) + a*x(i)
  end do
end subroutine axpy

subroutine rk4(t, dt, u, visc, w)
  use lines_par
  implicit none
  real(8), intent(in) :: t, dt, visc
  real(8), intent(inout) :: u(n)
  real(8), intent(inout) :: w(5*n)
  integer :: k, i
  real(8), parameter :: c(4) = [0.0d0, 0.5d0, 0.5d0, 1.0d0]
  call rhs(t, u, w(1:n), visc)
  do k = 1, 3
    call axpy(n, dt*c(k + 1), w((k - 1)*n + 1:k*n), u, w(4*n + 1:5*n))
    call rhs(t + c(k + 1)*dt, w(4*n + 1:5*n), w(k*n + 1:(k + 1)*n), visc)
  end do
  do i = 1, n
    u(i) = u(i) + dt/6.0d0*(w(i) + 2.0d0*w(n + i) + 2.0d0*w(2*n + i) + w(3*n + i))
  end do
end subroutine rk4

subroutine smooth(u, eps)
  use lines_par
  implicit none
  real(8), intent(inout) :: u(n)
  real(8), intent(in) :: eps
  real(8) :: v(n)
  v = u
  u(2:n - 1) = v(2:n - 1) + eps*(v(3:n) - 2.0d0*v(2:n - 1) + v(1:n - 2))*abs(v(2:n - 1))
end subroutine smooth

subroutine lines(u0, visc, cost)
  use lines_par
  implicit none
  real(8), intent(in) :: u0(n), visc
  real(8), intent(out) :: cost
  real(8) :: w(6*n), t, dt
  integer :: step, i
  call axpy(n, 0.1d0, u0, u0, w(5*n + 1:6*n))
  t = 0.0d0
  cost = 0.0d0
  do step = 1, 5
    dt = 0.02d0 + 0.001d0*step
    call rk4(t, dt, w(5*n + 1), visc, w(1))
    if (mod(step, 2) == 0) call smooth(w(5*n + 1:6*n), 0.05d0)
    t = t + dt
    do i = 1, n
      cost = cost + w(5*n + i)**2
    end do
  end do
end subroutine lines

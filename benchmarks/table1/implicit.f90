! A reaction-diffusion front by implicit Euler: Newton's method in every step, conjugate gradients in every Newton
! step, both DO WHILE until the residual is small. Head: from the rate coefficients to the front's final profile.
subroutine defect(n, u, old, rate, diffusion, dt, f)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: u(n), old(n), rate(n), diffusion, dt
  real(8), intent(out) :: f(n)
  real(8) :: left, right
  integer :: i
  do i = 1, n
    left = 1.0d0
    right = 0.0d0
    if (i > 1) left = u(i - 1)
    if (i < n) right = u(i + 1)
    f(i) = u(i) - old(i) - dt*(diffusion*(left - 2.0d0*u(i) + right) + rate(i)*u(i)*(1.0d0 - u(i)))
  end do
end subroutine defect

! The Jacobian (symmetric) times a vector.
subroutine multiply(n, diag, off, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: diag(n), off, x(n)
  real(8), intent(out) :: y(n)
  integer :: i
  do i = 1, n
    y(i) = diag(i)*x(i)
    if (i > 1) y(i) = y(i) + off*x(i - 1)
    if (i < n) y(i) = y(i) + off*x(i + 1)
  end do
end subroutine multiply

subroutine conjugate(n, diag, off, b, x, iterations)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: diag(n), off, b(n)
  real(8), intent(out) :: x(n)
  integer, intent(inout) :: iterations
  real(8) :: r(n), p(n), q(n), rho, older, alpha, first
  integer :: i
  x = 0.0d0
  r = b
  p = b
  rho = dot_product(r, r)
  first = rho
  do while (rho > 1.0d-24*first + 1.0d-40)
    call multiply(n, diag, off, p, q)
    alpha = rho/dot_product(p, q)
    do i = 1, n
      x(i) = x(i) + alpha*p(i)
      r(i) = r(i) - alpha*q(i)
    end do
    older = rho
    rho = dot_product(r, r)
    do i = 1, n
      p(i) = r(i) + rho/older*p(i)
    end do
    iterations = iterations + 1
  end do
end subroutine conjugate

subroutine front(rate, diffusion, n, nsteps, cost, iterations)
  implicit none
  integer, intent(in) :: n, nsteps
  real(8), intent(in) :: rate(n), diffusion
  real(8), intent(out) :: cost
  integer, intent(out) :: iterations
  real(8) :: u(n), old(n), f(n), diag(n), du(n), dt, off, worst
  integer :: i, step
  dt = 0.2d0
  iterations = 0
  do i = 1, n
    u(i) = 1.0d0/(1.0d0 + exp(1.5d0*(i - 4)))
  end do
  do step = 1, nsteps
    !$AD CHECKPOINT-START
    old = u
    worst = 1.0d0
    do while (worst > 1.0d-11)
      call defect(n, u, old, rate, diffusion, dt, f)
      off = -dt*diffusion
      worst = 0.0d0
      do i = 1, n
        diag(i) = 1.0d0 + 2.0d0*dt*diffusion - dt*rate(i)*(1.0d0 - 2.0d0*u(i))
        worst = max(worst, abs(f(i)))
      end do
      if (worst <= 1.0d-11) exit
      call conjugate(n, diag, off, f, du, iterations)
      u = u - du
    end do
    !$AD CHECKPOINT-END
  end do
  cost = 0.0d0
  do i = 1, n
    cost = cost + (u(i) - 0.3d0)**2
  end do
end subroutine front

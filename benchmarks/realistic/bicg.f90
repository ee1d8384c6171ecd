! Nonlinear convection-diffusion by BiCGSTAB without a matrix: Picard steps, each a Krylov solve of fixed length.
subroutine picard(k0, b, target, cost, n, np)
  implicit none
  integer, intent(in) :: n, np
  real(8), intent(in) :: k0, b(n), target(n)
  real(8), intent(out) :: cost
  real(8) :: x(n), coef(0:n)
  real(8), external :: dot
  integer :: ip, i
  x = 0.1d0
  do ip = 1, np
    coef(0) = k0
    do i = 1, n - 1
      coef(i) = k0*(1d0 + 0.25d0*(x(i) + x(i+1))**2)
    end do
    coef(n) = k0*(1d0 + x(n)**2)
    call bicgstab(coef, b, x, n)
  end do
  x = x - target
  cost = dot(x, x, n)
end subroutine picard
subroutine bicgstab(coef, b, x, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: coef(0:n), b(n)
  real(8), intent(inout) :: x(n)
  real(8) :: r(n), rhat(n), p(n), v(n), s(n), t(n), y(n), z(n)
  real(8), external :: dot
  real(8) :: rho, rho1, alpha, omega, beta
  integer :: it
  call matvec(coef, x, r, n)
  r = b - r
  rhat = r
  rho1 = 1d0
  alpha = 1d0
  omega = 1d0
  v = 0d0
  p = 0d0
  do it = 1, 3
    rho = dot(rhat, r, n)
    if (abs(rho) < 1d-20) exit
    beta = rho/rho1*alpha/omega
    p = r + beta*(p - omega*v)
    call precond(coef, p, y, n)
    call matvec(coef, y, v, n)
    alpha = rho/dot(rhat, v, n)
    s = r - alpha*v
    call precond(coef, s, z, n)
    call matvec(coef, z, t, n)
    omega = dot(t, s, n)/dot(t, t, n)
    x = x + alpha*y + omega*z
    r = s - omega*t
    rho1 = rho
  end do
end subroutine bicgstab
subroutine matvec(coef, x, y, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: coef(0:n), x(n)
  real(8), intent(out) :: y(n)
  integer :: i
  do i = 1, n
    y(i) = (coef(i-1) + coef(i) + 0.5d0)*x(i)
    if (i > 1) y(i) = y(i) - (coef(i-1) + 0.2d0)*x(i-1)
    if (i < n) y(i) = y(i) - (coef(i) - 0.2d0)*x(i+1)
  end do
end subroutine matvec
subroutine precond(coef, r, z, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: coef(0:n), r(n)
  real(8), intent(out) :: z(n)
  real(8) :: d(n)
  integer :: i
  d(1) = coef(0) + coef(1) + 0.5d0
  z(1) = r(1)/d(1)
  do i = 2, n
    d(i) = coef(i-1) + coef(i) + 0.5d0 - coef(i-1)**2/d(i-1)
    z(i) = (r(i) + coef(i-1)*z(i-1))/d(i)
  end do
end subroutine precond
real(8) function dot(x, y, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n), y(n)
  integer :: i
  dot = 0d0
  do i = 1, n
    dot = dot + x(i)*y(i)
  end do
end function dot

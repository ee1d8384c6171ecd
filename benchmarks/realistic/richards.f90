! Water in unsaturated soil columns: van Genuchten curves, Newton iterations until they converge, a tridiagonal solve.
module hydraulics
  implicit none
  real(8), parameter :: ths = 0.43d0, thr = 0.05d0
contains
  subroutine curves(psi, alpha, nn, ks, theta, k, c)
    real(8), intent(in) :: psi, alpha, nn, ks
    real(8), intent(out) :: theta, k, c
    real(8) :: m, ah, se, x
    m = 1d0 - 1d0/nn
    if (psi < 0d0) then
      ah = (-alpha*psi)**nn
      se = (1d0 + ah)**(-m)
      x = 1d0 - (1d0 - se**(1d0/m))**m
      theta = thr + (ths - thr)*se
      k = ks*sqrt(se)*x*x
      c = (ths - thr)*m*nn*alpha*(-alpha*psi)**(nn - 1d0)*(1d0 + ah)**(-m - 1d0)
    else
      theta = ths
      k = ks
      c = 1d-3
    end if
  end subroutine curves
  subroutine thomas(a, b, c, d, n)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n), c(n)
    real(8), intent(inout) :: b(n), d(n)
    integer :: i
    real(8) :: w
    do i = 2, n
      w = a(i)/b(i-1)
      b(i) = b(i) - w*c(i-1)
      d(i) = d(i) - w*d(i-1)
    end do
    d(n) = d(n)/b(n)
    do i = n - 1, 1, -1
      d(i) = (d(i) - c(i)*d(i+1))/b(i)
    end do
  end subroutine thomas
end module hydraulics
subroutine richards(alpha, ks, rain, cost, n, nt, nc)
  use hydraulics
  implicit none
  integer, intent(in) :: n, nt, nc
  real(8), intent(in) :: alpha(nc), ks(nc), rain(nt)
  real(8), intent(out) :: cost
  real(8) :: psi(n, nc), drain
  integer :: it, ic
  psi = -1.5d0
  cost = 0d0
  do it = 1, nt
    do ic = 1, nc
      call column_step(psi(:, ic), 0.5d0 + 0.5d0*alpha(ic), 0.2d0*ks(ic), rain(it), drain, n)
      cost = cost + drain*drain
    end do
  end do
  cost = cost + sum(psi**2)
end subroutine richards
subroutine column_step(psi, alpha, ks, rain, drain, n)
  use hydraulics
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: psi(n)
  real(8), intent(in) :: alpha, ks, rain
  real(8), intent(out) :: drain
  real(8), parameter :: dt = 0.1d0, dz = 0.5d0
  real(8) :: old(n), theta(n), k(n), c(n), th0(n), a(n), b(n), cc(n), d(n), kf, err
  integer :: i, iter
  old = psi
  do i = 1, n
    call curves(old(i), alpha, 1.6d0, ks, th0(i), k(i), c(i))
  end do
  do iter = 1, 4
    do i = 1, n
      call curves(psi(i), alpha, 1.6d0, ks, theta(i), k(i), c(i))
    end do
    a = 0d0
    cc = 0d0
    b = c/dt
    d = -(theta - th0)/dt
    do i = 1, n - 1
      kf = 0.5d0*(k(i) + k(i+1))
      cc(i) = -kf/dz**2
      a(i+1) = cc(i)
      b(i) = b(i) + kf/dz**2
      b(i+1) = b(i+1) + kf/dz**2
      d(i) = d(i) - kf*((psi(i) - psi(i+1))/dz + 1d0)/dz
      d(i+1) = d(i+1) + kf*((psi(i) - psi(i+1))/dz + 1d0)/dz
    end do
    d(1) = d(1) + 0.05d0*rain/dz
    d(n) = d(n) - k(n)/dz
    call thomas(a, b, cc, d, n)
    psi = psi + d
    err = maxval(abs(d))
    if (err < 1d-7) exit
  end do
  drain = k(n)*dt
end subroutine column_step

! Compressible-like transport in a periodic box with compact fourth order derivatives: pencils along three directions through
! strided sections, one cyclic tridiagonal routine, low-storage Runge-Kutta, a compact filter at the end of each step.
module padelib
  implicit none
  integer, parameter :: nx = 4, ny = 3, nz = 3
contains
  subroutine cyclic(n, al, r, x)
    integer, intent(in) :: n
    real(8), intent(in) :: al, r(n)
    real(8), intent(out) :: x(n)
    real(8) :: bet(10), u(10), gam, f, d
    integer :: i
    gam = -1d0
    d = 1d0 - gam
    x(1) = r(1)/d
    u(1) = gam/d
    do i = 2, n
      bet(i) = al/d
      d = 1d0 - al*bet(i)
      if (i == n) d = d - al*al/gam
      x(i) = (r(i) - al*x(i-1))/d
      u(i) = -al*u(i-1)/d
      if (i == n) u(i) = (al - al*u(i-1))/d
    end do
    do i = n - 1, 1, -1
      x(i) = x(i) - bet(i+1)*x(i+1)
      u(i) = u(i) - bet(i+1)*u(i+1)
    end do
    f = (x(1) + al*x(n)/gam)/(1d0 + u(1) + al*u(n)/gam)
    do i = 1, n
      x(i) = x(i) - f*u(i)
    end do
  end subroutine cyclic
  subroutine deriv(n, f, df)
    integer, intent(in) :: n
    real(8), intent(in) :: f(n)
    real(8), intent(out) :: df(n)
    real(8) :: r(n)
    integer :: i
    do i = 1, n
      r(i) = 0.75d0*n*(f(mod(i, n) + 1) - f(mod(i + n - 2, n) + 1))
    end do
    call cyclic(n, 0.25d0, r, df)
  end subroutine deriv
  subroutine smooth(n, f)
    integer, intent(in) :: n
    real(8), intent(inout) :: f(n)
    real(8) :: r(n)
    integer :: i
    do i = 1, n
      r(i) = 0.9d0*f(i) + 0.45d0*(f(mod(i, n) + 1) + f(mod(i + n - 2, n) + 1))
    end do
    call cyclic(n, 0.4d0, r, f)
  end subroutine smooth
  subroutine rhs(q, vel, nu, dq)
    real(8), intent(in) :: q(nx, ny, nz), vel(3), nu
    real(8), intent(inout) :: dq(nx, ny, nz)
    real(8) :: d(10), fl(10)
    integer :: i, j, k
    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          fl(i) = vel(1)*q(i, j, k)**2
        end do
        call deriv(nx, fl(1:nx), d(1:nx))
        dq(:, j, k) = dq(:, j, k) - d(1:nx)
      end do
    end do
    do k = 1, nz
      do i = 1, nx
        call deriv(ny, q(i, :, k), d(1:ny))
        dq(i, :, k) = dq(i, :, k) - vel(2)*d(1:ny)
      end do
    end do
    do j = 1, ny
      do i = 1, nx
        call deriv(nz, q(i, j, :), d(1:nz))
        dq(i, j, :) = dq(i, j, :) - vel(3)*d(1:nz)
      end do
    end do
    dq = dq - nu*q**3
  end subroutine rhs
end module padelib
subroutine compact3(nt, q0, vel, nu, energy)
  use padelib
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: q0(nx, ny, nz), vel(3), nu
  real(8), intent(out) :: energy
  real(8) :: q(nx, ny, nz), dq(nx, ny, nz), dt
  real(8), parameter :: a(3) = (/ 0d0, -5d0/9d0, -153d0/128d0 /), b(3) = (/ 1d0/3d0, 15d0/16d0, 8d0/15d0 /)
  integer :: it, s, j, k
  dt = 0.02d0
  q = q0
  dq = 0d0
  do it = 1, nt
    do s = 1, 3
      !$AD CHECKPOINT-START
      dq = a(s)*dq
      call rhs(q, vel, nu, dq)
      !$AD CHECKPOINT-END
      q = q + b(s)*dt*dq
    end do
    do k = 1, nz
      do j = 1, ny
        call smooth(nx, q(:, j, k))
      end do
    end do
  end do
  energy = 0.5d0*sum(q*q)
end subroutine compact3

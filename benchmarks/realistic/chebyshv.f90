! Convection, diffusion and reaction between two walls by Chebyshev collocation: cosine transforms by a table,
! derivatives in coefficient space by the recurrence, products in physical space, tau boundary conditions, RK3.
module cheb
  implicit none
  integer, parameter :: n = 8
  real(8), parameter :: pi = 3.14159265358979d0
  real(8), save :: ctab(0:n,0:n)
contains
  subroutine make_table
    integer :: j, k
    do k = 0, n
      do j = 0, n
        ctab(j,k) = cos(pi*j*k/n)
      end do
    end do
  end subroutine make_table
  subroutine to_coefficients(f, a)
    real(8), intent(in) :: f(0:n)
    real(8), intent(out) :: a(0:n)
    integer :: j, k
    real(8) :: s
    do k = 0, n
      s = 0.5d0*(f(0)*ctab(0,k) + f(n)*ctab(n,k))
      do j = 1, n - 1
        s = s + f(j)*ctab(j,k)
      end do
      a(k) = 2d0*s/n
    end do
    a(0) = 0.5d0*a(0)
    a(n) = 0.5d0*a(n)
  end subroutine to_coefficients
  subroutine to_points(a, f)
    real(8), intent(in) :: a(0:n)
    real(8), intent(out) :: f(0:n)
    integer :: j
    do j = 0, n
      f(j) = sum(a*ctab(j,:))
    end do
  end subroutine to_points
  subroutine derivative(a, b)
    real(8), intent(in) :: a(0:n)
    real(8), intent(out) :: b(0:n)
    integer :: k
    b(n) = 0d0
    b(n-1) = 2d0*n*a(n)
    do k = n - 2, 0, -1
      b(k) = b(k+2) + 2d0*(k+1)*a(k+1)
    end do
    b(0) = 0.5d0*b(0)
  end subroutine derivative
  subroutine tendency(u, nu, rate, du)
    real(8), intent(in) :: u(0:n), nu, rate
    real(8), intent(out) :: du(0:n)
    real(8) :: a(0:n), b(0:n), ux(0:n), uxx(0:n)
    integer :: j
    call to_coefficients(u, a)
    call derivative(a, b)
    call to_points(b, ux)
    call derivative(b, a)
    call to_points(a, uxx)
    do j = 1, n - 1
      du(j) = nu*uxx(j) - u(j)*ux(j) + rate*u(j)*(1d0 - u(j))
    end do
    du(0) = 0d0
    du(n) = 0d0
  end subroutine tendency
end module cheb
subroutine chebyshv(nt, u0, nu, rate, wall, target, cost)
  use cheb
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: u0(0:n), nu, rate, wall(2), target(0:n)
  real(8), intent(out) :: cost
  real(8) :: u(0:n), r(0:n), du(0:n), dt
  real(8), parameter :: ca(3) = (/ 0d0, -5d0/9d0, -153d0/128d0 /)
  real(8), parameter :: cb(3) = (/ 1d0/3d0, 15d0/16d0, 8d0/15d0 /)
  integer :: it, k, j
  call make_table
  u = u0
  r = 0d0
  dt = 0.002d0
  do it = 1, nt
    do k = 1, 3
      u(0) = wall(1)
      u(n) = wall(2)
      call tendency(u, 0.1d0 + 0.1d0*nu, rate, du)
      do j = 0, n
        r(j) = ca(k)*r(j) + dt*du(j)
        u(j) = u(j) + cb(k)*r(j)
      end do
    end do
  end do
  cost = 0d0
  do j = 0, n
    cost = cost + (u(j) - target(j))**2*sqrt(1d0 - (real(j,8)/n*2d0 - 1d0)**2 + 1d-3)
  end do
end subroutine chebyshv

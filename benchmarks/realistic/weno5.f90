! Two layers of traffic-like conservation laws by WENO of order five: fluxes by function, splitting, smoothness
! indicators by function, periodic ghost cells, three stages of Shu and Osher, viscosity at the end of a step.
module weno_parts
  implicit none
  integer, parameter :: gh = 3
  real(8), parameter :: eps = 1d-6
contains
  real(8) function flux(u, c)
    real(8), intent(in) :: u, c
    flux = 0.5d0*u*u + c*u*(1d0 - 0.1d0*u)
  end function flux

  real(8) function fast(u, c)
    real(8), intent(in) :: u, c
    fast = abs(u + c*(1d0 - 0.2d0*u))
  end function fast

  subroutine split(u, c, a, plus, minus)
    real(8), intent(in) :: u, c, a
    real(8), intent(out) :: plus, minus
    real(8) :: f
    f = flux(u, c)
    plus = 0.5d0*(f + a*u)
    minus = 0.5d0*(f - a*u)
  end subroutine split

  real(8) function left5(v)
    real(8), intent(in) :: v(5)
    real(8) :: b(3), w(3), p(3), total
    b(1) = 13d0/12d0*(v(1) - 2d0*v(2) + v(3))**2 + 0.25d0*(v(1) - 4d0*v(2) + 3d0*v(3))**2
    b(2) = 13d0/12d0*(v(2) - 2d0*v(3) + v(4))**2 + 0.25d0*(v(2) - v(4))**2
    b(3) = 13d0/12d0*(v(3) - 2d0*v(4) + v(5))**2 + 0.25d0*(3d0*v(3) - 4d0*v(4) + v(5))**2
    w = (/0.1d0, 0.6d0, 0.3d0/)/(eps + b)**2
    total = sum(w)
    w = w/total
    p(1) = (2d0*v(1) - 7d0*v(2) + 11d0*v(3))/6d0
    p(2) = (-v(2) + 5d0*v(3) + 2d0*v(4))/6d0
    p(3) = (2d0*v(3) + 5d0*v(4) - v(5))/6d0
    left5 = sum(w*p)
  end function left5

  subroutine wrap(u, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(1-gh:n+gh)
    integer :: k
    do k = 1, gh
      u(1-k) = u(n+1-k)
      u(n+k) = u(k)
    end do
  end subroutine wrap

  subroutine slope(u, c, n, dx, du)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(1-gh:n+gh)
    real(8), intent(in) :: c, dx
    real(8), intent(out) :: du(n)
    real(8) :: plus(1-gh:n+gh), minus(1-gh:n+gh), f(0:n), a, s(5)
    integer :: i, k
    call wrap(u, n)
    a = 0d0
    do i = 1 - gh, n + gh
      a = max(a, fast(u(i), c))
    end do
    do i = 1 - gh, n + gh
      call split(u(i), c, a, plus(i), minus(i))
    end do
    do i = 0, n
      f(i) = left5(plus(i-2:i+2))
      do k = 1, 5
        s(k) = minus(i+4-k)
      end do
      f(i) = f(i) + left5(s)
    end do
    do i = 1, n
      du(i) = -(f(i) - f(i-1))/dx
    end do
  end subroutine slope

  subroutine step(u, c, n, dt, dx)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(1-gh:n+gh)
    real(8), intent(in) :: c, dt, dx
    real(8) :: v(1-gh:n+gh), du(n)
    call slope(u, c, n, dx, du)
    v(1:n) = u(1:n) + dt*du
    call slope(v, c, n, dx, du)
    v(1:n) = 0.75d0*u(1:n) + 0.25d0*(v(1:n) + dt*du)
    call slope(v, c, n, dx, du)
    u(1:n) = u(1:n)/3d0 + 2d0/3d0*(v(1:n) + dt*du)
  end subroutine step
end module weno_parts

subroutine layers(n, nt, u0, c, nu, cost)
  use weno_parts
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: u0(n, 2), c(2), nu
  real(8), intent(out) :: cost
  real(8) :: u(1-gh:n+gh, 2), w(n), dx, dt
  integer :: it, m
  dx = 1d0/n
  dt = 0.1d0*dx
  u(1:n, :) = u0
  do it = 1, nt
    do m = 1, 2
      call step(u(:, m), c(m), n, dt, dx)
    end do
    w = u(1:n, 1) - u(1:n, 2)
    u(1:n, 1) = u(1:n, 1) - 0.01d0*nu*w*abs(w)
    u(1:n, 2) = u(1:n, 2) + 0.01d0*nu*w*abs(w)
  end do
  cost = sum(u(1:n, 1)**2) + sum(u(1:n, 2)**3)
end subroutine layers

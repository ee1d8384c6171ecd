! Advection with flux limiters: elemental functions of whole arrays, of sections and of scalars with arrays.
module limiters
  implicit none
  private
  public :: superbee, van_leer, clipped
contains
  elemental function superbee(r) result(phi)
    real(8), intent(in) :: r
    real(8) :: phi
    phi = max(0.0d0, min(2.0d0*r, 1.0d0), min(r, 2.0d0))
  end function superbee

  elemental function van_leer(r) result(phi)
    real(8), intent(in) :: r
    real(8) :: phi
    phi = (r + abs(r))/(1.0d0 + abs(r))
  end function van_leer

  elemental subroutine clipped(u, low, high)
    real(8), intent(inout) :: u
    real(8), intent(in) :: low, high
    if (u < low) then
      u = low + 0.1d0*(u - low)
    else if (u > high) then
      u = high + 0.1d0*(u - high)
    end if
  end subroutine clipped
end module limiters

module transport
  use limiters, only: superbee, van_leer, clipped
  implicit none
  real(8), parameter :: tiny_slope = 1.0d-6
contains
  function slopes(u) result(r)
    real(8), intent(in) :: u(:)
    real(8) :: r(size(u))
    real(8) :: down(size(u))
    integer :: n
    n = size(u)
    down(1:n - 1) = u(2:n) - u(1:n - 1)
    down(n) = u(1) - u(n)
    r = cshift(down, -1)/(down + sign(tiny_slope, down))
  end function slopes

  subroutine fluxes(u, c, kind, f)
    real(8), intent(in) :: u(:)
    real(8), intent(in) :: c
    integer, intent(in) :: kind
    real(8), intent(out) :: f(:)
    real(8) :: phi(size(u)), jump(size(u))
    if (kind == 1) then
      phi = superbee(slopes(u))
    else
      phi = van_leer(slopes(u))
    end if
    jump = cshift(u, 1) - u
    f = c*(u + 0.5d0*(1.0d0 - c)*phi*jump)
  end subroutine fluxes

  subroutine advect(u, c, steps, cost)
    real(8), intent(inout) :: u(:)
    real(8), intent(in) :: c
    integer, intent(in) :: steps
    real(8), intent(out) :: cost
    real(8) :: f(size(u)), top
    integer :: step, n
    n = size(u)
    cost = 0.0d0
    do step = 1, steps
      call fluxes(u, c, 1 + mod(step, 2), f)
      u(2:n) = u(2:n) - (f(2:n) - f(1:n - 1))
      u(1) = u(1) - (f(1) - f(n))
      top = 1.3d0 + 0.01d0*cost
      call clipped(u, 0.6d0, top)
      call clipped(u(1:n - 1:2), 0.7d0, u(2:n:2) + 1.0d0)
      cost = cost + sum(u*u)/n
    end do
    cost = cost + sum(van_leer(u)*superbee(u))
  end subroutine advect
end module transport

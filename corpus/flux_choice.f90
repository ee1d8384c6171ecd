! The numerical flux is chosen at run time by procedure pointers: one of the module, one in the scheme, one that is passed.
module fluxes
  implicit none
  abstract interface
    function numerical_flux(left, right) result(f)
      real(8), intent(in) :: left, right
      real(8) :: f
    end function numerical_flux
    subroutine limiter(slope, limited)
      real(8), intent(in) :: slope
      real(8), intent(out) :: limited
    end subroutine limiter
  end interface
  type :: scheme
    procedure(numerical_flux), pointer, nopass :: flux => null()
    procedure(limiter), pointer, nopass :: limit => null()
    real(8) :: cfl = 0.4d0
  end type scheme
  procedure(numerical_flux), pointer :: boundary => null()
contains
  function upwind(left, right) result(f)
    real(8), intent(in) :: left, right
    real(8) :: f
    f = 0.5d0*left**2 + 0.01d0*right
  end function upwind

  function rusanov(left, right) result(f)
    real(8), intent(in) :: left, right
    real(8) :: f, speed
    speed = sqrt(left**2 + right**2)
    f = 0.25d0*(left**2 + right**2) - 0.5d0*speed*(right - left)
  end function rusanov

  function central(left, right) result(f)
    real(8), intent(in) :: left, right
    real(8) :: f
    f = 0.125d0*(left + right)**2
  end function central

  subroutine smooth(slope, limited)
    real(8), intent(in) :: slope
    real(8), intent(out) :: limited
    limited = slope/(1.0d0 + slope**2)
  end subroutine smooth

  subroutine none(slope, limited)
    real(8), intent(in) :: slope
    real(8), intent(out) :: limited
    limited = slope
  end subroutine none

  ! Fluxes through all faces; the procedure is passed on.
  subroutine faces(flux, u, n, f)
    procedure(numerical_flux) :: flux
    integer, intent(in) :: n
    real(8), intent(in) :: u(n)
    real(8), intent(out) :: f(n)
    call inner_faces(flux, u, n, f)
    f(n) = boundary(u(n), u(1))
  end subroutine faces

  subroutine inner_faces(flux, u, n, f)
    procedure(numerical_flux) :: flux
    integer, intent(in) :: n
    real(8), intent(in) :: u(n)
    real(8), intent(inout) :: f(n)
    integer :: i
    do i = 1, n - 1
      f(i) = flux(u(i), u(i + 1))
    end do
  end subroutine inner_faces

  subroutine advance(way, u, n, dt)
    type(scheme), intent(in) :: way
    integer, intent(in) :: n
    real(8), intent(inout) :: u(n)
    real(8), intent(in) :: dt
    real(8) :: f(n), change
    integer :: i
    call faces(way%flux, u, n, f)
    do i = 2, n
      call way%limit(way%cfl*dt*(f(i - 1) - f(i)), change)
      u(i) = u(i) + change
    end do
    u(1) = u(1) + way%cfl*dt*(f(n) - f(1))
  end subroutine advance

  subroutine choose(way, step)
    type(scheme), intent(inout) :: way
    integer, intent(in) :: step
    if (mod(step, 3) == 0) then
      way%flux => rusanov
      way%limit => smooth
    else if (mod(step, 3) == 1) then
      way%flux => upwind
      way%limit => none
    else
      way%flux => central
    end if
    if (step > 2) boundary => central
  end subroutine choose

  subroutine solve(u, n, steps, dt, cost)
    integer, intent(in) :: n, steps
    real(8), intent(inout) :: u(n)
    real(8), intent(in) :: dt
    real(8), intent(out) :: cost
    procedure(numerical_flux), pointer :: last
    type(scheme) :: way
    real(8) :: f(n)
    integer :: step
    way%limit => smooth
    way%cfl = 0.4d0
    boundary => upwind
    last => rusanov
    cost = 0.0d0
    do step = 1, steps
      call choose(way, step)
      call advance(way, u, n, dt)
      !$AD CHECKPOINT-START
      u(1) = 0.9d0*u(1)
      cost = cost + last(u(1), u(n))*u(2)
      last => way%flux
      u(2) = u(2) + 0.1d0*last(u(2), u(1))
      !$AD CHECKPOINT-END
    end do
    call faces(last, u, n, f)
    cost = cost + sum(f**2)
  end subroutine solve
end module fluxes

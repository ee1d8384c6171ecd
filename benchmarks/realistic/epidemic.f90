! An epidemic in groups with vaccination, Runge-Kutta 4 with stages in columns, and its misfit to reports.
module epidemic_types
  implicit none
  type :: rates
    real(8) :: beta, gamma, sigma, waning
  end type
  type :: groups
    real(8) :: s(5), e(5), i(5), r(5)
  end type
contains
  subroutine slopes(p, contact, x, dx)
    type(rates), intent(in) :: p
    real(8), intent(in) :: contact(5, 5)
    type(groups), intent(in) :: x
    type(groups), intent(out) :: dx
    real(8) :: force(5)
    integer :: g, h
    do g = 1, 5
      force(g) = 0d0
      do h = 1, 5
        force(g) = force(g) + contact(g, h)*x%i(h)
      end do
      force(g) = p%beta*force(g)*x%s(g)
    end do
    dx%s = p%waning*x%r - force
    dx%e = force - p%sigma*x%e
    dx%i = p%sigma*x%e - p%gamma*x%i
    dx%r = p%gamma*x%i - p%waning*x%r
  end subroutine
  subroutine shifted(x, dx, dt, y)
    type(groups), intent(in) :: x, dx
    real(8), intent(in) :: dt
    type(groups), intent(out) :: y
    y%s = x%s + dt*dx%s
    y%e = x%e + dt*dx%e
    y%i = x%i + dt*dx%i
    y%r = x%r + dt*dx%r
  end subroutine
  subroutine vaccinate(day, dose, x)
    integer, intent(in) :: day
    real(8), intent(in) :: dose
    type(groups), intent(inout) :: x
    integer :: g
    real(8) :: given
    if (mod(day, 2) /= 0) return
    do g = 5, 3, -1
      given = min(dose, 0.5d0*x%s(g))
      x%s(g) = x%s(g) - given
      x%r(g) = x%r(g) + given
    end do
  end subroutine
end module
subroutine epidemic(nd, beta, dose, contact, reports, misfit)
  use epidemic_types
  implicit none
  integer, intent(in) :: nd
  real(8), intent(in) :: beta, dose, contact(5, 5), reports(nd)
  real(8), intent(out) :: misfit
  type(rates) :: p
  type(groups) :: x, k(4), y
  real(8) :: dt, part(4)
  integer :: day, stage
  p%beta = beta
  p%gamma = 0.2d0
  p%sigma = 0.3d0
  p%waning = 0.02d0
  x%s = 0.95d0
  x%e = 0.02d0
  x%i = 0.03d0
  x%r = 0d0
  misfit = 0d0
  dt = 0.5d0
  part = 0.5d0
  part(4) = 1d0
  do day = 1, nd
    call slopes(p, contact, x, k(1))
    do stage = 2, 4
      call shifted(x, k(stage - 1), part(stage)*dt, y)
      call slopes(p, contact, y, k(stage))
    end do
    x%s = x%s + dt/6d0*(k(1)%s + 2d0*k(2)%s + 2d0*k(3)%s + k(4)%s)
    x%e = x%e + dt/6d0*(k(1)%e + 2d0*k(2)%e + 2d0*k(3)%e + k(4)%e)
    x%i = x%i + dt/6d0*(k(1)%i + 2d0*k(2)%i + 2d0*k(3)%i + k(4)%i)
    x%r = x%r + dt/6d0*(k(1)%r + 2d0*k(2)%r + 2d0*k(3)%r + k(4)%r)
    call vaccinate(day, dose, x)
    misfit = misfit + (sum(x%i) - reports(day))**2/(0.1d0 + reports(day))
  end do
end subroutine

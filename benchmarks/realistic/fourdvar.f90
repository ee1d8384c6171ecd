! A strong-constraint assimilation: nonlinear model window by window (several marked parts), observations of several kinds in
! a list of derived type, bias parameters in a module, quality control that drops some.
module obs
  implicit none
  integer, parameter :: mo = 20
  type observation
    integer :: kind, step, at
    real(8) :: value, err
    logical :: used
  end type observation
  type(observation) :: list(mo)
  integer :: nobs = 0
  real(8) :: bias(2)
contains
  subroutine operate(n, x, o, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    type(observation), intent(in) :: o
    real(8), intent(out) :: y
    select case (o%kind)
    case (1)
      y = x(o%at)
    case (2)
      y = bias(1)*x(o%at)**2 + 0.1d0*x(mod(o%at, n) + 1)
    case default
      y = log(1d0 + x(o%at)**2) + bias(2)
    end select
  end subroutine operate
  subroutine misfit(n, x, step, j)
    integer, intent(in) :: n, step
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: j
    real(8) :: y, d
    integer :: k
    do k = 1, nobs
      if (list(k)%step /= step) cycle
      call operate(n, x, list(k), y)
      d = (y - list(k)%value)/list(k)%err
      list(k)%used = abs(d) < 5d0
      if (.not. list(k)%used) cycle
      if (abs(d) > 1d0) then
        j = j + 2d0*abs(d) - 1d0
      else
        j = j + d**2
      end if
    end do
  end subroutine misfit
end module obs
module l95
  implicit none
contains
  subroutine tend(n, x, f, dx)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), f
    real(8), intent(out) :: dx(n)
    integer :: i
    do i = 1, n
      dx(i) = (x(mod(i, n) + 1) - x(mod(i + n - 3, n) + 1))*x(mod(i + n - 2, n) + 1) - x(i) + f
    end do
  end subroutine tend
  subroutine rk4(n, x, f, dt)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n)
    real(8), intent(in) :: f, dt
    real(8) :: k(n, 4)
    call tend(n, x, f, k(:, 1))
    call tend(n, x + 0.5d0*dt*k(:, 1), f, k(:, 2))
    call tend(n, x + 0.5d0*dt*k(:, 2), f, k(:, 3))
    call tend(n, x + dt*k(:, 3), f, k(:, 4))
    x = x + dt/6d0*(k(:, 1) + 2d0*k(:, 2) + 2d0*k(:, 3) + k(:, 4))
  end subroutine rk4
end module l95
subroutine fourdvar(n, x0, xb, f, vals, b, j)
  use obs
  use l95
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x0(n), xb(n), f, vals(10), b(2)
  real(8), intent(out) :: j
  real(8) :: x(n)
  integer :: it, k
  nobs = 10
  do k = 1, nobs
    list(k)%kind = mod(k, 3) + 1
    list(k)%step = mod(k, 6) + 1
    list(k)%at = mod(2*k, n) + 1
    list(k)%value = 2d0*vals(k)
    list(k)%err = 0.5d0
  end do
  bias = 0.5d0*b
  x = x0
  j = 0.5d0*sum((x0 - xb)**2)
  !$AD CHECKPOINT-START
  do it = 1, 3
    call rk4(n, x, 4d0*f, 0.05d0)
    call misfit(n, x, it, j)
  end do
  !$AD CHECKPOINT-END
  x = x*(1d0 + 0.01d0*bias(1))
  !$AD CHECKPOINT-START
  do it = 4, 6
    call rk4(n, x, 4d0*f, 0.05d0)
    call misfit(n, x, it, j)
  end do
  !$AD CHECKPOINT-END
end subroutine fourdvar

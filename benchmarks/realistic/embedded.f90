! An embedded Runge-Kutta pair with an adaptive step on a predator-prey chain; rejected steps are tried again.
module chain_eq
  implicit none
  integer, parameter :: n = 6
contains
  subroutine slope(p, y, dy)
    real(8), intent(in) :: p(3), y(n)
    real(8), intent(out) :: dy(n)
    integer :: i
    dy(1) = y(1)*(p(1) - 0.2d0*y(1)) - p(2)*y(1)*y(2)
    do i = 2, n - 1
      dy(i) = 0.6d0*p(2)*y(i - 1)*y(i) - p(2)*y(i)*y(i + 1) - 0.1d0*p(3)*y(i)
    end do
    dy(n) = 0.6d0*p(2)*y(n - 1)*y(n) - 0.2d0*p(3)*y(n)**2
  end subroutine slope

  subroutine combine(y, k, a, m, h, out)
    integer, intent(in) :: m
    real(8), intent(in) :: y(n), k(n, m), a(m), h
    real(8), intent(out) :: out(n)
    integer :: j
    out = y
    do j = 1, m
      out = out + h*a(j)*k(:, j)
    end do
  end subroutine combine

  subroutine try_step(p, y, k, h, ynew, err)
    real(8), intent(in) :: p(3), y(n), h
    real(8), intent(inout) :: k(n, 4)
    real(8), intent(out) :: ynew(n), err
    real(8) :: z(n)
    integer :: i
    call combine(y, k, [0.5d0], 1, h, z)
    call slope(p, z, k(:, 2))
    call combine(y, k, [0.0d0, 0.75d0], 2, h, z)
    call slope(p, z, k(1, 3))
    call combine(y, k(:, 1:3), [2.0d0/9, 1.0d0/3, 4.0d0/9], 3, h, ynew)
    call slope(p, ynew, k(:, 4))
    err = 0.0d0
    do i = 1, n
      err = err + (h*(-5.0d0/72*k(i, 1) + k(i, 2)/12 + k(i, 3)/9 - k(i, 4)/8))**2
    end do
    err = sqrt(err/n)
  end subroutine try_step
end module chain_eq

subroutine embedded(y0, p, tol, cost)
  use chain_eq
  implicit none
  real(8), intent(in) :: y0(n), p(3), tol
  real(8), intent(out) :: cost
  real(8) :: y(n), ynew(n), k(n, 4), t, h, err
  integer :: tries
  y = y0
  t = 0.0d0
  h = 0.8d0
  cost = 0.0d0
  tries = 0
  call slope(p, y, k(:, 1))
  do while (t < 1.5d0 .and. tries < 20)
    tries = tries + 1
    call try_step(p, y, k, h, ynew, err)
    if (err < 1.0d-3*tol) then
      t = t + h
      cost = cost + 0.5d0*h*(sum(y*y) + sum(ynew*ynew))
      y = ynew
      k(:, 1) = k(:, 4)
      h = min(1.5d0*h, 0.4d0)
    else
      h = 0.5d0*h
    end if
  end do
  cost = cost + sum(y)
end subroutine embedded

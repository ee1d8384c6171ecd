! Cahn-Hilliard on a periodic grid: chemical potential, mobility, ghost cells filled by a subroutine, adaptive step.
subroutine cahn(n, nt, c0, eps, mob, free)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: c0(n, n), eps, mob
  real(8), intent(out) :: free
  real(8) :: c(0:n + 1, 0:n + 1), mu(0:n + 1, 0:n + 1), m(0:n + 1, 0:n + 1), dt, rate
  integer :: it, i, j
  c(1:n, 1:n) = c0
  dt = 1d-3
  do it = 1, nt
    call wrap(n, c)
    do j = 1, n
     do i = 1, n
      mu(i, j) = c(i, j)**3 - c(i, j) - &
        eps**2*(c(i + 1, j) + c(i - 1, j) + c(i, j + 1) + c(i, j - 1) - 4d0*c(i, j))
      m(i, j) = mob*max(0d0, 1d0 - c(i, j)**2)
     end do
    end do
    call wrap(n, mu)
    call wrap(n, m)
    call update(n, dt, mu, m, c, rate)
    if (rate > 10d0) then
      dt = 0.5d0*dt
    else
      dt = 1.1d0*dt
    end if
  end do
  call wrap(n, c)
  free = 0d0
  do j = 1, n
    do i = 1, n
      free = free + 0.25d0*(c(i, j)**2 - 1d0)**2 + 0.5d0*eps**2*((c(i + 1, j) - c(i, j))**2 + (c(i, j + 1) - c(i, j))**2)
    end do
  end do
end subroutine
subroutine wrap(n, f)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: f(0:n + 1, 0:n + 1)
  f(0, 1:n) = f(n, 1:n)
  f(n + 1, 1:n) = f(1, 1:n)
  f(:, 0) = f(:, n)
  f(:, n + 1) = f(:, 1)
end subroutine
subroutine update(n, dt, mu, m, c, rate)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: dt, mu(0:n + 1, 0:n + 1), m(0:n + 1, 0:n + 1)
  real(8), intent(inout) :: c(0:n + 1, 0:n + 1)
  real(8), intent(out) :: rate
  real(8) :: fx(0:n), fy(n, 0:n), div
  integer :: i, j
  rate = 0d0
  do j = 0, n
    do i = 1, n
      fy(i, j) = 0.5d0*(m(i, j) + m(i, j + 1))*(mu(i, j + 1) - mu(i, j))
    end do
  end do
  do j = 1, n
    do i = 0, n
      fx(i) = 0.5d0*(m(i, j) + m(i + 1, j))*(mu(i + 1, j) - mu(i, j))
    end do
    do i = 1, n
      div = fx(i) - fx(i - 1) + fy(i, j) - fy(i, j - 1)
      c(i, j) = c(i, j) + dt*div
      rate = max(rate, abs(div))
    end do
  end do
end subroutine

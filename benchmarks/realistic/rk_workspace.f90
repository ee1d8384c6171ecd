! Runge-Kutta of order four on one workspace, its columns passed by their first elements: an oscillator chain.
module chain_forces
  implicit none
  integer, parameter :: n = 12
contains
  subroutine rhs(m, y, stiff, dy)
    integer, intent(in) :: m
    real(8), intent(in) :: y(m), stiff
    real(8), intent(out) :: dy(m)
    integer :: i, h
    h = m/2
    do i = 1, h
      dy(i) = y(h + i)
    end do
    dy(h + 1) = -stiff*y(1) - y(1)**3 + 0.3d0*(y(2) - y(1))
    do i = 2, h - 1
      dy(h + i) = -stiff*y(i) - y(i)**3 + 0.3d0*(y(i - 1) - 2.0d0*y(i) + y(i + 1))
    end do
    dy(m) = -stiff*y(h) - y(h)**3 + 0.3d0*(y(h - 1) - y(h))
  end subroutine rhs

  subroutine combine(m, a, x, y, z)
    integer, intent(in) :: m
    real(8), intent(in) :: a, x(m), y(m)
    real(8), intent(out) :: z(m)
    integer :: i
    do i = 1, m
      z(i) = x(i) + a*y(i)
    end do
  end subroutine combine
end module chain_forces

subroutine rk4_step(m, work, stiff, dt)
  use chain_forces, only: rhs, combine
  implicit none
  integer, intent(in) :: m
  real(8), intent(inout) :: work(m, 6)
  real(8), intent(in) :: stiff, dt
  integer :: i
  ! column 1: the state; 2 to 5: slopes; 6: the stage
  call rhs(m, work(1, 1), stiff, work(1, 2))
  call combine(m, 0.5d0*dt, work(1, 1), work(1, 2), work(1, 6))
  call rhs(m, work(1, 6), stiff, work(1, 3))
  call combine(m, 0.5d0*dt, work(1, 1), work(1, 3), work(1, 6))
  call rhs(m, work(1, 6), stiff, work(1, 4))
  call combine(m, dt, work(1, 1), work(1, 4), work(1, 6))
  call rhs(m, work(1, 6), stiff, work(1, 5))
  do i = 1, m
    work(i, 1) = work(i, 1) + dt/6.0d0*(work(i, 2) + 2.0d0*work(i, 3) + 2.0d0*work(i, 4) + work(i, 5))
  end do
end subroutine rk4_step

subroutine simulate(y0, stiff, cost)
  use chain_forces, only: n
  implicit none
  real(8), intent(in) :: y0(n), stiff
  real(8), intent(out) :: cost
  real(8) :: work(n, 6), t, dt
  integer :: i, step
  dt = 0.05d0
  t = 0.0d0
  do i = 1, n
    work(i, 1) = y0(i)
  end do
  do step = 1, 8
    call rk4_step(n, work, stiff, dt)
    t = t + dt
  end do
  cost = 0.0d0
  do i = 1, n/2
    cost = cost + work(i, 1)**2 + 0.1d0*work(n/2 + i, 1)**2
  end do
  cost = cost*t
end subroutine simulate

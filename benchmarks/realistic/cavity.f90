! Lid-driven cavity by stream function and vorticity, Poisson by SOR with a test of convergence.
module cavity_state
  implicit none
  integer, parameter :: m = 6
  real(8) :: psi(m, m), omega(m, m), u(m, m), v(m, m)
  real(8) :: h = 0.2d0, lid
end module
subroutine cavity(nt, re, speed, start, kinetic)
  use cavity_state
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: re, speed, start(6, 6)
  real(8), intent(out) :: kinetic
  integer :: it
  real(8) :: dt
  psi = 0d0
  omega = start
  u = 0d0
  v = 0d0
  lid = speed
  dt = 0.01d0
  do it = 1, nt
    call poisson(20, 1d-3)
    call velocities
    call walls
    call transport(re, dt)
  end do
  kinetic = 0.5d0*sum(u*u + v*v)*h*h
end subroutine
subroutine poisson(most, tolerance)
  use cavity_state
  implicit none
  integer, intent(in) :: most
  real(8), intent(in) :: tolerance
  integer :: i, j, sweep
  real(8) :: old, change, relax
  relax = 1.4d0
  do sweep = 1, most
    change = 0d0
    do j = 2, m - 1
      do i = 2, m - 1
        old = psi(i, j)
        psi(i, j) = (1d0 - relax)*old + 0.25d0*relax*( &
          psi(i - 1, j) + psi(i + 1, j) + psi(i, j - 1) + psi(i, j + 1) + h*h*omega(i, j))
        change = max(change, abs(psi(i, j) - old))
      end do
    end do
    if (change < tolerance) exit
  end do
end subroutine
subroutine velocities
  use cavity_state
  implicit none
  integer :: i, j
  do j = 2, m - 1
    do i = 2, m - 1
      u(i, j) = (psi(i, j + 1) - psi(i, j - 1))/(2d0*h)
      v(i, j) = -(psi(i + 1, j) - psi(i - 1, j))/(2d0*h)
    end do
  end do
  u(:, m) = lid
end subroutine
subroutine walls
  use cavity_state
  implicit none
  integer :: i
  do i = 1, m
    omega(i, 1) = -2d0*psi(i, 2)/(h*h)
    omega(i, m) = -2d0*psi(i, m - 1)/(h*h) - 2d0*lid/h
    omega(1, i) = -2d0*psi(2, i)/(h*h)
    omega(m, i) = -2d0*psi(m - 1, i)/(h*h)
  end do
end subroutine
subroutine transport(re, dt)
  use cavity_state
  implicit none
  real(8), intent(in) :: re, dt
  real(8) :: new(m, m), advection, diffusion
  integer :: i, j
  do j = 2, m - 1
    do i = 2, m - 1
      if (u(i, j) > 0d0) then
        advection = u(i, j)*(omega(i, j) - omega(i - 1, j))/h
      else
        advection = u(i, j)*(omega(i + 1, j) - omega(i, j))/h
      end if
      if (v(i, j) > 0d0) then
        advection = advection + v(i, j)*(omega(i, j) - omega(i, j - 1))/h
      else
        advection = advection + v(i, j)*(omega(i, j + 1) - omega(i, j))/h
      end if
      diffusion = (omega(i - 1, j) + omega(i + 1, j) + omega(i, j - 1) + omega(i, j + 1) - 4d0*omega(i, j))/(h*h)
      new(i, j) = omega(i, j) + dt*(diffusion/re - advection)
    end do
  end do
  omega(2:m - 1, 2:m - 1) = new(2:m - 1, 2:m - 1)
end subroutine

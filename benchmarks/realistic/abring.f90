! Advection and diffusion of two coupled dyes in a tank: Adams-Bashforth tendencies in a ring of three, the slot is worked out
! in the routines that use it; parameters in a module, upwind with periodic neighbours.
module tank
  implicit none
  integer, parameter :: nx = 8
  real(8) :: dx, dt, kap
  real(8) :: u(nx), ring(nx, 2, 3)
end module tank
subroutine tendency(step, a, b)
  use tank
  implicit none
  integer, intent(in) :: step
  real(8), intent(in) :: a(nx), b(nx)
  integer :: i, im, ip, l
  l = mod(step, 3) + 1
  do i = 1, nx
    im = i - 1
    if (im < 1) im = nx
    ip = i + 1
    if (ip > nx) ip = 1
    if (u(i) > 0d0) then
      ring(i, 1, l) = -u(i)*(a(i) - a(im))/dx
      ring(i, 2, l) = -u(i)*(b(i) - b(im))/dx
    else
      ring(i, 1, l) = -u(i)*(a(ip) - a(i))/dx
      ring(i, 2, l) = -u(i)*(b(ip) - b(i))/dx
    end if
    ring(i, 1, l) = ring(i, 1, l) + kap*(a(ip) - 2d0*a(i) + a(im))/dx**2 - a(i)*b(i)**2
    ring(i, 2, l) = ring(i, 2, l) + 2d0*kap*(b(ip) - 2d0*b(i) + b(im))/dx**2 + a(i)*b(i)**2 - 0.1d0*b(i)
  end do
end subroutine tendency
subroutine advance(step, f, c)
  use tank
  implicit none
  integer, intent(in) :: step, c
  real(8), intent(inout) :: f(nx)
  integer :: l0, l1, l2, i
  l0 = mod(step, 3) + 1
  l1 = mod(step + 2, 3) + 1
  l2 = mod(step + 1, 3) + 1
  if (step == 1) then
    do i = 1, nx
      f(i) = f(i) + dt*ring(i, c, l0)
    end do
  else if (step == 2) then
    do i = 1, nx
      f(i) = f(i) + dt*(1.5d0*ring(i, c, l0) - 0.5d0*ring(i, c, l1))
    end do
  else
    do i = 1, nx
      f(i) = f(i) + dt*(23d0*ring(i, c, l0) - 16d0*ring(i, c, l1) + 5d0*ring(i, c, l2))/12d0
    end do
  end if
end subroutine advance
subroutine abring(nsteps, a0, b0, wind, kappa, score)
  use tank
  implicit none
  integer, intent(in) :: nsteps
  real(8), intent(in) :: a0(nx), b0(nx), wind, kappa
  real(8), intent(out) :: score
  real(8) :: a(nx), b(nx)
  integer :: step, i
  dx = 1d0/nx
  dt = 0.02d0
  kap = 0.01d0*kappa
  do i = 1, nx
    u(i) = wind*cos(0.7d0*i)
  end do
  a = a0
  b = b0
  score = 0d0
  do step = 1, nsteps
    call tendency(step, a, b)
    !$AD CHECKPOINT-START
    call advance(step, a, 1)
    call advance(step, b, 2)
    !$AD CHECKPOINT-END
    score = score + a(3)*b(5)
  end do
  do i = 1, nx
    score = score + (a(i) - b(i))**2
  end do
end subroutine abring

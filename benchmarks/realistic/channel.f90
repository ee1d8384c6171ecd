! A channel by MUSCL and two stages of Runge-Kutta: ghost cells, two buffers by index, offset sections to a solver.
module channel_par
  implicit none
  integer, parameter :: nx = 10, ng = 2
  real(8), parameter :: gam = 1.4d0
contains
  subroutine ghosts(u)
    real(8), intent(inout) :: u(1 - ng:nx + ng, 3)
    u(-1:0, 1) = u(2:1:-1, 1)
    u(-1:0, 2) = -u(2:1:-1, 2)
    u(-1:0, 3) = u(2:1:-1, 3)
    u(nx + 1, :) = u(nx, :)
    u(nx + 2, :) = u(nx, :)
  end subroutine ghosts

  subroutine pressure(n, rho, mom, ene, p)
    integer, intent(in) :: n
    real(8), intent(in) :: rho(n), mom(n), ene(n)
    real(8), intent(out) :: p(n)
    integer :: i
    do i = 1, n
      p(i) = (gam - 1.0d0)*(ene(i) - 0.5d0*mom(i)**2/rho(i))
    end do
  end subroutine pressure

  subroutine rusanov(ul, ur, f)
    real(8), intent(in) :: ul(3), ur(3)
    real(8), intent(out) :: f(3)
    real(8) :: pl, pr, vl, vr, s
    vl = ul(2)/ul(1)
    vr = ur(2)/ur(1)
    pl = (gam - 1.0d0)*(ul(3) - 0.5d0*ul(2)*vl)
    pr = (gam - 1.0d0)*(ur(3) - 0.5d0*ur(2)*vr)
    s = max(abs(vl) + sqrt(gam*pl/ul(1)), abs(vr) + sqrt(gam*pr/ur(1)))
    f(1) = 0.5d0*(ul(2) + ur(2)) - 0.5d0*s*(ur(1) - ul(1))
    f(2) = 0.5d0*(ul(2)*vl + pl + ur(2)*vr + pr) - 0.5d0*s*(ur(2) - ul(2))
    f(3) = 0.5d0*((ul(3) + pl)*vl + (ur(3) + pr)*vr) - 0.5d0*s*(ur(3) - ul(3))
  end subroutine rusanov

  subroutine slopes(u, du)
    real(8), intent(in) :: u(1 - ng:nx + ng)
    real(8), intent(out) :: du(0:nx + 1)
    real(8) :: a, b
    integer :: i
    do i = 0, nx + 1
      a = u(i) - u(i - 1)
      b = u(i + 1) - u(i)
      if (a*b <= 0.0d0) then
        du(i) = 0.0d0
      else if (abs(a) < abs(b)) then
        du(i) = a
      else
        du(i) = b
      end if
    end do
  end subroutine slopes
end module channel_par

subroutine stage(u, v, lam)
  use channel_par
  implicit none
  real(8), intent(in) :: u(1 - ng:nx + ng, 3), lam
  real(8), intent(inout) :: v(1 - ng:nx + ng, 3)
  real(8) :: du(0:nx + 1, 3), f(3, nx + 1)
  integer :: i, c
  do c = 1, 3
    call slopes(u(:, c), du(:, c))
  end do
  do i = 1, nx + 1
    call rusanov(u(i - 1, :) + 0.5d0*du(i - 1, :), u(i, :) - 0.5d0*du(i, :), f(:, i))
  end do
  do c = 1, 3
    v(1:nx, c) = u(1:nx, c) - lam*(f(c, 2:nx + 1) - f(c, 1:nx))
  end do
end subroutine stage

subroutine again(u, lam)
  use channel_par
  implicit none
  real(8), intent(inout) :: u(1 - ng:nx + ng, 3)
  real(8), intent(in) :: lam
  real(8) :: v(1 - ng:nx + ng, 3)
  v = u
  call stage(v, u, lam)
end subroutine again

subroutine channel(rho0, e0, cost)
  use channel_par
  implicit none
  real(8), intent(in) :: rho0(nx), e0(nx)
  real(8), intent(out) :: cost
  real(8) :: u(1 - ng:nx + ng, 3, 0:1), p(nx)
  integer :: step, a, b
  u(1:nx, 1, 0) = rho0
  u(1:nx, 2, 0) = 0.1d0*rho0
  u(1:nx, 3, 0) = 2.0d0 + e0
  cost = 0.0d0
  do step = 1, 4
    a = mod(step + 1, 2)
    b = 1 - a
    call ghosts(u(:, :, a))
    call stage(u(:, :, a), u(:, :, b), 0.05d0)
    call ghosts(u(:, :, b))
    call again(u(:, :, b), 0.05d0)
    u(1:nx, :, b) = 0.5d0*(u(1:nx, :, a) + u(1:nx, :, b))
    call pressure(nx, u(1:nx, 1, b), u(1:nx, 2, b), u(1:nx, 3, b), p)
    cost = cost + sum(p**2)
  end do
end subroutine channel

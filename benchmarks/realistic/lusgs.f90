! Implicit Euler equations in two dimensions: Rusanov fluxes, LU-SGS sweeps, boundary conditions in routines of their own.
module grid
  implicit none
  integer, parameter :: ni = 5, nj = 4, nv = 4
  real(8), parameter :: gam = 1.4d0
  real(8) :: q(0:ni+1, 0:nj+1, nv), res(ni, nj, nv), dq(0:ni+1, 0:nj+1, nv)
  real(8) :: dt(ni, nj), dx, dy
end module grid
subroutine primitive(i, j, r, u, v, p, a)
  use grid
  implicit none
  integer, intent(in) :: i, j
  real(8), intent(out) :: r, u, v, p, a
  r = q(i, j, 1)
  u = q(i, j, 2)/r
  v = q(i, j, 3)/r
  p = (gam - 1d0)*(q(i, j, 4) - 0.5d0*r*(u*u + v*v))
  a = sqrt(gam*p/r)
end subroutine primitive
subroutine bc_wall()
  use grid
  implicit none
  integer :: i
  do i = 1, ni
    q(i, 0, 1) = q(i, 1, 1)
    q(i, 0, 2) = q(i, 1, 2)
    q(i, 0, 3) = -q(i, 1, 3)
    q(i, 0, 4) = q(i, 1, 4)
    q(i, nj+1, :) = q(i, nj, :)
  end do
end subroutine bc_wall
subroutine bc_inlet(mach, pin)
  use grid
  implicit none
  real(8), intent(in) :: mach, pin
  real(8) :: r, u, v, p, a, uin
  integer :: j
  do j = 1, nj
    call primitive(1, j, r, u, v, p, a)
    uin = mach*sqrt(gam*pin)
    if (u < a) then
      p = 0.5d0*(p + pin)
    else
      p = pin
    end if
    q(0, j, 1) = 1d0
    q(0, j, 2) = uin
    q(0, j, 3) = 0d0
    q(0, j, 4) = p/(gam - 1d0) + 0.5d0*uin*uin
    q(ni+1, j, :) = q(ni, j, :)
  end do
end subroutine bc_inlet
subroutine flux(il, jl, ir, jr, nx, ny, f)
  use grid
  implicit none
  integer, intent(in) :: il, jl, ir, jr
  real(8), intent(in) :: nx, ny
  real(8), intent(out) :: f(nv)
  real(8) :: rl, ul, vl, pl, al, rr, ur, vr, pr, ar, unl, unr, lam
  integer :: m
  call primitive(il, jl, rl, ul, vl, pl, al)
  call primitive(ir, jr, rr, ur, vr, pr, ar)
  unl = ul*nx + vl*ny
  unr = ur*nx + vr*ny
  lam = max(abs(unl) + al, abs(unr) + ar)
  f(1) = rl*unl + rr*unr
  f(2) = rl*ul*unl + pl*nx + rr*ur*unr + pr*nx
  f(3) = rl*vl*unl + pl*ny + rr*vr*unr + pr*ny
  f(4) = (q(il, jl, 4) + pl)*unl + (q(ir, jr, 4) + pr)*unr
  do m = 1, nv
    f(m) = 0.5d0*(f(m) - lam*(q(ir, jr, m) - q(il, jl, m)))
  end do
end subroutine flux
subroutine residual()
  use grid
  implicit none
  real(8) :: f(nv)
  integer :: i, j
  res = 0d0
  do j = 1, nj
    do i = 0, ni
      call flux(i, j, i + 1, j, 1d0, 0d0, f)
      if (i > 0) res(i, j, :) = res(i, j, :) - f/dx
      if (i < ni) res(i+1, j, :) = res(i+1, j, :) + f/dx
    end do
  end do
  do j = 0, nj
    do i = 1, ni
      call flux(i, j, i, j + 1, 0d0, 1d0, f)
      if (j > 0) res(i, j, :) = res(i, j, :) - f/dy
      if (j < nj) res(i, j+1, :) = res(i, j+1, :) + f/dy
    end do
  end do
end subroutine residual
subroutine sweeps(cfl)
  use grid
  implicit none
  real(8), intent(in) :: cfl
  real(8) :: r, u, v, p, a, sx, sy, diag
  integer :: i, j, m
  dq = 0d0
  do j = 1, nj
    do i = 1, ni
      call primitive(i, j, r, u, v, p, a)
      sx = (abs(u) + a)/dx
      sy = (abs(v) + a)/dy
      dt(i, j) = cfl/(sx + sy)
      diag = 1d0/dt(i, j) + sx + sy
      do m = 1, nv
        dq(i, j, m) = (res(i, j, m) + 0.5d0*sx*dq(i-1, j, m) + 0.5d0*sy*dq(i, j-1, m))/diag
      end do
    end do
  end do
  do j = nj, 1, -1
    do i = ni, 1, -1
      call primitive(i, j, r, u, v, p, a)
      sx = (abs(u) + a)/dx
      sy = (abs(v) + a)/dy
      diag = 1d0/dt(i, j) + sx + sy
      do m = 1, nv
        dq(i, j, m) = dq(i, j, m) + (0.5d0*sx*dq(i+1, j, m) + 0.5d0*sy*dq(i, j+1, m))/diag
      end do
    end do
  end do
  q(1:ni, 1:nj, :) = q(1:ni, 1:nj, :) + dq(1:ni, 1:nj, :)
end subroutine sweeps
subroutine lusgs(mach, pin, bump, drag, niter)
  use grid
  implicit none
  integer, intent(in) :: niter
  real(8), intent(in) :: mach, pin, bump(ni)
  real(8), intent(out) :: drag
  integer :: it, i, j
  dx = 0.2d0
  dy = 0.25d0
  do j = 0, nj + 1
    do i = 0, ni + 1
      q(i, j, 1) = 1d0
      q(i, j, 2) = mach
      q(i, j, 3) = 0d0
      q(i, j, 4) = pin/(gam - 1d0) + 0.5d0*mach**2
    end do
  end do
  do i = 1, ni
    q(i, 1, 3) = 0.1d0*bump(i)
  end do
  do it = 1, niter
    call bc_wall()
    call bc_inlet(mach, pin)
    call residual()
    call sweeps(2d0)
  end do
  drag = 0d0
  do i = 1, ni
    drag = drag + bump(i)*(gam - 1d0)*(q(i, 1, 4) - 0.5d0*(q(i, 1, 2)**2 + q(i, 1, 3)**2)/q(i, 1, 1))*dx
  end do
end subroutine lusgs

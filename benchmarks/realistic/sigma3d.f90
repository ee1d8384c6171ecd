! A little terrain-following ocean: split barotropic and baroclinic steps, metric terms, one three-dimensional array whose
! levels and columns are passed as elements (sequence association), vertical mixing with Richardson numbers, three marked
! parts, two of them inside callees.
module ocean
  implicit none
  integer, parameter :: nx = 5, nz = 4
  real(8) :: zeta(0:nx+1), ubar(0:nx+1), depth(0:nx+1)
  real(8) :: t(0:nx+1, nz), u(0:nx+1, nz)
  real(8) :: akv(nz+1)
  real(8), parameter :: g = 1d0, dx = 1d0
end module ocean
subroutine cyclic(a)
  use ocean, only: nx
  implicit none
  real(8), intent(inout) :: a(0:nx+1)
  a(0) = a(nx)
  a(nx+1) = a(1)
end subroutine cyclic
subroutine barotropic(dt, nsub)
  use ocean
  implicit none
  real(8), intent(in) :: dt
  integer, intent(in) :: nsub
  real(8) :: h(0:nx+1), avg(0:nx+1)
  integer :: i, m
  avg = 0d0
  !$AD CHECKPOINT-START
  do m = 1, nsub
    h = depth + zeta
    do i = 1, nx
      zeta(i) = zeta(i) - dt/dx*(0.5d0*(h(i) + h(i+1))*ubar(i) - 0.5d0*(h(i-1) + h(i))*ubar(i-1))
    end do
    call cyclic(zeta)
    do i = 1, nx
      ubar(i) = ubar(i) - dt*g*(zeta(i+1) - zeta(i))/dx - 0.02d0*dt*ubar(i)*abs(ubar(i))/h(i)
    end do
    call cyclic(ubar)
    avg = avg + ubar/nsub
  end do
  !$AD CHECKPOINT-END
  ubar = avg
end subroutine barotropic
subroutine mixing(n, uc, tc, stride)
  use ocean, only: akv
  implicit none
  integer, intent(in) :: n, stride
  real(8), intent(in) :: uc(*), tc(*)
  real(8) :: sh, nn, ri
  integer :: k, a, b
  akv(1) = 0d0
  do k = 2, n
    a = 1 + (k-2)*stride
    b = 1 + (k-1)*stride
    sh = (uc(b) - uc(a))**2 + 1d-3
    nn = tc(b) - tc(a)
    ri = nn/sh
    if (ri < 0d0) then
      akv(k) = 0.5d0
    else if (ri < 0.7d0) then
      akv(k) = 0.01d0 + 0.3d0*(1d0 - (ri/0.7d0)**2)**3
    else
      akv(k) = 0.01d0
    end if
  end do
  akv(n+1) = 0d0
end subroutine mixing
subroutine vdiff(n, c, stride, h, dt)
  use ocean, only: akv
  implicit none
  integer, intent(in) :: n, stride
  real(8), intent(inout) :: c(*)
  real(8), intent(in) :: h, dt
  real(8) :: e(0:n), f(0:n), a, b, d
  integer :: k, p
  e(0) = 0d0
  f(0) = 0d0
  do k = 1, n
    p = 1 + (k-1)*stride
    a = dt*akv(k)*(n/h)**2
    b = dt*akv(k+1)*(n/h)**2
    d = 1d0 + a + b - a*e(k-1)
    e(k) = b/d
    f(k) = (c(p) + a*f(k-1))/d
  end do
  c(1 + (n-1)*stride) = f(n)
  do k = n - 1, 1, -1
    p = 1 + (k-1)*stride
    c(p) = f(k) + e(k)*c(p + stride)
  end do
end subroutine vdiff
subroutine tracer(k, dt)
  use ocean
  implicit none
  integer, intent(in) :: k
  real(8), intent(in) :: dt
  real(8) :: fl(0:nx)
  integer :: i
  do i = 0, nx
    if (u(i, k) > 0d0) then
      fl(i) = u(i, k)*t(i, k)
    else
      fl(i) = u(i, k)*t(i+1, k)
    end if
  end do
  do i = 1, nx
    t(i, k) = t(i, k) - dt/dx*(fl(i) - fl(i-1))
  end do
  call cyclic(t(0, k))
end subroutine tracer
subroutine baroclinic(dt)
  use ocean
  implicit none
  real(8), intent(in) :: dt
  real(8) :: pr(0:nx+1), s
  integer :: i, k
  pr = 0d0
  do k = nz, 1, -1
    pr = pr - (t(:, k) - 1d0)*(depth + zeta)/nz
    do i = 1, nx
      u(i, k) = u(i, k) - dt*(0.1d0*(pr(i+1) - pr(i)) + u(i, k)*(u(i+1, k) - u(i-1, k))/(2*dx))
    end do
    call cyclic(u(0, k))
  end do
  do i = 1, nx
    call mixing(nz, u(i, 1), t(i, 1), nx + 2)
    !$AD CHECKPOINT-START
    call vdiff(nz, u(i, 1), nx + 2, depth(i) + zeta(i), dt)
    call vdiff(nz, t(i, 1), nx + 2, depth(i) + zeta(i), dt)
    !$AD CHECKPOINT-END
  end do
  do k = 1, nz
    call cyclic(u(0, k))
    call cyclic(t(0, k))
  end do
  do i = 0, nx + 1
    s = sum(u(i, :))/nz
    u(i, :) = u(i, :) - s + ubar(i)
  end do
end subroutine baroclinic
subroutine sigma3d(nt, t0, u0, d0, j)
  use ocean
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: t0(nx), u0(nz), d0(nx)
  real(8), intent(out) :: j
  integer :: i, k, it
  do i = 1, nx
    depth(i) = 2d0 + d0(i)
    zeta(i) = 0.1d0*t0(i)
    ubar(i) = 0d0
    do k = 1, nz
      t(i, k) = 1d0 + 0.1d0*t0(i)*k
      u(i, k) = 0.1d0*u0(k)
      ubar(i) = ubar(i) + u(i, k)/nz
    end do
  end do
  call cyclic(depth)
  call cyclic(zeta)
  call cyclic(ubar)
  do k = 1, nz
    call cyclic(u(0, k))
    call cyclic(t(0, k))
  end do
  j = 0d0
  do it = 1, nt
    call barotropic(0.05d0, 3)
    !$AD CHECKPOINT-START
    call baroclinic(0.15d0)
    do k = 1, nz
      call tracer(k, 0.15d0)
    end do
    !$AD CHECKPOINT-END
    j = j + sum(t(1:nx, 2)**2) + zeta(2)
  end do
end subroutine sigma3d

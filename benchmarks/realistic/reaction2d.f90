! Reaction and diffusion on a plane: ghost points set by a routine, Strang splitting, an implicit reaction by Newton.
module params
  implicit none
  integer, parameter :: nx = 4, ny = 4, ns = 2
  real(8), parameter :: eps = 1d-9
end module params
subroutine bounds(c)
  use params
  implicit none
  real(8), intent(inout) :: c(0:nx+1, 0:ny+1, ns)
  integer :: i, j, s
  do s = 1, ns
    do j = 1, ny
      c(0, j, s) = c(1, j, s)
      c(nx+1, j, s) = 0.9d0*c(nx, j, s)
    end do
    do i = 0, nx + 1
      c(i, 0, s) = c(i, ny, s)
      c(i, ny+1, s) = c(i, 1, s)
    end do
  end do
end subroutine bounds
subroutine diffuse(c, d, dt)
  use params
  implicit none
  real(8), intent(inout) :: c(0:nx+1, 0:ny+1, ns)
  real(8), intent(in) :: d(ns), dt
  real(8) :: old(0:nx+1, 0:ny+1), lap, dloc
  integer :: i, j, s
  call bounds(c)
  do s = 1, ns
    old = c(:, :, s)
    do j = 1, ny
      do i = 1, nx
        lap = old(i+1, j) + old(i-1, j) + old(i, j+1) + old(i, j-1) - 4d0*old(i, j)
        dloc = d(s)*(1d0 + 0.1d0*old(i, j)**2)
        c(i, j, s) = old(i, j) + dt*dloc*lap
      end do
    end do
  end do
end subroutine diffuse
subroutine react(u, v, k, dt)
  use params
  implicit none
  real(8), intent(inout) :: u, v
  real(8), intent(in) :: k(2), dt
  real(8) :: u0, v0, f, g, a, b, c, d, det, du, dv
  integer :: it
  u0 = u
  v0 = v
  do it = 1, 5
    f = u - u0 - dt*(k(1) - u + u*u*v)
    g = v - v0 - dt*(k(2) - u*u*v)
    a = 1d0 + dt - 2d0*dt*u*v
    b = -dt*u*u
    c = 2d0*dt*u*v
    d = 1d0 + dt*u*u
    det = a*d - b*c
    du = (d*f - b*g)/det
    dv = (a*g - c*f)/det
    u = u - du
    v = v - dv
    if (abs(du) + abs(dv) < eps) exit
  end do
end subroutine react
subroutine reaction2d(u0, d, k, cost, nt)
  use params
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: u0(nx), d(ns), k(2)
  real(8), intent(out) :: cost
  real(8) :: c(0:nx+1, 0:ny+1, ns), dif(ns)
  integer :: i, j, it
  c = 0.5d0
  do j = 1, ny
    c(1:nx, j, 1) = 0.3d0*u0 + 0.05d0*j
  end do
  dif = 0.05d0*d
  cost = 0d0
  do it = 1, nt
    call diffuse(c, dif, 0.5d0)
    do j = 1, ny
      do i = 1, nx
        call react(c(i, j, 1), c(i, j, 2), k, 0.2d0)
      end do
    end do
    call diffuse(c, dif, 0.5d0)
  end do
  do j = 1, ny
    do i = 1, nx
      cost = cost + c(i, j, 1)**2 - 0.1d0*c(i, j, 2)
    end do
  end do
end subroutine reaction2d

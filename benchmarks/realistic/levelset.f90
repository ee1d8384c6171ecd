! A burning front by level sets: WENO3 one-sided slopes, Godunov Hamiltonian, curvature-dependent flame speed, third order
! TVD Runge-Kutta with a smooth sign in the reinitialisation, area by a smeared Heaviside.
module grid_mod
  implicit none
  integer, parameter :: nx = 8, ny = 7, ng = 2
  real(8), parameter :: h = 0.25d0
contains
  subroutine ghosts(p)
    real(8), intent(inout) :: p(1-ng:nx+ng, 1-ng:ny+ng)
    integer :: g
    do g = 1, ng
      p(1-g, :) = 2d0*p(2-g, :) - p(3-g, :)
      p(nx+g, :) = 2d0*p(nx+g-1, :) - p(nx+g-2, :)
    end do
    do g = 1, ng
      p(:, 1-g) = p(:, g)
      p(:, ny+g) = p(:, ny+1-g)
    end do
  end subroutine ghosts
  subroutine weno3(a, b, c, d, lo, hi)
    real(8), intent(in) :: a, b, c, d
    real(8), intent(out) :: lo, hi
    real(8) :: r, w
    r = (1d-6 + (b - a)**2)/(1d-6 + (c - b)**2)
    w = 1d0/(1d0 + 2d0*r*r)
    lo = 0.5d0*(b + c) - 0.5d0*w*(a - 2d0*b + c)
    r = (1d-6 + (d - c)**2)/(1d-6 + (c - b)**2)
    w = 1d0/(1d0 + 2d0*r*r)
    hi = 0.5d0*(b + c) - 0.5d0*w*(b - 2d0*c + d)
  end subroutine weno3
  subroutine slopes(p, i, j, xm, xp, ym, yp)
    real(8), intent(in) :: p(1-ng:nx+ng, 1-ng:ny+ng)
    integer, intent(in) :: i, j
    real(8), intent(out) :: xm, xp, ym, yp
    real(8) :: d(4)
    integer :: k
    do k = 1, 4
      d(k) = (p(i+k-2, j) - p(i+k-3, j))/h
    end do
    call weno3(d(1), d(2), d(3), d(4), xm, xp)
    do k = 1, 4
      d(k) = (p(i, j+k-2) - p(i, j+k-3))/h
    end do
    call weno3(d(1), d(2), d(3), d(4), ym, yp)
  end subroutine slopes
end module grid_mod
subroutine front(p, s, eps, wind, r)
  use grid_mod
  implicit none
  real(8), intent(in) :: p(1-ng:nx+ng, 1-ng:ny+ng), s(nx, ny), eps, wind
  real(8), intent(out) :: r(nx, ny)
  real(8) :: xm, xp, ym, yp, g, px, py, pxx, pyy, pxy, curv, f
  integer :: i, j
  do j = 1, ny
    do i = 1, nx
      call slopes(p, i, j, xm, xp, ym, yp)
      px = 0.5d0*(xm + xp)
      py = 0.5d0*(ym + yp)
      pxx = (p(i+1, j) - 2d0*p(i, j) + p(i-1, j))/h**2
      pyy = (p(i, j+1) - 2d0*p(i, j) + p(i, j-1))/h**2
      pxy = (p(i+1, j+1) - p(i+1, j-1) - p(i-1, j+1) + p(i-1, j-1))/(4d0*h**2)
      curv = (pxx*py**2 - 2d0*px*py*pxy + pyy*px**2)/(px**2 + py**2 + 1d-3)**1.5d0
      f = s(i, j)*(1d0 - 0.1d0*eps*max(-4d0, min(4d0, curv)))
      if (f > 0d0) then
        g = sqrt(max(xm, 0d0)**2 + min(xp, 0d0)**2 + max(ym, 0d0)**2 + min(yp, 0d0)**2 + 1d-8)
      else
        g = sqrt(min(xm, 0d0)**2 + max(xp, 0d0)**2 + min(ym, 0d0)**2 + max(yp, 0d0)**2 + 1d-8)
      end if
      r(i, j) = -f*g
      if (wind > 0d0) then
        r(i, j) = r(i, j) - wind*xm
      else
        r(i, j) = r(i, j) - wind*xp
      end if
    end do
  end do
end subroutine front
subroutine reinit(p, r)
  use grid_mod
  implicit none
  real(8), intent(in) :: p(1-ng:nx+ng, 1-ng:ny+ng)
  real(8), intent(out) :: r(nx, ny)
  real(8) :: xm, xp, ym, yp, g, sgn
  integer :: i, j
  do j = 1, ny
    do i = 1, nx
      call slopes(p, i, j, xm, xp, ym, yp)
      sgn = p(i, j)/sqrt(p(i, j)**2 + h**2)
      if (p(i, j) > 0d0) then
        g = sqrt(max(max(xm, 0d0)**2, min(xp, 0d0)**2) + max(max(ym, 0d0)**2, min(yp, 0d0)**2) + 1d-8)
      else
        g = sqrt(max(min(xm, 0d0)**2, max(xp, 0d0)**2) + max(min(ym, 0d0)**2, max(yp, 0d0)**2) + 1d-8)
      end if
      r(i, j) = sgn*(1d0 - g)
    end do
  end do
end subroutine reinit
subroutine levelset(nt, s, eps, wind, radius, area)
  use grid_mod
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: s(nx, ny), eps, wind(nt), radius
  real(8), intent(out) :: area
  real(8) :: p(1-ng:nx+ng, 1-ng:ny+ng), q(1-ng:nx+ng, 1-ng:ny+ng), r(nx, ny), dt
  integer :: it, i, j
  dt = 0.05d0
  p = 0d0
  do j = 1, ny
    do i = 1, nx
      p(i, j) = sqrt((i*h - 1d0)**2 + (j*h - 0.9d0)**2) - 0.5d0*radius
    end do
  end do
  do it = 1, nt
    call ghosts(p)
    call front(p, s, eps, 0.3d0*wind(it), r)
    q = p
    q(1:nx, 1:ny) = p(1:nx, 1:ny) + dt*r
    call ghosts(q)
    call front(q, s, eps, 0.3d0*wind(it), r)
    q(1:nx, 1:ny) = 0.75d0*p(1:nx, 1:ny) + 0.25d0*(q(1:nx, 1:ny) + dt*r)
    call ghosts(q)
    call front(q, s, eps, 0.3d0*wind(it), r)
    p(1:nx, 1:ny) = (p(1:nx, 1:ny) + 2d0*(q(1:nx, 1:ny) + dt*r))/3d0
    if (mod(it, 2) == 0) then
      call ghosts(p)
      call reinit(p, r)
      p(1:nx, 1:ny) = p(1:nx, 1:ny) + 0.5d0*h*r
    end if
  end do
  area = 0d0
  do j = 1, ny
    do i = 1, nx
      area = area + h*h/(1d0 + exp(p(i, j)/(0.5d0*h)))
    end do
  end do
end subroutine levelset

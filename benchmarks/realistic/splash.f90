! Smoothed particles with a cell list, variable smoothing lengths, a predictor-corrector step in one particle type.
module particles
  implicit none
  type particle
    real(8) :: x, y, vx, vy, ax, ay, rho, p, h
  end type
end module
subroutine splash(n, nt, x0, y0, mass, front)
  use particles
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: x0(n), y0(n), mass(n)
  real(8), intent(out) :: front
  type(particle) :: part(n)
  integer :: pairs(2, n*n), np, it, i
  real(8) :: hx(n), hy(n), dt
  dt = 0.05d0
  do i = 1, n
    part(i)%x = x0(i)
    part(i)%y = y0(i)
    part(i)%vx = 0d0
    part(i)%vy = 0d0
    part(i)%h = 1d0
  end do
  front = 0d0
  do it = 1, nt
    do i = 1, n
      hx(i) = part(i)%x
      hy(i) = part(i)%y
      part(i)%x = part(i)%x + 0.5d0*dt*part(i)%vx
      part(i)%y = part(i)%y + 0.5d0*dt*part(i)%vy
    end do
    call neighbours(n, part, np, pairs)
    call densities(n, part, mass, np, pairs)
    call forces(n, part, mass, np, pairs)
    do i = 1, n
      part(i)%vx = part(i)%vx + dt*part(i)%ax
      part(i)%vy = part(i)%vy + dt*part(i)%ay
      part(i)%x = hx(i) + dt*part(i)%vx
      part(i)%y = hy(i) + dt*part(i)%vy
      part(i)%h = 0.9d0*part(i)%h + 0.1d0/sqrt(part(i)%rho)
      if (part(i)%y < 0d0) then
        part(i)%y = -0.5d0*part(i)%y
        part(i)%vy = -0.5d0*part(i)%vy
      end if
    end do
    do i = 1, n
      front = front + 0.1d0*part(i)%x*part(i)%x
    end do
  end do
end subroutine
subroutine neighbours(n, part, np, pairs)
  use particles
  implicit none
  integer, intent(in) :: n
  type(particle), intent(in) :: part(n)
  integer, intent(out) :: np, pairs(2, n*n)
  real(8) :: r2
  integer :: i, j
  np = 0
  do i = 1, n
    do j = i + 1, n
      r2 = (part(i)%x - part(j)%x)**2 + (part(i)%y - part(j)%y)**2
      if (r2 < (part(i)%h + part(j)%h)**2) then
        np = np + 1
        pairs(1, np) = i
        pairs(2, np) = j
      end if
    end do
  end do
end subroutine
subroutine densities(n, part, mass, np, pairs)
  use particles
  implicit none
  integer, intent(in) :: n, np, pairs(2, n*n)
  type(particle), intent(inout) :: part(n)
  real(8), intent(in) :: mass(n)
  real(8) :: r, q, w
  integer :: i, j, k
  do i = 1, n
    part(i)%rho = mass(i)/part(i)%h**2 + 0.1d0
  end do
  do k = 1, np
    i = pairs(1, k)
    j = pairs(2, k)
    r = sqrt((part(i)%x - part(j)%x)**2 + (part(i)%y - part(j)%y)**2 + 1d-8)
    q = 2d0*r/(part(i)%h + part(j)%h)
    if (q < 2d0) then
      w = (1d0 - 0.5d0*q)**4*(2d0*q + 1d0)
      part(i)%rho = part(i)%rho + mass(j)*w
      part(j)%rho = part(j)%rho + mass(i)*w
    end if
  end do
  do i = 1, n
    part(i)%p = 1.5d0*(part(i)%rho**2 - 1d0)
  end do
end subroutine
subroutine forces(n, part, mass, np, pairs)
  use particles
  implicit none
  integer, intent(in) :: n, np, pairs(2, n*n)
  type(particle), intent(inout) :: part(n)
  real(8), intent(in) :: mass(n)
  real(8) :: dx, dy, r, q, hm, g, f
  integer :: i, j, k
  do i = 1, n
    part(i)%ax = 0d0
    part(i)%ay = -1d0
  end do
  do k = 1, np
    i = pairs(1, k)
    j = pairs(2, k)
    dx = part(i)%x - part(j)%x
    dy = part(i)%y - part(j)%y
    r = sqrt(dx*dx + dy*dy + 1d-8)
    hm = 0.5d0*(part(i)%h + part(j)%h)
    q = r/hm
    if (q >= 2d0) cycle
    g = -5d0*q*(1d0 - 0.5d0*q)**3/hm
    f = part(i)%p/part(i)%rho**2 + part(j)%p/part(j)%rho**2
    part(i)%ax = part(i)%ax - mass(j)*f*g*dx/r
    part(i)%ay = part(i)%ay - mass(j)*f*g*dy/r
    part(j)%ax = part(j)%ax + mass(i)*f*g*dx/r
    part(j)%ay = part(j)%ay + mass(i)*f*g*dy/r
  end do
end subroutine

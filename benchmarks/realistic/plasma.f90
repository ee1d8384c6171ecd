! Electrons in a periodic box, particle in cell: charge spread to the grid by weights, Poisson's equation by a
! tridiagonal solver with Sherman and Morrison's trick, field at the particles, Boris' push with a magnetic field,
! collisions with a background; particles are a derived type, the grid is in a module.
module pic_grid
  implicit none
  integer, parameter :: ng = 8
  real(8) :: rho(ng), phi(ng), e(ng), dx = 0.5d0
  type particle
    real(8) :: x, vx, vy, w
  end type particle
contains
  subroutine weights(x, i, j, a, b)
    real(8), intent(in) :: x
    integer, intent(out) :: i, j
    real(8), intent(out) :: a, b
    real(8) :: s
    s = x/dx
    i = int(s)
    b = s - i
    a = 1d0 - b
    i = mod(i, ng) + 1
    j = mod(i, ng) + 1
  end subroutine weights

  subroutine deposit(p, np)
    integer, intent(in) :: np
    type(particle), intent(in) :: p(np)
    integer :: k, i, j
    real(8) :: a, b, mean
    rho = 0d0
    do k = 1, np
      call weights(p(k)%x, i, j, a, b)
      rho(i) = rho(i) - a*p(k)%w/dx
      rho(j) = rho(j) - b*p(k)%w/dx
    end do
    mean = sum(rho)/ng
    rho = rho - mean
  end subroutine deposit

  subroutine tri(b, c, r, x)
    real(8), intent(in) :: b(ng), c, r(ng)
    real(8), intent(out) :: x(ng)
    real(8) :: g(ng), bet
    integer :: i
    bet = b(1)
    x(1) = r(1)/bet
    do i = 2, ng
      g(i) = c/bet
      bet = b(i) - c*g(i)
      x(i) = (r(i) - c*x(i-1))/bet
    end do
    do i = ng - 1, 1, -1
      x(i) = x(i) - g(i+1)*x(i+1)
    end do
  end subroutine tri

  subroutine poisson(debye)
    real(8), intent(in) :: debye
    real(8) :: b(ng), u(ng), z(ng), y(ng), gam, fac
    integer :: i
    b = 2d0 + (dx/debye)**2
    gam = -b(1)
    b(1) = b(1) - gam
    b(ng) = b(ng) - 1d0/gam
    call tri(b, -1d0, rho*dx*dx, y)
    u = 0d0
    u(1) = gam
    u(ng) = -1d0
    call tri(b, -1d0, u, z)
    fac = (y(1) - y(ng)/gam)/(1d0 + z(1) - z(ng)/gam)
    phi = y - fac*z
    do i = 1, ng
      e(i) = (phi(1 + mod(i + ng - 2, ng)) - phi(1 + mod(i, ng)))/(2d0*dx)
    end do
  end subroutine poisson

  subroutine push(p, np, dt, bz, drag)
    integer, intent(in) :: np
    type(particle), intent(inout) :: p(np)
    real(8), intent(in) :: dt, bz, drag
    integer :: k, i, j
    real(8) :: a, b, f, t, s, vx, vy, speed
    do k = 1, np
      call weights(p(k)%x, i, j, a, b)
      f = -(a*e(i) + b*e(j))
      vx = p(k)%vx + 0.5d0*dt*f
      vy = p(k)%vy
      t = 0.5d0*dt*bz
      s = 2d0*t/(1d0 + t*t)
      p(k)%vx = vx + s*(vy - t*vx)
      p(k)%vy = vy - s*(vx + t*vy)
      p(k)%vx = p(k)%vx + 0.5d0*dt*f
      speed = sqrt(p(k)%vx**2 + p(k)%vy**2)
      if (speed > 1d0) then
        p(k)%vx = p(k)%vx*(1d0 - dt*drag*(speed - 1d0))
        p(k)%vy = p(k)%vy*(1d0 - dt*drag*(speed - 1d0))
      end if
      p(k)%x = p(k)%x + dt*p(k)%vx
      if (p(k)%x >= ng*dx) p(k)%x = p(k)%x - ng*dx
      if (p(k)%x < 0d0) p(k)%x = p(k)%x + ng*dx
    end do
  end subroutine push
end module pic_grid

subroutine plasma(np, nt, x0, v0, bz, drag, debye, energy)
  use pic_grid
  implicit none
  integer, intent(in) :: np, nt
  real(8), intent(in) :: x0(np), v0(np), bz, drag, debye
  real(8), intent(out) :: energy
  type(particle) :: p(np)
  integer :: k, it
  do k = 1, np
    p(k)%x = 0.5d0*x0(k) + 0.6d0*k
    p(k)%vx = v0(k)
    p(k)%vy = 0.3d0*v0(k)**2
    p(k)%w = 1d0 + 0.1d0*k
  end do
  energy = 0d0
  do it = 1, nt
    call deposit(p, np)
    call poisson(debye)
    call push(p, np, 0.2d0, bz, drag)
    energy = energy + 0.5d0*sum(e**2)*dx
  end do
  do k = 1, np
    energy = energy + 0.5d0*p(k)%w*(p(k)%vx**2 + p(k)%vy**2)
  end do
end subroutine plasma

! An ice stream and its shelf along a flowline (shallow shelf approximation): Picard iterations for velocity with a
! Thomas solver, upwind thickness, flotation, calving at the last cell.
module ice_params
  implicit none
  real(8), parameter :: rho = 0.9d0, rhow = 1.0d0, g = 1d0, nglen = 3d0, eps = 1d-3
end module ice_params
subroutine tridiag(n, a, b, c, d)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a(n), c(n)
  real(8), intent(inout) :: b(n), d(n)
  integer :: i
  real(8) :: m
  do i = 2, n
    m = a(i)/b(i-1)
    b(i) = b(i) - m*c(i-1)
    d(i) = d(i) - m*d(i-1)
  end do
  d(n) = d(n)/b(n)
  do i = n - 1, 1, -1
    d(i) = (d(i) - c(i)*d(i+1))/b(i)
  end do
end subroutine tridiag
subroutine velocity(n, dx, h, bed, beta, hard, u)
  use ice_params
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: dx, h(n), bed(n), beta(n), hard
  real(8), intent(inout) :: u(n)
  real(8) :: nu(n), s(n), a(n), b(n), c(n), d(n), ux, drive, fric, uold(n), change
  logical :: floating(n)
  integer :: i, it
  do i = 1, n
    floating(i) = rho*h(i) < -rhow*bed(i)
    if (floating(i)) then
      s(i) = (1d0 - rho/rhow)*h(i)
    else
      s(i) = bed(i) + h(i)
    end if
  end do
  do it = 1, 6
    uold = u
    do i = 1, n - 1
      ux = (u(i+1) - u(i))/dx
      nu(i) = 0.5d0*hard*(h(i) + h(i+1))*0.5d0*(ux*ux + eps)**((1d0 - nglen)/(2d0*nglen))
    end do
    nu(n) = nu(n-1)
    a(1) = 0d0
    b(1) = 1d0
    c(1) = 0d0
    d(1) = 0.1d0
    do i = 2, n - 1
      fric = 0d0
      if (.not. floating(i)) fric = beta(i)*(u(i)*u(i) + 1d-2)**(-0.333d0)
      drive = rho*g*h(i)*(s(i+1) - s(i-1))/(2d0*dx)
      a(i) = 4d0*nu(i-1)/dx**2
      c(i) = 4d0*nu(i)/dx**2
      b(i) = -(a(i) + c(i)) - fric
      d(i) = drive
    end do
    a(n) = -1d0/dx
    b(n) = 1d0/dx
    c(n) = 0d0
    d(n) = 0.25d0*rho*g*(1d0 - rho/rhow)*h(n)**2/(2d0*nu(n))
    call tridiag(n, a, b, c, d)
    u = d
    change = maxval(abs(u - uold))
    if (change < 1d-5) exit
  end do
end subroutine velocity
subroutine shelf(n, nt, h0, bed0, beta, hard, accum, flux)
  use ice_params
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: h0(n), bed0(n), beta(n), hard, accum(n)
  real(8), intent(out) :: flux
  real(8) :: h(n), u(n), q(0:n), bed(n), dx, dt, melt
  integer :: i, it
  dx = 1d0
  dt = 0.1d0
  do i = 1, n
    bed(i) = -0.3d0*i + 0.1d0*bed0(i)
    h(i) = 2d0 - 0.2d0*i + 0.2d0*h0(i)
    u(i) = 0.1d0*i
  end do
  flux = 0d0
  do it = 1, nt
    call velocity(n, dx, h, bed, beta, hard, u)
    q(0) = 0.1d0*h(1)
    do i = 1, n
      if (u(i) > 0d0) then
        q(i) = u(i)*h(i)
      else
        q(i) = u(i)*h(min(i+1, n))
      end if
    end do
    do i = 1, n
      melt = 0d0
      if (rho*h(i) < -rhow*bed(i)) melt = 0.05d0*(-bed(i))*h(i)
      h(i) = h(i) - dt*(q(i) - q(i-1))/dx + dt*(0.1d0*accum(i) - melt)
      if (h(i) < 0.1d0) h(i) = 0.1d0
    end do
    flux = flux + dt*q(n)
  end do
end subroutine shelf

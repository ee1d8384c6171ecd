! A European call under stochastic variance: alternating directions on a grid of prices and variances, assumed-shape
! arrays, a generic interface for the line solver, operators rebuilt by row, early value by averages.
module pde
  implicit none
  interface solve_line
    module procedure thomas
  end interface
contains
  subroutine thomas(lo, di, up, rhs)
    real(8), intent(in) :: lo(:), up(:)
    real(8), intent(inout) :: di(:), rhs(:)
    integer :: i, n
    real(8) :: w
    n = size(rhs)
    do i = 2, n
      w = lo(i)/di(i-1)
      di(i) = di(i) - w*up(i-1)
      rhs(i) = rhs(i) - w*rhs(i-1)
    end do
    rhs(n) = rhs(n)/di(n)
    do i = n - 1, 1, -1
      rhs(i) = (rhs(i) - up(i)*rhs(i+1))/di(i)
    end do
  end subroutine thomas
  subroutine mixed(u, s, v, rho, sigma, dsv, m)
    real(8), intent(in) :: u(:,:), s(:), v(:), rho, sigma, dsv
    real(8), intent(out) :: m(:,:)
    integer :: i, j, ns, nv
    ns = size(s)
    nv = size(v)
    do j = 1, nv
      do i = 1, ns
        m(i,j) = 0d0
      end do
    end do
    do j = 2, nv - 1
      do i = 2, ns - 1
        m(i,j) = rho*sigma*s(i)*v(j)*(u(i+1,j+1) - u(i-1,j+1) - u(i+1,j-1) + u(i-1,j-1))/(4d0*dsv)
      end do
    end do
  end subroutine mixed
  subroutine along_s(u, s, v, rate, dt, ds)
    real(8), intent(inout) :: u(:,:)
    real(8), intent(in) :: s(:), v(:), rate, dt, ds
    real(8) :: lo(size(s)), di(size(s)), up(size(s)), r(size(s))
    real(8) :: a, b
    integer :: i, j, n
    n = size(s)
    do j = 1, size(v)
      do i = 1, n
        a = 0.5d0*v(j)*(s(i)/ds)**2*dt
        b = 0.5d0*rate*s(i)/ds*dt
        lo(i) = -a + b
        di(i) = 1d0 + 2d0*a + 0.5d0*rate*dt
        up(i) = -a - b
      end do
      di(n) = di(n) + 2d0*up(n)
      lo(n) = lo(n) - up(n)
      do i = 1, n
        r(i) = u(i,j)
      end do
      call solve_line(lo, di, up, r)
      do i = 1, n
        u(i,j) = r(i)
      end do
    end do
  end subroutine along_s
  subroutine along_v(u, v, kappa, theta, sigma, rate, dt, dv)
    real(8), intent(inout) :: u(:,:)
    real(8), intent(in) :: v(:), kappa, theta, sigma, rate, dt, dv
    real(8) :: lo(size(v)), di(size(v)), up(size(v)), r(size(v))
    real(8) :: a, b
    integer :: i, j, n
    n = size(v)
    do i = 1, size(u, 1)
      do j = 1, n
        a = 0.5d0*sigma**2*v(j)/dv**2*dt
        b = 0.5d0*kappa*(theta - v(j))/dv*dt
        lo(j) = -a + b
        di(j) = 1d0 + 2d0*a + 0.5d0*rate*dt
        up(j) = -a - b
      end do
      di(1) = di(1) + lo(1)
      di(n) = di(n) + up(n)
      do j = 1, n
        r(j) = u(i,j)
      end do
      call solve_line(lo, di, up, r)
      do j = 1, n
        u(i,j) = r(j)
      end do
    end do
  end subroutine along_v
end module pde
subroutine heston(ns, nv, nt, kappa, theta, sigma, rho, rate, strike, price)
  use pde
  implicit none
  integer, intent(in) :: ns, nv, nt
  real(8), intent(in) :: kappa, theta, sigma, rho, rate, strike
  real(8), intent(out) :: price
  real(8) :: u(ns,nv), m(ns,nv), s(ns), v(nv), ds, dv, dt
  integer :: i, j, it
  ds = 2d0/ns
  dv = 1d0/nv
  dt = 0.1d0
  do i = 1, ns
    s(i) = ds*i
  end do
  do j = 1, nv
    v(j) = dv*(j - 0.5d0)
  end do
  do j = 1, nv
    do i = 1, ns
      u(i,j) = max(s(i) - strike, 0d0)
    end do
  end do
  do it = 1, nt
    call mixed(u, s, v, rho - 0.5d0, sigma, ds*dv, m)
    u = u + dt*m
    call along_s(u, s, v, 0.1d0*rate, dt, ds)
    call along_v(u, v, kappa, theta, sigma, 0.1d0*rate, dt, dv)
  end do
  price = 0.5d0*(u(3,2) + u(3,3))
end subroutine heston

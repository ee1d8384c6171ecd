! Tracking a drifting buoy by an extended square root Kalman filter: Potter's measurement updates one at a time, time update
! by modified Gram-Schmidt on the stacked factor, currents from a table, outliers refused.
module flow_mod
  implicit none
  integer, parameter :: nx = 4, ng = 6
contains
  subroutine current(c, x, y, u, v, ux, uy)
    real(8), intent(in) :: c(ng), x, y
    real(8), intent(out) :: u, v, ux, uy
    integer :: i
    real(8) :: s, w
    s = max(0d0, min(dble(ng) - 1.001d0, x))
    i = int(s) + 1
    w = s - (i - 1)
    u = (c(i) + w*(c(i+1) - c(i)))*cos(0.3d0*y)
    ux = (c(i+1) - c(i))*cos(0.3d0*y)
    uy = -0.3d0*(c(i) + w*(c(i+1) - c(i)))*sin(0.3d0*y)
    v = 0.2d0*sin(0.5d0*x)
  end subroutine current
  subroutine predict(c, x, s, q, dt)
    real(8), intent(in) :: c(ng), q, dt
    real(8), intent(inout) :: x(nx), s(nx, nx)
    real(8) :: f(nx, nx), a(2*nx, nx), u, v, ux, uy, r
    integer :: i, j, k
    call current(c, x(1), x(2), u, v, ux, uy)
    f = 0d0
    do i = 1, nx
      f(i, i) = 1d0
    end do
    f(1, 1) = 1d0 + dt*ux
    f(1, 2) = dt*uy
    f(1, 3) = dt
    f(2, 1) = dt*0.1d0*cos(0.5d0*x(1))
    f(2, 4) = dt
    f(3, 3) = 1d0 - 0.2d0*dt
    f(4, 4) = 1d0 - 0.2d0*dt
    x(1) = x(1) + dt*(u + x(3))
    x(2) = x(2) + dt*(v + x(4))
    x(3) = (1d0 - 0.2d0*dt)*x(3)
    x(4) = (1d0 - 0.2d0*dt)*x(4)
    a = 0d0
    do j = 1, nx
      do i = 1, nx
        do k = 1, nx
          a(i, j) = a(i, j) + s(k, i)*f(j, k)
        end do
      end do
      a(nx+j, j) = 0.1d0*q
    end do
    s = 0d0
    do k = 1, nx
      r = 0d0
      do i = 1, 2*nx
        r = r + a(i, k)**2
      end do
      r = sqrt(r)
      s(k, k) = r
      do i = 1, 2*nx
        a(i, k) = a(i, k)/r
      end do
      do j = k + 1, nx
        r = 0d0
        do i = 1, 2*nx
          r = r + a(i, k)*a(i, j)
        end do
        s(j, k) = r
        do i = 1, 2*nx
          a(i, j) = a(i, j) - r*a(i, k)
        end do
      end do
    end do
  end subroutine predict
  subroutine update(x, s, comp, z, rr, like)
    real(8), intent(inout) :: x(nx), s(nx, nx), like
    integer, intent(in) :: comp
    real(8), intent(in) :: z, rr
    real(8) :: phi(nx), k(nx), alpha, gamma, innov
    integer :: i, j
    do i = 1, nx
      phi(i) = s(comp, i)
    end do
    alpha = rr
    do i = 1, nx
      alpha = alpha + phi(i)**2
    end do
    innov = z - x(comp)
    if (innov**2 > 16d0*alpha) return
    gamma = 1d0/(alpha + sqrt(alpha*rr))
    do i = 1, nx
      k(i) = 0d0
      do j = 1, nx
        k(i) = k(i) + s(i, j)*phi(j)
      end do
    end do
    do i = 1, nx
      x(i) = x(i) + k(i)*innov/alpha
      do j = 1, nx
        s(i, j) = s(i, j) - gamma*k(i)*phi(j)
      end do
    end do
    like = like + 0.5d0*innov**2/alpha + 0.5d0*log(alpha)
  end subroutine update
end module flow_mod
subroutine sqrtkf(nt, c, x0, s0, q, r, z, like)
  use flow_mod
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: c(ng), x0(nx), s0(nx), q, r, z(2, nt)
  real(8), intent(out) :: like
  real(8) :: x(nx), s(nx, nx)
  integer :: it, i
  x = x0
  s = 0d0
  do i = 1, nx
    s(i, i) = 0.3d0*s0(i)
  end do
  like = 0d0
  do it = 1, nt
    call predict(c, x, s, q, 0.2d0)
    do i = 1, 2
      call update(x, s, i, z(i, it), 0.05d0*r, like)
    end do
  end do
end subroutine sqrtkf

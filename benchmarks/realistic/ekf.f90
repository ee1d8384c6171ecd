! Attitude filter: quaternion prediction, covariance propagation, star measurements one scalar at a time (Joseph form).
module filter
  implicit none
  integer, parameter :: nx = 6
  real(8) :: q(4), bias(3), p(nx, nx)
contains
  subroutine propagate(gyro, dt, qn)
    real(8), intent(in) :: gyro(3), dt, qn
    real(8) :: w(3), ang, s, c, dq(4), qq(4), f(nx, nx), fp(nx, nx), nrm
    integer :: i, j, k
    w = gyro - bias
    ang = sqrt(w(1)**2 + w(2)**2 + w(3)**2)
    s = sin(0.5d0*ang*dt)/ang
    c = cos(0.5d0*ang*dt)
    dq(1) = c
    dq(2) = s*w(1)
    dq(3) = s*w(2)
    dq(4) = s*w(3)
    qq(1) = q(1)*dq(1) - q(2)*dq(2) - q(3)*dq(3) - q(4)*dq(4)
    qq(2) = q(1)*dq(2) + q(2)*dq(1) + q(3)*dq(4) - q(4)*dq(3)
    qq(3) = q(1)*dq(3) - q(2)*dq(4) + q(3)*dq(1) + q(4)*dq(2)
    qq(4) = q(1)*dq(4) + q(2)*dq(3) - q(3)*dq(2) + q(4)*dq(1)
    nrm = sqrt(sum(qq**2))
    q = qq/nrm
    f = 0d0
    do i = 1, nx
      f(i, i) = 1d0
    end do
    f(1, 2) = dt*w(3)
    f(1, 3) = -dt*w(2)
    f(2, 1) = -dt*w(3)
    f(2, 3) = dt*w(1)
    f(3, 1) = dt*w(2)
    f(3, 2) = -dt*w(1)
    do i = 1, 3
      f(i, i+3) = -dt
    end do
    do j = 1, nx
      do i = 1, nx
        fp(i, j) = 0d0
        do k = 1, nx
          fp(i, j) = fp(i, j) + f(i, k)*p(k, j)
        end do
      end do
    end do
    do j = 1, nx
      do i = 1, nx
        p(i, j) = 0d0
        do k = 1, nx
          p(i, j) = p(i, j) + fp(i, k)*f(j, k)
        end do
      end do
      p(j, j) = p(j, j) + qn*dt
    end do
  end subroutine propagate
  subroutine rotate(v, r)
    real(8), intent(in) :: v(3)
    real(8), intent(out) :: r(3)
    r(1) = (1d0 - 2d0*(q(3)**2 + q(4)**2))*v(1) + 2d0*(q(2)*q(3) + q(1)*q(4))*v(2) + 2d0*(q(2)*q(4) - q(1)*q(3))*v(3)
    r(2) = 2d0*(q(2)*q(3) - q(1)*q(4))*v(1) + (1d0 - 2d0*(q(2)**2 + q(4)**2))*v(2) + 2d0*(q(3)*q(4) + q(1)*q(2))*v(3)
    r(3) = 2d0*(q(2)*q(4) + q(1)*q(3))*v(1) + 2d0*(q(3)*q(4) - q(1)*q(2))*v(2) + (1d0 - 2d0*(q(2)**2 + q(3)**2))*v(3)
  end subroutine rotate
  subroutine update(z, h, pred, rn, dx, used)
    real(8), intent(in) :: z, h(nx), pred, rn
    real(8), intent(inout) :: dx(nx)
    logical, intent(out) :: used
    real(8) :: ph(nx), s, k(nx), innov, ikh(nx, nx), t(nx, nx)
    integer :: i, j, l
    do i = 1, nx
      ph(i) = 0d0
      do j = 1, nx
        ph(i) = ph(i) + p(i, j)*h(j)
      end do
    end do
    s = sum(h*ph) + rn
    innov = z - pred - sum(h*dx)
    used = innov**2 < 9d0*s
    if (.not. used) return
    k = ph/s
    dx = dx + k*innov
    do j = 1, nx
      do i = 1, nx
        ikh(i, j) = -k(i)*h(j)
      end do
      ikh(j, j) = ikh(j, j) + 1d0
    end do
    do j = 1, nx
      do i = 1, nx
        t(i, j) = 0d0
        do l = 1, nx
          t(i, j) = t(i, j) + ikh(i, l)*p(l, j)
        end do
      end do
    end do
    do j = 1, nx
      do i = 1, nx
        p(i, j) = rn*k(i)*k(j)
        do l = 1, nx
          p(i, j) = p(i, j) + t(i, l)*ikh(j, l)
        end do
      end do
    end do
  end subroutine update
end module filter
subroutine ekf(nt, gyro, star, noise, b0, cost)
  use filter
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: gyro(3, nt), star(3), noise(2), b0(3)
  real(8), intent(out) :: cost
  real(8) :: pred(3), h(nx), dx(nx), a(3), qs(4), nrm
  integer :: it, i
  logical :: used
  q = 0d0
  q(1) = 1d0
  bias = 0.1d0*b0
  p = 0d0
  do i = 1, nx
    p(i, i) = 0.1d0
  end do
  cost = 0d0
  do it = 1, nt
    call propagate(gyro(:, it), 0.1d0, 0.01d0*noise(1))
    call rotate(star, pred)
    dx = 0d0
    do i = 1, 3
      h = 0d0
      select case (i)
      case (1)
        h(2) = -pred(3)
        h(3) = pred(2)
      case (2)
        h(1) = pred(3)
        h(3) = -pred(1)
      case default
        h(1) = -pred(2)
        h(2) = pred(1)
      end select
      call update(star(i) + 0.1d0*sin(1d0*it), h, pred(i), 0.1d0*noise(2), dx, used)
      if (.not. used) cost = cost + 0.01d0
    end do
    a = 0.5d0*dx(1:3)
    qs = q
    q(1) = qs(1) - qs(2)*a(1) - qs(3)*a(2) - qs(4)*a(3)
    q(2) = qs(2) + qs(1)*a(1) + qs(3)*a(3) - qs(4)*a(2)
    q(3) = qs(3) + qs(1)*a(2) - qs(2)*a(3) + qs(4)*a(1)
    q(4) = qs(4) + qs(1)*a(3) + qs(2)*a(2) - qs(3)*a(1)
    nrm = sqrt(sum(q*q))
    q = q/nrm
    bias = bias + dx(4:6)
    cost = cost + sum((pred - star)**2)
  end do
end subroutine ekf

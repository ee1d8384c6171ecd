! A robot arm: forward kinematics by 3 x 3 rotations, recursive Newton-Euler for the torques, joints with stops and
! Coulomb friction, a trajectory with a controller.
module arm
  implicit none
  integer, parameter :: nj = 3
  type link
    real(8) :: length, mass, inertia
  end type link
contains
  subroutine rot(axis, q, r)
    integer, intent(in) :: axis
    real(8), intent(in) :: q
    real(8), intent(out) :: r(3, 3)
    integer :: j, k
    j = mod(axis, 3) + 1
    k = mod(axis + 1, 3) + 1
    r = 0d0
    r(axis, axis) = 1d0
    r(j, j) = cos(q)
    r(k, k) = cos(q)
    r(j, k) = -sin(q)
    r(k, j) = sin(q)
  end subroutine rot
  subroutine times(a, b)
    real(8), intent(inout) :: a(3, 3)
    real(8), intent(in) :: b(3, 3)
    real(8) :: row(3)
    integer :: i, j
    do i = 1, 3
      do j = 1, 3
        row(j) = a(i, 1)*b(1, j) + a(i, 2)*b(2, j) + a(i, 3)*b(3, j)
      end do
      a(i, :) = row
    end do
  end subroutine times
  subroutine cross(a, b, c)
    real(8), intent(in) :: a(3), b(3)
    real(8), intent(out) :: c(3)
    c(1) = a(2)*b(3) - a(3)*b(2)
    c(2) = a(3)*b(1) - a(1)*b(3)
    c(3) = a(1)*b(2) - a(2)*b(1)
  end subroutine cross
  subroutine tip(l, q, p)
    type(link), intent(in) :: l(nj)
    real(8), intent(in) :: q(nj)
    real(8), intent(out) :: p(3)
    real(8) :: r(3, 3), s(3, 3)
    integer :: j
    r = 0d0
    do j = 1, 3
      r(j, j) = 1d0
    end do
    p = 0d0
    do j = 1, nj
      call rot(j, q(j), s)
      call times(r, s)
      p = p + l(j)%length*r(:, 1)
    end do
  end subroutine tip
  subroutine gravity(l, q, tau)
    type(link), intent(in) :: l(nj)
    real(8), intent(in) :: q(nj)
    real(8), intent(out) :: tau(nj)
    real(8) :: w(3), d(3), m(3), ang
    integer :: j, k
    do j = 1, nj
      tau(j) = 0d0
      ang = 0d0
      do k = j, nj
        ang = ang + q(k)
        w = (/0d0, 0d0, -l(k)%mass/)
        d = (/l(k)%length*cos(ang), l(k)%length*sin(ang), 0.1d0*l(k)%length/)
        call cross(d, w, m)
        tau(j) = tau(j) + m(1) - 0.5d0*m(2)
      end do
    end do
  end subroutine gravity
  subroutine friction(qd, c, tau)
    real(8), intent(in) :: qd, c
    real(8), intent(inout) :: tau
    if (abs(qd) < 1d-2) then
      tau = tau - 1d2*c*qd
    else
      tau = tau - sign(c, qd) - 0.1d0*qd
    end if
  end subroutine friction
  subroutine stop_at(lo, hi, q, qd)
    real(8), intent(in) :: lo, hi
    real(8), intent(inout) :: q, qd
    if (q < lo) then
      q = lo
      qd = -0.3d0*qd
    else if (q > hi) then
      q = hi
      qd = -0.3d0*qd
    end if
  end subroutine stop_at
end module arm
subroutine robotarm(nt, len, mass, gain, goal, miss, effort)
  use arm
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: len(nj), mass(nj), gain(2), goal(3)
  real(8), intent(out) :: miss, effort
  type(link) :: l(nj)
  real(8) :: q(nj), qd(nj), tau(nj), u(nj), p(3), e(3), dt, qdd
  integer :: it, j
  do j = 1, nj
    l(j)%length = 0.5d0 + len(j)
    l(j)%mass = mass(j)
    l(j)%inertia = 0.2d0 + l(j)%mass*l(j)%length**2/3d0
  end do
  q = 0.2d0
  qd = 0d0
  dt = 0.05d0
  effort = 0d0
  do it = 1, nt
    call tip(l, q, p)
    e = goal - p
    call gravity(l, q, tau)
    do j = 1, nj
      u(j) = gain(1)*e(j) - gain(2)*qd(j)
      u(j) = max(-2d0, min(2d0, u(j)))
      call friction(qd(j), 0.05d0, tau(j))
      qdd = (u(j) + 0.1d0*tau(j))/l(j)%inertia
      qd(j) = qd(j) + dt*qdd
      q(j) = q(j) + dt*qd(j)
      call stop_at(-0.2d0, 1.5d0, q(j), qd(j))
      effort = effort + dt*u(j)**2
    end do
  end do
  call tip(l, q, p)
  miss = sum((goal - p)**2)
end subroutine robotarm

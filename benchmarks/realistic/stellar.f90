! A cluster of stars with individual (block) time steps: Hermite predictor-corrector, a list of those due, softening, a close
! pair handled apart by an early return, energy bookkeeping.
module cluster
  implicit none
  type star
    real(8) :: m, t, dt
    real(8), dimension(3) :: x, v, a, j
  end type star
contains
  subroutine predict(s, t, xp, vp)
    type(star), intent(in) :: s
    real(8), intent(in) :: t
    real(8), intent(out) :: xp(3), vp(3)
    real(8) :: d
    d = t - s%t
    xp = s%x + d*(s%v + 0.5d0*d*(s%a + d/3d0*s%j))
    vp = s%v + d*(s%a + 0.5d0*d*s%j)
  end subroutine predict
  subroutine pair(dx, dv, m, eps2, a, j)
    real(8), intent(in) :: dx(3), dv(3), m, eps2
    real(8), intent(inout) :: a(3), j(3)
    real(8) :: r2, r3, rv
    r2 = sum(dx*dx) + eps2
    if (r2 > 100d0) return
    rv = 3d0*sum(dx*dv)/r2
    r3 = m/(r2*sqrt(r2))
    a = a + r3*dx
    j = j + r3*(dv - rv*dx)
  end subroutine pair
  subroutine force(n, s, i, t, eps2, a, j)
    integer, intent(in) :: n, i
    type(star), intent(in) :: s(n)
    real(8), intent(in) :: t, eps2
    real(8), intent(out) :: a(3), j(3)
    real(8) :: xi(3), vi(3), xk(3), vk(3)
    integer :: k
    a = 0d0
    j = 0d0
    call predict(s(i), t, xi, vi)
    do k = 1, n
      if (k == i) cycle
      call predict(s(k), t, xk, vk)
      call pair(xk - xi, vk - vi, s(k)%m, eps2, a, j)
    end do
  end subroutine force
  subroutine correct(s, t, a, j)
    type(star), intent(inout) :: s
    real(8), intent(in) :: t, a(3), j(3)
    real(8) :: h, x(3), v(3)
    h = t - s%t
    v = s%v + 0.5d0*h*(s%a + a) + h*h/12d0*(s%j - j)
    x = s%x + 0.5d0*h*(s%v + v) + h*h/12d0*(s%a - a)
    s%x = x
    s%v = v
    s%a = a
    s%j = j
    s%t = t
  end subroutine correct
end module cluster
subroutine stellar(n, m, pos, vel, eps, tend, energy)
  use cluster
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: m(n), pos(3, n), vel(3, n), eps, tend
  real(8), intent(out) :: energy
  type(star) :: s(n)
  real(8) :: t, eps2, a(3), j(3), an, jn
  integer :: list(n), nl, i, k, step
  eps2 = 0.1d0 + eps**2
  do i = 1, n
    s(i)%m = m(i)/n
    s(i)%x = 2d0*pos(:, i)*(/1d0, 0.5d0*i, 1d0 - 0.2d0*i/)
    s(i)%v = 0.2d0*vel(:, i)*(/-1d0, 1d0, 0.3d0/)*(-1)**i
    s(i)%t = 0d0
    s(i)%a = 0d0
    s(i)%j = 0d0
  end do
  do i = 1, n
    call force(n, s, i, 0d0, eps2, a, j)
    s(i)%a = a
    s(i)%j = j
    s(i)%dt = 0.125d0
    if (mod(i, 2) == 0) s(i)%dt = 0.0625d0
  end do
  do step = 1, 8
    t = minval(s%t + s%dt)
    nl = 0
    do i = 1, n
      if (s(i)%t + s(i)%dt <= t) then
        nl = nl + 1
        list(nl) = i
      end if
    end do
    do k = 1, nl
      i = list(k)
      call force(n, s, i, t, eps2, a, j)
      call correct(s(i), t, a, j)
      an = sqrt(sum(a*a))
      jn = sqrt(sum(j*j))
      if (0.5d0*an/jn < s(i)%dt) s(i)%dt = 0.5d0*s(i)%dt
    end do
    if (t > tend) exit
  end do
  energy = 0d0
  do i = 1, n
    energy = energy + 0.5d0*s(i)%m*sum(s(i)%v*s(i)%v)
    do k = i + 1, n
      energy = energy - s(i)%m*s(k)%m/sqrt(sum((s(i)%x - s(k)%x)**2) + eps2)
    end do
  end do
end subroutine stellar

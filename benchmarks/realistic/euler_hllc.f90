! One-dimensional gas: MUSCL with a limiter, HLLC fluxes, three-stage Runge-Kutta, ghost cells, conserved variables in
! one array (var, cell), a time step from the largest wave speed.
module gas
  implicit none
  integer, parameter :: n = 8, ng = 2
  real(8), parameter :: gm = 1.4d0
contains
  subroutine primitive(c, p)
    real(8), intent(in) :: c(3)
    real(8), intent(out) :: p(3)
    p(1) = c(1)
    p(2) = c(2)/c(1)
    p(3) = (gm - 1d0)*(c(3) - 0.5d0*c(2)*p(2))
  end subroutine primitive

  real(8) function limited(a, b)
    real(8), intent(in) :: a, b
    if (a*b <= 0d0) then
      limited = 0d0
    else
      limited = 2d0*a*b/(a + b)
    end if
  end function limited

  subroutine hllc(l, r, f)
    real(8), intent(in) :: l(3), r(3)
    real(8), intent(out) :: f(3)
    real(8) :: cl, cr, sl, sr, sm, e, k
    cl = sqrt(gm*l(3)/l(1))
    cr = sqrt(gm*r(3)/r(1))
    sl = min(l(2) - cl, r(2) - cr)
    sr = max(l(2) + cl, r(2) + cr)
    sm = (r(3) - l(3) + l(1)*l(2)*(sl - l(2)) - r(1)*r(2)*(sr - r(2)))/(l(1)*(sl - l(2)) - r(1)*(sr - r(2)))
    if (sm >= 0d0) then
      e = l(3)/(gm - 1d0) + 0.5d0*l(1)*l(2)**2
      f = [l(1)*l(2), l(1)*l(2)**2 + l(3), l(2)*(e + l(3))]
      if (sl < 0d0) then
        k = l(1)*(sl - l(2))/(sl - sm)
        f(1) = f(1) + sl*(k - l(1))
        f(2) = f(2) + sl*(k*sm - l(1)*l(2))
        f(3) = f(3) + sl*(k*(e/l(1) + (sm - l(2))*(sm + l(3)/(l(1)*(sl - l(2))))) - e)
      end if
    else
      e = r(3)/(gm - 1d0) + 0.5d0*r(1)*r(2)**2
      f = [r(1)*r(2), r(1)*r(2)**2 + r(3), r(2)*(e + r(3))]
      if (sr > 0d0) then
        k = r(1)*(sr - r(2))/(sr - sm)
        f(1) = f(1) + sr*(k - r(1))
        f(2) = f(2) + sr*(k*sm - r(1)*r(2))
        f(3) = f(3) + sr*(k*(e/r(1) + (sm - r(2))*(sm + r(3)/(r(1)*(sr - r(2))))) - e)
      end if
    end if
  end subroutine hllc

  subroutine ghosts(c)
    real(8), intent(inout) :: c(3, 1-ng:n+ng)
    integer :: g
    do g = 1, ng
      c(:, 1-g) = c(:, g)
      c(2, 1-g) = -c(2, g)
      c(:, n+g) = c(:, n)
    end do
  end subroutine ghosts

  subroutine rates(c, dx, d)
    real(8), intent(inout) :: c(3, 1-ng:n+ng)
    real(8), intent(in) :: dx
    real(8), intent(out) :: d(3, n)
    real(8) :: p(3, 1-ng:n+ng), l(3, 0:n+1), r(3, 0:n+1), f(3, 0:n), s
    integer :: i, v
    call ghosts(c)
    do i = 1 - ng, n + ng
      call primitive(c(:, i), p(:, i))
    end do
    do i = 0, n + 1
      do v = 1, 3
        s = limited(p(v, i) - p(v, i-1), p(v, i+1) - p(v, i))
        l(v, i) = p(v, i) + 0.5d0*s
        r(v, i) = p(v, i) - 0.5d0*s
      end do
    end do
    do i = 0, n
      call hllc(l(:, i), r(:, i+1), f(:, i))
    end do
    do i = 1, n
      d(:, i) = -(f(:, i) - f(:, i-1))/dx
    end do
  end subroutine rates
end module gas

subroutine tube(pl, rl, dx, cost)
  use gas
  implicit none
  real(8), intent(in) :: pl, rl, dx
  real(8), intent(out) :: cost
  real(8) :: c(3, 1-ng:n+ng), c0(3, 1-ng:n+ng), d(3, n), dt, p(3)
  real(8), parameter :: a(3) = [0d0, 0.75d0, 1d0/3d0]
  integer :: it, st, i
  c = 0d0
  do i = 1, n
    if (i <= n/2) then
      c(:, i) = [rl, 0d0, pl/(gm - 1d0)]
    else
      c(:, i) = [0.125d0, 0d0, 0.1d0/(gm - 1d0)]
    end if
  end do
  do it = 1, 4
    dt = 1d0
    do i = 1, n
      call primitive(c(:, i), p)
      dt = min(dt, 0.4d0*dx/(abs(p(2)) + sqrt(gm*p(3)/p(1))))
    end do
    c0 = c
    do st = 1, 3
      call rates(c, dx, d)
      c(:, 1:n) = a(st)*c0(:, 1:n) + (1d0 - a(st))*(c(:, 1:n) + dt*d)
    end do
  end do
  cost = sum(c(3, 1:n)**2) + c(2, 4)
end subroutine tube

! A vehicle suspension on a rough track: a nonlinear damper, a tyre that lifts off, implicit trapezoidal steps solved by
! Newton with a 4 by 4 elimination with pivoting.
subroutine track(nt, par, road, ride)
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: par(5), road(nt)
  real(8), intent(out) :: ride
  real(8) :: x(4), xn(4), f0(4), f1(4), jac(4, 4), res(4), dt
  integer :: it, k, i
  x = 0d0
  dt = 0.05d0
  ride = 0d0
  do it = 1, nt
    call rate(x, par, road(it), f0)
    xn = x + dt*f0
    do k = 1, 3
      call rate(xn, par, road(it), f1)
      call jacobian(xn, par, road(it), dt, jac)
      do i = 1, 4
        res(i) = x(i) + 0.5d0*dt*(f0(i) + f1(i)) - xn(i)
      end do
      call eliminate(jac, res)
      do i = 1, 4
        xn(i) = xn(i) + res(i)
      end do
    end do
    x = xn
    call rate(x, par, road(it), f1)
    ride = ride + f1(2)**2 + 0.1d0*(x(1) - x(3))**2
  end do
end subroutine
subroutine rate(x, par, road, f)
  implicit none
  real(8), intent(in) :: x(4), par(5), road
  real(8), intent(out) :: f(4)
  real(8) :: spring, damper, tyre, v
  spring = (10d0 + par(1))*(x(1) - x(3)) + par(2)*(x(1) - x(3))**3
  v = x(2) - x(4)
  if (v > 0d0) then
    damper = (2d0 + par(3))*v
  else
    damper = (1d0 + par(3))*v/(1d0 + 0.1d0*abs(v))
  end if
  tyre = (50d0 + par(4))*(x(3) - road)
  if (tyre > 5d0) tyre = 5d0
  f(1) = x(2)
  f(2) = -(spring + damper)/(2d0 + par(5))
  f(3) = x(4)
  f(4) = (spring + damper - tyre)/0.5d0
end subroutine
subroutine jacobian(x, par, road, dt, jac)
  implicit none
  real(8), intent(in) :: x(4), par(5), road, dt
  real(8), intent(out) :: jac(4, 4)
  real(8) :: ks, kd, kt
  integer :: i
  ks = 10d0 + par(1) + 3d0*par(2)*(x(1) - x(3))**2
  kd = 1.5d0 + par(3)
  kt = 50d0 + par(4)
  if ((50d0 + par(4))*(x(3) - road) > 5d0) kt = 0d0
  jac = 0d0
  jac(1, 2) = -0.5d0*dt
  jac(2, 1) = 0.5d0*dt*ks/(2d0 + par(5))
  jac(2, 3) = -jac(2, 1)
  jac(2, 2) = 0.5d0*dt*kd/(2d0 + par(5))
  jac(2, 4) = -jac(2, 2)
  jac(3, 4) = -0.5d0*dt
  jac(4, 1) = -dt*ks
  jac(4, 3) = dt*(ks + kt)
  jac(4, 2) = -dt*kd
  jac(4, 4) = dt*kd
  do i = 1, 4
    jac(i, i) = jac(i, i) + 1d0
  end do
end subroutine
subroutine eliminate(a, b)
  implicit none
  real(8), intent(inout) :: a(4, 4), b(4)
  real(8) :: f, t
  integer :: i, j, k, m
  do k = 1, 4
    m = k
    do i = k + 1, 4
      if (abs(a(i, k)) > abs(a(m, k))) m = i
    end do
    if (m /= k) then
      do j = k, 4
        t = a(k, j)
        a(k, j) = a(m, j)
        a(m, j) = t
      end do
      t = b(k)
      b(k) = b(m)
      b(m) = t
    end if
    do i = k + 1, 4
      f = a(i, k)/a(k, k)
      do j = k + 1, 4
        a(i, j) = a(i, j) - f*a(k, j)
      end do
      b(i) = b(i) - f*b(k)
    end do
  end do
  do i = 4, 1, -1
    do j = i + 1, 4
      b(i) = b(i) - a(i, j)*b(j)
    end do
    b(i) = b(i)/a(i, i)
  end do
end subroutine

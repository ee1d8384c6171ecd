! Alpha chain burning: abundances with reaction links in arrays (in1, in2, out), rates from temperature fits with screening,
! implicit Euler by Newton with a dense Gauss elimination with partial pivoting, energy fed back to the temperature.
module net
  implicit none
  integer, parameter :: ns = 5, nr = 6
  integer, parameter :: in1(nr) = (/ 1, 2, 3, 4, 2, 3 /), in2(nr) = (/ 1, 1, 1, 1, 2, 2 /), outn(nr) = (/ 2, 3, 4, 5, 4, 5 /)
  real(8), parameter :: cf(3, nr) = reshape((/ 1d0, -0.5d0, 0.2d0, 1.5d0, -0.8d0, 0.1d0, 0.8d0, -1d0, 0.1d0, 0.5d0, -1.2d0, &
    0.3d0, 0.3d0, -1.5d0, 0.2d0, 0.2d0, -1.8d0, 0.1d0 /), (/ 3, nr /))
  real(8), parameter :: q(nr) = (/ 0.7d0, 0.7d0, 0.4d0, 0.9d0, 1.3d0, 1.6d0 /), z(ns) = (/ 2d0, 6d0, 8d0, 10d0, 12d0 /)
end module net
subroutine rates(t, rho, y, r)
  use net
  implicit none
  real(8), intent(in) :: t, rho, y(ns)
  real(8), intent(out) :: r(nr)
  real(8) :: zbar, h, t13
  integer :: k
  zbar = 0d0
  do k = 1, ns
    zbar = zbar + z(k)**2*y(k)
  end do
  t13 = t**(1d0/3d0)
  do k = 1, nr
    h = 0.01d0*z(in1(k))*z(in2(k))*sqrt(rho*zbar)/t
    if (h > 0.5d0) h = 0.5d0 + 0.1d0*(h - 0.5d0)
    r(k) = rho*exp(cf(1, k) + cf(2, k)/t13 + cf(3, k)*t + h)
  end do
end subroutine rates
subroutine derivs(r, y, f, jac)
  use net
  implicit none
  real(8), intent(in) :: r(nr), y(ns)
  real(8), intent(out) :: f(ns), jac(ns, ns)
  integer :: k, a, b, c
  real(8) :: flow
  f = 0d0
  jac = 0d0
  do k = 1, nr
    a = in1(k)
    b = in2(k)
    c = outn(k)
    flow = r(k)*y(a)*y(b)
    f(a) = f(a) - flow
    f(b) = f(b) - flow
    f(c) = f(c) + flow
    jac(a, a) = jac(a, a) - r(k)*y(b)
    jac(a, b) = jac(a, b) - r(k)*y(a)
    jac(b, a) = jac(b, a) - r(k)*y(b)
    jac(b, b) = jac(b, b) - r(k)*y(a)
    jac(c, a) = jac(c, a) + r(k)*y(b)
    jac(c, b) = jac(c, b) + r(k)*y(a)
  end do
end subroutine derivs
subroutine gauss(n, a, b)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n, n), b(n)
  integer :: i, j, k, p
  real(8) :: f, swap
  do k = 1, n - 1
    p = k
    do i = k + 1, n
      if (abs(a(i, k)) > abs(a(p, k))) p = i
    end do
    if (p /= k) then
      do j = k, n
        swap = a(k, j)
        a(k, j) = a(p, j)
        a(p, j) = swap
      end do
      swap = b(k)
      b(k) = b(p)
      b(p) = swap
    end if
    do i = k + 1, n
      f = a(i, k)/a(k, k)
      do j = k + 1, n
        a(i, j) = a(i, j) - f*a(k, j)
      end do
      b(i) = b(i) - f*b(k)
    end do
  end do
  do i = n, 1, -1
    do j = i + 1, n
      b(i) = b(i) - a(i, j)*b(j)
    end do
    b(i) = b(i)/a(i, i)
  end do
end subroutine gauss
subroutine nucnet(nt, y0, t0, rho0, cool, ash)
  use net
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: y0(ns), t0, rho0, cool(nt)
  real(8), intent(out) :: ash
  real(8) :: y(ns), yn(ns), r(nr), f(ns), jac(ns, ns), t, dt, eps, big
  integer :: it, k, i, j
  y = 0.2d0*y0
  t = t0
  dt = 0.05d0
  do it = 1, nt
    call rates(t, rho0, y, r)
    yn = y
    do k = 1, 4
      call derivs(r, yn, f, jac)
      do j = 1, ns
        do i = 1, ns
          jac(i, j) = -dt*jac(i, j)
        end do
        jac(j, j) = jac(j, j) + 1d0
        f(j) = y(j) + dt*f(j) - yn(j)
      end do
      call gauss(ns, jac, f)
      big = 0d0
      do j = 1, ns
        yn(j) = max(yn(j) + f(j), 1d-12)
        big = max(big, abs(f(j)))
      end do
      if (big < 1d-9) exit
    end do
    eps = 0d0
    do k = 1, nr
      eps = eps + q(k)*r(k)*yn(in1(k))*yn(in2(k))
    end do
    t = t + dt*(eps - 0.1d0*cool(it)*t**4)
    y = yn
  end do
  ash = y(5) + 0.1d0*y(4) + 0.01d0*t
end subroutine nucnet

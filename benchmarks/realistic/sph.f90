! Smoothed particle hydrodynamics in two dimensions: density, equation of state, symmetric forces with viscosity.
subroutine sph(n, nt, x0, v0, m, kinetic)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: x0(2, n), v0(2, n), m(n)
  real(8), intent(out) :: kinetic
  real(8) :: x(2, n), v(2, n), a(2, n), rho(n), p(n), dt, hs
  integer :: it, i
  x = x0
  v = v0
  hs = 1.3d0
  dt = 0.02d0
  kinetic = 0d0
  do it = 1, nt
    call density(n, x, m, hs, rho)
    call state(n, rho, p)
    call accelerate(n, x, v, m, rho, p, hs, a)
    do i = 1, n
      v(1, i) = v(1, i) + dt*a(1, i)
      v(2, i) = v(2, i) + dt*a(2, i)
      x(1, i) = x(1, i) + dt*v(1, i)
      x(2, i) = x(2, i) + dt*v(2, i)
      call wall(x(:, i), v(:, i))
    end do
  end do
  do i = 1, n
    kinetic = kinetic + 0.5d0*m(i)*(v(1, i)**2 + v(2, i)**2)
  end do
end subroutine
subroutine kernel(r, h, w, dw)
  implicit none
  real(8), intent(in) :: r, h
  real(8), intent(out) :: w, dw
  real(8) :: q, c
  q = r/h
  c = 10d0/(7d0*3.14159265358979d0*h*h)
  if (q < 1d0) then
    w = c*(1d0 - 1.5d0*q*q + 0.75d0*q**3)
    dw = c/h*(-3d0*q + 2.25d0*q*q)
  else if (q < 2d0) then
    w = 0.25d0*c*(2d0 - q)**3
    dw = -0.75d0*c/h*(2d0 - q)**2
  else
    w = 0d0
    dw = 0d0
  end if
end subroutine
subroutine density(n, x, m, h, rho)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(2, n), m(n), h
  real(8), intent(out) :: rho(n)
  real(8) :: r, w, dw
  integer :: i, j
  do i = 1, n
    rho(i) = 0d0
    do j = 1, n
      r = sqrt((x(1, i) - x(1, j))**2 + (x(2, i) - x(2, j))**2 + 1d-6)
      call kernel(r, h, w, dw)
      rho(i) = rho(i) + m(j)*w
    end do
  end do
end subroutine
subroutine state(n, rho, p)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: rho(n)
  real(8), intent(out) :: p(n)
  integer :: i
  do i = 1, n
    p(i) = 2d0*((rho(i)/1.1d0)**7 - 1d0)
    if (p(i) < 0d0) p(i) = 0d0
  end do
end subroutine
subroutine accelerate(n, x, v, m, rho, p, h, a)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(2, n), v(2, n), m(n), rho(n), p(n), h
  real(8), intent(out) :: a(2, n)
  real(8) :: d(2), r, w, dw, vr, visc, f
  integer :: i, j
  a(1, :) = 0d0
  a(2, :) = -0.1d0
  do i = 1, n - 1
    do j = i + 1, n
      d(1) = x(1, i) - x(1, j)
      d(2) = x(2, i) - x(2, j)
      r = sqrt(d(1)*d(1) + d(2)*d(2) + 1d-6)
      call kernel(r, h, w, dw)
      vr = (v(1, i) - v(1, j))*d(1) + (v(2, i) - v(2, j))*d(2)
      visc = 0d0
      if (vr < 0d0) then
        visc = -0.3d0*h*vr/(r*r + 0.01d0*h*h)
        visc = visc*2d0/(rho(i) + rho(j))
      end if
      f = (p(i)/rho(i)**2 + p(j)/rho(j)**2 + visc)*dw/r
      a(1, i) = a(1, i) - m(j)*f*d(1)
      a(2, i) = a(2, i) - m(j)*f*d(2)
      a(1, j) = a(1, j) + m(i)*f*d(1)
      a(2, j) = a(2, j) + m(i)*f*d(2)
    end do
  end do
end subroutine
subroutine wall(x, v)
  implicit none
  real(8), intent(inout) :: x(2), v(2)
  if (x(2) < 0d0) then
    x(2) = -x(2)
    v(2) = -0.5d0*v(2)
  end if
end subroutine

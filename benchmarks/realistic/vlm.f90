! A vortex lattice: horseshoe vortices on a swept wing, influence matrix, Gauss elimination, forces by Kutta-Joukowski.
module lattice_data
  implicit none
  integer, parameter :: np = 5
  real(8) :: ra(3, np), rb(3, np), rc(3, np), nrm(3, np), aic(np, np)
end module lattice_data
subroutine cross3(a, b, c)
  implicit none
  real(8), intent(in) :: a(3), b(3)
  real(8), intent(out) :: c(3)
  c(1) = a(2)*b(3) - a(3)*b(2)
  c(2) = a(3)*b(1) - a(1)*b(3)
  c(3) = a(1)*b(2) - a(2)*b(1)
end subroutine cross3
real(8) function dot3(a, b)
  implicit none
  real(8), intent(in) :: a(3), b(3)
  dot3 = a(1)*b(1) + a(2)*b(2) + a(3)*b(3)
end function dot3
subroutine segment(p, a, b, v)
  implicit none
  real(8), intent(in) :: p(3), a(3), b(3)
  real(8), intent(out) :: v(3)
  real(8) :: r1(3), r2(3), r0(3), c(3), c2, n1, n2, k
  real(8), external :: dot3
  r1 = p - a
  r2 = p - b
  r0 = b - a
  call cross3(r1, r2, c)
  c2 = dot3(c, c)
  n1 = sqrt(dot3(r1, r1))
  n2 = sqrt(dot3(r2, r2))
  if (c2 < 1d-8) then
    v = 0d0
    return
  end if
  k = (dot3(r0, r1)/n1 - dot3(r0, r2)/n2)/(12.566d0*c2)
  v = k*c
end subroutine segment
subroutine horseshoe(p, a, b, v)
  implicit none
  real(8), intent(in) :: p(3), a(3), b(3)
  real(8), intent(out) :: v(3)
  real(8) :: far(3), w(3)
  call segment(p, a, b, v)
  far = a
  far(1) = a(1) + 20d0
  call segment(p, far, a, w)
  v = v + w
  far = b
  far(1) = b(1) + 20d0
  call segment(p, b, far, w)
  v = v + w
end subroutine horseshoe
subroutine geometry(sweep, chord, twist)
  use lattice_data
  implicit none
  real(8), intent(in) :: sweep, chord(np), twist(np)
  real(8) :: y0, y1, t, ym
  integer :: i
  do i = 1, np
    y0 = (i - 1)*1d0
    y1 = i*1d0
    ym = 0.5d0*(y0 + y1)
    t = tan(0.3d0*sweep)
    ra(1, i) = y0*t + 0.25d0*chord(i)
    ra(2, i) = y0
    ra(3, i) = 0d0
    rb(1, i) = y1*t + 0.25d0*chord(i)
    rb(2, i) = y1
    rb(3, i) = 0d0
    rc(1, i) = ym*t + 0.75d0*chord(i)
    rc(2, i) = ym
    rc(3, i) = 0d0
    nrm(1, i) = sin(0.1d0*twist(i))
    nrm(2, i) = 0d0
    nrm(3, i) = cos(0.1d0*twist(i))
  end do
end subroutine geometry
subroutine solve(n, a, b)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n, n), b(n)
  real(8) :: f
  integer :: i, j, k
  do k = 1, n - 1
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
end subroutine solve
subroutine vlm(sweep, chord, twist, alpha, cl, cdi)
  use lattice_data
  implicit none
  real(8), intent(in) :: sweep, chord(np), twist(np), alpha
  real(8), intent(out) :: cl, cdi
  real(8) :: v(3), vi(3), img(3), ima(3), gam(np), uinf(3), seg(3), f(3), s
  real(8), external :: dot3
  integer :: i, j
  call geometry(sweep, chord, twist)
  uinf(1) = cos(0.1d0*alpha)
  uinf(2) = 0d0
  uinf(3) = sin(0.1d0*alpha)
  do i = 1, np
    do j = 1, np
      call horseshoe(rc(:, i), ra(:, j), rb(:, j), v)
      img = rb(:, j)
      img(2) = -img(2)
      ima = ra(:, j)
      ima(2) = -ima(2)
      call horseshoe(rc(:, i), img, ima, vi)
      v = v + vi
      aic(i, j) = dot3(v, nrm(:, i))
    end do
    gam(i) = -dot3(uinf, nrm(:, i))
  end do
  call solve(np, aic, gam)
  cl = 0d0
  cdi = 0d0
  s = 0d0
  do i = 1, np
    v = uinf
    do j = 1, np
      call horseshoe(0.5d0*(ra(:, i) + rb(:, i)), ra(:, j), rb(:, j), vi)
      v = v + gam(j)*vi
    end do
    seg = rb(:, i) - ra(:, i)
    call cross3(v, seg, f)
    f = gam(i)*f
    cl = cl + f(3)*uinf(1) - f(1)*uinf(3)
    cdi = cdi + f(1)*uinf(1) + f(3)*uinf(3)
    s = s + chord(i)
  end do
  cl = 2d0*cl/s
  cdi = 2d0*cdi/s
end subroutine vlm

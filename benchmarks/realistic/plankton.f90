! Nutrient, phytoplankton, zooplankton and detritus in a water column: light with self-shading, grazing, sinking,
! implicit mixing by Thomas's algorithm; tracers are columns of one array.
subroutine plankton(n, nt, p, kz, c0, export)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: p(6), kz(n), c0(n, 4)
  real(8), intent(out) :: export
  real(8) :: c(n, 4), src(n, 4), light(n), dt, out
  integer :: it, m, i
  c = 0.5d0 + 0.1d0*c0
  dt = 0.1d0
  export = 0d0
  do it = 1, nt
    call shade(n, c(:, 2), 1d0 + 0.5d0*sin(0.6d0*it), light)
    call biology(n, c, light, p, src)
    do m = 1, 4
      do i = 1, n
        c(i, m) = max(c(i, m) + dt*src(i, m), 1d-4)
      end do
    end do
    call sink(n, c(1, 4), 0.5d0 + 0.1d0*p(6), dt, out)
    export = export + out
    do m = 1, 4
      call mix(n, kz, dt, c(1, m))
    end do
  end do
end subroutine
subroutine shade(n, phyto, top, light)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: phyto(n), top
  real(8), intent(out) :: light(n)
  real(8) :: below, depth
  integer :: i
  below = top
  do i = 1, n
    depth = 0.2d0 + 0.3d0*phyto(i)
    light(i) = below*(1d0 - exp(-depth))/depth
    below = below*exp(-depth)
  end do
end subroutine
subroutine biology(n, c, light, p, src)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: c(n, 4), light(n), p(6)
  real(8), intent(out) :: src(n, 4)
  real(8) :: up, gr, dp, dz, re
  integer :: i
  do i = 1, n
    up = p(1)*c(i, 1)/(c(i, 1) + 0.3d0)*light(i)/sqrt(1d0 + light(i)**2)*c(i, 2)
    gr = p(2)*c(i, 2)**2/(c(i, 2)**2 + 0.4d0)*c(i, 3)
    dp = 0.1d0*p(3)*c(i, 2)
    dz = 0.1d0*p(4)*c(i, 3)**2
    re = 0.1d0*p(5)*c(i, 4)
    src(i, 1) = -up + re
    src(i, 2) = up - gr - dp
    src(i, 3) = 0.7d0*gr - dz
    src(i, 4) = 0.3d0*gr + dp + dz - re
  end do
end subroutine
subroutine sink(n, d, w, dt, out)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: d(n)
  real(8), intent(in) :: w, dt
  real(8), intent(out) :: out
  real(8) :: flux, above
  integer :: i
  above = 0d0
  do i = 1, n
    flux = w*d(i)*d(i)/(0.2d0 + d(i))
    d(i) = d(i) + dt*(above - flux)
    above = flux
  end do
  out = above
end subroutine
subroutine mix(n, kz, dt, x)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: kz(n), dt
  real(8), intent(inout) :: x(n)
  real(8) :: b(n), up, low, f
  integer :: i
  b(1) = 1d0 + dt*kz(1)
  do i = 2, n
    low = dt*kz(i-1)
    up = dt*kz(i)
    if (i == n) up = 0d0
    f = low/b(i-1)
    b(i) = 1d0 + low + up - f*dt*kz(i-1)
    x(i) = x(i) + f*x(i-1)
  end do
  x(n) = x(n)/b(n)
  do i = n - 1, 1, -1
    x(i) = (x(i) + dt*kz(i)*x(i+1))/b(i)
  end do
end subroutine

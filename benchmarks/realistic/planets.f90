! Planets: kick, drift, kick, with the potential kept for the energy, softened forces and a drag near the sun.
subroutine planets(n, nt, x0, v0, mass, drift)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: x0(n, 3), v0(n, 3), mass(n)
  real(8), intent(out) :: drift
  real(8) :: x(n, 3), v(n, 3), a(n, 3), pot, start, e
  real(8) :: dt
  integer :: it
  x = 3d0*x0
  v = v0
  dt = 0.01d0
  call gravity(n, x, mass, a, pot)
  call energy(n, v, mass, pot, start)
  drift = 0d0
  do it = 1, nt
    call kick(n, v, a, 0.5d0*dt)
    call move(n, x, v, dt)
    call gravity(n, x, mass, a, pot)
    call kick(n, v, a, 0.5d0*dt)
    call drag(n, x, v, dt)
    call energy(n, v, mass, pot, e)
    drift = drift + (e - start)**2
  end do
end subroutine
subroutine gravity(n, x, mass, a, pot)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n, 3), mass(n)
  real(8), intent(out) :: a(n, 3), pot
  real(8) :: d(3), r2, r, f
  integer :: i, j, k
  a = 0d0
  pot = 0d0
  do i = 1, n
    do j = 1, i - 1
      r2 = 0.05d0
      do k = 1, 3
        d(k) = x(j, k) - x(i, k)
        r2 = r2 + d(k)**2
      end do
      r = sqrt(r2)
      pot = pot - mass(i)*mass(j)/r
      f = 1d0/(r2*r)
      do k = 1, 3
        a(i, k) = a(i, k) + mass(j)*f*d(k)
        a(j, k) = a(j, k) - mass(i)*f*d(k)
      end do
    end do
  end do
end subroutine
subroutine kick(n, v, a, dt)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: v(n, 3)
  real(8), intent(in) :: a(n, 3), dt
  v = v + dt*a
end subroutine
subroutine move(n, x, v, dt)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n, 3)
  real(8), intent(in) :: v(n, 3), dt
  x = x + dt*v
end subroutine
subroutine drag(n, x, v, dt)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n, 3), dt
  real(8), intent(inout) :: v(n, 3)
  real(8) :: r, c
  integer :: i
  do i = 1, n
    r = sqrt(x(i, 1)**2 + x(i, 2)**2 + x(i, 3)**2)
    if (r < 4d0) then
      c = exp(-r)*dt
      v(i, :) = v(i, :)*(1d0 - c)
    end if
  end do
end subroutine
subroutine energy(n, v, mass, pot, e)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: v(n, 3), mass(n), pot
  real(8), intent(out) :: e
  integer :: i
  e = pot
  do i = 1, n
    e = e + 0.5d0*mass(i)*(v(i, 1)*v(i, 1) + v(i, 2)*v(i, 2) + v(i, 3)*v(i, 3))
  end do
end subroutine

! A notched strip by bond-based peridynamics: neighbour list by families, bond stretches with damage, surface correction, short
! range contact, velocity Verlet with local damping, reaction at the grip.
module bonds
  implicit none
  integer, parameter :: mp = 40, mf = 8
  integer :: nfam(mp), fam(mf, mp)
  real(8) :: x0(2, mp), xi(mf, mp), vol(mp), fac(mf, mp)
contains
  subroutine families(n, delta)
    integer, intent(in) :: n
    real(8), intent(in) :: delta
    integer :: i, j
    real(8) :: r
    do i = 1, n
      x0(1, i) = dble((i - 1)/2)
      x0(2, i) = dble(mod(i - 1, 2)) + 0.02d0*mod(i, 3)
      vol(i) = 1d0
    end do
    do i = 1, n
      nfam(i) = 0
      do j = 1, n
        if (i == j) cycle
        r = sqrt((x0(1, i) - x0(1, j))**2 + (x0(2, i) - x0(2, j))**2)
        if (r <= delta .and. nfam(i) < mf) then
          nfam(i) = nfam(i) + 1
          fam(nfam(i), i) = j
          xi(nfam(i), i) = r
          fac(nfam(i), i) = min(1d0, (delta + 0.5d0 - r))
        end if
      end do
    end do
  end subroutine families
end module bonds
subroutine internal(n, u, c, s0, dmg, f, w)
  use bonds
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: u(2, mp), c(mp), s0
  real(8), intent(inout) :: dmg(mf, mp)
  real(8), intent(out) :: f(2, mp), w(mp)
  real(8) :: ex, ey, len, s, t, cm
  integer :: i, j, k
  f = 0d0
  w = 0d0
  do i = 1, n
    do k = 1, nfam(i)
      j = fam(k, i)
      ex = x0(1, j) + u(1, j) - x0(1, i) - u(1, i)
      ey = x0(2, j) + u(2, j) - x0(2, i) - u(2, i)
      len = sqrt(ex*ex + ey*ey)
      s = (len - xi(k, i))/xi(k, i)
      if (s > s0) then
        dmg(k, i) = dmg(k, i)*exp(-5d0*(s - s0))
      end if
      cm = 2d0*c(i)*c(j)/(c(i) + c(j))
      t = cm*s*dmg(k, i)*fac(k, i)*vol(j)
      if (len < 0.5d0*xi(k, i)) t = t - 2d0*cm*(0.5d0*xi(k, i) - len)
      f(1, i) = f(1, i) + t*ex/len
      f(2, i) = f(2, i) + t*ey/len
      w(i) = w(i) + 0.25d0*cm*s*s*xi(k, i)*dmg(k, i)*vol(j)
    end do
  end do
end subroutine internal
subroutine peridyn(n, nt, c0, s0, rho, pull, eta, energy)
  use bonds
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: c0(2*n), s0, rho, pull(nt), eta
  real(8), intent(out) :: energy
  real(8) :: u(2, mp), v(2, mp), f(2, mp), dmg(mf, mp), w(mp), c(mp), dt
  integer :: np, it, i
  np = 2*n
  call families(np, 1.5d0)
  c = 1d0
  do i = 1, np
    c(i) = c0(i)
  end do
  u = 0d0
  v = 0d0
  dmg = 1d0
  dmg(1, n) = 0.2d0
  dt = 0.3d0
  call internal(np, u, c, 0.1d0*s0, dmg, f, w)
  energy = 0d0
  do it = 1, nt
    do i = 1, np
      v(1, i) = v(1, i) + 0.5d0*dt*(f(1, i)/rho - 0.1d0*eta*v(1, i))
      v(2, i) = v(2, i) + 0.5d0*dt*(f(2, i)/rho - 0.1d0*eta*v(2, i))
    end do
    do i = 1, 2
      v(:, i) = 0d0
      v(1, np+1-i) = 0.2d0*pull(it)
      v(2, np+1-i) = 0d0
    end do
    u(:, 1:np) = u(:, 1:np) + dt*v(:, 1:np)
    call internal(np, u, c, 0.1d0*s0, dmg, f, w)
    do i = 1, np
      v(1, i) = v(1, i) + 0.5d0*dt*f(1, i)/rho
      v(2, i) = v(2, i) + 0.5d0*dt*f(2, i)/rho
    end do
    energy = energy - 0.2d0*pull(it)*dt*(f(1, np) + f(1, np-1))
  end do
  do i = 1, np
    energy = energy + w(i)
  end do
end subroutine peridyn

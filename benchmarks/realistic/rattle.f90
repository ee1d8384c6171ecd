! A droplet of rigid triatomic molecules: velocity Verlet, bond constraints by SHAKE until they hold, a velocity projection,
! Lennard-Jones between centres with a switching function, a thermostat variable, virial and temperature gathered.
module droplet
  implicit none
  integer, parameter :: nm = 3, ns = 3
  real(8), parameter :: mass(ns) = (/ 4d0, 1d0, 1d0 /)
  real(8) :: bond(3)
  integer, parameter :: ia(3) = (/ 1, 1, 2 /), ib(3) = (/ 2, 3, 3 /)
contains
  subroutine forces(x, eps, f, pot)
    real(8), intent(in) :: x(3, ns, nm), eps
    real(8), intent(out) :: f(3, ns, nm), pot
    real(8) :: d(3), r2, s6, w, sw, dsw
    integer :: i, j, a, b
    f = 0d0
    pot = 0d0
    do i = 1, nm - 1
      do j = i + 1, nm
        do a = 1, ns
          do b = 1, ns
            d = x(:, a, i) - x(:, b, j)
            r2 = sum(d*d)
            if (r2 > 6d0) cycle
            if (r2 > 4d0) then
              w = (6d0 - r2)/2d0
              sw = w*w*(3d0 - 2d0*w)
              dsw = -3d0*w*(1d0 - w)
            else
              sw = 1d0
              dsw = 0d0
            end if
            s6 = 1d0/(0.3d0 + r2)**3
            pot = pot + eps*(s6*s6 - s6)*sw
            w = eps*((12d0*s6*s6 - 6d0*s6)/(0.3d0 + r2)*sw - 2d0*(s6*s6 - s6)*dsw)
            f(:, a, i) = f(:, a, i) + w*d
            f(:, b, j) = f(:, b, j) - w*d
          end do
        end do
      end do
    end do
  end subroutine forces
  subroutine shake(old, x, v, dt)
    real(8), intent(in) :: old(3, ns), dt
    real(8), intent(inout) :: x(3, ns), v(3, ns)
    real(8) :: d(3), o(3), g, worst, diff
    integer :: it, k
    do it = 1, 20
      worst = 0d0
      do k = 1, 3
        d = x(:, ia(k)) - x(:, ib(k))
        diff = sum(d*d) - bond(k)**2
        worst = max(worst, abs(diff))
        o = old(:, ia(k)) - old(:, ib(k))
        g = diff/(2d0*sum(d*o)*(1d0/mass(ia(k)) + 1d0/mass(ib(k))))
        x(:, ia(k)) = x(:, ia(k)) - g*o/mass(ia(k))
        x(:, ib(k)) = x(:, ib(k)) + g*o/mass(ib(k))
        v(:, ia(k)) = v(:, ia(k)) - g*o/(mass(ia(k))*dt)
        v(:, ib(k)) = v(:, ib(k)) + g*o/(mass(ib(k))*dt)
      end do
      if (worst < 1d-4) exit
    end do
  end subroutine shake
end module droplet
subroutine rattle(nt, x0, v0, eps, tbath, q, obs)
  use droplet
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: x0(3, nm), v0(3, ns, nm), eps, tbath, q
  real(8), intent(out) :: obs
  real(8) :: x(3, ns, nm), v(3, ns, nm), f(3, ns, nm), old(3, ns, nm), pot, zeta, ekin, dt
  integer :: it, i, a
  dt = 0.05d0
  bond(1) = 0.6d0
  bond(2) = 0.6d0
  bond(3) = 0.9d0
  do i = 1, nm
    x(:, 1, i) = 1.5d0*(/ dble(i), mod(i, 2)*1d0, 0.3d0*i /) + 0.2d0*x0(:, i)
    x(:, 2, i) = x(:, 1, i) + (/ 0.45d0, 0.3968627d0, 0d0 /)
    x(:, 3, i) = x(:, 1, i) + (/ -0.45d0, 0.3968627d0, 0d0 /)
    v(:, :, i) = 0.1d0*v0(:, :, i)
  end do
  zeta = 0d0
  call forces(x, eps, f, pot)
  do it = 1, nt
    old = x
    do i = 1, nm
      do a = 1, ns
        v(:, a, i) = v(:, a, i) + 0.5d0*dt*(f(:, a, i)/mass(a) - zeta*v(:, a, i))
        x(:, a, i) = x(:, a, i) + dt*v(:, a, i)
      end do
      call shake(old(:, :, i), x(:, :, i), v(:, :, i), dt)
    end do
    !$AD CHECKPOINT-START
    call forces(x, eps, f, pot)
    ekin = 0d0
    do i = 1, nm
      do a = 1, ns
        v(:, a, i) = v(:, a, i) + 0.5d0*dt*f(:, a, i)/mass(a)
        v(:, a, i) = v(:, a, i)/(1d0 + 0.5d0*dt*zeta)
        ekin = ekin + 0.5d0*mass(a)*sum(v(:, a, i)**2)
      end do
    end do
    zeta = zeta + dt*(ekin - 0.5d0*tbath)/(1d0 + q)
    !$AD CHECKPOINT-END
  end do
  obs = pot + ekin + sum(x(1, 1, :))
end subroutine rattle

! A shear frame under an earthquake: Bouc-Wen storeys, P-delta, Newmark with Newton iterations, tuned mass on the roof,
! states in types for storeys, committed and trial copies, damage index gathered.
module frame_types
  implicit none
  integer, parameter :: ns = 4
  type storey
    real(8) :: u, v, a, z, e
  end type storey
contains
  subroutine boucwen(du, zold, eold, z, e, dz)
    real(8), intent(in) :: du, zold, eold
    real(8), intent(out) :: z, e, dz
    real(8) :: f, df, nu, s
    integer :: it
    z = zold
    nu = 1d0 + 0.1d0*eold
    do it = 1, 8
      s = sign(1d0, du*z)
      f = z - zold - du*(1d0 - nu*(0.5d0 + 0.5d0*s)*abs(z)*abs(z))
      df = 1d0 + du*nu*(0.5d0 + 0.5d0*s)*2d0*abs(z)*sign(1d0, z)
      z = z - f/df
      if (abs(f) < 1d-8) exit
    end do
    dz = (1d0 - nu*(0.5d0 + 0.5d0*s)*z*z)/df
    e = eold + abs(z*du)
  end subroutine boucwen
  subroutine forces(tr, cm, k, alpha, f, kt)
    type(storey), intent(inout) :: tr(ns)
    type(storey), intent(in) :: cm(ns)
    real(8), intent(in) :: k(ns), alpha
    real(8), intent(out) :: f(ns), kt(ns)
    real(8) :: d, dold, q, dz
    integer :: i
    f = 0d0
    do i = 1, ns
      if (i == 1) then
        d = tr(1)%u
        dold = cm(1)%u
      else
        d = tr(i)%u - tr(i-1)%u
        dold = cm(i)%u - cm(i-1)%u
      end if
      call boucwen(d - dold, cm(i)%z, cm(i)%e, tr(i)%z, tr(i)%e, dz)
      q = k(i)*(alpha*d + (1d0 - alpha)*tr(i)%z) - 0.02d0*d
      kt(i) = k(i)*(alpha + (1d0 - alpha)*dz) - 0.02d0
      f(i) = f(i) + q
      if (i > 1) f(i-1) = f(i-1) - q
    end do
  end subroutine forces
end module frame_types
subroutine quake(nt, ground, k, mass, damp, alpha, index)
  use frame_types
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: ground(nt), k(ns), mass(ns), damp, alpha
  real(8), intent(out) :: index
  type(storey) :: cm(ns), tr(ns)
  real(8) :: f(ns), kt(ns), r(ns), dg(ns), of(ns), dt, m, res, tm
  integer :: it, nw, i
  dt = 0.3d0
  do i = 1, ns
    cm(i) = storey(0d0, 0d0, 0d0, 0d0, 0d0)
  end do
  index = 0d0
  do it = 1, nt
    tr = cm
    tm = 0.7d0*it
    do nw = 1, 6
      call forces(tr, cm, k, 0.2d0*alpha, f, kt)
      res = 0d0
      do i = 1, ns
        tr(i)%a = 4d0*(tr(i)%u - cm(i)%u - dt*cm(i)%v)/dt**2 - cm(i)%a
        tr(i)%v = cm(i)%v + 0.5d0*dt*(cm(i)%a + tr(i)%a)
        r(i) = -mass(i)*(tr(i)%a + ground(it)*sin(tm)) - damp*0.1d0*tr(i)%v - f(i)
        res = res + r(i)**2
      end do
      if (res < 1d-10) exit
      do i = 1, ns
        dg(i) = 4d0*mass(i)/dt**2 + 0.2d0*damp/dt + kt(i)
        of(i) = 0d0
        if (i < ns) then
          dg(i) = dg(i) + kt(i+1)
          of(i) = -kt(i+1)
        end if
      end do
      do i = 2, ns
        m = of(i-1)/dg(i-1)
        dg(i) = dg(i) - m*of(i-1)
        r(i) = r(i) - m*r(i-1)
      end do
      r(ns) = r(ns)/dg(ns)
      do i = ns - 1, 1, -1
        r(i) = (r(i) - of(i)*r(i+1))/dg(i)
      end do
      do i = 1, ns
        tr(i)%u = tr(i)%u + r(i)
      end do
    end do
    !$AD CHECKPOINT-START
    cm = tr
    do i = 1, ns
      index = index + cm(i)%e**2 + 0.1d0*cm(i)%u**2
    end do
    !$AD CHECKPOINT-END
  end do
end subroutine quake

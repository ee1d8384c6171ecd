! A rotor by blade elements and momentum: blades and stations as arrays of types, induction by fixed point with relaxation,
! tip loss, stall by a polar table, high-load correction, gusts in time with a dynamic inflow filter.
module rotor_types
  implicit none
  type station
    real(8) :: r, chord, twist, a, ap, fx, ft
  end type station
  type blade
    type(station) :: s(5)
    real(8) :: pitch, moment
  end type blade
  real(8), parameter :: atab(6) = (/ -0.4d0, 0.0d0, 0.15d0, 0.3d0, 0.6d0, 1.6d0 /)
  real(8), parameter :: cltab(6) = (/ -0.6d0, 0.4d0, 1.2d0, 1.0d0, 0.8d0, 0.0d0 /)
  real(8), parameter :: cdtab(6) = (/ 0.05d0, 0.01d0, 0.02d0, 0.15d0, 0.5d0, 1.8d0 /)
contains
  subroutine polar(al, cl, cd)
    real(8), intent(in) :: al
    real(8), intent(out) :: cl, cd
    real(8) :: w, x
    integer :: k
    x = max(atab(1), min(atab(6), al))
    do k = 1, 4
      if (x < atab(k+1)) exit
    end do
    w = (x - atab(k))/(atab(k+1) - atab(k))
    cl = (1d0 - w)*cltab(k) + w*cltab(k+1)
    cd = (1d0 - w)*cdtab(k) + w*cdtab(k+1)
  end subroutine polar
  subroutine induct(s, pitch, v, omega)
    type(station), intent(inout) :: s
    real(8), intent(in) :: pitch, v, omega
    real(8) :: phi, cl, cd, cn, ct, f, sig, anew, apn, w
    integer :: it
    sig = 3d0*s%chord/(6.2831853d0*s%r)
    do it = 1, 8
      phi = atan2(v*(1d0 - s%a), omega*s%r*(1d0 + s%ap))
      call polar(phi - s%twist - pitch, cl, cd)
      cn = cl*cos(phi) + cd*sin(phi)
      ct = cl*sin(phi) - cd*cos(phi)
      f = 0.6366d0*acos(exp(-1.5d0*(1.05d0 - s%r)/(s%r*abs(sin(phi)) + 1d-3)))
      anew = 1d0/(4d0*f*sin(phi)**2/(sig*cn + 1d-6) + 1d0)
      if (anew > 0.4d0) anew = 0.4d0 + 0.3d0*(anew - 0.4d0)
      apn = 1d0/(4d0*f*sin(phi)*cos(phi)/(sig*ct + 1d-6) - 1d0)
      apn = max(-0.2d0, min(0.2d0, apn))
      w = abs(anew - s%a)
      s%a = 0.5d0*(s%a + anew)
      s%ap = 0.5d0*(s%ap + apn)
      if (w < 1d-3) exit
    end do
    w = (v*(1d0 - s%a))**2 + (omega*s%r*(1d0 + s%ap))**2
    s%fx = 0.5d0*w*s%chord*cn
    s%ft = 0.5d0*w*s%chord*ct
  end subroutine induct
end module rotor_types
subroutine rotorbem(nt, wind, omega, chord, twist, gain, work)
  use rotor_types
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: wind(nt), omega, chord(5), twist(5), gain
  real(8), intent(out) :: work
  type(blade) :: b(3)
  real(8) :: torque, om, v
  integer :: it, ib, k
  do ib = 1, 3
    b(ib)%pitch = 0.02d0
    b(ib)%moment = 0d0
    do k = 1, 5
      b(ib)%s(k)%r = 0.2d0*k
      b(ib)%s(k)%chord = 0.1d0*chord(k)
      b(ib)%s(k)%twist = 0.1d0*twist(k)/k
      b(ib)%s(k)%a = 0.2d0
      b(ib)%s(k)%ap = 0.01d0
    end do
  end do
  om = 4d0*omega
  work = 0d0
  do it = 1, nt
    torque = 0d0
    do ib = 1, 3
      v = 1d0 + 0.3d0*wind(it)*(1d0 + 0.1d0*cos(2.0944d0*ib + 0.3d0*it))
      !$AD CHECKPOINT-START
      b(ib)%moment = 0d0
      do k = 1, 5
        call induct(b(ib)%s(k), b(ib)%pitch, v, om)
        torque = torque + 0.2d0*b(ib)%s(k)%r*b(ib)%s(k)%ft
        b(ib)%moment = b(ib)%moment + 0.2d0*b(ib)%s(k)%r*b(ib)%s(k)%fx
      end do
      !$AD CHECKPOINT-END
      b(ib)%pitch = b(ib)%pitch + 0.01d0*gain*(b(ib)%moment - 0.1d0)
    end do
    om = om + 0.1d0*(torque - 0.01d0*om**2)
    work = work + torque*om
  end do
end subroutine rotorbem

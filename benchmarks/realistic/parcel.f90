! A rising air parcel: saturation over water and ice, condensation by iteration, precipitation by branches.
module thermo
  implicit none
  real(8), parameter :: t0 = 2.73d0, lv = 2.5d0, lf = 0.33d0, rv = 0.46d0, cp = 1d0, eps = 0.622d0
contains
  function esat(t) result(e)
    real(8), intent(in) :: t
    real(8) :: e
    if (t >= t0) then
      e = 0.06d0*exp(1.727d0*(t - t0)/(t - 0.357d0))
    else if (t > t0 - 0.4d0) then
      e = 0.06d0*exp(2.187d0*(t - t0)/(t - 0.077d0))
    else
      e = 0.06d0*exp(-0.9d0)*(t/(t0 - 0.4d0))**4
    end if
  end function esat
  function qsat(t, p) result(q)
    real(8), intent(in) :: t, p
    real(8) :: q, e
    e = esat(t)
    q = eps*e/(p - (1d0 - eps)*e)
  end function qsat
  subroutine adjust(t, q, ql, p)
    real(8), intent(inout) :: t, q, ql
    real(8), intent(in) :: p
    real(8) :: dq, qs, gam
    integer :: it
    do it = 1, 3
      qs = qsat(t, p)
      gam = lv/cp*(qsat(t + 0.01d0, p) - qs)/0.01d0
      dq = (q - qs)/(1d0 + gam)
      if (dq < 0d0 .and. ql + dq < 0d0) dq = -ql
      t = t + lv/cp*dq
      q = q - dq
      ql = ql + dq
    end do
  end subroutine adjust
end module thermo
subroutine parcel(ts, qs, w, entrain, tenv, rain, n)
  use thermo
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: ts, qs, w, entrain, tenv(n)
  real(8), intent(out) :: rain
  real(8) :: t, q, ql, qi, p, vel, buoy
  integer :: k
  t = 2.6d0 + 0.2d0*ts
  q = 0.04d0*qs
  ql = 0d0
  qi = 0d0
  p = 1d0
  vel = w
  rain = 0d0
  do k = 1, n
    if (vel <= 0d0) exit
    p = p*0.93d0
    t = t - 0.05d0
    call mix(t, q, tenv(k), entrain)
    call adjust(t, q, ql, p)
    call freeze(t, ql, qi)
    call fallout(ql, qi, rain, vel)
    buoy = (t - 2.4d0 - 0.1d0*tenv(k)) + 0.6d0*q - ql - qi
    vel = sqrt(max(vel**2 + 0.2d0*buoy, 0d0))
  end do
  rain = rain + 0.1d0*qi
end subroutine parcel
subroutine mix(t, q, te, ent)
  implicit none
  real(8), intent(inout) :: t, q
  real(8), intent(in) :: te, ent
  real(8) :: f
  f = 0.05d0*ent/(1d0 + ent)
  t = (1d0 - f)*t + f*(2.4d0 + 0.1d0*te)
  q = (1d0 - f)*q + f*0.01d0
end subroutine mix
subroutine freeze(t, ql, qi)
  use thermo
  implicit none
  real(8), intent(inout) :: t, ql, qi
  real(8) :: frac, d
  if (t < t0) then
    frac = min(1d0, ((t0 - t)/0.4d0)**2)
    d = frac*ql
    ql = ql - d
    qi = qi + d
    t = t + lf/cp*d
  end if
end subroutine freeze
subroutine fallout(ql, qi, rain, vel)
  implicit none
  real(8), intent(inout) :: ql, qi, rain
  real(8), intent(in) :: vel
  real(8) :: auto, acc
  auto = 0d0
  if (ql > 0.005d0) auto = 0.3d0*(ql - 0.005d0)**1.5d0/vel
  acc = 0.2d0*ql*qi
  ql = ql - auto - acc
  qi = qi*(1d0 - 0.1d0/(1d0 + vel))
  rain = rain + auto + acc
end subroutine fallout

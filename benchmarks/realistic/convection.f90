! A column of moist air: parcel lifted level by level with saturation adjustment (Newton), entrainment, precipitation,
! tendencies given back to the column; radiation cools it.
subroutine convection(n, nt, t0, q0, entrain, rain)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: t0(n), q0(n), entrain
  real(8), intent(out) :: rain
  real(8) :: t(n), q(n), dt(n), dq(n), pr, top
  integer :: it, k
  do k = 1, n
    t(k) = 3d0 - 0.3d0*k + 0.1d0*t0(k)
    q(k) = 0.8d0*exp(-0.4d0*k) + 0.05d0*q0(k)
  end do
  rain = 0d0
  do it = 1, nt
    call parcel(n, t, q, 0.2d0 + 0.05d0*entrain, dt, dq, pr, top)
    do k = 1, n
      t(k) = t(k) + 0.3d0*dt(k) - 0.02d0*t(k)
      q(k) = max(q(k) + 0.3d0*dq(k), 1d-3)
    end do
    call surface(t(1), q(1))
    rain = rain + pr*(1d0 + 0.01d0*top)
  end do
end subroutine
subroutine surface(t, q)
  implicit none
  real(8), intent(inout) :: t, q
  real(8) :: qs
  qs = 0.4d0*exp(0.3d0*3d0)
  t = t + 0.1d0*(3d0 - t)
  q = q + 0.1d0*(qs - q)
end subroutine
subroutine parcel(n, t, q, entrain, dt, dq, pr, top)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: t(n), q(n), entrain
  real(8), intent(out) :: dt(n), dq(n), pr, top
  real(8) :: tp, qp, liquid, cond, mass, buoy
  integer :: k
  tp = t(1) + 0.1d0
  qp = q(1)
  mass = 1d0
  pr = 0d0
  top = 0d0
  dt = 0d0
  dq = 0d0
  liquid = 0d0
  do k = 2, n
    tp = tp - 0.25d0
    tp = tp + entrain*(t(k) - tp)
    qp = qp + entrain*(q(k) - qp)
    call adjust(tp, qp, cond)
    liquid = liquid + cond
    buoy = tp - t(k) + 0.1d0*(qp - q(k)) - 0.2d0*liquid
    if (buoy < -0.2d0) exit
    mass = mass*(1d0 - 0.1d0*entrain)
    pr = pr + 0.4d0*liquid*mass
    liquid = liquid*0.6d0
    dt(k) = mass*buoy*0.3d0
    dt(k) = dt(k) + mass*cond
    dq(k) = mass*(qp - q(k))*0.3d0
    dq(k) = dq(k) - mass*0.1d0*cond
    top = k
  end do
  dq(1) = -0.2d0*q(1)*mass
end subroutine
subroutine adjust(t, q, cond)
  implicit none
  real(8), intent(inout) :: t, q
  real(8), intent(out) :: cond
  real(8) :: qs, dqs, d
  integer :: it
  cond = 0d0
  do it = 1, 3
    qs = 0.2d0*exp(0.3d0*t)
    if (q <= qs) exit
    dqs = 0.3d0*qs
    d = (q - qs)/(1d0 + 0.5d0*dqs)
    q = q - d
    t = t + 0.5d0*d
    cond = cond + d
  end do
end subroutine

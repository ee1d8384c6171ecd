! Cloud ice: habit by temperature (SELECT CASE), deposition, riming, aggregation and melting in a falling column,
! saturation over ice and water, sedimentation with substeps.
module icemod
  implicit none
  real(8), parameter :: rv = 0.46d0, lv = 2.5d0, ls = 2.83d0, cp = 1.0d0
contains
  real(8) function esat(t, ice)
    real(8), intent(in) :: t
    logical, intent(in) :: ice
    if (ice) then
      esat = 0.3d0*exp(ls/rv*(1d0 - 1d0/t))
    else
      esat = 0.3d0*exp(lv/rv*(1d0 - 1d0/t))
    end if
  end function esat
  subroutine habit(t, cap, fall, dens)
    real(8), intent(in) :: t
    real(8), intent(out) :: cap, fall, dens
    integer :: class
    class = int((1d0 - t)*20d0)
    select case (class)
    case (:0)
      cap = 0.3d0
      fall = 0.5d0
      dens = 0.8d0
    case (1, 2)
      cap = 0.5d0 + 0.1d0*t
      fall = 0.3d0*t
      dens = 0.4d0
    case (3:5)
      cap = 0.6d0*t**2
      fall = 0.25d0
      dens = 0.3d0
    case default
      cap = 0.4d0
      fall = 0.2d0 + 0.1d0*(1d0 - t)
      dens = 0.5d0
    end select
  end subroutine habit
  subroutine micro(t, qv, qc, qi, ni, dt)
    real(8), intent(inout) :: t, qv, qc, qi, ni
    real(8), intent(in) :: dt
    real(8) :: cap, fall, dens, si, sw, dep, rim, agg, mlt, d, frz, ab
    call habit(t, cap, fall, dens)
    si = qv/esat(t, .true.) - 1d0
    sw = qv/esat(t, .false.) - 1d0
    d = (max(qi, 1d-6)/(max(ni, 1d-3)*dens))**(1d0/3d0)
    ab = ls*ls/(0.5d0*rv*t*t) + rv*t/esat(t, .true.)
    dep = 4d0*cap*ni*d*si/ab
    if (dep > 0d0) then
      dep = min(dep, 0.5d0*qv/dt)
    else
      dep = max(dep, -qi/dt)
    end if
    rim = 0d0
    if (qc > 0.01d0 .and. d > 0.1d0) rim = min(0.5d0*fall*d*d*ni*qc, qc/dt)
    agg = 0.1d0*ni*ni*d*fall
    mlt = 0d0
    frz = 0d0
    if (t > 1d0) then
      mlt = min(2d0*(t - 1d0)*d*ni, qi/dt)
    else if (t < 0.9d0 .and. qc > 0d0) then
      frz = 0.2d0*qc*(0.9d0 - t)
    end if
    qv = qv - dt*dep
    qc = qc - dt*(rim + frz - mlt)
    qi = qi + dt*(dep + rim + frz - mlt)
    ni = ni - dt*(agg + mlt*ni/max(qi, 1d-3)) + dt*frz
    ni = max(ni, 1d-3)
    t = t + dt*(ls*dep + (ls - lv)*(rim + frz - mlt))*0.1d0/cp
    if (sw > 0d0) then
      qc = qc + 0.3d0*dt*sw
      qv = qv - 0.3d0*dt*sw
      t = t + 0.03d0*lv*dt*sw/cp
    end if
  end subroutine micro
end module icemod
subroutine icephys(nz, nt, t0, qv0, qc0, ni0, snow)
  use icemod
  implicit none
  integer, intent(in) :: nz, nt
  real(8), intent(in) :: t0(nz), qv0(nz), qc0(nz), ni0(nz)
  real(8), intent(out) :: snow
  real(8) :: t(nz), qv(nz), qc(nz), qi(nz), ni(nz), vt(nz), flx(nz+1), cap, dens, dt, dts, cmax
  integer :: it, k, ns, is
  dt = 0.2d0
  do k = 1, nz
    t(k) = 1.1d0 - 0.06d0*k + 0.02d0*t0(k)
    qv(k) = 0.3d0*qv0(k)
    qc(k) = 0.1d0*qc0(k)
    qi(k) = 0.02d0
    ni(k) = 0.2d0*ni0(k)
  end do
  snow = 0d0
  do it = 1, nt
    do k = 1, nz
      call micro(t(k), qv(k), qc(k), qi(k), ni(k), dt)
    end do
    cmax = 0d0
    do k = 1, nz
      call habit(t(k), cap, vt(k), dens)
      vt(k) = vt(k)*(1d0 + qi(k))
      cmax = max(cmax, vt(k)*dt*10d0)
    end do
    ns = min(3, 1 + int(cmax))
    dts = dt/ns
    do is = 1, ns
      flx(nz+1) = 0d0
      do k = nz, 1, -1
        flx(k) = vt(k)*qi(k)
      end do
      do k = 1, nz
        qi(k) = qi(k) + dts*(flx(k+1) - flx(k))
      end do
      snow = snow + dts*flx(1)
    end do
  end do
  snow = snow + 0.1d0*qc(1)
end subroutine icephys

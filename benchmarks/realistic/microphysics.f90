! Bulk microphysics in a column with five kinds of water: condensation with saturation adjustment, autoconversion,
! accretion, melting and freezing by thresholds, evaporation of rain, fall with a flux limiter, all in small steps.
module thermo
  implicit none
  integer, parameter :: nz = 6
  real(8), parameter :: t0 = 1.0d0, lv = 0.6d0, lf = 0.08d0
  real(8) :: rho(nz), dz = 0.5d0
contains
  real(8) function qsat(t, ice)
    real(8), intent(in) :: t
    logical, intent(in) :: ice
    if (ice) then
      qsat = 0.35d0*exp(2.3d0*(t - t0))
    else
      qsat = 0.38d0*exp(2.0d0*(t - t0))
    end if
  end function qsat

  subroutine adjust(t, qv, qc)
    real(8), intent(inout) :: t, qv, qc
    real(8) :: excess, slope, q
    integer :: it
    do it = 1, 3
      q = qsat(t, .false.)
      slope = 2.0d0*q
      excess = (qv - q)/(1d0 + lv*slope)
      if (excess < -qc) excess = -qc
      qv = qv - excess
      qc = qc + excess
      t = t + lv*excess
    end do
  end subroutine adjust

  subroutine warm(t, qv, qc, qr, dt)
    real(8), intent(inout) :: t, qv, qc, qr
    real(8), intent(in) :: dt
    real(8) :: auto, accr, evap, sat
    if (qc > 0.05d0) then
      auto = 0.1d0*(qc - 0.05d0)
    else
      auto = 0d0
    end if
    accr = 0.5d0*qc*max(qr, 0d0)**0.875d0
    if ((auto + accr)*dt > qc) then
      auto = 0.5d0*qc/dt
      accr = 0.5d0*qc/dt
    end if
    qc = qc - dt*(auto + accr)
    qr = qr + dt*(auto + accr)
    sat = qv/qsat(t, .false.)
    if (sat < 1d0 .and. qr > 1d-6) then
      evap = min(0.3d0*(1d0 - sat)*sqrt(qr), qr/dt)
      qv = qv + dt*evap
      qr = qr - dt*evap
      t = t - lv*dt*evap
    end if
  end subroutine warm

  subroutine cold(t, qv, qc, qr, qi, qs, dt)
    real(8), intent(inout) :: t, qv, qc, qr, qi, qs
    real(8), intent(in) :: dt
    real(8) :: melt, rate, si
    if (t > t0) then
      melt = min(qs/dt, 0.4d0*(t - t0)*sqrt(max(qs, 1d-8)))
      qs = qs - dt*melt
      qr = qr + dt*melt
      t = t - lf*dt*melt
      melt = qi
      qi = 0d0
      qc = qc + melt
      t = t - lf*melt
    else
      si = qv/qsat(t, .true.)
      if (si > 1d0) then
        rate = 0.2d0*(si - 1d0)
        qi = qi + dt*rate
        qv = qv - dt*rate
        t = t + (lv + lf)*dt*rate
      end if
      if (qi > 0.02d0) then
        rate = 0.3d0*(qi - 0.02d0)
        qi = qi - dt*rate
        qs = qs + dt*rate
      end if
      rate = min(0.6d0*qc*qs, qc/dt)
      qc = qc - dt*rate
      qs = qs + dt*rate
      if (t < t0 - 0.2d0) then
        rate = 0.5d0*qr*(t0 - 0.2d0 - t)
        qr = qr - dt*rate
        qs = qs + dt*rate
        t = t + lf*dt*rate
      end if
    end if
  end subroutine cold

  subroutine fall(q, a, b, dt, ground)
    real(8), intent(inout) :: q(nz), ground
    real(8), intent(in) :: a, b, dt
    real(8) :: flux(nz+1), v
    integer :: k
    flux(nz+1) = 0d0
    do k = nz, 1, -1
      if (q(k) > 1d-8) then
        v = a*(rho(k)*q(k))**b/sqrt(rho(k))
        flux(k) = min(rho(k)*q(k)*v, rho(k)*q(k)*dz/dt)
      else
        flux(k) = 0d0
      end if
    end do
    do k = 1, nz
      q(k) = q(k) + dt*(flux(k+1) - flux(k))/(rho(k)*dz)
    end do
    ground = ground + dt*flux(1)
  end subroutine fall
end module thermo

subroutine storm(nt, temp, vapour, lift, rain, snow)
  use thermo
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: temp(nz), vapour(nz), lift
  real(8), intent(out) :: rain, snow
  real(8) :: t(nz), qv(nz), q(nz, 4), dt
  integer :: it, k
  do k = 1, nz
    rho(k) = 1.2d0*exp(-0.1d0*k)
    t(k) = 1d0 + 0.3d0*temp(k) - 0.08d0*k
  end do
  qv = 0.5d0*vapour
  q = 0.01d0
  rain = 0d0
  snow = 0d0
  dt = 0.4d0
  do it = 1, nt
    do k = 1, nz
      t(k) = t(k) - 0.05d0*lift*dt
      call adjust(t(k), qv(k), q(k, 1))
      call warm(t(k), qv(k), q(k, 1), q(k, 2), dt)
      call cold(t(k), qv(k), q(k, 1), q(k, 2), q(k, 3), q(k, 4), dt)
    end do
    call fall(q(1, 2), 1.2d0, 0.2d0, dt, rain)
    call fall(q(:, 4), 0.4d0, 0.1d0, dt, snow)
  end do
end subroutine storm

! Snow and soil day by day: rain or snow, melt, infiltration by layers, evaporation, all with thresholds.
module snow_soil
  implicit none
  integer, parameter :: nl = 5
  real(8), parameter :: tmelt = 0.0d0, ksat = 0.3d0, por = 0.45d0
contains
  subroutine melt_snow(swe, liq, ta, ddf, out)
    real(8), intent(inout) :: swe, liq
    real(8), intent(in) :: ta, ddf
    real(8), intent(out) :: out
    real(8) :: pot, m, cap, cold
    out = 0.0d0
    if (ta > tmelt) then
      pot = ddf*(ta - tmelt)
      m = min(pot, swe)
      swe = swe - m
      liq = liq + m
    else
      cold = 0.05d0*ddf*(tmelt - ta)
      m = min(cold, liq)
      liq = liq - m
      swe = swe + m
    end if
    cap = 0.1d0*swe
    if (liq > cap) then
      out = liq - cap
      liq = cap
    end if
  end subroutine melt_snow

  subroutine infiltrate(w, water, runoff)
    real(8), intent(inout) :: w(nl)
    real(8), intent(in) :: water
    real(8), intent(out) :: runoff
    real(8) :: room, q, s, k, psi(nl), d
    integer :: l
    room = por - w(1)
    q = min(water, 0.8d0*room)
    runoff = water - q
    w(1) = w(1) + q
    do l = 1, nl
      s = w(l)/por
      psi(l) = -0.2d0*s**(-3)
    end do
    do l = 1, nl - 1
      s = 0.5d0*(w(l) + w(l+1))/por
      k = ksat*s**7
      d = k*(psi(l) - psi(l+1) + 1.0d0)*0.05d0
      if (d > 0.0d0) then
        d = min(d, 0.3d0*w(l))
      else
        d = max(d, -0.3d0*w(l+1))
      end if
      w(l) = w(l) - d
      w(l+1) = w(l+1) + d
    end do
    k = ksat*(w(nl)/por)**7*0.05d0
    w(nl) = w(nl) - k
    runoff = runoff + k
  end subroutine infiltrate
end module snow_soil

subroutine basin(ddf, et, prec, temp, obs, cost, nd)
  use snow_soil
  implicit none
  integer, intent(in) :: nd
  real(8), intent(in) :: ddf, et, prec(nd), temp(nd), obs(nd)
  real(8), intent(out) :: cost
  real(8) :: swe, liq, w(nl), rain, snow, fs, water, q, store, bf, evap, beta, ta, misfit
  integer :: day, l
  swe = 0.3d0
  liq = 0.01d0
  store = 0.2d0
  w = 0.25d0
  cost = 0.0d0
  do day = 1, nd
    ta = 4.0d0*(temp(day) - 0.4d0)
    if (ta < -1.0d0) then
      fs = 1.0d0
    else if (ta > 1.0d0) then
      fs = 0.0d0
    else
      fs = 0.5d0*(1.0d0 - ta)
    end if
    snow = fs*prec(day)
    rain = (1.0d0 - fs)*prec(day)
    swe = swe + snow
    call melt_snow(swe, liq, ta, ddf, water)
    water = 0.2d0*(water + rain)
    call infiltrate(w, water, q)
    do l = 1, nl
      beta = w(l)/por
      evap = et*0.02d0*beta*beta*max(ta, 0.0d0)/l
      w(l) = max(w(l) - evap, 0.02d0)
    end do
    store = store + q
    bf = 0.1d0*store**1.5d0
    store = store - bf
    misfit = bf - 0.1d0*obs(day)
    cost = cost + misfit*misfit
  end do
end subroutine basin

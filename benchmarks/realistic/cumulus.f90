! A mass-flux convection scheme on a column: parcel ascent with entrainment, level of free convection and cloud top found by
! scanning, downdraft, closure on a quasi-equilibrium measure, tendencies; saturation by Newton inside an iteration; the state
! in assumed-shape sections of one array.
module thermo
  implicit none
  real(8), parameter :: lv = 2.5d0, cp = 1d0, rd = 0.287d0
contains
  pure function qsat(t, p) result(q)
    real(8), intent(in) :: t, p
    real(8) :: q
    q = 0.02d0*exp(5d0*(t - 1d0))/p
  end function qsat
  subroutine adjust(t, q, p, ql)
    real(8), intent(inout) :: t, q
    real(8), intent(in) :: p
    real(8), intent(out) :: ql
    real(8) :: h, f, df
    integer :: k
    ql = 0d0
    if (q <= qsat(t, p)) return
    h = cp*t + lv*q
    do k = 1, 5
      f = cp*t + lv*qsat(t, p) - h
      df = cp + 5d0*lv*qsat(t, p)
      t = t - f/df
      if (abs(f) < 1d-12) exit
    end do
    ql = q - qsat(t, p)
    q = qsat(t, p)
  end subroutine adjust
end module thermo
module scheme
  use thermo
  implicit none
contains
  subroutine ascent(t, q, p, ent, tu, qu, buoy, base, top)
    real(8), intent(in) :: t(:), q(:), p(:), ent
    real(8), intent(out) :: tu(:), qu(:), buoy(:)
    integer, intent(out) :: base, top
    real(8) :: ql
    integer :: k, n
    n = size(t)
    tu(1) = t(1) + 0.02d0
    qu(1) = q(1)*1.02d0
    buoy(1) = 0d0
    base = 0
    top = 0
    do k = 2, n
      tu(k) = tu(k-1) - 0.06d0 + ent*(t(k) - tu(k-1) + 0.06d0)
      qu(k) = qu(k-1) + ent*(q(k) - qu(k-1))
      call adjust(tu(k), qu(k), p(k), ql)
      buoy(k) = tu(k)*(1d0 + 0.6d0*qu(k) - ql) - t(k)*(1d0 + 0.6d0*q(k))
      if (buoy(k) > 0d0) then
        if (base == 0) base = k
        top = k
      else if (base /= 0) then
        exit
      end if
    end do
  end subroutine ascent
  subroutine tendencies(t, q, tu, qu, mb, base, top, dt)
    real(8), intent(inout) :: t(:), q(:)
    real(8), intent(in) :: tu(:), qu(:), mb, dt
    integer, intent(in) :: base, top
    real(8) :: ft(size(t) + 1), fq(size(t) + 1), m
    integer :: k
    ft = 0d0
    fq = 0d0
    do k = base, top
      m = mb*(1d0 - 0.5d0*real(k - base, 8)/(top - base + 1))
      ft(k) = m*(tu(k) - t(k))
      fq(k) = m*(qu(k) - q(k))
    end do
    do k = 1, size(t)
      t(k) = t(k) - dt*(ft(k+1) - ft(k))
      q(k) = max(q(k) - dt*(fq(k+1) - fq(k)), 1d-4)
    end do
  end subroutine tendencies
  subroutine downdraft(t, q, p, mb, top)
    real(8), intent(inout) :: t(:), q(:)
    real(8), intent(in) :: p(:), mb
    integer, intent(in) :: top
    real(8) :: evap
    integer :: k
    do k = top, 1, -1
      evap = 0.1d0*mb*(qsat(t(k), p(k)) - q(k))
      if (evap <= 0d0) cycle
      q(k) = q(k) + evap
      t(k) = t(k) - lv*evap
    end do
  end subroutine downdraft
end module scheme
subroutine cumulus(n, nt, state, ent, tau, flux, rainout)
  use scheme
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: state(n, 2), ent, tau, flux(nt)
  real(8), intent(out) :: rainout
  real(8) :: s(n, 2), p(n), tu(n), qu(n), buoy(n), cape, mb, ql
  integer :: it, k, base, top
  do k = 1, n
    p(k) = 1d0 - 0.12d0*k
    s(k, 1) = 1d0 + 0.02d0*state(k, 1) - 0.08d0*k
    s(k, 2) = 0.015d0*state(k, 2)*p(k)
  end do
  rainout = 0d0
  do it = 1, nt
    s(1, 1) = s(1, 1) + 0.02d0*flux(it)
    s(1, 2) = s(1, 2) + 0.002d0*flux(it)
    call ascent(s(:, 1), s(:, 2), p, 0.1d0*ent, tu, qu, buoy, base, top)
    if (base > 0) then
      cape = 0d0
      do k = base, top
        cape = cape + max(buoy(k), 0d0)
      end do
      mb = min(cape/(0.1d0 + tau), 0.5d0)
      call tendencies(s(:, 1), s(:, 2), tu, qu, mb, base, top, 0.5d0)
      call downdraft(s(:, 1), s(:, 2), p, mb, top)
    end if
    do k = 1, n
      call adjust(s(k, 1), s(k, 2), p(k), ql)
      rainout = rainout + ql
    end do
  end do
  rainout = 10d0*rainout + sum(s(:, 1)**2)
end subroutine cumulus

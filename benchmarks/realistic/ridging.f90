! Sea-ice thickness categories: linear remapping between moving boundaries, ridging with participation and redistribution,
! melting of the thin, loops left early from inside, status codes returned.
module categories
  implicit none
  integer, parameter :: nc = 5
  real(8), parameter :: hb(0:nc) = (/0d0, 0.3d0, 0.7d0, 1.2d0, 2d0, 9d0/)
contains
  subroutine fit(a, v, hl, hr, g0, g1, status)
    real(8), intent(in) :: a, v, hl, hr
    real(8), intent(out) :: g0, g1
    integer, intent(out) :: status
    real(8) :: w, eta
    status = 0
    g0 = 0d0
    g1 = 0d0
    if (a < 1d-6) then
      status = 1
      return
    end if
    w = hr - hl
    if (w <= 0d0) then
      status = 2
      return
    end if
    eta = v/a - hl
    g0 = 6d0*a/w**2*(2d0*w/3d0 - eta)
    g1 = 12d0*a/w**3*(eta - 0.5d0*w)
  end subroutine fit
  subroutine remap(a, v, hn, status)
    real(8), intent(inout) :: a(nc), v(nc)
    real(8), intent(in) :: hn(0:nc)
    integer, intent(out) :: status
    real(8) :: g0, g1, x1, x2, da, dv
    integer :: k
    do k = 1, nc - 1
      if (hn(k) > hb(k)) then
        call fit(a(k), v(k), hn(k-1), hn(k), g0, g1, status)
        if (status == 1) cycle
        if (status == 2) return
        x1 = hb(k) - hn(k-1)
        x2 = hn(k) - hn(k-1)
        da = g0*(x2 - x1) + 0.5d0*g1*(x2**2 - x1**2)
        dv = 0.5d0*g0*(x2**2 - x1**2) + g1*(x2**3 - x1**3)/3d0 + hn(k-1)*da
        da = max(0d0, min(da, 0.9d0*a(k)))
        dv = max(0d0, min(dv, 0.9d0*v(k)))
        a(k) = a(k) - da
        v(k) = v(k) - dv
        a(k+1) = a(k+1) + da
        v(k+1) = v(k+1) + dv
      end if
    end do
    status = 0
  end subroutine remap
  subroutine ridge(a, v, close, heat)
    real(8), intent(inout) :: a(nc), v(nc), heat
    real(8), intent(in) :: close
    real(8) :: cum, part(nc), w, da, dv
    integer :: k, m
    cum = 0d0
    part = 0d0
    do k = 1, nc
      if (cum >= 0.5d0) exit
      w = min(a(k), 0.5d0 - cum)
      part(k) = w*(1d0 - cum)
      cum = cum + a(k)
    end do
    w = sum(part)
    if (w < 1d-8) return
    part = part/w
    do k = 1, nc
      if (part(k) == 0d0) cycle
      da = min(close*part(k), 0.5d0*a(k))
      dv = da*v(k)/a(k)
      m = min(nc, k + 2)
      a(k) = a(k) - da
      v(k) = v(k) - dv
      a(m) = a(m) + 0.3d0*da
      v(m) = v(m) + dv
      heat = heat + 0.1d0*dv*v(m)/a(m)
    end do
  end subroutine ridge
  subroutine growth(a, v, flux, cond, hn)
    real(8), intent(inout) :: a(nc), v(nc)
    real(8), intent(in) :: flux, cond
    real(8), intent(out) :: hn(0:nc)
    real(8) :: h, dh
    integer :: k
    hn(0) = 0d0
    do k = 1, nc
      h = v(k)/a(k)
      dh = 0.1d0*(cond/(0.3d0 + h) - 0.3d0*flux)
      if (h + dh < 0.05d0) then
        a(k) = a(k)*(h + dh + 0.1d0)/(h + 0.2d0)
        dh = 0.05d0 - h
      end if
      v(k) = a(k)*(h + dh)
      hn(k) = hb(k) + dh
    end do
    hn(nc) = max(hn(nc), v(nc)/a(nc) + 0.1d0)
  end subroutine growth
end module categories
subroutine ridging(nt, a0, v0, flux, cond, close, volume, heat)
  use categories
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: a0(nc), v0(nc), flux(nt), cond, close(nt)
  real(8), intent(out) :: volume, heat
  real(8) :: a(nc), v(nc), hn(0:nc)
  integer :: it, k, status
  heat = 0d0
  do k = 1, nc
    a(k) = 0.15d0*a0(k)
    v(k) = a(k)*(hb(k-1) + 0.5d0*(min(hb(k), 3d0) - hb(k-1))*(0.5d0 + 0.5d0*v0(k)))
  end do
  do it = 1, nt
    call growth(a, v, flux(it), cond, hn)
    call remap(a, v, hn, status)
    if (status /= 0) exit
    call ridge(a, v, 0.05d0*close(it), heat)
  end do
  volume = sum(v) + sum(a**2)
end subroutine ridging

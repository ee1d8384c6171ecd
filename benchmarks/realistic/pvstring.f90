! A string of solar cells under a passing shadow: single-diode equation by Newton in each cell, bypass diodes, operating
! point by bisection, cells that warm up.
module cells
  implicit none
  type cell
    real(8) :: iph, i0, rs, rsh, temp
  end type cell
contains
  subroutine diode(c, cur, v, slope)
    type(cell), intent(in) :: c
    real(8), intent(in) :: cur
    real(8), intent(inout) :: v
    real(8), intent(out) :: slope
    real(8) :: vd, vt, e, f, df
    integer :: k
    vt = 0.2d0*c%temp
    vd = v + cur*c%rs
    do k = 1, 12
      e = exp(min(vd/vt, 20d0))
      f = c%iph - c%i0*(e - 1d0) - vd/c%rsh - cur
      df = -c%i0*e/vt - 1d0/c%rsh
      if (abs(f) < 1d-9) exit
      vd = vd - max(-0.3d0, min(0.3d0, f/df))
    end do
    v = vd - cur*c%rs
    slope = 1d0/df - c%rs
  end subroutine diode
  subroutine string_voltage(n, c, cur, v, total)
    integer, intent(in) :: n
    type(cell), intent(in) :: c(n)
    real(8), intent(in) :: cur
    real(8), intent(inout) :: v(n)
    real(8), intent(out) :: total
    real(8) :: slope
    integer :: i
    total = 0d0
    do i = 1, n
      call diode(c(i), cur, v(i), slope)
      if (v(i) < -0.1d0) then
        total = total - 0.1d0
      else
        total = total + v(i)
      end if
    end do
  end subroutine string_voltage
  subroutine warm(c, sun, p, dt)
    type(cell), intent(inout) :: c
    real(8), intent(in) :: sun, p, dt
    c%temp = c%temp + dt*(0.3d0*sun - 0.2d0*p - 0.5d0*(c%temp - 1d0))
    c%i0 = 1d-3*c%temp**3
  end subroutine warm
end module cells
subroutine pvstring(n, nt, sun, shade, par, load, energy)
  use cells
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: sun(nt), shade(n), par(3), load
  real(8), intent(out) :: energy
  type(cell) :: c(n)
  real(8) :: v(n), lo, hi, cur, total, light, p
  integer :: it, i, k
  do i = 1, n
    c(i)%temp = 1d0
    c(i)%i0 = 1d-3
    c(i)%rs = 0.05d0*par(1)
    c(i)%rsh = 5d0 + 5d0*par(2)
  end do
  v = 0.5d0
  energy = 0d0
  do it = 1, nt
    do i = 1, n
      light = sun(it)
      if (mod(i + it, n) == 0) light = light*(1d0 - 0.8d0*min(1d0, shade(i)))
      c(i)%iph = 0.1d0 + light*par(3)
    end do
    lo = 0d0
    hi = 1d0
    do k = 1, 8
      cur = 0.5d0*(lo + hi)
      call string_voltage(n, c, cur, v, total)
      if (total > cur*n*(0.5d0 + load)) then
        lo = cur
      else
        hi = cur
      end if
    end do
    cur = cur + 0.01d0*(total - cur*n*(0.5d0 + load))
    p = cur*total
    energy = energy + p
    do i = 1, n
      call warm(c(i), c(i)%iph, cur*v(i), 0.2d0)
    end do
  end do
end subroutine pvstring

! Fire spread over fuel cells: rate of spread from a table of fuels, slope and wind factors, arrival by fast sweeping
! with early exit, moisture that the fire dries.
module fuels
  implicit none
  integer, parameter :: nf = 4, nw = 5
  real(8) :: wtab(nw) = (/0d0, 1d0, 2d0, 4d0, 8d0/)
  real(8) :: ftab(nw) = (/1d0, 1.3d0, 1.9d0, 3.1d0, 5.5d0/)
  type cell
    real(8) :: load, moist, slope
    integer :: kind
  end type cell
contains
  subroutine wind_factor(w, f)
    real(8), intent(in) :: w
    real(8), intent(out) :: f
    integer :: k
    do k = 1, nw - 2
      if (w < wtab(k+1)) exit
    end do
    f = ftab(k) + (ftab(k+1) - ftab(k))*(w - wtab(k))/(wtab(k+1) - wtab(k))
  end subroutine wind_factor
  subroutine spread_rate(c, base, w, r)
    type(cell), intent(in) :: c
    real(8), intent(in) :: base(nf), w
    real(8), intent(out) :: r
    real(8) :: damp, fw, x
    x = c%moist/0.9d0
    if (x >= 1d0) then
      r = 0.05d0
      return
    end if
    damp = 1d0 - 2.5d0*x + 3d0*x*x - 1.5d0*x**3
    call wind_factor(w, fw)
    r = 0.05d0 + base(c%kind)*c%load*max(damp, 0d0)*fw*(1d0 + c%slope**2)
  end subroutine spread_rate
  subroutine dry(c, tarr, heat)
    type(cell), intent(inout) :: c
    real(8), intent(in) :: tarr
    real(8), intent(inout) :: heat
    real(8) :: q
    q = c%load*exp(-0.2d0*tarr)
    c%moist = c%moist*(1d0 - 0.1d0*q)
    c%load = c%load - 0.2d0*q*c%load
    heat = heat + q
  end subroutine dry
end module fuels
subroutine wildfire(n, nt, base, load, moist, wind, burnt, heat)
  use fuels
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: base(nf), load(n), moist(n), wind(nt)
  real(8), intent(out) :: burnt, heat
  type(cell) :: c(n, n)
  real(8) :: tau(n, n), r(n, n), a, b, t, worst
  integer :: it, i, j, s, i1, i2, di, sweep
  do j = 1, n
    do i = 1, n
      c(i, j)%load = 0.5d0*(load(i) + load(j))
      c(i, j)%moist = 0.3d0*(moist(i) + moist(j))
      c(i, j)%slope = 0.1d0*(i - j)
      c(i, j)%kind = 1 + mod(i*j, nf)
    end do
  end do
  burnt = 0d0
  heat = 0d0
  do it = 1, nt
    do j = 1, n
      do i = 1, n
        call spread_rate(c(i, j), base, 3d0*wind(it), r(i, j))
      end do
    end do
    tau = 1d2
    tau(1 + n/2, 1 + n/2) = 0d0
    sweeps: do sweep = 1, 4
      worst = 0d0
      do s = 1, 2
        if (s == 1) then
          i1 = 1
          i2 = n
          di = 1
        else
          i1 = n
          i2 = 1
          di = -1
        end if
        do j = i1, i2, di
          do i = i1, i2, di
            a = min(tau(max(i-1, 1), j), tau(min(i+1, n), j))
            b = min(tau(i, max(j-1, 1)), tau(i, min(j+1, n)))
            if (abs(a - b) >= 1d0/r(i, j)) then
              t = min(a, b) + 1d0/r(i, j)
            else
              t = 0.5d0*(a + b + sqrt(2d0/r(i, j)**2 - (a - b)**2))
            end if
            if (t < tau(i, j)) then
              worst = max(worst, tau(i, j) - t)
              tau(i, j) = t
            end if
          end do
        end do
      end do
      if (worst < 1d-6) exit sweeps
    end do sweeps
    do j = 1, n
      do i = 1, n
        if (tau(i, j) < 5d0) then
          burnt = burnt + c(i, j)%load*(1d0 - tau(i, j)/5d0)
          call dry(c(i, j), tau(i, j), heat)
        end if
      end do
    end do
  end do
end subroutine wildfire

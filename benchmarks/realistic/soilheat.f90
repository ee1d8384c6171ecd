! Soil temperature with freezing: enthalpy method with an internal function for conductivity, coefficients in structure of
! arrays passed as whole components, optional snow layer, ground heat flux limited, Crank-Nicolson tridiagonal.
module soilheat_mod
  implicit none
  integer, parameter :: nl = 6
  type soil
    real(8) :: t(nl), liq(nl), ice(nl), dz(nl)
    real(8) :: heatcap(nl), cond(nl)
    logical :: frozen(nl)
  end type soil
contains
  subroutine properties(s, sat)
    type(soil), intent(inout) :: s
    real(8), intent(in) :: sat
    integer :: k
    do k = 1, nl
      s%cond(k) = johansen(s%liq(k)/sat, s%ice(k)/sat)
      s%heatcap(k) = (1d0 - sat)*2d0 + 4.2d0*s%liq(k) + 1.9d0*s%ice(k)
    end do
  contains
    function johansen(x, y) result(c)
      real(8), intent(in) :: x, y
      real(8) :: c, ke
      if (y > 1d-3) then
        ke = min(1d0, x + y)
      else if (x > 0.1d0) then
        ke = log10(x) + 1d0
      else
        ke = 0d0
      end if
      c = 0.3d0 + ke*(1.5d0 - 0.5d0*sat)*2.2d0**y
    end function johansen
  end subroutine properties
  subroutine solve(n, t, c, k, dz, flux, dt)
    integer, intent(in) :: n
    real(8), intent(inout) :: t(n)
    real(8), intent(in) :: c(n), k(n), dz(n), flux, dt
    real(8) :: a(n), b(n), r(n), kh(0:n), g(n), m
    integer :: i
    kh(0) = 0d0
    do i = 1, n - 1
      kh(i) = 2d0*k(i)*k(i+1)/(k(i)*dz(i+1) + k(i+1)*dz(i))
    end do
    kh(n) = 0d0
    do i = 1, n
      m = dt/(c(i)*dz(i))
      a(i) = -0.5d0*m*kh(i-1)
      g(i) = -0.5d0*m*kh(i)
      b(i) = 1d0 - a(i) - g(i)
      r(i) = t(i)
      if (i > 1) r(i) = r(i) + 0.5d0*m*kh(i-1)*(t(i-1) - t(i))
      if (i < n) r(i) = r(i) + 0.5d0*m*kh(i)*(t(i+1) - t(i))
      if (i == 1) r(i) = r(i) + m*flux
    end do
    do i = 2, n
      m = a(i)/b(i-1)
      b(i) = b(i) - m*g(i-1)
      r(i) = r(i) - m*r(i-1)
    end do
    t(n) = r(n)/b(n)
    do i = n - 1, 1, -1
      t(i) = (r(i) - g(i)*t(i+1))/b(i)
    end do
  end subroutine solve
  subroutine phase(s)
    type(soil), intent(inout) :: s
    real(8) :: e, w
    integer :: k
    do k = 1, nl
      s%frozen(k) = s%t(k) < 0d0
      if (s%frozen(k) .and. s%liq(k) > 0.02d0) then
        e = -s%t(k)*s%heatcap(k)
        w = min(e/3.34d0, s%liq(k) - 0.02d0)
        s%liq(k) = s%liq(k) - w
        s%ice(k) = s%ice(k) + w
        s%t(k) = s%t(k) + 3.34d0*w/s%heatcap(k)
      else if (.not. s%frozen(k) .and. s%ice(k) > 0d0) then
        e = s%t(k)*s%heatcap(k)
        w = min(e/3.34d0, s%ice(k))
        s%liq(k) = s%liq(k) + w
        s%ice(k) = s%ice(k) - w
        s%t(k) = s%t(k) - 3.34d0*w/s%heatcap(k)
      end if
    end do
  end subroutine phase
  subroutine surface(t1, air, snow, flux)
    real(8), intent(in) :: t1, air
    real(8), intent(inout), optional :: snow
    real(8), intent(out) :: flux
    flux = 2d0*(air - t1)
    if (present(snow)) then
      flux = flux/(1d0 + 3d0*snow)
      if (air > 0d0) snow = snow*exp(-0.2d0*air)
    end if
    if (flux > 2d0) flux = 2d0
  end subroutine surface
end module soilheat_mod
subroutine soilheat(nt, t0, w0, air, snow0, sat, thaw)
  use soilheat_mod
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: t0(nl), w0(nl), air(nt), snow0, sat
  real(8), intent(out) :: thaw
  type(soil) :: s
  real(8) :: flux, snow, por
  integer :: it, k
  por = 0.3d0 + 0.2d0*sat
  s%t = t0 - 1d0
  s%liq = 0.2d0*w0
  s%ice = 0d0
  do k = 1, nl
    s%dz(k) = 0.1d0*1.5d0**(k-1)
  end do
  snow = 0.3d0*snow0
  thaw = 0d0
  do it = 1, nt
    call properties(s, por)
    if (mod(it, 2) == 0) then
      call surface(s%t(1), 2d0*air(it) - 2d0, flux=flux)
    else
      call surface(s%t(1), 2d0*air(it) - 2d0, snow, flux)
    end if
    call solve(nl, s%t, s%heatcap, s%cond, s%dz, flux, 0.05d0)
    call phase(s)
    thaw = thaw + sum(s%t**2*s%dz) + s%ice(1)
  end do
end subroutine soilheat

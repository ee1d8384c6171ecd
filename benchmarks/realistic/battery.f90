! A lithium cell: diffusion in two particles by shells, Butler-Volmer inverted by Newton, open-circuit curves from tables,
! plating when the anode runs below zero, charging by constant current and then by constant voltage.
module cell
  implicit none
  integer, parameter :: ns = 4, nu = 6
  type electrode
    real(8) :: c(ns), diff, rate, flux
  end type electrode
  real(8) :: soc(nu) = (/0d0, 0.2d0, 0.4d0, 0.6d0, 0.8d0, 1d0/)
  real(8) :: ua(nu) = (/1d0, 0.4d0, 0.25d0, 0.15d0, 0.1d0, 0.05d0/)
  real(8) :: uc(nu) = (/4.6d0, 4.3d0, 4.1d0, 3.95d0, 3.8d0, 3.2d0/)
contains
  subroutine ocv(tab, x, u)
    real(8), intent(in) :: tab(nu), x
    real(8), intent(out) :: u
    integer :: k
    k = 1
    do while (k < nu - 1 .and. x > soc(k+1))
      k = k + 1
    end do
    u = tab(k) + (tab(k+1) - tab(k))*(x - soc(k))/(soc(k+1) - soc(k))
  end subroutine ocv
  subroutine diffuse(e, dt)
    type(electrode), intent(inout) :: e
    real(8), intent(in) :: dt
    real(8) :: f(0:ns), d
    integer :: i
    f(0) = 0d0
    do i = 1, ns - 1
      d = e%diff*(1d0 + 0.5d0*(e%c(i) + e%c(i+1)))
      f(i) = d*(e%c(i) - e%c(i+1))*i**2
    end do
    f(ns) = -e%flux*ns**2
    do i = 1, ns
      e%c(i) = e%c(i) + dt*(f(i-1) - f(i))/(i**3 - (i-1)**3)*3d0
    end do
  end subroutine diffuse
  subroutine overpotential(e, cur, eta)
    type(electrode), intent(in) :: e
    real(8), intent(in) :: cur
    real(8), intent(inout) :: eta
    real(8) :: i0, f, df
    integer :: it
    i0 = e%rate*sqrt(max(0.01d0, e%c(ns)*(1d0 - e%c(ns))))
    do it = 1, 8
      f = 2d0*i0*sinh(2d0*eta) - cur
      if (abs(f) < 1d-10) exit
      df = 4d0*i0*cosh(2d0*eta)
      eta = eta - f/df
    end do
  end subroutine overpotential
  subroutine voltage(a, c, cur, res, ea, ec, v, over)
    type(electrode), intent(in) :: a, c
    real(8), intent(in) :: cur, res
    real(8), intent(inout) :: ea, ec
    real(8), intent(out) :: v, over
    real(8) :: x, y
    call ocv(ua, a%c(ns), x)
    call ocv(uc, c%c(ns), y)
    call overpotential(a, -cur, ea)
    call overpotential(c, cur, ec)
    v = y + ec - x - ea + res*cur
    over = x + ea
  end subroutine voltage
end module cell
subroutine battery(nt, d, k, res, want, aged, charged)
  use cell
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: d(2), k(2), res, want(nt)
  real(8), intent(out) :: aged, charged
  type(electrode) :: a, c
  real(8) :: ea, ec, cur, v, over, dt
  integer :: it, j
  a%c = 0.2d0
  c%c = 0.7d0
  a%diff = 0.3d0*d(1)
  c%diff = 0.2d0*d(2)
  a%rate = 0.2d0 + k(1)
  c%rate = 0.2d0 + k(2)
  ea = 0d0
  ec = 0d0
  dt = 0.05d0
  aged = 0d0
  charged = 0d0
  do it = 1, nt
    cur = 0.5d0*want(it)
    call voltage(a, c, cur, 0.1d0*res, ea, ec, v, over)
    if (v > 3.9d0) then
      do j = 1, 3
        cur = cur*max(0.2d0, 1d0 - 0.5d0*(v - 3.9d0))
        call voltage(a, c, cur, 0.1d0*res, ea, ec, v, over)
        if (v < 3.92d0) exit
      end do
    end if
    if (over < 0.2d0) aged = aged + dt*(0.2d0 - over)**2
    a%flux = cur
    c%flux = -cur
    call diffuse(a, dt)
    call diffuse(c, dt)
    charged = charged + dt*cur*v
  end do
end subroutine battery

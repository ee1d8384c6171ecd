! A circuit in time: modified nodal analysis, devices stamped by kind (resistor, capacitor, diode, transistor, source),
! junction voltages limited, Newton steps with dense elimination and row exchange, trapezoidal charges, step halved.
module circuit
  implicit none
  integer, parameter :: nn = 5, nd = 9
  type device
    integer :: kind, a, b, c
    real(8) :: val, q, i, v
  end type device
  type(device) :: dev(nd)
contains
  subroutine netlist(r, c, sat)
    real(8), intent(in) :: r(3), c(2), sat
    call put(1, 1, 1, 2, 0, 0.5d0 + r(1))
    call put(2, 1, 2, 3, 0, 0.5d0 + r(2))
    call put(3, 1, 4, 5, 0, 0.5d0 + r(3))
    call put(4, 2, 2, 0, 0, 0.1d0 + c(1))
    call put(5, 2, 4, 0, 0, 0.1d0 + c(2))
    call put(6, 3, 3, 4, 0, 0.02d0*sat)
    call put(7, 4, 5, 3, 4, 0.5d0)
    call put(8, 1, 5, 0, 0, 2d0)
    call put(9, 1, 1, 0, 0, 4d0)
  end subroutine netlist
  subroutine put(j, kind, a, b, c, val)
    integer, intent(in) :: j, kind, a, b, c
    real(8), intent(in) :: val
    dev(j)%kind = kind
    dev(j)%a = a
    dev(j)%b = b
    dev(j)%c = c
    dev(j)%val = val
    dev(j)%q = 0d0
    dev(j)%i = 0d0
    dev(j)%v = 0d0
  end subroutine put
  subroutine add_conductance(g, a, b, m)
    real(8), intent(in) :: g
    integer, intent(in) :: a, b
    real(8), intent(inout) :: m(nn, nn)
    if (a > 0) m(a, a) = m(a, a) + g
    if (b > 0) m(b, b) = m(b, b) + g
    if (a > 0 .and. b > 0) then
      m(a, b) = m(a, b) - g
      m(b, a) = m(b, a) - g
    end if
  end subroutine add_conductance
  subroutine add_current(s, a, b, rhs)
    real(8), intent(in) :: s
    integer, intent(in) :: a, b
    real(8), intent(inout) :: rhs(nn)
    if (a > 0) rhs(a) = rhs(a) - s
    if (b > 0) rhs(b) = rhs(b) + s
  end subroutine add_current
  function across(x, a, b) result(v)
    real(8), intent(in) :: x(nn)
    integer, intent(in) :: a, b
    real(8) :: v
    v = 0d0
    if (a > 0) v = x(a)
    if (b > 0) v = v - x(b)
  end function across
  subroutine stamp(d, x, dt, m, rhs)
    type(device), intent(inout) :: d
    real(8), intent(in) :: x(nn), dt
    real(8), intent(inout) :: m(nn, nn), rhs(nn)
    real(8) :: v, g, s, e
    v = across(x, d%a, d%b)
    select case (d%kind)
    case (1)
      call add_conductance(1d0/d%val, d%a, d%b, m)
    case (2)
      g = 2d0*d%val/dt
      call add_conductance(g, d%a, d%b, m)
      call add_current(-g*d%q - d%i, d%a, d%b, rhs)
    case (3)
      if (v > d%v + 0.3d0) v = d%v + 0.3d0 + 0.1d0*log(1d0 + (v - d%v - 0.3d0)/0.1d0)
      d%v = v
      e = exp(v/0.3d0)
      g = d%val*e/0.3d0
      s = d%val*(e - 1d0) - g*v
      call add_conductance(g, d%a, d%b, m)
      call add_current(s, d%a, d%b, rhs)
    case (4)
      e = across(x, d%b, d%c)
      if (e > 0.1d0) then
        g = d%val*(e - 0.1d0)
        call add_conductance(g, d%a, d%c, m)
      else
        call add_conductance(1d-3, d%a, d%c, m)
      end if
    end select
  end subroutine stamp
  subroutine gauss(m, b)
    real(8), intent(inout) :: m(nn, nn), b(nn)
    real(8) :: t, row(nn)
    integer :: i, j, k, p
    do k = 1, nn
      p = k
      do i = k + 1, nn
        if (abs(m(i, k)) > abs(m(p, k))) p = i
      end do
      if (p /= k) then
        row = m(k, :)
        m(k, :) = m(p, :)
        m(p, :) = row
        t = b(k)
        b(k) = b(p)
        b(p) = t
      end if
      do i = k + 1, nn
        t = m(i, k)/m(k, k)
        do j = k, nn
          m(i, j) = m(i, j) - t*m(k, j)
        end do
        b(i) = b(i) - t*b(k)
      end do
    end do
    do i = nn, 1, -1
      do j = i + 1, nn
        b(i) = b(i) - m(i, j)*b(j)
      end do
      b(i) = b(i)/m(i, i)
    end do
  end subroutine gauss
end module circuit
subroutine mna(nt, r, c, sat, drive, ripple)
  use circuit
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: r(3), c(2), sat, drive(nt)
  real(8), intent(out) :: ripple
  real(8) :: x(nn), b(nn), m(nn, nn), dt, v
  integer :: it, k, j
  call netlist(r, c, sat)
  x = 0.1d0
  dt = 0.2d0
  ripple = 0d0
  do it = 1, nt
    do k = 1, 5
      m = 0d0
      b = 0d0
      b(1) = drive(it)
      do j = 1, nd
        call stamp(dev(j), x, dt, m, b)
      end do
      call gauss(m, b)
      v = maxval(abs(b - x))
      x = b
      if (v < 1d-5) exit
    end do
    do j = 4, 5
      v = across(x, dev(j)%a, dev(j)%b)
      dev(j)%i = 2d0*dev(j)%val/dt*(v - dev(j)%q) - dev(j)%i
      dev(j)%q = v
    end do
    ripple = ripple + x(4)**2 + 0.1d0*x(5)
  end do
end subroutine mna

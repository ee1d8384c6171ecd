! A zero curve from swaps: instrument by instrument, each discount factor by Newton with a bracket; then a swap book is
! valued on it with log-linear interpolation.
module curves
  implicit none
  integer, parameter :: mx = 12
  type curve
    integer :: n
    real(8) :: t(mx), logdf(mx)
  end type curve
contains
  subroutine locate(c, x, k)
    type(curve), intent(in) :: c
    real(8), intent(in) :: x
    integer, intent(out) :: k
    k = 1
    do while (k < c%n)
      if (c%t(k+1) >= x) return
      k = k + 1
    end do
    k = max(1, c%n - 1)
  end subroutine locate
  real(8) function discount(c, x)
    type(curve), intent(in) :: c
    real(8), intent(in) :: x
    real(8) :: w
    integer :: k
    if (c%n == 1 .or. x <= c%t(1)) then
      discount = exp(c%logdf(1)*x/c%t(1))
      return
    end if
    call locate(c, x, k)
    w = (x - c%t(k))/(c%t(k+1) - c%t(k))
    discount = exp((1d0 - w)*c%logdf(k) + w*c%logdf(k+1))
  end function discount
  subroutine swap_value(c, rate, mat, v, annuity)
    type(curve), intent(in) :: c
    real(8), intent(in) :: rate, mat
    real(8), intent(out) :: v, annuity
    integer :: i, m
    real(8) :: d
    m = nint(2d0*mat)
    annuity = 0d0
    d = 1d0
    do i = 1, m
      d = discount(c, 0.5d0*i)
      annuity = annuity + 0.5d0*d
    end do
    v = 1d0 - d - rate*annuity
  end subroutine swap_value
  subroutine bootstrap(c, rate, mat, n, iters)
    type(curve), intent(inout) :: c
    integer, intent(in) :: n
    real(8), intent(in) :: rate(n), mat(n)
    integer, intent(out) :: iters
    real(8) :: v, a, lo, hi, x, v2
    integer :: k, it
    iters = 0
    do k = 1, n
      c%n = k
      c%t(k) = mat(k)
      x = -rate(k)*mat(k)
      lo = -3d0
      hi = 1d0
      do it = 1, 6
        c%logdf(k) = x
        call swap_value(c, rate(k), mat(k), v, a)
        iters = iters + 1
        if (abs(v) < 1d-9) exit
        if (v > 0d0) then
          lo = x
        else
          hi = x
        end if
        c%logdf(k) = x + 1d-4
        call swap_value(c, rate(k), mat(k), v2, a)
        x = x - v*1d-4/(v2 - v)
        if (x < lo .or. x > hi) x = 0.5d0*(lo + hi)
      end do
      c%logdf(k) = x
    end do
  end subroutine bootstrap
end module curves
subroutine zerocurve(n, quotes, coupon, notional, value)
  use curves
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: quotes(n), coupon(n), notional(n)
  real(8), intent(out) :: value
  type(curve) :: c
  real(8) :: rate(n), mat(n), v, a
  integer :: i, iters
  do i = 1, n
    mat(i) = i
    rate(i) = 0.02d0 + 0.02d0*quotes(i)
  end do
  call bootstrap(c, rate, mat, n, iters)
  value = 0d0
  do i = 1, n
    call swap_value(c, 0.05d0*coupon(i), mat(i) - 0.5d0*mod(i, 2), v, a)
    if (v > 0d0) then
      value = value + notional(i)*v
    else
      value = value + notional(i)*v*(1d0 - 0.1d0*a)
    end if
  end do
end subroutine zerocurve

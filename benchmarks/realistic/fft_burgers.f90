! Pseudo-spectral Burgers: an in-place radix-2 FFT on a workspace (bit reversal by swaps, butterflies by stages), the
! derivative in wave space, two-thirds filter, Heun steps.
module spectral
  implicit none
  integer, parameter :: n = 8, bits = 3
  real(8) :: twr(n), twi(n)
contains
  subroutine tables()
    integer :: k
    do k = 1, n
      twr(k) = cos(8d0*atan(1d0)*(k - 1)/n)
      twi(k) = sin(8d0*atan(1d0)*(k - 1)/n)
    end do
  end subroutine tables

  subroutine swap(x, y)
    real(8), intent(inout) :: x, y
    real(8) :: t
    t = x
    x = y
    y = t
  end subroutine swap

  subroutine transform(re, im, way)
    real(8), intent(inout) :: re(n), im(n)
    integer, intent(in) :: way
    integer :: i, j, m, half, span, at, tw
    real(8) :: wr, wi, tr, ti
    j = 1
    do i = 1, n - 1
      if (i < j) then
        call swap(re(i), re(j))
        call swap(im(i), im(j))
      end if
      m = n/2
      do while (m >= 1 .and. j > m)
        j = j - m
        m = m/2
      end do
      j = j + m
    end do
    span = 2
    do while (span <= n)
      half = span/2
      do i = 1, half
        tw = (i - 1)*(n/span) + 1
        wr = twr(tw)
        wi = way*twi(tw)
        do at = i, n, span
          tr = wr*re(at + half) - wi*im(at + half)
          ti = wr*im(at + half) + wi*re(at + half)
          re(at + half) = re(at) - tr
          im(at + half) = im(at) - ti
          re(at) = re(at) + tr
          im(at) = im(at) + ti
        end do
      end do
      span = 2*span
    end do
    if (way > 0) then
      re = re/n
      im = im/n
    end if
  end subroutine transform

  subroutine slope(u, d, nu)
    real(8), intent(in) :: u(n), nu
    real(8), intent(out) :: d(n)
    real(8) :: re(n), im(n), wk, keep
    integer :: k
    re = 0.5d0*u*u
    im = 0d0
    call transform(re, im, -1)
    do k = 1, n
      wk = k - 1
      if (k > n/2) wk = k - 1 - n
      if (abs(wk) > n/3) wk = 0d0
      keep = re(k)
      re(k) = -wk*im(k)
      im(k) = wk*keep
    end do
    call transform(re, im, 1)
    do k = 1, n
      d(k) = -re(k) + nu*(u(mod(k, n) + 1) - 2d0*u(k) + u(mod(k + n - 2, n) + 1))
    end do
  end subroutine slope
end module spectral

subroutine spectral_burgers(u0, nu, cost)
  use spectral
  implicit none
  real(8), intent(in) :: u0(8), nu
  real(8), intent(out) :: cost
  real(8) :: u(n), k1(n), k2(n), v(n)
  integer :: it
  call tables()
  u = u0
  do it = 1, 6
    call slope(u, k1, nu)
    v = u + 0.1d0*k1
    call slope(v, k2, nu)
    u = u + 0.05d0*(k1 + k2)
  end do
  cost = sum(u**2) + u(3)
end subroutine spectral_burgers

! Korteweg-de Vries by a Fourier transform: butterflies, bit reversal, an integrating factor, dealiasing.
subroutine butterflies(re, im, n, levels, sgn)
  implicit none
  integer, intent(in) :: n, levels
  real(8), intent(in) :: sgn
  real(8), intent(inout) :: re(n), im(n)
  integer :: s, m, half, k, j, a, b
  real(8) :: ang, wr, wi, tr, ti
  m = 1
  do s = 1, levels
    half = m
    m = 2*m
    do k = 1, n, m
      do j = 0, half - 1
        ang = sgn*3.14159265358979d0*j/half
        wr = cos(ang)
        wi = sin(ang)
        a = k + j
        b = a + half
        tr = wr*re(b) - wi*im(b)
        ti = wr*im(b) + wi*re(b)
        re(b) = re(a) - tr
        im(b) = im(a) - ti
        re(a) = re(a) + tr
        im(a) = im(a) + ti
      end do
    end do
  end do
end subroutine butterflies

subroutine reversal(re, im, n, levels)
  implicit none
  integer, intent(in) :: n, levels
  real(8), intent(inout) :: re(n), im(n)
  integer :: i, j, k, bit
  real(8) :: swap
  do i = 0, n - 1
    j = 0
    k = i
    do bit = 1, levels
      j = 2*j + mod(k, 2)
      k = k/2
    end do
    if (j > i) then
      swap = re(i+1)
      re(i+1) = re(j+1)
      re(j+1) = swap
      swap = im(i+1)
      im(i+1) = im(j+1)
      im(j+1) = swap
    end if
  end do
end subroutine reversal

subroutine transform(re, im, n, levels, sgn)
  implicit none
  integer, intent(in) :: n, levels
  real(8), intent(in) :: sgn
  real(8), intent(inout) :: re(n), im(n)
  call reversal(re, im, n, levels)
  call butterflies(re, im, n, levels, sgn)
end subroutine transform

subroutine kdv(u0, nu, cost, nt)
  implicit none
  integer, parameter :: n = 8, levels = 3
  integer, intent(in) :: nt
  real(8), intent(in) :: u0(n), nu
  real(8), intent(out) :: cost
  real(8) :: u(n), re(n), im(n), nr(n), ni(n), k, damp, c, s, a, b, sq
  integer :: t, i
  u = u0
  do t = 1, nt
    re = u
    im = 0.0d0
    call transform(re, im, n, levels, -1.0d0)
    do i = 1, n
      sq = u(i)*u(i)
      nr(i) = 0.5d0*sq
      ni(i) = 0.0d0
    end do
    call transform(nr, ni, n, levels, -1.0d0)
    do i = 1, n
      if (i <= n/2) then
        k = i - 1
      else
        k = i - 1 - n
      end if
      damp = exp(-nu*k*k*0.05d0)
      c = cos(0.01d0*k**3)
      s = sin(0.01d0*k**3)
      a = re(i) + 0.02d0*k*ni(i)
      b = im(i) - 0.02d0*k*nr(i)
      if (abs(k) > n/3.0d0) then
        a = 0.0d0
        b = 0.0d0
      end if
      re(i) = damp*(c*a - s*b)
      im(i) = damp*(s*a + c*b)
    end do
    call transform(re, im, n, levels, 1.0d0)
    do i = 1, n
      u(i) = re(i)/n
    end do
  end do
  cost = sum(u**2*u0) + sum(u**3)
end subroutine kdv

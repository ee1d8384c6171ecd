! Radiative transfer by adding and doubling: reflection and transmission matrices of layers, multiplied together upwards.
subroutine invert(n, a, b)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a(n, n)
  real(8), intent(out) :: b(n, n)
  real(8) :: w(n, 2*n), f
  integer :: i, j
  w = 0d0
  do i = 1, n
    w(i, 1:n) = a(i, :)
    w(i, n+i) = 1d0
  end do
  do i = 1, n
    f = 1d0/w(i, i)
    w(i, :) = w(i, :)*f
    do j = 1, n
      if (j == i) cycle
      f = w(j, i)
      w(j, :) = w(j, :) - f*w(i, :)
    end do
  end do
  b = w(:, n+1:2*n)
end subroutine invert
subroutine times(n, a, b, c)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a(n, n), b(n, n)
  real(8), intent(out) :: c(n, n)
  integer :: i, j, k
  do j = 1, n
    do i = 1, n
      c(i, j) = 0d0
      do k = 1, n
        c(i, j) = c(i, j) + a(i, k)*b(k, j)
      end do
    end do
  end do
end subroutine times
subroutine add(n, r1, t1, s1, r2, t2, s2, r, t, s)
  ! layer 1 lies on layer 2; s is what comes out at the top
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: r1(n, n), t1(n, n), s1(n), r2(n, n), t2(n, n), s2(n)
  real(8), intent(out) :: r(n, n), t(n, n), s(n)
  real(8) :: m(n, n), d(n, n), e(n, n), w(n, n)
  integer :: i, k
  call times(n, r1, r2, w)
  m = -w
  do i = 1, n
    m(i, i) = m(i, i) + 1d0
  end do
  call invert(n, m, d)
  call times(n, r2, d, w)
  call times(n, t1, w, e)
  call times(n, e, t1, w)
  r = r1 + w
  call times(n, d, t1, w)
  call times(n, t2, w, t)
  do i = 1, n
    s(i) = s1(i)
    do k = 1, n
      s(i) = s(i) + t1(i, k)*s2(k) + e(i, k)*s1(k)
    end do
  end do
end subroutine add
subroutine doubled(n, tau, ssa, g, b, mu, r, t, s)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: tau, ssa, g, b, mu(n)
  real(8), intent(out) :: r(n, n), t(n, n), s(n)
  real(8) :: d, p, m, rn(n, n), tn(n, n), sn(n)
  integer :: i, j, k, nd
  nd = 1
  d = tau
  do while (d > 0.15d0)
    d = 0.5d0*d
    nd = nd + 1
  end do
  do j = 1, n
    do i = 1, n
      p = ssa*(1d0 + 3d0*g*mu(i)*mu(j))/(4d0*n)
      m = ssa*(1d0 - 3d0*g*mu(i)*mu(j)*0.3d0)/(4d0*n)
      r(i, j) = d*m/mu(i)
      t(i, j) = d*p/mu(i)
      if (i == j) t(i, j) = t(i, j) + exp(-d/mu(i))
    end do
    s(j) = (1d0 - ssa)*b*d/mu(j)
  end do
  do k = 2, nd
    call add(n, r, t, s, r, t, s, rn, tn, sn)
    r = rn
    t = tn
    s = sn
  end do
end subroutine doubled
subroutine adding(nl, tau, ssa, temp, albedo, rad)
  implicit none
  integer, parameter :: n = 3
  integer, intent(in) :: nl
  real(8), intent(in) :: tau(nl), ssa(nl), temp(nl), albedo
  real(8), intent(out) :: rad(n)
  real(8) :: mu(n), r(n, n), t(n, n), s(n), rl(n, n), tl(n, n), sl(n), rn(n, n), tn(n, n), sn(n)
  real(8) :: w, b
  integer :: l, i
  do i = 1, n
    mu(i) = (i - 0.3d0)/n
  end do
  do i = 1, n
    r(:, i) = albedo*0.2d0*mu(i)
    t(:, i) = 0d0
    s(i) = (1d0 - 0.2d0*albedo)*temp(1)**4
  end do
  do l = 1, nl
    w = min(0.6d0*ssa(l), 0.95d0)
    b = temp(l)**4
    call doubled(n, 0.4d0*tau(l), w, 0.4d0, b, mu, rl, tl, sl)
    call add(n, rl, tl, sl, r, t, s, rn, tn, sn)
    r = rn
    t = tn
    s = sn
  end do
  rad = s
end subroutine adding

! A beam on an elastic foundation, implicit in time: pentadiagonal elimination, foundation that lifts off.
subroutine penta(n, a, b, c, d, e, f, x)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a(n), b(n), c(n), d(n), e(n), f(n)
  real(8), intent(out) :: x(n)
  real(8) :: mu(n), al(n), be(n), ga(n), z(n)
  integer :: i
  mu(1) = c(1)
  al(1) = d(1)/mu(1)
  be(1) = e(1)/mu(1)
  z(1) = f(1)/mu(1)
  ga(1) = 0d0
  ga(2) = b(2)
  mu(2) = c(2) - al(1)*ga(2)
  al(2) = (d(2) - be(1)*ga(2))/mu(2)
  be(2) = e(2)/mu(2)
  z(2) = (f(2) - z(1)*ga(2))/mu(2)
  do i = 3, n - 2
    ga(i) = b(i) - al(i-2)*a(i)
    mu(i) = c(i) - be(i-2)*a(i) - al(i-1)*ga(i)
    al(i) = (d(i) - be(i-1)*ga(i))/mu(i)
    be(i) = e(i)/mu(i)
    z(i) = (f(i) - z(i-2)*a(i) - z(i-1)*ga(i))/mu(i)
  end do
  ga(n-1) = b(n-1) - al(n-3)*a(n-1)
  mu(n-1) = c(n-1) - be(n-3)*a(n-1) - al(n-2)*ga(n-1)
  al(n-1) = (d(n-1) - be(n-2)*ga(n-1))/mu(n-1)
  z(n-1) = (f(n-1) - z(n-3)*a(n-1) - z(n-2)*ga(n-1))/mu(n-1)
  ga(n) = b(n) - al(n-2)*a(n)
  mu(n) = c(n) - be(n-2)*a(n) - al(n-1)*ga(n)
  z(n) = (f(n) - z(n-2)*a(n) - z(n-1)*ga(n))/mu(n)
  x(n) = z(n)
  x(n-1) = z(n-1) - al(n-1)*x(n)
  do i = n - 2, 1, -1
    x(i) = z(i) - al(i)*x(i+1) - be(i)*x(i+2)
  end do
end subroutine penta
subroutine foundation(n, w, k0, gap, r, drdw)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: w(n), k0(n), gap
  real(8), intent(out) :: r(n), drdw(n)
  integer :: i
  do i = 1, n
    if (w(i) < -gap) then
      r(i) = 0d0
      drdw(i) = 0d0
    else if (w(i) < 0d0) then
      r(i) = k0(i)*w(i)*(1d0 + w(i)/(2d0*gap))
      drdw(i) = k0(i)*(1d0 + w(i)/gap)
    else
      r(i) = k0(i)*w(i)*(1d0 + 0.1d0*w(i)**2)
      drdw(i) = k0(i)*(1d0 + 0.3d0*w(i)**2)
    end if
  end do
end subroutine foundation
subroutine beam(ei, k0, load, wmax, n, nt)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: ei(n), k0(n), load(n)
  real(8), intent(out) :: wmax
  real(8) :: w(n), v(n), wn(n), r(n), dr(n), a(n), b(n), c(n), d(n), e(n), f(n), rhs(n)
  real(8) :: dt, t, eim, eip, gap, del
  integer :: i, it, k
  dt = 0.1d0
  gap = 0.3d0
  w = 0d0
  v = 0d0
  wmax = 0d0
  do it = 1, nt
    t = it*dt
    do i = 1, n
      rhs(i) = w(i) + dt*v(i) + dt*dt*load(i)*sin(3d0*t + 0.5d0*i)
    end do
    wn = w
    do k = 1, 2
      call foundation(n, wn, k0, gap, r, dr)
      do i = 1, n
        eim = ei(max(i-1, 1))
        eip = ei(min(i+1, n))
        a(i) = dt*dt*eim
        b(i) = -2d0*dt*dt*(eim + ei(i))
        c(i) = 1d0 + dt*dt*(eim + 4d0*ei(i) + eip + dr(i))
        d(i) = -2d0*dt*dt*(ei(i) + eip)
        e(i) = dt*dt*eip
        f(i) = rhs(i) - dt*dt*(r(i) - dr(i)*wn(i))
      end do
      call penta(n, a, b, c, d, e, f, wn)
    end do
    del = 0d0
    do i = 1, n
      v(i) = (wn(i) - w(i))/dt*0.98d0
      w(i) = wn(i)
      del = del + w(i)**2
    end do
    wmax = max(wmax, sqrt(del))
  end do
end subroutine beam

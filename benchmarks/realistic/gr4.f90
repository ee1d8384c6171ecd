! A rainfall-runoff model of two stores and a unit hydrograph.
module gr4_ops
  implicit none
contains
  subroutine production(s, x1, p, e, pr, perc)
    real(8), intent(inout) :: s
    real(8), intent(in) :: x1, p, e
    real(8), intent(out) :: pr, perc
    real(8) :: pn, en, ps, es, w
    pn = 0d0; en = 0d0; ps = 0d0; es = 0d0
    if (p > e) then
      pn = p - e
      w = tanh(pn/x1)
      ps = x1*(1d0 - s*s)*w/(1d0 + s*w)
    else
      en = e - p
      w = tanh(en/x1)
      es = s*x1*(2d0 - s)*w/(1d0 + (1d0 - s)*w)
    end if
    s = s + (ps - es)/x1
    perc = s*x1*(1d0 - (1d0 + (s/2.25d0)**4)**(-0.25d0))
    s = s - perc/x1
    pr = pn - ps + perc
  end subroutine
  subroutine routing(r, x3, x2, q9, q1, q)
    real(8), intent(inout) :: r
    real(8), intent(in) :: x3, x2, q9, q1
    real(8), intent(out) :: q
    real(8) :: f, qr, qd
    f = x2*r**3.5d0
    r = max(0d0, r + (q9 + f)/x3)
    qr = r*x3*(1d0 - (1d0 + r**4)**(-0.25d0))
    r = r - qr/x3
    qd = max(0d0, q1 + f)
    q = qr + qd
  end subroutine
  subroutine hydrograph(uh, x4, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x4
    real(8), intent(out) :: uh(n)
    integer :: i
    real(8) :: a, b
    a = 0d0
    do i = 1, n
      b = min(1d0, (i/x4)**2.5d0)
      uh(i) = b - a
      a = b
    end do
  end subroutine
end module
subroutine gr4(par, p, e, qobs, j, nt)
  use gr4_ops
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: par(4), p(nt), e(nt), qobs(nt)
  real(8), intent(out) :: j
  integer, parameter :: m = 3
  real(8) :: s, r, uh(m), store(m), pr, perc, q, q9, q1
  integer :: t, i
  s = 0.6d0
  r = 0.4d0
  store = 0d0
  j = 0d0
  call hydrograph(uh, par(4), m)
  do t = 1, nt
    call production(s, par(1), p(t), e(t), pr, perc)
    do i = 1, m - 1
      store(i) = store(i+1) + uh(i)*pr
    end do
    store(m) = uh(m)*pr
    q9 = 0.9d0*store(1)
    q1 = 0.1d0*store(1)
    call routing(r, par(3), par(2), q9, q1, q)
    j = j + (q - qobs(t))**2
  end do
  j = sqrt(j/nt)
end subroutine

! Muskingum routing over a network of reaches, two time levels by index, a bucket for each reach.
subroutine rivers(nr, nt, up1, up2, km, xm, rain, qobs, cost)
  implicit none
  integer, intent(in) :: nr, nt, up1(nr), up2(nr)
  real(8), intent(in) :: km(nr), xm, rain(nr, nt), qobs(nt)
  real(8), intent(out) :: cost
  real(8) :: qin(nr, 2), qout(nr, 2), s(nr), c0, c1, c2, den, lat
  integer :: t, r, old, new
  qin = 1d0
  qout = 1d0
  s = 5d0
  cost = 0d0
  do t = 1, nt
    old = 1 + mod(t, 2)
    new = 3 - old
    do r = 1, nr
      call bucket(rain(r, t), km(r), s(r), lat)
      qin(r, new) = lat
      if (up1(r) > 0) qin(r, new) = qin(r, new) + qout(up1(r), new)
      if (up2(r) > 0) qin(r, new) = qin(r, new) + qout(up2(r), new)
      den = 2d0*km(r)*(1d0 - xm) + 1d0
      c0 = (1d0 - 2d0*km(r)*xm)/den
      c1 = (1d0 + 2d0*km(r)*xm)/den
      c2 = (2d0*km(r)*(1d0 - xm) - 1d0)/den
      qout(r, new) = c0*qin(r, new) + c1*qin(r, old) + c2*qout(r, old)
      if (qout(r, new) < 0d0) qout(r, new) = 0d0
    end do
    cost = cost + (sqrt(qout(nr, new) + 1d-3) - sqrt(qobs(t)))**2
  end do
end subroutine
subroutine bucket(p, k, s, q)
  implicit none
  real(8), intent(in) :: p, k
  real(8), intent(inout) :: s
  real(8), intent(out) :: q
  real(8) :: x
  x = s + p
  q = x*x/(x + 10d0*k)
  s = x - q
end subroutine

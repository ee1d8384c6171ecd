! Radiation through clouds: absorption by tables, two streams layer by layer, bands in a loop, heating fed back.
module tables
  implicit none
  integer, parameter :: nb = 3, ntab = 8
  real(8) :: tab(ntab, nb)
contains
  subroutine fill_tables(scale)
    real(8), intent(in) :: scale
    integer :: i, b
    do b = 1, nb
      do i = 1, ntab
        tab(i, b) = scale*exp(-0.3d0*i)*b
      end do
    end do
  end subroutine fill_tables

  subroutine absorb(b, x, a)
    integer, intent(in) :: b
    real(8), intent(in) :: x
    real(8), intent(out) :: a
    integer :: i
    real(8) :: pos, frac
    pos = 1.0d0 + 3.0d0*x
    i = int(pos)
    if (i < 1) i = 1
    if (i > ntab - 1) i = ntab - 1
    frac = pos - i
    a = (1.0d0 - frac)*tab(i, b) + frac*tab(i+1, b)
  end subroutine absorb
end module tables

subroutine two_stream(tau, w, g, alb, n, heat)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: tau(n), w(n), g, alb
  real(8), intent(out) :: heat(n)
  real(8) :: up(n+1), down(n+1), ref(n), tra(n), rs(n+1), gam1, gam2, lam, e, den
  integer :: k
  do k = 1, n
    gam1 = 0.25d0*(7.0d0 - w(k)*(4.0d0 + 3.0d0*g))
    gam2 = -0.25d0*(1.0d0 - w(k)*(4.0d0 - 3.0d0*g))
    lam = sqrt(gam1**2 - gam2**2)
    e = exp(-lam*tau(k))
    den = lam*(1.0d0 + e*e) + gam1*(1.0d0 - e*e)
    ref(k) = gam2*(1.0d0 - e*e)/den
    tra(k) = 2.0d0*lam*e/den
  end do
  rs(n+1) = alb
  do k = n, 1, -1
    den = 1.0d0 - ref(k)*rs(k+1)
    rs(k) = ref(k) + tra(k)**2*rs(k+1)/den
  end do
  down(1) = 1.0d0
  do k = 1, n
    den = 1.0d0 - ref(k)*rs(k+1)
    down(k+1) = tra(k)*down(k)/den
    up(k) = rs(k)*down(k)
  end do
  up(n+1) = rs(n+1)*down(n+1)
  do k = 1, n
    heat(k) = down(k) - down(k+1) + up(k+1) - up(k)
  end do
end subroutine two_stream

subroutine radiate(q0, scale, alb, cost, n, nt)
  use tables
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: q0(n), scale, alb
  real(8), intent(out) :: cost
  real(8) :: q(n), t(n), tau(n), w(n), heat(n), a, cloud, total
  integer :: k, b, step
  call fill_tables(scale)
  q = q0
  t = 1.0d0
  cost = 0.0d0
  do step = 1, nt
    do b = 1, nb
      do k = 1, n
        call absorb(b, t(k)*q(k), a)
        cloud = max(q(k) - 0.5d0, 0.0d0)
        tau(k) = a*q(k) + 2.0d0*cloud
        if (cloud > 0.0d0) then
          w(k) = 0.9d0*cloud/(cloud + a)
        else
          w(k) = 0.1d0
        end if
      end do
      call two_stream(tau, w, 0.8d0, alb, n, heat)
      do k = 1, n
        t(k) = t(k) + 0.05d0*heat(k)
        q(k) = q(k)*(1.0d0 - 0.02d0*heat(k))
      end do
    end do
    total = sum(t*q)
    cost = cost + total*total
  end do
end subroutine radiate

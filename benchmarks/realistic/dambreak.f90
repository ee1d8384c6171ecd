! Shallow water in one dimension: limited slopes, a Riemann solver by cases, friction where it is wet.
module muscl
  implicit none
  real(8), parameter :: g = 9.81d0, dry = 1.0d-3
contains
  real(8) function minmod(a, b)
    real(8), intent(in) :: a, b
    if (a*b <= 0.0d0) then
      minmod = 0.0d0
    else if (abs(a) < abs(b)) then
      minmod = a
    else
      minmod = b
    end if
  end function minmod

  real(8) function speed(h, q)
    real(8), intent(in) :: h, q
    real(8) :: u
    u = q/max(h, dry)
    speed = abs(u) + sqrt(g*max(h, dry))
  end function speed

  subroutine hll(hl, ql, hr, qr, fh, fq)
    real(8), intent(in) :: hl, ql, hr, qr
    real(8), intent(out) :: fh, fq
    real(8) :: ul, ur, cl, cr, sl, sr, fl, fr
    ul = ql/max(hl, dry)
    ur = qr/max(hr, dry)
    cl = sqrt(g*hl)
    cr = sqrt(g*hr)
    sl = min(ul - cl, ur - cr)
    sr = max(ul + cl, ur + cr)
    fl = ql*ul + 0.5d0*g*hl*hl
    fr = qr*ur + 0.5d0*g*hr*hr
    if (sl >= 0.0d0) then
      fh = ql
      fq = fl
    else if (sr <= 0.0d0) then
      fh = qr
      fq = fr
    else
      fh = (sr*ql - sl*qr + sl*sr*(hr - hl))/(sr - sl)
      fq = (sr*fl - sl*fr + sl*sr*(qr - ql))/(sr - sl)
    end if
  end subroutine hll
end module muscl

subroutine dambreak(h0, rough, bed, gauge, n, nt)
  use muscl
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: h0(n), rough, bed(n)
  real(8), intent(out) :: gauge
  real(8) :: h(0:n+1), q(0:n+1), sh(0:n+1), sq(0:n+1), fh(0:n), fq(0:n)
  real(8) :: dt, smax, u, fric, slope
  integer :: i, t
  do i = 1, n
    h(i) = 0.5d0 + h0(i)
    q(i) = 0.0d0
  end do
  gauge = 0.0d0
  do t = 1, nt
    h(0) = h(1)
    q(0) = -q(1)
    h(n+1) = h(n)
    q(n+1) = q(n)
    smax = 0.0d0
    do i = 1, n
      smax = max(smax, speed(h(i), q(i)))
    end do
    dt = 0.4d0/smax
    sh(0) = 0.0d0
    sq(0) = 0.0d0
    sh(n+1) = 0.0d0
    sq(n+1) = 0.0d0
    do i = 1, n
      sh(i) = minmod(h(i) - h(i-1), h(i+1) - h(i))
      sq(i) = minmod(q(i) - q(i-1), q(i+1) - q(i))
    end do
    do i = 0, n
      call hll(h(i) + 0.5d0*sh(i), q(i) + 0.5d0*sq(i), h(i+1) - 0.5d0*sh(i+1), q(i+1) - 0.5d0*sq(i+1), fh(i), fq(i))
    end do
    do i = 1, n
      slope = 0.0d0
      if (i > 1 .and. i < n) slope = 0.5d0*(bed(i+1) - bed(i-1))
      h(i) = h(i) - dt*(fh(i) - fh(i-1))
      q(i) = q(i) - dt*(fq(i) - fq(i-1)) - dt*g*h(i)*0.1d0*slope
      if (h(i) > dry) then
        u = q(i)/h(i)
        fric = rough*0.01d0*abs(u)/h(i)**(4.0d0/3.0d0)
        q(i) = q(i)/(1.0d0 + dt*fric)
      else
        q(i) = 0.0d0
      end if
    end do
    gauge = gauge + dt*h(n)**2 + q(n/2)*dt
  end do
end subroutine dambreak

! Sea ice on snow: layer temperatures kept of every step, optional ocean flux, melt at the top, growth at the bottom.
module ice_model
  implicit none
  integer, parameter :: nl = 6, nstep = 8
  real(8), parameter :: tf = -1.8d0, rhol = 3.0d0
contains
  subroutine conduct(told, tnew, hi, ks, tsurf)
    real(8), intent(in) :: told(0:nl), hi, ks, tsurf
    real(8), intent(out) :: tnew(0:nl)
    real(8) :: a(nl), b(nl), r(nl), k(nl + 1), dzl
    integer :: l
    dzl = hi/nl
    do l = 1, nl
      k(l) = ks*(1.0d0 + 0.05d0/(told(l) - 3.0d0))
    end do
    k(nl + 1) = ks
    tnew(0) = tsurf
    a(1) = 0.1d0*k(1)/dzl
    b(1) = 1.0d0 + a(1) + 0.1d0*k(2)/dzl
    r(1) = told(1) + a(1)*tsurf
    do l = 2, nl
      a(l) = 0.1d0*k(l)/dzl
      b(l) = 1.0d0 + a(l) + 0.1d0*k(l + 1)/dzl - a(l)**2/b(l - 1)
      r(l) = told(l) + a(l)*r(l - 1)/b(l - 1)
    end do
    r(nl) = r(nl) + 0.1d0*k(nl + 1)/dzl*tf
    tnew(nl) = r(nl)/b(nl)
    do l = nl - 1, 1, -1
      tnew(l) = (r(l) + a(l + 1)*tnew(l + 1))/b(l)
    end do
  end subroutine conduct

  subroutine surface(tair, sw, ts, t1, hs, hi)
    real(8), intent(in) :: tair, sw, t1
    real(8), intent(inout) :: ts, hs, hi
    real(8) :: net, melt
    ts = (10.0d0*tair + 2.0d0*t1/(0.1d0 + hs) + sw)/(10.0d0 + 2.0d0/(0.1d0 + hs))
    if (ts > 0.0d0) then
      net = 10.0d0*ts
      ts = 0.0d0
      melt = 0.01d0*net
      if (hs > melt) then
        hs = hs - melt
      else
        hi = hi - (melt - hs)
        hs = 0.01d0*hs
      end if
    else
      hs = hs + 0.005d0
    end if
  end subroutine surface

  subroutine bottom(t, hi, fw)
    real(8), intent(in) :: t(0:nl)
    real(8), intent(inout) :: hi
    real(8), intent(in), optional :: fw
    real(8) :: grow
    grow = 0.1d0*(tf - t(nl))*nl/hi
    if (present(fw)) grow = grow - fw*0.05d0
    hi = hi + 0.02d0*grow
  end subroutine bottom
end module ice_model

subroutine icepack(ks, tair, sw, fw, cost)
  use ice_model
  implicit none
  real(8), intent(in) :: ks, tair(nstep), sw(nstep), fw
  real(8), intent(out) :: cost
  real(8) :: t(0:nl, 0:nstep), ts, hs, hi, thick(0:nstep)
  integer :: n, l
  do l = 0, nl
    t(l, 0) = -5.0d0 + 0.5d0*l
  end do
  ts = -6.0d0
  hs = 0.2d0
  hi = 1.5d0
  thick(0) = hi
  do n = 1, nstep
    call surface(8.0d0*(tair(n) - 1.0d0), sw(n), ts, t(1, n - 1), hs, hi)
    call conduct(t(:, n - 1), t(:, n), hi, ks, ts)
    if (mod(n, 2) == 0) then
      call bottom(t(0, n), hi, fw)
    else
      call bottom(t(0, n), hi)
    end if
    thick(n) = hi
  end do
  cost = 0.0d0
  do n = 1, nstep
    cost = cost + (thick(n) - thick(n - 1))**2 + 0.01d0*t(nl/2, n)**2
  end do
end subroutine icepack

! A catchment: stores in series of every reach, routed downstream, a triangular unit hydrograph, snow in bands.
module reaches
  implicit none
  integer, parameter :: nr = 5, nb = 3, nuh = 4, nday = 6
contains
  subroutine degree_day(p, t, ddf, pack, out)
    real(8), intent(in) :: p, t, ddf
    real(8), intent(inout) :: pack
    real(8), intent(out) :: out
    real(8) :: melt
    if (t < 0.5d0) then
      pack = pack + p
      out = 0.0d0
    else
      melt = min(pack, ddf*(t - 0.5d0)*pack/(pack + 0.1d0))
      pack = pack - melt
      out = p + melt
    end if
  end subroutine degree_day

  subroutine store(s, x, cap, beta, q)
    real(8), intent(inout) :: s
    real(8), intent(in) :: x, cap, beta
    real(8), intent(out) :: q
    real(8) :: f
    f = (s/cap)**beta
    s = s + x*(1.0d0 - f)
    q = x*f + 0.05d0*s
    s = s - 0.05d0*s
  end subroutine store

  subroutine convolve(uh, x, buf)
    real(8), intent(in) :: uh(nuh), x
    real(8), intent(inout) :: buf(nuh)
    integer :: i
    do i = 1, nuh - 1
      buf(i) = buf(i + 1) + uh(i)*x
    end do
    buf(nuh) = uh(nuh)*x
  end subroutine convolve

  subroutine route(qin, vol, qout, k)
    real(8), intent(in) :: qin, k
    real(8), intent(inout) :: vol
    real(8), intent(out) :: qout
    vol = vol + 0.5d0*qin
    qout = k*vol**1.5d0
    vol = vol - 0.5d0*qout
  end subroutine route
end module reaches

subroutine catchment(par, uh, rain, temp, cost)
  use reaches
  implicit none
  real(8), intent(in) :: par(4), uh(nuh), rain(nday), temp(nday)
  real(8), intent(out) :: cost
  real(8) :: pack(nb, nr), soil(nr), buf(nuh, nr), vol(nr), q(0:nr), eff(nb), fast
  integer :: day, r, b
  pack = 0.2d0
  soil = 0.5d0
  buf = 0.0d0
  vol = 0.4d0
  q = 0.1d0
  cost = 0.0d0
  do day = 1, nday
    q(0) = 0.0d0
    do r = 1, nr
      do b = 1, nb
        call degree_day(rain(day), temp(day) - 0.3d0*b, par(1), pack(b, r), eff(b))
      end do
      call store(soil(r), sum(eff)/nb, 1.0d0 + par(2), 1.0d0 + par(3), fast)
      call convolve(uh, fast, buf(1, r))
      call route(q(r - 1) + buf(1, r), vol(r), q(r), 0.1d0*par(4))
    end do
    cost = cost + (q(nr) - 0.3d0)**2
  end do
end subroutine catchment

! A river bed that moves: backwater curve step by step upstream, bed load by Meyer-Peter and Mueller, Exner's equation
! with avalanching, grain sorting in two classes.
subroutine sediment(n, nt, bed0, d, qin, miss)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: bed0(n), d(2), qin(nt)
  real(8), intent(out) :: miss
  real(8) :: bed(n), h(n), share(n), qs(0:n, 2), dz, slope, total, shift
  integer :: it, i, g, sweep
  do i = 1, n
    bed(i) = 2d0 - 0.2d0*i + 0.05d0*bed0(i)
    share(i) = 0.5d0
  end do
  miss = 0d0
  do it = 1, nt
    call backwater(n, bed, 1d0 + 0.2d0*qin(it), h)
    do g = 1, 2
      call bedload(n, h, bed, share, 0.2d0 + 0.1d0*d(g), g, qs(1, g), 1d0 + 0.2d0*qin(it))
      qs(0, g) = qs(1, g)
    end do
    do i = 1, n
      total = 0d0
      do g = 1, 2
        total = total + qs(i-1, g) - qs(i, g)
      end do
      dz = 0.1d0*total
      share(i) = (share(i)*0.5d0 + 0.1d0*(qs(i-1, 1) - qs(i, 1)))/(0.5d0 + dz)
      if (share(i) < 0.05d0) share(i) = 0.05d0
      if (share(i) > 0.95d0) share(i) = 0.95d0
      bed(i) = bed(i) + dz
    end do
    do sweep = 1, 2
      do i = 1, n - 1
        slope = bed(i) - bed(i+1)
        if (abs(slope) > 0.25d0) then
          shift = 0.5d0*(abs(slope) - 0.25d0)
          bed(i) = bed(i) - sign(shift, slope)
          bed(i+1) = bed(i+1) + sign(shift, slope)
        end if
      end do
    end do
  end do
  do i = 1, n
    miss = miss + (bed(i) - 1d0)**2*share(i)
  end do
end subroutine
subroutine backwater(n, bed, q, h)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: bed(n), q
  real(8), intent(out) :: h(n)
  real(8) :: e, f, df, x
  integer :: i, k
  h(n) = 1.5d0
  do i = n - 1, 1, -1
    e = bed(i+1) + h(i+1) + q*q/(19.62d0*h(i+1)**2) + 0.01d0*q*q/h(i+1)**3
    x = h(i+1)
    do k = 1, 3
      f = bed(i) + x + q*q/(19.62d0*x*x) - e
      df = 1d0 - q*q/(9.81d0*x**3)
      x = x - f/df
      if (x < 0.3d0) x = 0.3d0
    end do
    h(i) = x
  end do
end subroutine
subroutine bedload(n, h, bed, share, d, g, qs, q)
  implicit none
  integer, intent(in) :: n, g
  real(8), intent(in) :: h(n), bed(n), share(n), d, q
  real(8), intent(out) :: qs(n)
  real(8) :: theta, u, over, part
  integer :: i
  do i = 1, n
    u = q/h(i)
    theta = 0.02d0*u*u/d
    part = share(i)
    if (g == 2) part = 1d0 - share(i)
    over = theta - 0.01d0
    if (over > 0d0) then
      qs(i) = part*8d0*over**1.5d0*d
    else
      qs(i) = 0d0
    end if
  end do
end subroutine

! A flame: five species in each cell, two reactions by Arrhenius' law, subcycled chemistry, diffusion, a hot spot.
subroutine flame(n, nt, t0, y0, rate, front)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: t0(n), y0(3, n), rate(2)
  real(8), intent(out) :: front
  real(8) :: s(4, n), w(4, n), wdot(4)
  integer :: it, i, k, sub
  do i = 1, n
    s(4, i) = 1d0 + 0.1d0*t0(i)
    if (i < 3) s(4, i) = s(4, i) + 1.5d0
    do k = 1, 3
      s(k, i) = 0.3d0 + 0.1d0*y0(k, i)
    end do
  end do
  front = 0d0
  do it = 1, nt
    do i = 1, n
      do sub = 1, 2
        call chemistry(s(:, i), rate, wdot)
        do k = 1, 4
          s(k, i) = s(k, i) + 0.05d0*wdot(k)
          if (k < 4) s(k, i) = max(s(k, i), 0d0)
        end do
      end do
    end do
    do i = 1, n
      do k = 1, 4
        w(k, i) = 0d0
        if (i > 1) w(k, i) = w(k, i) + s(k, i-1) - s(k, i)
        if (i < n) w(k, i) = w(k, i) + s(k, i+1) - s(k, i)
        w(k, i) = w(k, i)*0.1d0*sqrt(s(4, i))
      end do
    end do
    do i = 1, n
      s(:, i) = s(:, i) + w(:, i)
    end do
    do i = 1, n
      front = front + 0.01d0*s(4, i)**2
    end do
  end do
end subroutine
subroutine chemistry(s, rate, wdot)
  implicit none
  real(8), intent(in) :: s(4), rate(2)
  real(8), intent(out) :: wdot(4)
  real(8) :: k1, k2, r1, r2
  k1 = (1d0 + rate(1))*exp(-3d0/s(4))
  k2 = (1d0 + rate(2))*exp(-5d0/s(4))*sqrt(s(4))
  r1 = k1*s(1)*s(2)
  r2 = k2*s(3)*s(2)
  wdot(1) = -r1
  wdot(2) = -r1 - 0.5d0*r2
  wdot(3) = r1 - r2
  wdot(4) = 2d0*r1 + 3d0*r2
end subroutine

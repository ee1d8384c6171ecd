! Sand dunes on a strip: wind speed-up by a hump formula, saturated flux with a lag, erosion by the flux's divergence,
! avalanches until no slope is too steep (a loop with a test), masks by WHERE, a sheltered lee.
module duneops
  implicit none
  integer, parameter :: n = 8
contains
  subroutine windspeed(h, u0, tau)
    real(8), intent(in) :: h(n), u0
    real(8), intent(out) :: tau(n)
    real(8) :: s, c
    integer :: i, j
    do i = 1, n
      s = 0d0
      do j = 1, n
        if (j /= i) s = s + (h(mod(j + n, n) + 1) - h(mod(j - 2 + n, n) + 1))/(i - j)
      end do
      c = 0.5d0*(h(mod(i + n, n) + 1) - h(mod(i - 2 + n, n) + 1))
      tau(i) = u0**2*(1d0 + 0.5d0*s + 0.7d0*c)
    end do
  end subroutine windspeed
  subroutine shelter(h, tau)
    real(8), intent(in) :: h(n)
    real(8), intent(inout) :: tau(n)
    real(8) :: line
    integer :: i, k
    logical :: lee(n)
    lee = .false.
    do i = 1, n
      if (h(mod(i + n, n) + 1) < h(i) - 0.25d0) then
        line = h(i)
        do k = 1, 3
          line = line - 0.2d0
          if (h(mod(i + k - 1 + n, n) + 1) < line) lee(mod(i + k - 1 + n, n) + 1) = .true.
        end do
      end if
    end do
    where (lee)
      tau = 0d0
    elsewhere (tau < 0.05d0)
      tau = 0.05d0
    end where
  end subroutine shelter
  subroutine avalanche(h, repose)
    real(8), intent(inout) :: h(n)
    real(8), intent(in) :: repose
    real(8) :: d, worst, move(n)
    integer :: it, i, ip
    do it = 1, 12
      move = 0d0
      worst = 0d0
      do i = 1, n
        ip = mod(i + n, n) + 1
        d = h(i) - h(ip)
        if (d > repose) then
          move(i) = move(i) - 0.3d0*(d - repose)
          move(ip) = move(ip) + 0.3d0*(d - repose)
          worst = max(worst, d - repose)
        else if (d < -repose) then
          move(i) = move(i) + 0.3d0*(-d - repose)
          move(ip) = move(ip) - 0.3d0*(-d - repose)
          worst = max(worst, -d - repose)
        end if
      end do
      if (worst < 1d-3) exit
      h = h + move
    end do
  end subroutine avalanche
end module duneops
subroutine dunes(nt, h0, wind, thresh, lag, repose, crest)
  use duneops
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: h0(n), wind(nt), thresh, lag, repose
  real(8), intent(out) :: crest
  real(8) :: h(n), tau(n), qs(n), q(n), dt
  integer :: it, i
  dt = 0.1d0
  do i = 1, n
    h(i) = h0(i)*(1d0 + 0.5d0*sin(0.7854d0*i))
  end do
  q = 0d0
  do it = 1, nt
    !$AD CHECKPOINT-START
    call windspeed(h, wind(it), tau)
    call shelter(h, tau)
    where (tau > 0.3d0*thresh)
      qs = tau**1.5d0*(1d0 - 0.3d0*thresh/tau)
    elsewhere
      qs = 0d0
    end where
    !$AD CHECKPOINT-END
    q(1) = q(n) + (qs(1) - q(n))/(1d0 + lag)
    do i = 2, n
      q(i) = q(i-1) + (qs(i) - q(i-1))/(1d0 + lag)
      if (qs(i) < q(i)) q(i) = 0.5d0*(q(i) + qs(i))
    end do
    h(1) = h(1) - dt*(q(1) - q(n))
    do i = 2, n
      h(i) = h(i) - dt*(q(i) - q(i-1))
    end do
    call avalanche(h, 0.4d0*repose)
  end do
  crest = 0d0
  do i = 1, n
    crest = crest + h(i)**4
  end do
end subroutine dunes

! A water network by Hardy Cross: loops as signed lists of pipes, friction by Swamee-Jain or laminar, a pump curve, a
! valve that closes; marked parts around the hour and around the loop corrections.
module pipes
  implicit none
  integer, parameter :: np = 6, nl = 2
  integer :: loop_of(3, nl) = reshape((/1, 2, 3, -3, 4, 5/), (/3, nl/))
contains
  subroutine friction(q, d, rough, f)
    real(8), intent(in) :: q, d, rough
    real(8), intent(out) :: f
    real(8) :: re
    re = 1d3*abs(q)/d + 1d0
    if (re < 2d2) then
      f = 64d0/re
    else
      f = 0.25d0/log10(rough/(3.7d0*d) + 5.74d0/re**0.9d0)**2
    end if
  end subroutine friction
  subroutine headloss(q, d, len, rough, h, dh)
    real(8), intent(in) :: q, d, len, rough
    real(8), intent(out) :: h, dh
    real(8) :: f, r
    call friction(q, d, rough, f)
    r = 0.1d0*f*len/d**5
    h = r*q*abs(q)
    dh = 2d0*r*abs(q) + 1d-3
  end subroutine headloss
  subroutine pump(q, c, h)
    real(8), intent(in) :: q, c(2)
    real(8), intent(out) :: h
    if (q > 0d0) then
      h = c(1) - c(2)*q*q
    else
      h = c(1)
    end if
  end subroutine pump
end module pipes
subroutine pipenet(nh, nit, d, rough, curve, demand, press)
  use pipes
  implicit none
  integer, intent(in) :: nh, nit
  real(8), intent(in) :: d(np), rough(np), curve(2), demand(nh)
  real(8), intent(out) :: press
  real(8) :: q(np), len(np), h, dh, sum_h, sum_dh, corr, tank, s
  integer :: ih, it, l, m, k
  q = 0.3d0
  q(3) = 0.05d0
  tank = 1d0
  press = 0d0
  do k = 1, np
    len(k) = 1d0 + 0.2d0*k
  end do
  do ih = 1, nh
    !$AD CHECKPOINT-START
    q(1) = q(1) + 0.1d0*(demand(ih) - 0.5d0)
    q(6) = 0.5d0*demand(ih)
    do it = 1, nit
      !$AD CHECKPOINT-START
      do l = 1, nl
        sum_h = 0d0
        sum_dh = 0d0
        do m = 1, 3
          k = abs(loop_of(m, l))
          s = sign(1, loop_of(m, l))
          call headloss(s*q(k), 0.5d0 + 0.2d0*d(k), len(k), 0.01d0*rough(k), h, dh)
          sum_h = sum_h + h
          sum_dh = sum_dh + dh
        end do
        if (l == 1) then
          call pump(q(1), curve, h)
          sum_h = sum_h - 0.1d0*h
        end if
        corr = -sum_h/sum_dh
        do m = 1, 3
          k = abs(loop_of(m, l))
          q(k) = q(k) + sign(1, loop_of(m, l))*corr
        end do
      end do
      !$AD CHECKPOINT-END
    end do
    tank = tank + 0.1d0*(q(1) - q(6))
    if (tank > 1.2d0) then
      q(6) = q(6) + 0.2d0*(tank - 1.2d0)
      tank = 1.2d0
    end if
    !$AD CHECKPOINT-END
    call headloss(q(6), 0.6d0, len(6), 0.01d0*rough(6), h, dh)
    press = press + tank - h
  end do
end subroutine pipenet

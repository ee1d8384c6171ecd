! Unconfined groundwater in a strip: Picard iterations on a transmissivity that depends on the head, a symmetric banded
! matrix factorised without pivoting in band storage, wells and a river boundary; heads at observation wells.
module gwband
  implicit none
  integer, parameter :: mb = 2
contains
  subroutine bandfactor(ab, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: ab(0:mb,n)
    integer :: j, k, i
    do j = 1, n
      ab(0,j) = sqrt(ab(0,j))
      do k = 1, min(mb, n-j)
        ab(k,j) = ab(k,j)/ab(0,j)
      end do
      do k = 1, min(mb, n-j)
        do i = k, min(mb, n-j)
          ab(i-k,j+k) = ab(i-k,j+k) - ab(i,j)*ab(k,j)
        end do
      end do
    end do
  end subroutine bandfactor
  subroutine bandsolve(ab, b, n)
    integer, intent(in) :: n
    real(8), intent(in) :: ab(0:mb,n)
    real(8), intent(inout) :: b(n)
    integer :: j, k
    do j = 1, n
      b(j) = b(j)/ab(0,j)
      do k = 1, min(mb, n-j)
        b(j+k) = b(j+k) - ab(k,j)*b(j)
      end do
    end do
    do j = n, 1, -1
      do k = 1, min(mb, n-j)
        b(j) = b(j) - ab(k,j)*b(j+k)
      end do
      b(j) = b(j)/ab(0,j)
    end do
  end subroutine bandsolve
  subroutine conductance(head, cond, bot, tr, n)
    integer, intent(in) :: n
    real(8), intent(in) :: head(2,n), cond(2,n), bot
    real(8), intent(out) :: tr(2,n)
    real(8) :: sat, up
    integer :: i, r
    do i = 1, n - 1
      do r = 1, 2
        up = max(head(r,i), head(r,i+1))
        sat = max(up - bot, 0.05d0)
        tr(r,i) = 2d0*cond(r,i)*cond(r,i+1)/(cond(r,i) + cond(r,i+1))*sat
      end do
    end do
    tr(:,n) = 0d0
  end subroutine conductance
end module gwband
subroutine gwpicard(n, nt, cond, recharge, pump, sy, cost)
  use gwband
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: cond(2,n), recharge(nt), pump(n), sy
  real(8), intent(out) :: cost
  real(8) :: head(2,n), hold(2,n), hpic(2,n), tr(2,n), ab(0:mb,2*n), rhs(2*n)
  real(8) :: change, cross, river
  integer :: it, pic, i, r, m
  do i = 1, n
    head(1,i) = 2d0 + 0.1d0*i
    head(2,i) = 2.2d0 + 0.1d0*i
  end do
  river = 2d0
  cost = 0d0
  do it = 1, nt
    hold = head
    do pic = 1, 6
      hpic = head
      call conductance(hpic, cond, 0.2d0, tr, n)
      ab = 0d0
      do i = 1, n
        cross = 0.5d0*(cond(1,i) + cond(2,i))*(0.5d0*(hpic(1,i) + hpic(2,i)) - 0.2d0)
        do r = 1, 2
          m = 2*(i - 1) + r
          ab(0,m) = ab(0,m) + sy + cross
          rhs(m) = sy*hold(r,i) + 0.1d0*recharge(it)
          if (r == 1) ab(1,m) = -cross
          if (i < n) then
            ab(0,m) = ab(0,m) + tr(r,i)
            ab(2,m) = -tr(r,i)
          end if
          if (i > 1) ab(0,m) = ab(0,m) + tr(r,i-1)
        end do
        rhs(2*i) = rhs(2*i) - 0.05d0*pump(i)
      end do
      ab(0,1) = ab(0,1) + 1d0
      rhs(1) = rhs(1) + river
      call bandfactor(ab, 2*n)
      call bandsolve(ab, rhs, 2*n)
      change = 0d0
      do i = 1, n
        do r = 1, 2
          head(r,i) = rhs(2*(i-1) + r)
          change = max(change, abs(head(r,i) - hpic(r,i)))
        end do
      end do
      if (change < 1d-3) exit
    end do
    cost = cost + (head(1,3) - 2d0)**2 + (head(2,n-1) - 2.2d0)**2
  end do
end subroutine gwpicard

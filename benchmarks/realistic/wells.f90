! Ground water in a confined aquifer with pumping wells: implicit steps by point over-relaxation, drawdown at the wells.
module wells_data
  implicit none
  integer, parameter :: nw = 3
  integer :: wi(nw) = (/2, 3, 4/), wj(nw) = (/2, 4, 3/)
  real(8) :: rate(nw)
  real(8) :: storage, dx, dt
contains
  subroutine schedule(it, base)
    integer, intent(in) :: it
    real(8), intent(in) :: base(nw)
    integer :: k
    do k = 1, nw
      if (mod(it + k, 3) == 0) then
        rate(k) = 0d0
      else
        rate(k) = base(k)*(1d0 + 0.1d0*sin(0.7d0*it))
      end if
    end do
  end subroutine
end module
subroutine wells(n, nt, logk, base, h0, miss)
  use wells_data
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: logk(n, n), base(nw), h0(n, n)
  real(8), intent(out) :: miss
  real(8) :: h(n, n), old(n, n), tx(n, n), ty(n, n), k(n, n), seen(nw)
  integer :: it, i, j, m
  storage = 0.02d0
  dx = 1d0
  dt = 0.1d0
  do j = 1, n
    do i = 1, n
      k(i, j) = exp(0.2d0*logk(i, j))
    end do
  end do
  call transmissivity(n, k, tx, ty)
  h = h0
  miss = 0d0
  do it = 1, nt
    call schedule(it, base)
    old = h
    call relax(n, tx, ty, old, h)
    do m = 1, nw
      call observe(n, h, k(wi(m), wj(m)), wi(m), wj(m), rate(m), seen(m))
    end do
    do m = 1, nw
      miss = miss + (seen(m) - 1d0)**2
    end do
  end do
end subroutine
subroutine transmissivity(n, k, tx, ty)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: k(n, n)
  real(8), intent(out) :: tx(n, n), ty(n, n)
  integer :: i, j
  tx = 0d0
  ty = 0d0
  do j = 1, n
    do i = 1, n - 1
      tx(i, j) = 2d0*k(i, j)*k(i+1, j)/(k(i, j) + k(i+1, j))
    end do
  end do
  do j = 1, n - 1
    do i = 1, n
      ty(i, j) = 2d0*k(i, j)*k(i, j+1)/(k(i, j) + k(i, j+1))
    end do
  end do
end subroutine
subroutine relax(n, tx, ty, old, h)
  use wells_data
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: tx(n, n), ty(n, n), old(n, n)
  real(8), intent(inout) :: h(n, n)
  real(8) :: q(n, n), diag, rhs, omega, new
  integer :: sweep, i, j, m
  omega = 1.4d0
  q = 0d0
  do m = 1, nw
    q(wi(m), wj(m)) = q(wi(m), wj(m)) - rate(m)
  end do
  do sweep = 1, 4
    do j = 2, n - 1
      do i = 2, n - 1
        diag = tx(i, j) + tx(i-1, j) + ty(i, j) + ty(i, j-1) + storage*dx*dx/dt
        rhs = tx(i, j)*h(i+1, j) + tx(i-1, j)*h(i-1, j) + ty(i, j)*h(i, j+1) + ty(i, j-1)*h(i, j-1)
        rhs = rhs + q(i, j) + storage*dx*dx/dt*old(i, j)
        new = rhs/diag
        h(i, j) = h(i, j) + omega*(new - h(i, j))
      end do
    end do
  end do
end subroutine
subroutine observe(n, h, k, i, j, rate, seen)
  implicit none
  integer, intent(in) :: n, i, j
  real(8), intent(in) :: h(n, n), k, rate
  real(8), intent(out) :: seen
  real(8) :: loss
  loss = 0d0
  if (rate > 0d0) loss = rate/k*log(1d0 + rate)
  seen = h(i, j) - loss
end subroutine

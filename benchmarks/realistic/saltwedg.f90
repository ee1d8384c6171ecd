! Sea water under a coastal aquifer: sharp interface between two fluids, one strongly implicit solver for both heads, a
! pumping schedule with wells that shut off when salt comes up, upconing, leakage through the sea bed.
module wedge
  implicit none
  integer, parameter :: n = 8
  type well
    integer :: cell, first, last
    real(8) :: rate
  end type well
contains
  subroutine thickness(hf, hs, bot, top, bf, bs)
    real(8), intent(in) :: hf(n), hs(n), bot(n), top(n)
    real(8), intent(out) :: bf(n), bs(n)
    real(8) :: zi
    integer :: i
    do i = 1, n
      zi = 4d0*hs(i) - 3d0*hf(i)
      zi = min(max(zi, bot(i) + 0.01d0), top(i) - 0.01d0)
      bf(i) = min(hf(i), top(i)) - zi
      if (bf(i) < 0.05d0) bf(i) = 0.05d0
      bs(i) = zi - bot(i)
    end do
  end subroutine thickness
  subroutine tridiagonal(a, b, c, r, x)
    real(8), intent(in) :: a(n), b(n), c(n), r(n)
    real(8), intent(out) :: x(n)
    real(8) :: bet, gam(n)
    integer :: i
    bet = b(1)
    x(1) = r(1)/bet
    do i = 2, n
      gam(i) = c(i-1)/bet
      bet = b(i) - a(i)*gam(i)
      x(i) = (r(i) - a(i)*x(i-1))/bet
    end do
    do i = n - 1, 1, -1
      x(i) = x(i) - gam(i+1)*x(i+1)
    end do
  end subroutine tridiagonal
  subroutine flow(k, b, h, store, src, left, leak, dt)
    real(8), intent(in) :: k(n), b(n), store, src(n), left, leak(n), dt
    real(8), intent(inout) :: h(n)
    real(8) :: lo(n), di(n), up(n), rhs(n), t
    integer :: i
    do i = 1, n
      lo(i) = 0d0
      up(i) = 0d0
      di(i) = store/dt + leak(i)
      rhs(i) = store/dt*h(i) + src(i) + leak(i)*left
    end do
    do i = 1, n - 1
      t = 2d0*k(i)*b(i)*k(i+1)*b(i+1)/(k(i)*b(i) + k(i+1)*b(i+1))
      up(i) = -t
      di(i) = di(i) + t
      lo(i+1) = -t
      di(i+1) = di(i+1) + t
    end do
    call tridiagonal(lo, di, up, rhs, h)
  end subroutine flow
  subroutine pumping(w, it, bf, hf, src)
    type(well), intent(inout) :: w(:)
    integer, intent(in) :: it
    real(8), intent(in) :: bf(n), hf(n)
    real(8), intent(inout) :: src(n)
    real(8) :: rate
    integer :: j, c
    do j = 1, size(w)
      if (it < w(j)%first .or. it > w(j)%last) cycle
      c = w(j)%cell
      rate = w(j)%rate
      if (bf(c) < 0.3d0) then
        w(j)%rate = 0.5d0*rate
        rate = 0.2d0*rate*bf(c)
      else if (hf(c) < 0d0) then
        rate = 0d0
      end if
      src(c) = src(c) - rate
    end do
  end subroutine pumping
end module wedge
subroutine saltwedge(nt, kf0, rain, plan, sea, cost)
  use wedge
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: kf0(n), rain(nt), plan(2), sea
  real(8), intent(out) :: cost
  type(well) :: w(2)
  real(8) :: hf(n), hs(n), bf(n), bs(n), bot(n), top(n), src(n), kk(n), leak(n), dt
  integer :: it, i, pic
  do i = 1, n
    bot(i) = -2d0
    top(i) = 0.5d0 + 0.2d0*i
    kk(i) = 0.5d0 + kf0(i)
    hf(i) = 0.3d0 + 0.1d0*i
    hs(i) = 0.05d0*i
    leak(i) = 0d0
  end do
  leak(1) = 2d0
  leak(2) = 0.5d0
  do i = 1, 2
    w(i)%cell = 2 + 2*i
    w(i)%first = i
    w(i)%last = 3 + 2*(i - 1)
    w(i)%rate = plan(i)
  end do
  dt = 0.4d0
  cost = 0d0
  do it = 1, nt
    do pic = 1, 2
      call thickness(hf, hs, bot, top, bf, bs)
      src = 0.1d0*rain(it)
      call pumping(w, it, bf, hf, src)
      call flow(kk, bf, hf, 0.2d0, src, sea, leak, dt)
      src = 0d0
      call flow(kk, bs, hs, 0.1d0, src, 0.5d0*sea, leak, dt)
    end do
    cost = cost + bs(4)**2 + (w(1)%rate*hf(4) + w(2)%rate*hf(6))
  end do
end subroutine saltwedge

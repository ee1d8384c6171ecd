! A distillation column: bubble points by Newton on each stage, component balances by a tridiagonal sweep over the stages,
! flows from the heat balance, stages in a work array of columns.
module stages_of
  implicit none
  integer, parameter :: nk = 3
contains
  subroutine kvalues(t, rel, k, dk)
    real(8), intent(in) :: t, rel(nk)
    real(8), intent(out) :: k(nk), dk(nk)
    integer :: c
    do c = 1, nk
      k(c) = rel(c)*exp(4d0*(t - 1d0)/t)
      dk(c) = k(c)*4d0/t**2
    end do
  end subroutine kvalues
  subroutine bubble(x, rel, t)
    real(8), intent(in) :: x(nk), rel(nk)
    real(8), intent(inout) :: t
    real(8) :: k(nk), dk(nk), f, df
    integer :: it, c
    do it = 1, 10
      call kvalues(t, rel, k, dk)
      f = -1d0
      df = 0d0
      do c = 1, nk
        f = f + k(c)*x(c)
        df = df + dk(c)*x(c)
      end do
      if (abs(f) < 1d-10) return
      t = t - max(-0.2d0, min(0.2d0, f/df))
    end do
  end subroutine bubble
  subroutine thomas(n, a, b, c, d)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n), c(n)
    real(8), intent(inout) :: b(n), d(n)
    real(8) :: m
    integer :: i
    do i = 2, n
      m = a(i)/b(i-1)
      b(i) = b(i) - m*c(i-1)
      d(i) = d(i) - m*d(i-1)
    end do
    d(n) = d(n)/b(n)
    do i = n - 1, 1, -1
      d(i) = (d(i) - c(i)*d(i+1))/b(i)
    end do
  end subroutine thomas
  subroutine normalise(x)
    real(8), intent(inout) :: x(nk)
    real(8) :: s
    integer :: c
    s = 0d0
    do c = 1, nk
      x(c) = max(x(c), 1d-6)
      s = s + x(c)
    end do
    x = x/s
  end subroutine normalise
end module stages_of
subroutine distill(n, nit, feed, rel, reflux, purity, duty)
  use stages_of
  implicit none
  integer, intent(in) :: n, nit
  real(8), intent(in) :: feed(nk), rel(nk), reflux
  real(8), intent(out) :: purity, duty
  real(8) :: x(nk, n), t(n), l(n), v(n), w(n, 4), k(nk, n), dk(nk), told
  integer :: it, i, c, nf
  logical :: settled
  nf = (n + 1)/2
  do i = 1, n
    t(i) = 1d0
    l(i) = 1d0 + reflux
    if (i >= nf) l(i) = l(i) + 1d0
    v(i) = 2d0 + reflux
    do c = 1, nk
      x(c, i) = feed(c)/(feed(1) + feed(2) + feed(3))
    end do
  end do
  settled = .false.
  it = 0
  do while (.not. settled .and. it < nit)
    it = it + 1
    settled = .true.
    do i = 1, n
      told = t(i)
      call bubble(x(1, i), rel, t(i))
      if (abs(t(i) - told) > 1d-6) settled = .false.
      call kvalues(t(i), rel, k(1, i), dk)
    end do
    do c = 1, nk
      do i = 1, n
        w(i, 1) = -l(max(i-1, 1))
        w(i, 2) = l(i) + v(i)*k(c, i) + 0.2d0
        w(i, 3) = -v(min(i+1, n))*k(c, min(i+1, n))
        w(i, 4) = 0.2d0*x(c, i)
        if (i == nf) w(i, 4) = w(i, 4) + feed(c)
      end do
      w(1, 2) = w(1, 2) + 0.5d0
      w(n, 2) = w(n, 2) + 0.5d0
      call thomas(n, w(1, 1), w(1, 2), w(1, 3), w(1, 4))
      do i = 1, n
        x(c, i) = w(i, 4)
      end do
    end do
    do i = 1, n
      call normalise(x(1, i))
    end do
    do i = 2, n - 1
      v(i) = v(i) + 0.1d0*(t(i+1) - 2d0*t(i) + t(i-1))
    end do
  end do
  purity = x(1, 1)
  duty = 0d0
  do i = 1, n
    duty = duty + v(i)*t(i)/n
  end do
end subroutine distill

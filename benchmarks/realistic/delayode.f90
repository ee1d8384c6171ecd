! Blood cell production with delayed feedback (Mackey-Glass in compartments): an explicit Runge-Kutta method given by its
! Butcher table, the history in a ring buffer of states and slopes (index modulo its length), Hermite interpolation into it.
module table_mod
  implicit none
  integer, parameter :: s = 4, nring = 8
  real(8), parameter :: a(s, s) = reshape([0d0, 0.5d0, 0d0, 0d0, 0d0, 0d0, 0.75d0, 0d0, 0d0, 0d0, 0d0, 1d0, &
    0d0, 0d0, 0d0, 0d0], [s, s])
  real(8), parameter :: bw(s) = [2d0/9d0, 1d0/3d0, 4d0/9d0, 0d0], c(s) = [0d0, 0.5d0, 0.75d0, 1d0]
end module table_mod
module history
  use table_mod
  implicit none
  type ring
    real(8) :: t(0:nring-1)
    real(8) :: y(3, 0:nring-1), f(3, 0:nring-1)
    integer :: last
  end type ring
contains
  subroutine put(r, t, y, f)
    type(ring), intent(inout) :: r
    real(8), intent(in) :: t, y(3), f(3)
    integer :: k
    r%last = r%last + 1
    k = mod(r%last, nring)
    r%t(k) = t
    r%y(:, k) = y
    r%f(:, k) = f
  end subroutine put
  subroutine past(r, t, y)
    type(ring), intent(in) :: r
    real(8), intent(in) :: t
    real(8), intent(out) :: y(3)
    integer :: back, k, k1
    real(8) :: h, x, h00, h10, h01, h11
    if (t <= r%t(0) .and. r%last < nring) then
      y = r%y(:, 0)
      return
    end if
    k = mod(r%last, nring)
    do back = 1, nring - 2
      if (r%last - back < 0) exit
      k = mod(r%last - back, nring)
      if (r%t(k) <= t) exit
    end do
    k1 = mod(k + 1, nring)
    h = r%t(k1) - r%t(k)
    x = (t - r%t(k))/h
    h00 = (1d0 + 2d0*x)*(1d0 - x)**2
    h10 = x*(1d0 - x)**2
    h01 = x*x*(3d0 - 2d0*x)
    h11 = x*x*(x - 1d0)
    y = h00*r%y(:, k) + h10*h*r%f(:, k) + h01*r%y(:, k1) + h11*h*r%f(:, k1)
  end subroutine past
  subroutine rhs(y, yd, p, f)
    real(8), intent(in) :: y(3), yd(3), p(4)
    real(8), intent(out) :: f(3)
    real(8) :: feed
    feed = p(1)/(1d0 + yd(3)**4)
    f(1) = feed*yd(1) + 0.2d0 - p(2)*y(1)
    f(2) = p(2)*y(1) - p(3)*y(2)
    f(3) = p(3)*y(2) - p(4)*y(3)/(0.5d0 + y(3))
  end subroutine rhs
end module history
subroutine delayode(nsteps, y0, p, tau, obs, misfit)
  use history
  implicit none
  integer, intent(in) :: nsteps
  real(8), intent(in) :: y0(3), p(4), tau, obs(nsteps)
  real(8), intent(out) :: misfit
  type(ring) :: r
  real(8) :: y(3), k(3, s), ys(3), yd(3), t, h, f(3)
  integer :: n, i, j, m
  h = 0.3d0*tau
  t = 0d0
  y = y0
  r%last = -1
  call rhs(y, y, p, f)
  call put(r, t, y, f)
  misfit = 0d0
  do n = 1, nsteps
    do m = 1, 2
      do i = 1, s
        ys = y
        do j = 1, i - 1
          if (a(i, j) /= 0d0) ys = ys + h*a(i, j)*k(:, j)
        end do
        call past(r, t + c(i)*h - tau, yd)
        call rhs(ys, yd, p, k(:, i))
      end do
      do i = 1, s
        y = y + h*bw(i)*k(:, i)
      end do
      t = t + h
      call put(r, t, y, k(:, s))
    end do
    misfit = misfit + (y(3) - obs(n))**2
  end do
end subroutine delayode

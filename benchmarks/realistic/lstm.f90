! A recurrent cell over a series: gates from one weight matrix, the state as derived type, a rating curve as output,
! the running mean and variance of the input by Welford's update.
module recurrent
  implicit none
  integer, parameter :: nh = 3, nx = 2
  type cell
    real(8) :: h(nh), c(nh)
  end type cell
contains
  pure real(8) function squash(x)
    real(8), intent(in) :: x
    squash = 1d0/(1d0 + exp(-x))
  end function squash

  subroutine standardise(x, n, mean, m2, z)
    real(8), intent(in) :: x(nx)
    integer, intent(inout) :: n
    real(8), intent(inout) :: mean(nx), m2(nx)
    real(8), intent(out) :: z(nx)
    real(8) :: d(nx)
    n = n + 1
    d = x - mean
    mean = mean + d/n
    m2 = m2 + d*(x - mean)
    z = (x - mean)/sqrt(m2/n + 0.1d0)
  end subroutine standardise

  subroutine advance(s, z, w, b)
    type(cell), intent(inout) :: s
    real(8), intent(in) :: z(nx), w(4*nh, nh + nx), b(4*nh)
    real(8) :: g(4*nh), in(nh + nx)
    integer :: k
    in(1:nh) = s%h
    in(nh+1:) = z
    do k = 1, 4*nh
      g(k) = b(k) + sum(w(k, :)*in)
    end do
    do k = 1, nh
      g(k) = squash(g(k))
      g(nh+k) = squash(g(nh+k))
      g(2*nh+k) = squash(g(2*nh+k))
      g(3*nh+k) = tanh(g(3*nh+k))
      s%c(k) = g(nh+k)*s%c(k) + g(k)*g(3*nh+k)
      s%h(k) = g(2*nh+k)*tanh(s%c(k))
    end do
  end subroutine advance
end module recurrent

subroutine forecast(w, b, v, series, cost)
  use recurrent
  implicit none
  real(8), intent(in) :: w(12, 5), b(12), v(3), series(2, 7)
  real(8), intent(out) :: cost
  type(cell) :: s
  real(8) :: mean(nx), m2(nx), z(nx), q
  integer :: t, n
  s%h = 0d0
  s%c = 0d0
  mean = 0d0
  m2 = 0d0
  n = 0
  cost = 0d0
  do t = 1, 7
    call standardise(series(:, t), n, mean, m2, z)
    call advance(s, z, w, b)
    q = exp(sum(v*s%h))
    if (t > 2) cost = cost + (q - 1d0)**2
  end do
end subroutine forecast

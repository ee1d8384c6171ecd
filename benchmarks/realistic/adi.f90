! Alternating directions for non-linear heat conduction: a tridiagonal solver for each line.
subroutine adi(n, nt, u0, kap, cost)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: u0(n, n), kap
  real(8), intent(out) :: cost
  real(8) :: u(n, n), w(n, n), a(n), b(n), c(n), d(n), dt, k
  integer :: it, i, j
  u = u0
  dt = 0.1d0
  do it = 1, nt
    do j = 2, n - 1
      do i = 1, n
        k = dt*kap*(1d0 + 0.1d0*u(i, j)**2)
        a(i) = -k
        b(i) = 1d0 + 2d0*k
        c(i) = -k
        d(i) = u(i, j) + k*(u(i, j-1) - 2d0*u(i, j) + u(i, j+1))
      end do
      call thomas(n, a, b, c, d)
      w(:, j) = d
    end do
    w(:, 1) = w(:, 2)
    w(:, n) = w(:, n-1)
    do i = 2, n - 1
      do j = 1, n
        k = dt*kap*(1d0 + 0.1d0*w(i, j)**2)
        a(j) = -k
        b(j) = 1d0 + 2d0*k
        c(j) = -k
        d(j) = w(i, j) + k*(w(i-1, j) - 2d0*w(i, j) + w(i+1, j))
      end do
      call thomas(n, a, b, c, d)
      u(i, :) = d
    end do
    u(1, :) = u(2, :)
    u(n, :) = u(n-1, :)
  end do
  cost = sum((u - 1d0)**2)
end subroutine
subroutine thomas(n, a, b, c, d)
  implicit none
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
end subroutine

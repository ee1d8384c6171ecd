! Newton's method for chemistry in each cell: residual, Jacobian, elimination without pivots, update.
module chemistry
  implicit none
  integer, parameter :: ns = 4, ncell = 6
contains
  subroutine residual(c, c0, rate, dt, r)
    real(8), intent(in) :: c(ns), c0(ns), rate(ns), dt
    real(8), intent(out) :: r(ns)
    integer :: i
    r(1) = c(1) - c0(1) + dt*(rate(1)*c(1)*c(2))
    do i = 2, ns - 1
      r(i) = c(i) - c0(i) + dt*(rate(i)*c(i)*c(i + 1) - rate(i - 1)*c(i - 1)*c(i))
    end do
    r(ns) = c(ns) - c0(ns) - dt*rate(ns)*c(ns - 1)*c(ns)
  end subroutine residual

  subroutine jacobian(c, rate, dt, a)
    real(8), intent(in) :: c(ns), rate(ns), dt
    real(8), intent(out) :: a(ns, ns)
    integer :: i, j
    do j = 1, ns
      do i = 1, ns
        a(i, j) = 0.0d0
      end do
      a(j, j) = 1.0d0
    end do
    a(1, 1) = a(1, 1) + dt*rate(1)*c(2)
    a(1, 2) = a(1, 2) + dt*rate(1)*c(1)
    do i = 2, ns - 1
      a(i, i) = a(i, i) + dt*(rate(i)*c(i + 1) - rate(i - 1)*c(i - 1))
      a(i, i + 1) = a(i, i + 1) + dt*rate(i)*c(i)
      a(i, i - 1) = a(i, i - 1) - dt*rate(i - 1)*c(i)
    end do
    a(ns, ns) = a(ns, ns) - dt*rate(ns)*c(ns - 1)
    a(ns, ns - 1) = a(ns, ns - 1) - dt*rate(ns)*c(ns)
  end subroutine jacobian

  subroutine eliminate(a, b)
    real(8), intent(inout) :: a(ns, ns), b(ns)
    real(8) :: factor
    integer :: i, j, k
    do k = 1, ns - 1
      do i = k + 1, ns
        factor = a(i, k)/a(k, k)
        do j = k + 1, ns
          a(i, j) = a(i, j) - factor*a(k, j)
        end do
        b(i) = b(i) - factor*b(k)
      end do
    end do
    do i = ns, 1, -1
      do j = i + 1, ns
        b(i) = b(i) - a(i, j)*b(j)
      end do
      b(i) = b(i)/a(i, i)
    end do
  end subroutine eliminate

  subroutine react(c, rate, dt)
    real(8), intent(inout) :: c(ns)
    real(8), intent(in) :: rate(ns), dt
    real(8) :: c0(ns), r(ns), a(ns, ns)
    integer :: it
    c0 = c
    do it = 1, 3
      call residual(c, c0, rate, dt, r)
      call jacobian(c, rate, dt, a)
      call eliminate(a, r)
      c = c - r
    end do
  end subroutine react
end module chemistry

subroutine reactor(c0, rate, cost)
  use chemistry
  implicit none
  real(8), intent(in) :: c0(ns, ncell), rate(ns)
  real(8), intent(out) :: cost
  real(8) :: c(ns, ncell)
  integer :: i, step
  c = c0
  do step = 1, 3
    do i = 1, ncell
      call react(c(:, i), rate, 0.1d0)
    end do
    do i = ncell, 2, -1
      c(:, i) = 0.9d0*c(:, i) + 0.1d0*c(:, i - 1)
    end do
  end do
  cost = 0.0d0
  do i = 1, ncell
    cost = cost + c(ns, i)**2*c(1, i)
  end do
end subroutine reactor

! V-cycles for a nonlinear problem; all levels in one vector, each behind the other.
module grids
  implicit none
  integer, parameter :: nlev = 3, nfine = 17, ntotal = 17 + 9 + 5
  integer :: start(nlev), length(nlev)
contains
  subroutine layout
    integer :: l
    start(1) = 1
    length(1) = nfine
    do l = 2, nlev
      start(l) = start(l - 1) + length(l - 1)
      length(l) = (length(l - 1) + 1)/2
    end do
  end subroutine layout

  subroutine smooth(n, u, f, k)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(n)
    real(8), intent(in) :: f(n), k
    integer :: i
    do i = 2, n - 1
      u(i) = (f(i) + u(i - 1) + u(i + 1) - 0.1d0*u(i)**3)/(2.0d0 + k)
    end do
  end subroutine smooth

  subroutine residual(n, u, f, k, r)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n), f(n), k
    real(8), intent(out) :: r(n)
    integer :: i
    r(1) = 0.0d0
    do i = 2, n - 1
      r(i) = f(i) + u(i - 1) + u(i + 1) - (2.0d0 + k)*u(i) - 0.1d0*u(i)**3
    end do
    r(n) = 0.0d0
  end subroutine residual

  subroutine restrict(n, r, m, f, u)
    integer, intent(in) :: n, m
    real(8), intent(in) :: r(n)
    real(8), intent(out) :: f(m), u(m)
    integer :: i
    f(1) = 0.0d0
    f(m) = 0.0d0
    do i = 2, m - 1
      f(i) = r(2*i - 2) + 2.0d0*r(2*i - 1) + r(2*i)
    end do
    do i = 1, m
      u(i) = 0.0d0
    end do
  end subroutine restrict

  subroutine correct(m, e, n, u)
    integer, intent(in) :: n, m
    real(8), intent(in) :: e(m)
    real(8), intent(inout) :: u(n)
    integer :: i
    do i = 2, m - 1
      u(2*i - 1) = u(2*i - 1) + e(i)
    end do
    do i = 1, m - 1
      u(2*i) = u(2*i) + 0.5d0*(e(i) + e(i + 1))
    end do
  end subroutine correct
end module grids

subroutine vcycle(u, f, r, k)
  use grids
  implicit none
  real(8), intent(inout) :: u(ntotal), f(ntotal), r(ntotal)
  real(8), intent(in) :: k
  integer :: l, a, b
  do l = 1, nlev - 1
    a = start(l)
    b = start(l + 1)
    call smooth(length(l), u(a), f(a), k)
    call residual(length(l), u(a), f(a), k, r(a))
    call restrict(length(l), r(a), length(l + 1), f(b), u(b))
  end do
  call smooth(length(nlev), u(start(nlev)), f(start(nlev)), k)
  call smooth(length(nlev), u(start(nlev)), f(start(nlev)), k)
  do l = nlev - 1, 1, -1
    a = start(l)
    b = start(l + 1)
    call correct(length(l + 1), u(b), length(l), u(a))
    call smooth(length(l), u(a), f(a), k)
  end do
end subroutine vcycle

subroutine solve(source, k, cost)
  use grids
  implicit none
  real(8), intent(in) :: source(nfine), k
  real(8), intent(out) :: cost
  real(8) :: u(ntotal), f(ntotal), r(ntotal)
  integer :: i, cycle_
  call layout
  do i = 1, ntotal
    u(i) = 0.0d0
    f(i) = 0.0d0
    r(i) = 0.0d0
  end do
  do i = 1, nfine
    f(i) = 0.1d0*source(i)
  end do
  do cycle_ = 1, 3
    call vcycle(u, f, r, k)
  end do
  cost = 0.0d0
  do i = 1, nfine
    cost = cost + u(i)**2
  end do
end subroutine solve

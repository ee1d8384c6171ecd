! Advection on a grid that is refined as it goes: cells counted in a record with the arrays, a mask with COUNT, remapping by cumulative sums, sub-stepping by the smallest cell.
module mesh
  implicit none
  integer, parameter :: mx = 40
  type grid
    integer :: n
    real(8) :: dx(mx), c(mx)
  end type grid
contains
  subroutine start(g, n, c0)
    type(grid), intent(inout) :: g
    integer, intent(in) :: n
    real(8), intent(in) :: c0(n)
    g%n = n
    g%dx(1:n) = 1d0/n
    g%c(1:n) = c0
  end subroutine start
  subroutine refine(g, tol)
    type(grid), intent(inout) :: g
    real(8), intent(in) :: tol
    real(8) :: dx(mx), c(mx)
    logical :: mark(mx)
    real(8) :: s
    integer :: i, n, m, k
    n = g%n
    mark = .false.
    do i = 2, n
      mark(i) = abs(g%c(i) - g%c(i-1)) > tol .and. g%dx(i) > 0.06d0
    end do
    m = n + count(mark)
    if (m == n .or. m > mx) return
    k = 0
    do i = 1, n
      k = k + 1
      if (mark(i)) then
        s = 0.25d0*(g%c(i) - g%c(i-1))
        dx(k) = 0.5d0*g%dx(i)
        dx(k+1) = 0.5d0*g%dx(i)
        c(k) = g%c(i) - 0.5d0*s
        c(k+1) = g%c(i) + 0.5d0*s
        k = k + 1
      else
        dx(k) = g%dx(i)
        c(k) = g%c(i)
      end if
    end do
    g%n = m
    g%dx(1:m) = dx(1:m)
    g%c(1:m) = c(1:m)
  end subroutine refine
  subroutine limiter(a, b, s)
    real(8), intent(in) :: a, b
    real(8), intent(out) :: s
    s = 0d0
    if (a*b > 0d0) s = 2d0*a*b/(a + b)
  end subroutine limiter
  subroutine advect(g, vel, dt)
    type(grid), intent(inout) :: g
    real(8), intent(in) :: vel, dt
    real(8) :: f(0:mx), s
    integer :: i, n
    n = g%n
    f(0) = vel*g%c(n)
    do i = 1, n
      s = 0d0
      if (i > 1 .and. i < n) call limiter(g%c(i) - g%c(i-1), g%c(i+1) - g%c(i), s)
      f(i) = vel*(g%c(i) + 0.5d0*s*(1d0 - vel*dt/g%dx(i)))
    end do
    do i = 1, n
      g%c(i) = g%c(i) - dt/g%dx(i)*(f(i) - f(i-1)) - dt*0.1d0*g%c(i)**2
    end do
  end subroutine advect
end module mesh
subroutine refine1d(n, nt, c0, vel, cost)
  use mesh
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: c0(n), vel
  real(8), intent(out) :: cost
  type(grid) :: g
  real(8) :: dt
  integer :: it, k, nsub
  call start(g, n, c0)
  cost = 0d0
  do it = 1, nt
    if (mod(it, 2) == 1) call refine(g, 0.2d0)
    nsub = 1 + int(0.05d0/minval(g%dx(1:g%n)))
    dt = 0.05d0/nsub
    do k = 1, nsub
      call advect(g, vel, dt)
    end do
    cost = cost + sum(g%dx(1:g%n)*g%c(1:g%n)**2)
  end do
end subroutine refine1d

! Shallow water, leapfrog with a filter: three time levels in the last dimension, rotated by index.
module levels
  implicit none
  integer, parameter :: nx = 6
  real(8) :: h(nx, 3), u(nx, 3)
  integer :: nold, nnow, nnew
contains
  subroutine rotate_levels()
    integer :: k
    k = nold
    nold = nnow
    nnow = nnew
    nnew = k
  end subroutine rotate_levels
end module levels
module dynamics
  use levels
  implicit none
  real(8), parameter :: g = 1d0, dx = 1d0
contains
  subroutine tendencies(dt2, drag)
    real(8), intent(in) :: dt2, drag
    integer :: i, ip, im
    do i = 1, nx
      ip = i + 1
      if (ip > nx) ip = 1
      im = i - 1
      if (im < 1) im = nx
      h(i, nnew) = h(i, nold) - dt2*(h(ip, nnow)*u(ip, nnow) - h(im, nnow)*u(im, nnow))/(2*dx)
      u(i, nnew) = u(i, nold) - dt2*(u(i, nnow)*(u(ip, nnow) - u(im, nnow)) + g*(h(ip, nnow) - h(im, nnow)))/(2*dx) &
                   - dt2*drag*abs(u(i, nold))*u(i, nold)/h(i, nold)
    end do
  end subroutine tendencies
  subroutine filter(nu)
    real(8), intent(in) :: nu
    integer :: i
    do i = 1, nx
      h(i, nnow) = h(i, nnow) + nu*(h(i, nold) - 2*h(i, nnow) + h(i, nnew))
      u(i, nnow) = u(i, nnow) + nu*(u(i, nold) - 2*u(i, nnow) + u(i, nnew))
    end do
  end subroutine filter
end module dynamics
subroutine timelevels(h0, u0, drag, cost, nt)
  use dynamics
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: h0(nx), u0(nx), drag
  real(8), intent(out) :: cost
  integer :: it
  nold = 1
  nnow = 2
  nnew = 3
  h(:, nold) = 2d0 + 0.1d0*h0
  u(:, nold) = 0.1d0*u0
  h(:, nnow) = h(:, nold)
  u(:, nnow) = u(:, nold)
  cost = 0d0
  do it = 1, nt
    call tendencies(0.2d0, 0.1d0*drag)
    call filter(0.05d0)
    call rotate_levels()
    cost = cost + sum((h(:, nnow) - 2d0)**2)
  end do
end subroutine timelevels

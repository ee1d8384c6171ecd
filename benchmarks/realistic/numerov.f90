! A bound state in a screened well: Numerov from both sides, matched in the middle, energy by the cusp condition until it
! stands still; density fed back to the screening with damping (self-consistent field).
module radial
  implicit none
  integer, parameter :: dp = kind(1d0)
  integer, parameter :: most = 20
  type grid
    integer :: n, match
    real(dp) :: h
    real(dp), allocatable :: r(:)
  end type grid
  type orbital
    real(dp) :: energy
    real(dp) :: p(most)
  end type orbital
contains
  subroutine make_grid(g, n)
    type(grid), intent(out) :: g
    integer, intent(in) :: n
    integer :: i
    g%n = n
    g%match = n/2
    g%h = 6._dp/n
    allocate (g%r(n))
    do i = 1, n
      g%r(i) = g%h*i
    end do
  end subroutine make_grid
  subroutine solve(g, v, o, iters)
    type(grid), intent(in) :: g
    real(dp), intent(in) :: v(:)
    type(orbital), intent(inout) :: o
    integer, intent(out) :: iters
    real(dp) :: f(g%n), cusp, norm, scale, de, fac
    integer :: i, it, m
    m = g%match
    fac = g%h**2/12._dp
    do it = 1, 6
      iters = it
      do i = 1, g%n
        f(i) = 1._dp + fac*2._dp*(o%energy - v(i))
      end do
      o%p(1) = g%r(1)
      o%p(2) = (12._dp - 10._dp*f(1))*o%p(1)/f(2)
      do i = 2, m - 1
        o%p(i+1) = ((12._dp - 10._dp*f(i))*o%p(i) - f(i-1)*o%p(i-1))/f(i+1)
      end do
      scale = o%p(m)
      o%p(g%n) = g%h
      o%p(g%n-1) = (12._dp - 10._dp*f(g%n))*o%p(g%n)/f(g%n-1)
      do i = g%n - 1, m + 1, -1
        o%p(i-1) = ((12._dp - 10._dp*f(i))*o%p(i) - f(i+1)*o%p(i+1))/f(i-1)
      end do
      scale = scale/o%p(m)
      do i = m, g%n
        o%p(i) = o%p(i)*scale
      end do
      norm = 0._dp
      do i = 1, g%n
        norm = norm + g%h*o%p(i)**2
      end do
      do i = 1, g%n
        o%p(i) = o%p(i)/sqrt(norm)
      end do
      cusp = (o%p(m-1)*f(m-1) + f(m+1)*o%p(m+1) + 10._dp*f(m)*o%p(m))/12._dp
      de = 0.05_dp*o%p(m)*(cusp - o%p(m))/(g%h*fac*12._dp)
      de = max(min(de, 0.2_dp), -0.2_dp)
      o%energy = o%energy - de
      if (abs(de) < 1e-10_dp) return
    end do
  end subroutine solve
end module radial
subroutine numerov(n, charge, screen, mix, cost)
  use radial
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: charge, screen(n), mix
  real(8), intent(out) :: cost
  type(grid) :: g
  type(orbital) :: o
  real(8) :: v(2*n), rho(2*n), q
  integer :: i, it, used
  call make_grid(g, 2*n)
  o%energy = -0.4d0
  do i = 1, 2*n
    o%p(i) = 0d0
  end do
  rho = 0d0
  do it = 1, 3
    q = 0d0
    do i = 1, g%n
      q = q + g%h*rho(i)
      v(i) = -(1d0 + charge)/g%r(i)*exp(-0.2d0*screen((i+1)/2)*g%r(i)) + 0.3d0*q/g%r(i)
    end do
    call solve(g, v, o, used)
    do i = 1, g%n
      rho(i) = (1d0 - 0.5d0*mix)*rho(i) + 0.5d0*mix*o%p(i)**2
    end do
  end do
  cost = o%energy**2 + rho(3) + 0.1d0*rho(n)**2
  deallocate (g%r)
end subroutine numerov

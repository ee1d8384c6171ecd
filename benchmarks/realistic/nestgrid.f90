! A wave that runs up a coast through nested grids: a type for each grid with its fields, the coarse one gives the
! fine one its edge, finer steps in time, averages given back, wetting and drying, friction; a gauge in the finest.
module nests
  implicit none
  integer, parameter :: ng = 2, mx = 9
  type level
    integer :: n, ratio, from
    real(8) :: dx
    real(8) :: h(0:mx), u(0:mx-1), bed(0:mx)
  end type level
  type(level) :: g(ng)
contains
  subroutine make(ic, n, ratio, from, dx)
    integer, intent(in) :: ic, n, ratio, from
    real(8), intent(in) :: dx
    g(ic)%n = n
    g(ic)%ratio = ratio
    g(ic)%from = from
    g(ic)%dx = dx
  end subroutine make
  subroutine start(ic, bed, hump)
    integer, intent(in) :: ic
    real(8), intent(in) :: bed, hump
    real(8) :: x
    integer :: i
    do i = 0, g(ic)%n + 1
      x = (i - 0.5d0)*g(ic)%dx
      if (ic > 1) x = x + (g(ic)%from - 1)*g(1)%dx
      g(ic)%bed(i) = -1d0 + 0.2d0*bed*x
      g(ic)%h(i) = max(hump*exp(-(x - 1d0)**2) - g(ic)%bed(i), 0d0)
    end do
    g(ic)%u = 0d0
  end subroutine start
  subroutine faces(n, h, u, bed, dx, dt, fric)
    integer, intent(in) :: n
    real(8), intent(in) :: h(0:n+1), bed(0:n+1), dx, dt, fric
    real(8), intent(inout) :: u(0:n)
    real(8) :: hm, slope
    integer :: i
    do i = 0, n
      hm = 0.5d0*(h(i) + h(i+1))
      if (hm < 1d-2) then
        u(i) = 0d0
      else
        slope = (h(i+1) + bed(i+1) - h(i) - bed(i))/dx
        u(i) = (u(i) - dt*slope)/(1d0 + dt*fric*abs(u(i))/hm)
      end if
    end do
  end subroutine faces
  subroutine depths(n, h, u, dx, dt)
    integer, intent(in) :: n
    real(8), intent(inout) :: h(0:n+1)
    real(8), intent(in) :: u(0:n), dx, dt
    real(8) :: f(0:n)
    integer :: i
    do i = 0, n
      if (u(i) > 0d0) then
        f(i) = u(i)*h(i)
      else
        f(i) = u(i)*h(i+1)
      end if
    end do
    do i = 1, n
      h(i) = max(h(i) - dt/dx*(f(i) - f(i-1)), 0d0)
    end do
  end subroutine depths
  subroutine step(ic, dt, fric)
    integer, intent(in) :: ic
    real(8), intent(in) :: dt, fric
    call faces(g(ic)%n, g(ic)%h, g(ic)%u, g(ic)%bed, g(ic)%dx, dt, fric)
    call depths(g(ic)%n, g(ic)%h, g(ic)%u, g(ic)%dx, dt)
  end subroutine step
  subroutine edge(w)
    real(8), intent(in) :: w
    integer :: a, b
    a = g(2)%from - 1
    b = g(2)%from + g(2)%n/g(2)%ratio
    g(2)%h(0) = (1d0 - w)*g(2)%h(0) + w*g(1)%h(a)
    g(2)%h(g(2)%n+1) = (1d0 - w)*g(2)%h(g(2)%n+1) + w*g(1)%h(min(b, g(1)%n+1))
  end subroutine edge
  subroutine give_back()
    integer :: i, j, k, r
    real(8) :: s
    r = g(2)%ratio
    do i = 1, g(2)%n/r
      j = g(2)%from + i - 1
      s = 0d0
      do k = (i - 1)*r + 1, i*r
        s = s + g(2)%h(k)
      end do
      g(1)%h(j) = 0.5d0*g(1)%h(j) + 0.5d0*s/r
    end do
  end subroutine give_back
end module nests
subroutine nestgrid(nt, bed, hump, fric, tide, gauge)
  use nests
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: bed, hump, fric, tide(nt)
  real(8), intent(out) :: gauge
  integer :: it, k
  call make(1, 8, 1, 1, 0.5d0)
  call make(2, 8, 2, 5, 0.25d0)
  call start(1, bed, hump)
  call start(2, bed, hump)
  gauge = 0d0
  do it = 1, nt
    g(1)%h(0) = 1d0 + 0.1d0*tide(it)
    call step(1, 0.1d0, fric)
    do k = 1, 2
      call edge(0.5d0*k)
      call step(2, 0.05d0, fric)
    end do
    call give_back()
    gauge = gauge + (g(2)%h(6) - 0.3d0)**2 + 0.1d0*g(2)%u(3)**2
  end do
end subroutine nestgrid

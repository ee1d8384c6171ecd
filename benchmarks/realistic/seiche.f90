! Wind set-up and seiches in a lake: a module that keeps its state in allocatable arrays, set up, stepped and freed by
! the driver; forward-backward time stepping on a C grid, quadratic friction, a wind from two stations.
module lake_state
  implicit none
  integer :: nx, ny
  real(8), allocatable :: eta(:,:), u(:,:), v(:,:), h(:,:)
  real(8), allocatable :: taux(:,:), tauy(:,:), hu(:,:), hv(:,:)
  real(8) :: cd = 0.0025d0, f = 0.1d0, g = 1d0
contains
  subroutine lake_init(mx, my, depth)
    integer, intent(in) :: mx, my
    real(8), intent(in) :: depth(mx, my)
    eta = 0d0
    u = 0d0
    v = 0d0
    h = 1d0 + depth
    hu = 0d0
    hv = 0d0
  end subroutine lake_init
  subroutine lake_wind(w1, w2, dir)
    real(8), intent(in) :: w1, w2, dir
    integer :: i, j
    real(8) :: r, w
    do j = 1, ny
      do i = 1, nx
        r = real(i - 1, 8)/(nx - 1)
        w = (1d0 - r)*w1 + r*w2
        taux(i,j) = 0.02d0*w*abs(w)*cos(dir)
        tauy(i,j) = 0.02d0*w*abs(w)*sin(dir)
      end do
    end do
  end subroutine lake_wind
  subroutine lake_continuity(dt)
    real(8), intent(in) :: dt
    integer :: i, j
    do j = 1, ny
      do i = 1, nx - 1
        hu(i,j) = 0.5d0*(h(i,j) + h(i+1,j) + eta(i,j) + eta(i+1,j))
      end do
    end do
    do j = 1, ny - 1
      do i = 1, nx
        hv(i,j) = 0.5d0*(h(i,j) + h(i,j+1) + eta(i,j) + eta(i,j+1))
      end do
    end do
    do j = 1, ny
      do i = 1, nx
        eta(i,j) = eta(i,j) - dt*(hu(i,j)*u(i,j) - hu(i-1,j)*u(i-1,j) &
                                  + hv(i,j)*v(i,j) - hv(i,j-1)*v(i,j-1))
      end do
    end do
  end subroutine lake_continuity
  subroutine lake_momentum(dt)
    real(8), intent(in) :: dt
    integer :: i, j
    real(8) :: vm, um, speed, fric
    do j = 1, ny
      do i = 1, nx - 1
        vm = 0.25d0*(v(i,j) + v(i+1,j) + v(i,j-1) + v(i+1,j-1))
        speed = sqrt(u(i,j)**2 + vm**2 + 1d-6)
        fric = cd*speed/max(hu(i,j), 0.1d0)
        u(i,j) = (u(i,j) + dt*(f*vm - g*(eta(i+1,j) - eta(i,j)) &
                 + 0.5d0*(taux(i,j) + taux(i+1,j))/hu(i,j)))/(1d0 + dt*fric)
      end do
    end do
    do j = 1, ny - 1
      do i = 1, nx
        um = 0.25d0*(u(i,j) + u(i-1,j) + u(i,j+1) + u(i-1,j+1))
        speed = sqrt(v(i,j)**2 + um**2 + 1d-6)
        fric = cd*speed/max(hv(i,j), 0.1d0)
        v(i,j) = (v(i,j) + dt*(-f*um - g*(eta(i,j+1) - eta(i,j)) &
                 + 0.5d0*(tauy(i,j) + tauy(i,j+1))/hv(i,j)))/(1d0 + dt*fric)
      end do
    end do
  end subroutine lake_momentum
end module lake_state
subroutine seiche(mx, my, nt, depth, wind1, wind2, dir, gauge, cost)
  use lake_state
  implicit none
  integer, intent(in) :: mx, my, nt
  real(8), intent(in) :: depth(mx,my), wind1(nt), wind2(nt), dir, gauge(nt)
  real(8), intent(out) :: cost
  integer :: it, k
  nx = mx
  ny = my
  allocate (eta(nx,ny), u(0:nx,ny), v(nx,0:ny), h(nx,ny))
  allocate (taux(nx,ny), tauy(nx,ny), hu(0:nx,ny), hv(nx,0:ny))
  call lake_init(mx, my, depth)
  cost = 0d0
  do it = 1, nt
    call lake_wind(wind1(it), wind2(it), dir)
    do k = 1, 3
      call lake_continuity(0.1d0)
      call lake_momentum(0.1d0)
    end do
    cost = cost + (eta(1,1) - gauge(it))**2 + 0.1d0*(eta(nx,ny) - eta(1,ny))**2
  end do
end subroutine seiche

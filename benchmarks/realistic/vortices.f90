! Vortex blobs advected by Runge-Kutta 2, merging when near, allocatable lists, total enstrophy.
module blobs
  implicit none
  type :: blob
    real(8) :: x, y, gamma, core
    logical :: alive
  end type
  type(blob) :: list(9)
  real(8) :: vx(9), vy(9)
contains
  subroutine induce(n)
    integer, intent(in) :: n
    integer :: i, j
    real(8) :: dx, dy, r2, g
    vx = 0d0
    vy = 0d0
    do i = 1, n
      if (.not. list(i)%alive) cycle
      do j = 1, n
        if (j == i .or. .not. list(j)%alive) cycle
        dx = list(i)%x - list(j)%x
        dy = list(i)%y - list(j)%y
        r2 = dx*dx + dy*dy + list(j)%core**2
        g = list(j)%gamma/(6.28318530718d0*r2)
        vx(i) = vx(i) - g*dy
        vy(i) = vy(i) + g*dx
      end do
    end do
  end subroutine
  subroutine spread_cores(n, nu, dt)
    integer, intent(in) :: n
    real(8), intent(in) :: nu, dt
    integer :: i
    do i = 1, n
      list(i)%core = sqrt(list(i)%core**2 + 4d0*nu*dt)
    end do
  end subroutine
  subroutine fuse(n, near)
    integer, intent(in) :: n
    real(8), intent(in) :: near
    integer :: i, j
    real(8) :: total
    do i = 1, n - 1
      do j = i + 1, n
        if (.not. (list(i)%alive .and. list(j)%alive)) cycle
        if ((list(i)%x - list(j)%x)**2 + (list(i)%y - list(j)%y)**2 > near*near) cycle
        total = list(i)%gamma + list(j)%gamma
        list(i)%x = (list(i)%gamma*list(i)%x + list(j)%gamma*list(j)%x)/total
        list(i)%y = (list(i)%gamma*list(i)%y + list(j)%gamma*list(j)%y)/total
        list(i)%gamma = total
        list(j)%alive = .false.
      end do
    end do
  end subroutine
end module
subroutine vortices(n, nt, x0, y0, g0, nu, enstrophy)
  use blobs
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: x0(n), y0(n), g0(n), nu
  real(8), intent(out) :: enstrophy
  real(8) :: dt, xs(n), ys(n)
  integer :: it, i
  do i = 1, n
    list(i)%x = x0(i) + 0.4d0*i
    list(i)%y = y0(i) - 0.1d0*i*i
    list(i)%gamma = 1d0 + g0(i)**2
    list(i)%core = 0.1d0
    list(i)%alive = .true.
  end do
  dt = 0.05d0
  do it = 1, nt
    do i = 1, n
      xs(i) = list(i)%x
      ys(i) = list(i)%y
    end do
    call induce(n)
    do i = 1, n
      list(i)%x = xs(i) + 0.5d0*dt*vx(i)
      list(i)%y = ys(i) + 0.5d0*dt*vy(i)
    end do
    call induce(n)
    do i = 1, n
      list(i)%x = xs(i) + dt*vx(i)
      list(i)%y = ys(i) + dt*vy(i)
    end do
    call spread_cores(n, nu, dt)
    call fuse(n, 0.15d0)
  end do
  enstrophy = 0d0
  do i = 1, n
    if (list(i)%alive) enstrophy = enstrophy + list(i)%gamma**2*exp(-list(i)%x**2)/list(i)%core**2
  end do
end subroutine

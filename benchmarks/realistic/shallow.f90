! Shallow water on a staggered grid, its state in a module.
module sw_state
  implicit none
  integer, parameter :: nx = 6, ny = 5
  real(8) :: h(0:nx+1, 0:ny+1), u(0:nx+1, 0:ny+1), v(0:nx+1, 0:ny+1)
  real(8) :: hn(0:nx+1, 0:ny+1), fx(0:nx+1, 0:ny+1), fy(0:nx+1, 0:ny+1)
  real(8) :: g = 9.8d0, dt = 0.01d0, drag = 0.02d0
end module sw_state
subroutine shallow(h0, bed, cost, nt)
  use sw_state
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: h0(nx, ny), bed(nx, ny)
  real(8), intent(out) :: cost
  integer :: t, i, j
  h = 1d0
  u = 0.1d0
  v = 0.05d0
  h(1:nx, 1:ny) = h0
  do t = 1, nt
    call halo(h)
    call halo(u)
    call halo(v)
    call fluxes
    call continuity
    call momentum(bed)
  end do
  cost = 0d0
  do j = 1, ny
    do i = 1, nx
      cost = cost + h(i,j)**2 + u(i,j)*v(i,j)
    end do
  end do
end subroutine shallow
subroutine halo(a)
  use sw_state, only: nx, ny
  implicit none
  real(8), intent(inout) :: a(0:nx+1, 0:ny+1)
  a(0, :) = a(nx, :)
  a(nx+1, :) = a(1, :)
  a(:, 0) = a(:, ny)
  a(:, ny+1) = a(:, 1)
end subroutine halo
subroutine fluxes
  use sw_state
  implicit none
  integer :: i, j
  do j = 1, ny
    do i = 1, nx + 1
      if (u(i-1, j) > 0d0) then
        fx(i, j) = u(i-1, j)*h(i-1, j)
      else
        fx(i, j) = u(i-1, j)*h(i, j)
      end if
    end do
  end do
  do j = 1, ny + 1
    do i = 1, nx
      fy(i, j) = v(i, j-1)*0.5d0*(h(i, j) + h(i, j-1))
    end do
  end do
end subroutine fluxes
subroutine continuity
  use sw_state
  implicit none
  integer :: i, j
  do j = 1, ny
    do i = 1, nx
      hn(i, j) = h(i, j) - dt*(fx(i+1, j) - fx(i, j) + fy(i, j+1) - fy(i, j))
    end do
  end do
  do j = 1, ny
    do i = 1, nx
      h(i, j) = max(hn(i, j), 1d-3)
    end do
  end do
end subroutine continuity
subroutine momentum(bed)
  use sw_state
  implicit none
  real(8), intent(in) :: bed(nx, ny)
  integer :: i, j
  real(8) :: speed
  do j = 1, ny
    do i = 1, nx
      speed = sqrt(u(i, j)**2 + v(i, j)**2)
      u(i, j) = (u(i, j) - dt*g*(h(i, j) - h(i-1, j) + bed(i, j)))/(1d0 + drag*speed/h(i, j))
      v(i, j) = (v(i, j) - dt*g*(h(i, j) - h(i, j-1)))/(1d0 + drag*speed/h(i, j))
    end do
  end do
end subroutine momentum

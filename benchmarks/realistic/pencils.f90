! Directional sweeps over pencils of a box: x, y, z in turn, each pencil a section of the field.
module box
  implicit none
  integer, parameter :: nx = 6, ny = 5, nz = 4
contains
  subroutine pencil(q, vel, dt)
    real(8), intent(inout) :: q(:)
    real(8), intent(in) :: vel, dt
    real(8) :: f(0:size(q))
    integer :: i, n
    n = size(q)
    f(0) = vel*q(1)
    do i = 1, n - 1
      f(i) = 0.5d0*vel*(q(i) + q(i + 1)) + 0.25d0*(q(i)**2 + q(i + 1)**2) - 0.1d0*(q(i + 1) - q(i))
    end do
    f(n) = vel*q(n)
    do i = 1, n
      q(i) = q(i) - dt*(f(i) - f(i - 1))
    end do
  end subroutine pencil

  subroutine sweep_x(u, c, dt)
    real(8), intent(inout) :: u(nx, ny, nz)
    real(8), intent(in) :: c(3), dt
    integer :: j, k
    do k = 1, nz
      do j = 1, ny
        call pencil(u(:, j, k), c(1), dt)
      end do
    end do
  end subroutine sweep_x

  subroutine sweep_y(u, c, dt)
    real(8), intent(inout) :: u(nx, ny, nz)
    real(8), intent(in) :: c(3), dt
    integer :: i, k
    do k = 1, nz
      do i = 1, nx
        call pencil(u(i, :, k), c(2), dt)
      end do
    end do
  end subroutine sweep_y

  subroutine sweep_z(u, c, dt)
    real(8), intent(inout) :: u(nx, ny, nz)
    real(8), intent(in) :: c(3), dt
    real(8) :: line(nz)
    integer :: i, j, k
    do j = 1, ny
      do i = 1, nx
        do k = 1, nz
          line(k) = u(i, j, k)
        end do
        call pencil(line, c(3), dt)
        do k = 1, nz
          u(i, j, k) = line(k)
        end do
      end do
    end do
  end subroutine sweep_z
end module box

subroutine transport(u0, c, cost)
  use box
  implicit none
  real(8), intent(in) :: u0(nx, ny, nz), c(3)
  real(8), intent(out) :: cost
  real(8) :: u(nx, ny, nz), dt
  integer :: i, j, k, step
  dt = 0.02d0
  u = u0
  do step = 1, 3
    if (mod(step, 2) == 1) then
      call sweep_x(u, c, dt)
      call sweep_y(u, c, dt)
      call sweep_z(u, c, dt)
    else
      call sweep_z(u, c, dt)
      call sweep_y(u, c, dt)
      call sweep_x(u, c, dt)
    end if
  end do
  cost = 0.0d0
  do k = 1, nz
    do j = 1, ny
      do i = 1, nx
        cost = cost + u(i, j, k)**2
      end do
    end do
  end do
end subroutine transport

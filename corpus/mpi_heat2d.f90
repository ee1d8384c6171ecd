! Heat on a torus of strips: each rank has columns, exchanges borders in each step, and sums the misfit.
module heat_grid
  use mpi
  implicit none
  integer :: me, ranks, left, right
contains
  subroutine find_place()
    integer :: ierr
    call mpi_comm_rank(mpi_comm_world, me, ierr)
    call mpi_comm_size(mpi_comm_world, ranks, ierr)
    left = mod(me - 1 + ranks, ranks)
    right = mod(me + 1, ranks)
  end subroutine find_place

  subroutine exchange(t, nx, ny)
    integer, intent(in) :: nx, ny
    real(8), intent(inout) :: t(nx, 0:ny+1)
    integer :: req(4), ierr
    call mpi_irecv(t(1, 0), nx, mpi_double_precision, left, 1, mpi_comm_world, req(1), ierr)
    call mpi_irecv(t(1, ny+1), nx, mpi_double_precision, right, 2, mpi_comm_world, req(2), ierr)
    call mpi_isend(t(1, ny), nx, mpi_double_precision, right, 1, mpi_comm_world, req(3), ierr)
    call mpi_isend(t(1, 1), nx, mpi_double_precision, left, 2, mpi_comm_world, req(4), ierr)
    call mpi_waitall(4, req, mpi_statuses_ignore, ierr)
  end subroutine exchange

  function conductivity(t) result(k)
    real(8), intent(in) :: t
    real(8) :: k
    k = 0.05d0 + 0.02d0*t*t/(1 + t*t)
  end function conductivity

  subroutine diffuse(t, nx, ny)
    integer, intent(in) :: nx, ny
    real(8), intent(inout) :: t(nx, 0:ny+1)
    real(8) :: new(nx, ny)
    integer :: i, j, up, down
    do j = 1, ny
      do i = 1, nx
        up = mod(i, nx) + 1
        down = mod(i - 2 + nx, nx) + 1
        new(i, j) = t(i, j) + conductivity(t(i, j))*(t(up, j) + t(down, j) + t(i, j-1) + t(i, j+1) - 4*t(i, j))
      end do
    end do
    t(:, 1:ny) = new
  end subroutine diffuse
end module heat_grid

subroutine model(t, nx, ny, nsteps, cost)
  use heat_grid
  implicit none
  integer, intent(in) :: nx, ny, nsteps
  real(8), intent(inout) :: t(nx, 0:ny+1)
  real(8), intent(out) :: cost
  real(8) :: mine, mean, hot
  integer :: step, ierr
  call find_place()
  do step = 1, nsteps
    !$AD CHECKPOINT-START
    call exchange(t, nx, ny)
    call diffuse(t, nx, ny)
    mine = sum(t(:, 1:ny))
    call mpi_allreduce(mine, mean, 1, mpi_double_precision, mpi_sum, mpi_comm_world, ierr)
    mine = maxval(t(:, 1:ny))
    call mpi_allreduce(mine, hot, 1, mpi_double_precision, mpi_max, mpi_comm_world, ierr)
    mean = mean/(nx*ny*ranks)
    t(:, 1:ny) = t(:, 1:ny) - 0.1d0*(t(:, 1:ny) - mean)*hot
    !$AD CHECKPOINT-END
  end do
  mine = sum((t(:, 1:ny) - 0.5d0)**2)
  call mpi_reduce(mine, cost, 1, mpi_double_precision, mpi_sum, 0, mpi_comm_world, ierr)
end subroutine model

! Requests prepared once and started in each step.
subroutine model(x, nsteps, cost)
  use mpi
  implicit none
  integer, intent(in) :: nsteps
  real(8), intent(inout) :: x
  real(8), intent(out) :: cost
  real(8) :: out, in
  integer :: rank, size, ierr, step, req(2)
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  call mpi_comm_size(mpi_comm_world, size, ierr)
  call mpi_recv_init(in, 1, mpi_double_precision, mod(rank - 1 + size, size), 9, mpi_comm_world, req(1), ierr)
  call mpi_send_init(out, 1, mpi_double_precision, mod(rank + 1, size), 9, mpi_comm_world, req(2), ierr)
  do step = 1, nsteps
    !$AD CHECKPOINT-START
    out = x*x
    call mpi_startall(2, req, ierr)
    call mpi_waitall(2, req, mpi_statuses_ignore, ierr)
    x = x*sin(in)
    !$AD CHECKPOINT-END
  end do
  cost = x*x
end subroutine model

! Two receives, worked off in the order in which they come.
subroutine model(x, cost)
  use mpi
  implicit none
  real(8), intent(inout) :: x
  real(8), intent(out) :: cost
  real(8) :: got(2)
  integer :: rank, size, ierr, k, at, req(2), sent(2)
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  call mpi_comm_size(mpi_comm_world, size, ierr)
  cost = x
  !$AD CHECKPOINT-START
  call mpi_irecv(got(1), 1, mpi_double_precision, mod(rank + 1, size), 1, mpi_comm_world, req(1), ierr)
  call mpi_irecv(got(2), 1, mpi_double_precision, mod(rank - 1 + size, size), 2, mpi_comm_world, req(2), ierr)
  call mpi_isend(x, 1, mpi_double_precision, mod(rank + 1, size), 2, mpi_comm_world, sent(1), ierr)
  call mpi_isend(x, 1, mpi_double_precision, mod(rank - 1 + size, size), 1, mpi_comm_world, sent(2), ierr)
  do k = 1, 2
    call mpi_waitany(2, req, at, mpi_status_ignore, ierr)
    cost = cost*got(at) + sin(got(at))
  end do
  call mpi_waitall(2, sent, mpi_statuses_ignore, ierr)
  !$AD CHECKPOINT-END
  cost = cost*cost
end subroutine model

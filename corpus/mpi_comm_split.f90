! Rows of ranks with a communicator each; sums go along the rows.
subroutine model(x, cost)
  use mpi
  implicit none
  real(8), intent(inout) :: x
  real(8), intent(out) :: cost
  real(8) :: row, all(8)
  integer :: rank, size, ierr, comm, me
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  call mpi_comm_split(mpi_comm_world, mod(rank, 2), rank, comm, ierr)
  call mpi_comm_rank(comm, me, ierr)
  call mpi_comm_size(comm, size, ierr)
  all = 0
  !$AD CHECKPOINT-START
  x = x*x*(me + 1)
  call mpi_allreduce(x, row, 1, mpi_double_precision, mpi_sum, comm, ierr)
  call mpi_gather(x, 1, mpi_double_precision, all, 1, mpi_double_precision, 0, comm, ierr)
  call mpi_bcast(all, size, mpi_double_precision, 0, comm, ierr)
  x = x*row*all(size)
  !$AD CHECKPOINT-END
  cost = x*x
end subroutine model

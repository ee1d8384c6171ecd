! A line of ranks with borders: MPI_PROC_NULL receives nothing and sends nothing.
subroutine model(u, n, cost)
  use mpi
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: u(0:n+1)
  real(8), intent(out) :: cost
  integer :: rank, size, ierr, left, right
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  call mpi_comm_size(mpi_comm_world, size, ierr)
  left = rank - 1
  if (left < 0) left = mpi_proc_null
  right = rank + 1
  if (right == size) right = mpi_proc_null
  !$AD CHECKPOINT-START
  call mpi_sendrecv(u(n), 1, mpi_double_precision, right, 1, u(0), 1, mpi_double_precision, left, 1, &
                    mpi_comm_world, mpi_status_ignore, ierr)
  call mpi_sendrecv(u(1), 1, mpi_double_precision, left, 2, u(n+1), 1, mpi_double_precision, right, 2, &
                    mpi_comm_world, mpi_status_ignore, ierr)
  u(1:n) = u(1:n)*(u(0:n-1) + u(2:n+1))
  !$AD CHECKPOINT-END
  cost = sum(u**2)
end subroutine model

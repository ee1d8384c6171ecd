! Shifts with SENDRECV and SENDRECV_REPLACE.
subroutine model(x, cost)
  use mpi
  implicit none
  real(8), intent(inout) :: x(3)
  real(8), intent(out) :: cost
  real(8) :: got(3)
  integer :: rank, size, ierr, left, right
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  call mpi_comm_size(mpi_comm_world, size, ierr)
  left = mod(rank - 1 + size, size)
  right = mod(rank + 1, size)
  !$AD CHECKPOINT-START
  call mpi_sendrecv(x, 3, mpi_double_precision, right, 1, got, 3, mpi_double_precision, left, 1, &
                    mpi_comm_world, mpi_status_ignore, ierr)
  x = x*got
  call mpi_sendrecv_replace(x, 3, mpi_double_precision, left, 2, right, 2, mpi_comm_world, mpi_status_ignore, ierr)
  x = sin(x)*got
  !$AD CHECKPOINT-END
  cost = sum(x*x)
end subroutine model

! A token goes round: rank 0 sends first, all others receive first.
subroutine model(x, y)
  use mpi
  implicit none
  real(8), intent(inout) :: x
  real(8), intent(out) :: y
  integer :: rank, size, ierr
  real(8) :: token
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  call mpi_comm_size(mpi_comm_world, size, ierr)
  !$AD CHECKPOINT-START
  if (rank == 0) then
    token = x*x
    call mpi_send(token, 1, mpi_double_precision, 1, 3, mpi_comm_world, ierr)
    call mpi_recv(token, 1, mpi_double_precision, size - 1, 3, mpi_comm_world, mpi_status_ignore, ierr)
  else
    call mpi_recv(token, 1, mpi_double_precision, rank - 1, 3, mpi_comm_world, mpi_status_ignore, ierr)
    token = token*sin(x)
    call mpi_send(token, 1, mpi_double_precision, mod(rank + 1, size), 3, mpi_comm_world, ierr)
  end if
  x = x*token
  !$AD CHECKPOINT-END
  y = x*x
end subroutine model

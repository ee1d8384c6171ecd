! Even ranks send first, odd ranks receive first; the last one of an odd number has no partner.
subroutine model(x, y)
  use mpi
  implicit none
  real(8), intent(inout) :: x
  real(8), intent(out) :: y
  integer :: rank, size, ierr
  real(8) :: other
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  call mpi_comm_size(mpi_comm_world, size, ierr)
  other = 1
  !$AD CHECKPOINT-START
  if (mod(rank, 2) == 0) then
    if (rank + 1 < size) then
      call mpi_send(x, 1, mpi_double_precision, rank + 1, 5, mpi_comm_world, ierr)
      call mpi_recv(other, 1, mpi_double_precision, rank + 1, 6, mpi_comm_world, mpi_status_ignore, ierr)
    end if
  else
    call mpi_recv(other, 1, mpi_double_precision, rank - 1, 5, mpi_comm_world, mpi_status_ignore, ierr)
    call mpi_send(x, 1, mpi_double_precision, rank - 1, 6, mpi_comm_world, ierr)
  end if
  x = x*sin(other)
  !$AD CHECKPOINT-END
  y = x*x*other
end subroutine model

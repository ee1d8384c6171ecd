! Figures 6 and 8: the outer part receives what is sent behind it, the inner one does not.
subroutine model(x, y)
  use mpi
  implicit none
  real(8), intent(inout) :: x
  real(8), intent(out) :: y
  integer :: rank, ierr, req
  real(8) :: w, pair, late
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  w = x
  pair = x
  late = x
  req = mpi_request_null
  !$AD CHECKPOINT-START
  if (rank == 0) then
    w = x*x
    call mpi_isend(w, 1, mpi_double_precision, 1, 1, mpi_comm_world, req, ierr)
  else
    call mpi_recv(w, 1, mpi_double_precision, 0, 1, mpi_comm_world, mpi_status_ignore, ierr)
  end if
  x = x*w
  !$AD CHECKPOINT-START
  if (rank == 0) then
    pair = sin(x)
    call mpi_send(pair, 1, mpi_double_precision, 1, 2, mpi_comm_world, ierr)
    call mpi_wait(req, mpi_status_ignore, ierr)
  else
    call mpi_recv(pair, 1, mpi_double_precision, 0, 2, mpi_comm_world, mpi_status_ignore, ierr)
  end if
  x = x*pair
  !$AD CHECKPOINT-END
  if (rank == 1) call mpi_recv(late, 1, mpi_double_precision, 0, 3, mpi_comm_world, mpi_status_ignore, ierr)
  x = x*late
  !$AD CHECKPOINT-END
  if (rank == 0) call mpi_send(x, 1, mpi_double_precision, 1, 3, mpi_comm_world, ierr)
  y = x*x
end subroutine model

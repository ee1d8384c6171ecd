! The exchange is started before the part and ends in it: the second run has no request to wait for.
subroutine model(u, v, cost)
  use mpi
  implicit none
  real(8), intent(inout) :: u(4), v(4)
  real(8), intent(out) :: cost
  real(8) :: h(4)
  integer :: rank, size, ierr, req(2)
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  call mpi_comm_size(mpi_comm_world, size, ierr)
  h = 3*v
  v = h*h
  call mpi_irecv(h, 4, mpi_double_precision, mod(rank - 1 + size, size), 7, mpi_comm_world, req(1), ierr)
  call mpi_isend(u, 4, mpi_double_precision, mod(rank + 1, size), 7, mpi_comm_world, req(2), ierr)
  !$AD CHECKPOINT-START
  v = sin(v)*v
  call mpi_wait(req(1), mpi_status_ignore, ierr)
  call mpi_wait(req(2), mpi_status_ignore, ierr)
  v = v*h
  !$AD CHECKPOINT-END
  h = v*v
  cost = sum(h*u)
end subroutine model

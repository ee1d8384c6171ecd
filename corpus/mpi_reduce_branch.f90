! A part on rank 0 alone with a collective in it, which the others call outside.
subroutine model(u, cost)
  use mpi
  implicit none
  real(8), intent(inout) :: u
  real(8), intent(out) :: cost
  real(8) :: total
  integer :: rank, ierr
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  if (rank == 0) then
    !$AD CHECKPOINT-START
    u = u*u
    call mpi_allreduce(u, total, 1, mpi_double_precision, mpi_sum, mpi_comm_world, ierr)
    u = u*total
    !$AD CHECKPOINT-END
  else
    call mpi_allreduce(u, total, 1, mpi_double_precision, mpi_sum, mpi_comm_world, ierr)
  end if
  cost = total*u
end subroutine model

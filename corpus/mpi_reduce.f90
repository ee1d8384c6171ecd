! Collectives in the part, on all ranks: a norm that scales.
subroutine model(u, n, cost)
  use mpi
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: u(n)
  real(8), intent(out) :: cost
  real(8) :: mine, norm, big
  integer :: ierr
  !$AD CHECKPOINT-START
  mine = sum(u**2)
  call mpi_allreduce(mine, norm, 1, mpi_double_precision, mpi_sum, mpi_comm_world, ierr)
  mine = maxval(u)
  call mpi_allreduce(mine, big, 1, mpi_double_precision, mpi_max, mpi_comm_world, ierr)
  u = u*big/sqrt(norm)
  !$AD CHECKPOINT-END
  mine = sum(u**3)
  call mpi_reduce(mine, cost, 1, mpi_double_precision, mpi_sum, 0, mpi_comm_world, ierr)
end subroutine model

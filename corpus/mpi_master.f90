! A master takes results as they come: from anyone.
subroutine model(x, cost)
  use mpi
  implicit none
  real(8), intent(inout) :: x
  real(8), intent(out) :: cost
  real(8) :: part, w
  integer :: rank, size, ierr, k, status(mpi_status_size)
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  call mpi_comm_size(mpi_comm_world, size, ierr)
  cost = x
  !$AD CHECKPOINT-START
  if (rank == 0) then
    do k = 1, size - 1
      call mpi_recv(part, 1, mpi_double_precision, mpi_any_source, mpi_any_tag, mpi_comm_world, status, ierr)
      w = status(mpi_source)
      cost = cost*sin(part)*w + part
    end do
  else
    part = x*x*rank
    call mpi_send(part, 1, mpi_double_precision, 0, rank, mpi_comm_world, ierr)
  end if
  !$AD CHECKPOINT-END
  cost = cost*cost*x
end subroutine model

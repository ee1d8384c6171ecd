! Three levels: a message inside the innermost, one that enters it from the middle, one from outside.
subroutine model(x, nsteps, cost)
  use mpi
  implicit none
  integer, intent(in) :: nsteps
  real(8), intent(inout) :: x
  real(8), intent(out) :: cost
  integer :: rank, size, ierr, step, left, right, first, second
  real(8) :: a, b, c, sent
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  call mpi_comm_size(mpi_comm_world, size, ierr)
  left = mod(rank - 1 + size, size)
  right = mod(rank + 1, size)
  sent = x
  call mpi_isend(sent, 1, mpi_double_precision, right, 1, mpi_comm_world, first, ierr)
  !$AD CHECKPOINT-START
  b = x*x
  call mpi_isend(b, 1, mpi_double_precision, right, 2, mpi_comm_world, second, ierr)
  !$AD CHECKPOINT-START
  do step = 1, nsteps
    !$AD CHECKPOINT-START
    if (step == 1) then
      call mpi_recv(a, 1, mpi_double_precision, left, 1, mpi_comm_world, mpi_status_ignore, ierr)
      call mpi_recv(c, 1, mpi_double_precision, left, 2, mpi_comm_world, mpi_status_ignore, ierr)
    end if
    call mpi_sendrecv_replace(c, 1, mpi_double_precision, right, 3, left, 3, mpi_comm_world, mpi_status_ignore, ierr)
    x = sin(x)*a + c
    !$AD CHECKPOINT-END
  end do
  call mpi_wait(second, mpi_status_ignore, ierr)
  !$AD CHECKPOINT-END
  x = x*b
  !$AD CHECKPOINT-END
  call mpi_wait(first, mpi_status_ignore, ierr)
  cost = x*x
end subroutine model

! A halo exchange in each step, all of it in the part: self-contained.
subroutine model(u, n, nsteps, cost)
  use mpi
  implicit none
  integer, intent(in) :: n, nsteps
  real(8), intent(inout) :: u(0:n+1)
  real(8), intent(out) :: cost
  real(8) :: w(0:n+1)
  integer :: rank, size, left, right, ierr, step, i, req(4)
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  call mpi_comm_size(mpi_comm_world, size, ierr)
  left = mod(rank - 1 + size, size)
  right = mod(rank + 1, size)
  do step = 1, nsteps
    !$AD CHECKPOINT-START
    call mpi_irecv(u(0), 1, mpi_double_precision, left, 1, mpi_comm_world, req(1), ierr)
    call mpi_irecv(u(n+1), 1, mpi_double_precision, right, 2, mpi_comm_world, req(2), ierr)
    call mpi_isend(u(n), 1, mpi_double_precision, right, 1, mpi_comm_world, req(3), ierr)
    call mpi_isend(u(1), 1, mpi_double_precision, left, 2, mpi_comm_world, req(4), ierr)
    call mpi_waitall(4, req, mpi_statuses_ignore, ierr)
    do i = 1, n
      w(i) = u(i) + 0.1d0*(u(i-1) - 2*u(i) + u(i+1)) + 0.01d0*u(i)**2
    end do
    u(1:n) = w(1:n)
    !$AD CHECKPOINT-END
  end do
  cost = sum(u(1:n)**2)
end subroutine model

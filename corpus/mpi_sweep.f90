! A pipelined sweep: each rank takes a front from the left, works on it, hands it to the right; then all the way back.
module sweep_line
  use mpi
  implicit none
  integer :: me, ranks
contains
  subroutine find_place()
    integer :: ierr
    call mpi_comm_rank(mpi_comm_world, me, ierr)
    call mpi_comm_size(mpi_comm_world, ranks, ierr)
  end subroutine find_place

  subroutine work(front, flux, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: front(n), flux(n)
    integer :: k
    do k = 1, n
      flux(k) = flux(k)*exp(-0.1d0*front(k)) + 0.2d0*front(k)
      front(k) = front(k)*(1 - 0.05d0*flux(k))
    end do
  end subroutine work

  subroutine forward(flux, n, block)
    integer, intent(in) :: n, block
    real(8), intent(inout) :: flux(n)
    real(8) :: front(n)
    integer :: ierr
    front = 1 + 0.1d0*block
    if (me > 0) call mpi_recv(front, n, mpi_double_precision, me - 1, block, mpi_comm_world, mpi_status_ignore, ierr)
    call work(front, flux, n)
    if (me < ranks - 1) call mpi_send(front, n, mpi_double_precision, me + 1, block, mpi_comm_world, ierr)
  end subroutine forward

  subroutine backward(flux, n, block)
    integer, intent(in) :: n, block
    real(8), intent(inout) :: flux(n)
    real(8) :: front(n)
    integer :: ierr
    front = 2 - 0.1d0*block
    if (me < ranks - 1) then
      call mpi_recv(front, n, mpi_double_precision, me + 1, 100 + block, mpi_comm_world, mpi_status_ignore, ierr)
    end if
    call work(front, flux, n)
    if (me > 0) call mpi_send(front, n, mpi_double_precision, me - 1, 100 + block, mpi_comm_world, ierr)
  end subroutine backward
end module sweep_line

subroutine model(flux, n, nblocks, cost)
  use sweep_line
  implicit none
  integer, intent(in) :: n, nblocks
  real(8), intent(inout) :: flux(n)
  real(8), intent(out) :: cost
  real(8) :: ends(n)
  integer :: block, ierr
  call find_place()
  do block = 1, nblocks
    call forward(flux, n, block)
  end do
  !$AD CHECKPOINT-START
  do block = 1, nblocks
    call backward(flux, n, block)
  end do
  ends = flux
  if (me == 0) call mpi_recv(ends, n, mpi_double_precision, ranks - 1, 999, mpi_comm_world, mpi_status_ignore, ierr)
  flux = flux*ends
  !$AD CHECKPOINT-END
  if (me == ranks - 1) call mpi_send(flux, n, mpi_double_precision, 0, 999, mpi_comm_world, ierr)
  cost = sum(flux*flux)
end subroutine model

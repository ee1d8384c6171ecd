! A master hands out tasks and takes the results as they come, from anyone; workers stop at tag 0.
module tasks
  use mpi
  implicit none
  integer :: me, ranks
contains
  subroutine find_place()
    integer :: ierr
    call mpi_comm_rank(mpi_comm_world, me, ierr)
    call mpi_comm_size(mpi_comm_world, ranks, ierr)
  end subroutine find_place

  subroutine master(x, n, total)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: total
    integer :: next, waiting, worker, status(mpi_status_size), ierr
    real(8) :: found
    next = 0
    waiting = 0
    do worker = 1, ranks - 1
      call hand_out(x, n, next, waiting, worker)
    end do
    do while (waiting > 0)
      call mpi_recv(found, 1, mpi_double_precision, mpi_any_source, mpi_any_tag, mpi_comm_world, status, ierr)
      waiting = waiting - 1
      total = total + found*sin(total)*status(mpi_tag)
      call hand_out(x, n, next, waiting, status(mpi_source))
    end do
  end subroutine master

  subroutine hand_out(x, n, next, waiting, worker)
    integer, intent(in) :: n, worker
    integer, intent(inout) :: next, waiting
    real(8), intent(in) :: x(n)
    integer :: ierr
    if (next < n) then
      next = next + 1
      call mpi_send(x(next), 1, mpi_double_precision, worker, next, mpi_comm_world, ierr)
      waiting = waiting + 1
    else
      call mpi_send(x(n), 1, mpi_double_precision, worker, 0, mpi_comm_world, ierr)
    end if
  end subroutine hand_out

  subroutine work(scale)
    real(8), intent(in) :: scale
    real(8) :: task, found
    integer :: status(mpi_status_size), ierr
    do
      call mpi_recv(task, 1, mpi_double_precision, 0, mpi_any_tag, mpi_comm_world, status, ierr)
      if (status(mpi_tag) == 0) exit
      found = task*task*scale + cos(task)
      call mpi_send(found, 1, mpi_double_precision, 0, status(mpi_tag), mpi_comm_world, ierr)
    end do
  end subroutine work
end module tasks

subroutine model(x, n, scale, total)
  use tasks
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8), intent(in) :: scale
  real(8), intent(out) :: total
  call find_place()
  total = scale
  !$AD CHECKPOINT-START
  if (me == 0) then
    call master(x, n, total)
  else
    call work(scale)
  end if
  !$AD CHECKPOINT-END
  total = total*total*scale
end subroutine model

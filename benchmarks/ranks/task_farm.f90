! A farm of workers: rank 0 hands out integrals to be refined, takes results from whoever is first, and splits again.
!
! Parameters go to all by a broadcast of one array. A task is its interval, with the depth as tag; an answer has the
! same tag, and as many values as it needs: the master looks how many with a probe. Where two estimates of an interval
! differ too much, the master puts both halves back on its heap. What comes from whom in which order is nobody's to say:
! sums are kept by task, so that the result is the same whatever the order, up to rounding.

module farm_kinds
  implicit none
  integer, parameter :: dp = kind(1d0)
  integer, parameter :: most_tasks = 64, most_depth = 3
  integer, parameter :: rough = 1, fine = 2

  type task
    real(dp) :: from = 0, to = 0
    integer :: depth = 0
    integer :: state = 0
    integer :: worker = -1
    real(dp) :: value = 0
  end type task

  type heap
    integer :: made = 0, next = 0, waiting = 0
    type(task) :: all(most_tasks)
  end type heap
end module farm_kinds

module farm_wires
  use mpi
  use farm_kinds
  implicit none
  integer :: me = -1, ranks = 0, farm = mpi_comm_null
  integer, parameter :: stop_tag = 99
contains

  subroutine open_farm()
    integer :: ierr
    call mpi_comm_split(mpi_comm_world, 0, 0, farm, ierr)
    call mpi_comm_rank(farm, me, ierr)
    call mpi_comm_size(farm, ranks, ierr)
  end subroutine open_farm

  subroutine close_farm()
    integer :: ierr
    call mpi_barrier(farm, ierr)
    call mpi_comm_free(farm, ierr)
  end subroutine close_farm

  subroutine tell_all(shape, n)
    integer, intent(in) :: n
    real(dp), intent(inout) :: shape(n)
    integer :: ierr
    call mpi_bcast(shape, n, mpi_double_precision, 0, farm, ierr)
  end subroutine tell_all

  subroutine send_task(one, worker)
    type(task), intent(in) :: one
    integer, intent(in) :: worker
    real(dp) :: wire(2)
    integer :: ierr
    wire(1) = one%from
    wire(2) = one%to
    call mpi_send(wire, 2, mpi_double_precision, worker, one%depth, farm, ierr)
  end subroutine send_task

  subroutine send_stop(worker)
    integer, intent(in) :: worker
    real(dp) :: nothing(2)
    integer :: ierr
    nothing = 0
    call mpi_send(nothing, 0, mpi_double_precision, worker, stop_tag, farm, ierr)
  end subroutine send_stop

  subroutine next_answer(values, count, worker)
    real(dp), intent(inout) :: values(3)
    integer, intent(out) :: count, worker
    integer :: status(mpi_status_size), ierr
    call mpi_probe(mpi_any_source, mpi_any_tag, farm, status, ierr)
    call mpi_get_count(status, mpi_double_precision, count, ierr)
    worker = status(mpi_source)
    call mpi_recv(values, count, mpi_double_precision, worker, status(mpi_tag), farm, status, ierr)
  end subroutine next_answer
end module farm_wires

module farm_work
  use farm_kinds
  implicit none
contains

  pure function integrand(x, shape) result(y)
    real(dp), intent(in) :: x, shape(3)
    real(dp) :: y
    y = shape(1)*exp(-shape(2)*x*x) + sin(shape(3)*x)/(1 + x*x)
  end function integrand

  pure function simpson(from, to, pieces, shape) result(total)
    real(dp), intent(in) :: from, to, shape(3)
    integer, intent(in) :: pieces
    real(dp) :: total
    real(dp) :: step, low
    integer :: k
    total = 0
    step = (to - from)/pieces
    do k = 1, pieces
      low = from + (k - 1)*step
      total = total + step/6*(integrand(low, shape) + 4*integrand(low + 0.5_dp*step, shape) &
              + integrand(low + step, shape))
    end do
  end function simpson
end module farm_work

subroutine put_task(tasks, from, to, depth)
  use farm_kinds
  implicit none
  type(heap), intent(inout) :: tasks
  real(dp), intent(in) :: from, to
  integer, intent(in) :: depth
  tasks%made = tasks%made + 1
  tasks%all(tasks%made)%from = from
  tasks%all(tasks%made)%to = to
  tasks%all(tasks%made)%depth = depth
  tasks%all(tasks%made)%state = 0
  tasks%all(tasks%made)%value = 0
end subroutine put_task

subroutine give_task(tasks, worker)
  use farm_kinds
  use farm_wires
  implicit none
  type(heap), intent(inout) :: tasks
  integer, intent(in) :: worker
  if (tasks%next == tasks%made) return
  tasks%next = tasks%next + 1
  tasks%all(tasks%next)%worker = worker
  tasks%waiting = tasks%waiting + 1
  call send_task(tasks%all(tasks%next), worker)
end subroutine give_task

! The task that a worker has: it has one at a time.
integer function task_of(tasks, worker) result(k)
  use farm_kinds
  implicit none
  type(heap), intent(in) :: tasks
  integer, intent(in) :: worker
  do k = 1, tasks%next
    if (tasks%all(k)%worker == worker .and. tasks%all(k)%state == 0) return
  end do
  k = 0
end function task_of

subroutine settle_answer(tasks, values, count, worker)
  use farm_kinds
  implicit none
  type(heap), intent(inout) :: tasks
  real(dp), intent(in) :: values(3)
  integer, intent(in) :: count, worker
  integer :: k
  real(dp) :: middle
  integer, external :: task_of
  k = task_of(tasks, worker)
  tasks%waiting = tasks%waiting - 1
  if (count == 1) then
    tasks%all(k)%state = fine
    tasks%all(k)%value = values(1)
    return
  end if
  tasks%all(k)%state = rough
  middle = values(3)
  call put_task(tasks, tasks%all(k)%from, middle, tasks%all(k)%depth + 1)
  call put_task(tasks, middle, tasks%all(k)%to, tasks%all(k)%depth + 1)
end subroutine settle_answer

subroutine master(ends, pieces, total)
  use farm_kinds
  use farm_wires
  implicit none
  integer, intent(in) :: pieces
  real(dp), intent(in) :: ends(2)
  real(dp), intent(inout) :: total
  type(heap) :: tasks
  real(dp) :: values(3), low, width
  integer :: k, worker, count, free(ranks)
  width = (ends(2) - ends(1))/pieces
  do k = 1, pieces
    low = ends(1) + (k - 1)*width
    call put_task(tasks, low, low + width, 1)
  end do
  free = 0
  do worker = 1, ranks - 1
    free(worker) = 1
  end do
  do
    do worker = 1, ranks - 1
      if (free(worker) == 1 .and. tasks%next < tasks%made) then
        call give_task(tasks, worker)
        free(worker) = 0
      end if
    end do
    if (tasks%waiting == 0) exit
    values = 0
    call next_answer(values, count, worker)
    call settle_answer(tasks, values, count, worker)
    free(worker) = 1
  end do
  do worker = 1, ranks - 1
    call send_stop(worker)
  end do
  do k = 1, tasks%made
    if (tasks%all(k)%state == fine) total = total + tasks%all(k)%value*tasks%all(k)%value
  end do
end subroutine master

subroutine work(shape)
  use farm_kinds
  use farm_wires
  use farm_work
  implicit none
  real(dp), intent(in) :: shape(3)
  real(dp) :: wire(2), answer(3)
  integer :: status(mpi_status_size), ierr, count
  do
    call mpi_recv(wire, 2, mpi_double_precision, 0, mpi_any_tag, farm, status, ierr)
    if (status(mpi_tag) == stop_tag) exit
    answer(1) = simpson(wire(1), wire(2), 4, shape)
    answer(2) = simpson(wire(1), wire(2), 2, shape)
    answer(3) = 0.5_dp*(wire(1) + wire(2))
    count = 1
    if (abs(answer(1) - answer(2)) > 1e-4_dp .and. status(mpi_tag) < most_depth) count = 3
    call mpi_send(answer, count, mpi_double_precision, 0, status(mpi_tag), farm, ierr)
  end do
end subroutine work

subroutine integrate(shape, ends, pieces, rounds, total)
  use farm_kinds
  use farm_wires
  implicit none
  integer, intent(in) :: pieces, rounds
  real(dp), intent(inout) :: shape(3), ends(2)
  real(dp), intent(out) :: total
  integer :: round
  call open_farm()
  total = 0
  do round = 1, rounds
    !$AD CHECKPOINT-START
    call tell_all(shape, 3)
    if (me == 0) then
      call master(ends, pieces, total)
    else
      call work(shape)
    end if
    !$AD CHECKPOINT-END
    shape(1) = shape(1)*cos(total) + 0.1_dp*round
  end do
  total = total*shape(1)
  call close_farm()
end subroutine integrate

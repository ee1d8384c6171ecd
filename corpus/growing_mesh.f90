! A mesh in one dimension that is refined where it is steep: allocatable arrays that grow, by assignment, by MOVE_ALLOC
! and by ALLOCATE of cells with values of their type. The parts relax it; nothing is allocated in them.
module meshes
  implicit none
  real(8), parameter :: rate = 0.03d0
  type cell
    real(8) :: u, width = 1.0d0
    real(8) :: flux(2) = 0.0d0
    integer :: level = 0
  end type cell
contains
  subroutine exchange(cells, k)
    type(cell), intent(inout) :: cells(:)
    real(8), intent(in) :: k
    integer :: i, n
    n = size(cells)
    do i = 2, n
      cells(i)%flux(1) = rate*k*(cells(i)%u - cells(i - 1)%u)/(0.5d0*(cells(i)%width + cells(i - 1)%width))
      cells(i - 1)%flux(2) = cells(i)%flux(1)
    end do
    cells(1)%flux(1) = 0.0d0
    cells(n)%flux(2) = 0.0d0
  end subroutine exchange

  subroutine relax(cells, k, sweeps)
    type(cell), intent(inout) :: cells(:)
    real(8), intent(in) :: k
    integer, intent(in) :: sweeps
    integer :: i, sweep
    do sweep = 1, sweeps
      call exchange(cells, k)
      do i = 1, size(cells)
        cells(i)%u = cells(i)%u + (cells(i)%flux(2) - cells(i)%flux(1))/cells(i)%width
        cells(i)%u = cells(i)%u - 0.01d0*cells(i)%u**2
      end do
    end do
  end subroutine relax

  subroutine halve(old, fine)
    type(cell), intent(in) :: old
    type(cell), intent(out) :: fine(2)
    fine%u = [old%u - 0.1d0*old%flux(1), old%u + 0.1d0*old%flux(2)]
    fine%width = 0.5d0*old%width*fine%width
    fine%level = old%level + 1
  end subroutine halve

  pure function steep(c) result(yes)
    type(cell), intent(in) :: c
    logical :: yes
    yes = abs(c%flux(2) - c%flux(1)) > 4.0d-3 .and. c%level < 2
  end function steep
end module meshes

subroutine adapt(x, k, rounds, cost)
  use meshes, only: cell, relax, halve, steep
  implicit none
  real(8), intent(in) :: x(4), k
  integer, intent(in) :: rounds
  real(8), intent(out) :: cost
  type(cell), allocatable :: cells(:), finer(:)
  type(cell) :: pair(2)
  real(8), allocatable :: history(:), tail(:)
  integer :: i, round, n
  allocate (cells(size(x)))
  cells%u = x
  history = [sum(x)]
  do round = 1, rounds
    call relax(cells, k, 2)
    n = 0
    allocate (finer(2*size(cells)))
    do i = 1, size(cells)
      if (steep(cells(i))) then
        call halve(cells(i), pair)
        finer(n + 1:n + 2) = pair
        n = n + 2
      else
        n = n + 1
        finer(n) = cells(i)
      end if
    end do
    if (n > size(cells)) then
      deallocate (cells)
      allocate (cells(n))
      cells = finer(:n)
      deallocate (finer)
    else
      call move_alloc(finer, cells)
      cells = cells(:n)
    end if
    history = [history, history(round)*0.5d0 + sum(cells%u*cells%width)]
    cells(1)%u = cells(1)%u + 0.05d0*history(round + 1)
  end do
  tail = history(2:)
  tail = [tail, tail(1)*tail(size(tail))]
  cost = sum(tail*tail) + sum(cells%u**2*cells%width)
end subroutine adapt

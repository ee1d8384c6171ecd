! Heat in a plate that is cut into blocks: halos in both directions, limits and sums over all ranks.
!
! Ranks stand in a Cartesian grid, periodic along x, with walls along y. Borders along x are sent as a type of data
! (vector: columns are not contiguous), those along y as they lie. Requests live in a derived type; a step computes its
! inner points while the halos are under way. The step's length is the least that any rank allows; a flag that all
! ranks agree on ends the relaxation early.

module plate_types
  implicit none
  integer, parameter :: dp = kind(1d0)
  integer, parameter :: west = 1, east = 2, south = 3, north = 4

  type neighbourhood
    integer :: of(4) = -1
    integer :: place(2) = 0
    integer :: extent(2) = 1
  end type neighbourhood

  type halo_state
    integer :: requests(8) = 0
    integer :: started = 0
    logical :: flying = .false.
  end type halo_state

  type material
    real(dp) :: conductivity, capacity, softness
  end type material
end module plate_types

module plate_ranks
  use mpi
  use plate_types
  implicit none
  integer :: grid = mpi_comm_null, me = -1, ranks = 0
  integer :: edge_along_y = mpi_datatype_null
  type(neighbourhood) :: around
contains

  subroutine find_place(nx, ny)
    integer, intent(in) :: nx, ny
    integer :: dims(2), ierr
    logical :: periods(2)
    call mpi_comm_size(mpi_comm_world, ranks, ierr)
    dims = 0
    call mpi_dims_create(ranks, 2, dims, ierr)
    periods(1) = .true.
    periods(2) = .false.
    call mpi_cart_create(mpi_comm_world, 2, dims, periods, .false., grid, ierr)
    call mpi_comm_rank(grid, me, ierr)
    call mpi_cart_shift(grid, 0, 1, around%of(west), around%of(east), ierr)
    call mpi_cart_shift(grid, 1, 1, around%of(south), around%of(north), ierr)
    call mpi_cart_coords(grid, me, 2, around%place, ierr)
    around%extent = dims
    call mpi_type_vector(ny, 1, nx + 2, mpi_double_precision, edge_along_y, ierr)
    call mpi_type_commit(edge_along_y, ierr)
  end subroutine find_place

  subroutine leave_place()
    integer :: ierr
    call mpi_type_free(edge_along_y, ierr)
    call mpi_comm_free(grid, ierr)
  end subroutine leave_place

  subroutine note(halo, request)
    type(halo_state), intent(inout) :: halo
    integer, intent(in) :: request
    halo%started = halo%started + 1
    halo%requests(halo%started) = request
  end subroutine note

  subroutine start_halo(t, nx, ny, halo)
    integer, intent(in) :: nx, ny
    real(dp), intent(inout) :: t(0:nx + 1, 0:ny + 1)
    type(halo_state), intent(inout) :: halo
    integer :: ierr
    halo%started = 8
    call mpi_irecv(t(0, 1), 1, edge_along_y, around%of(west), 11, grid, halo%requests(1), ierr)
    call mpi_irecv(t(nx + 1, 1), 1, edge_along_y, around%of(east), 12, grid, halo%requests(2), ierr)
    call mpi_irecv(t(1, 0), nx, mpi_double_precision, around%of(south), 13, grid, halo%requests(3), ierr)
    call mpi_irecv(t(1, ny + 1), nx, mpi_double_precision, around%of(north), 14, grid, halo%requests(4), ierr)
    call mpi_isend(t(nx, 1), 1, edge_along_y, around%of(east), 11, grid, halo%requests(5), ierr)
    call mpi_isend(t(1, 1), 1, edge_along_y, around%of(west), 12, grid, halo%requests(6), ierr)
    call mpi_isend(t(1, ny), nx, mpi_double_precision, around%of(north), 13, grid, halo%requests(7), ierr)
    call mpi_isend(t(1, 1), nx, mpi_double_precision, around%of(south), 14, grid, halo%requests(8), ierr)
    halo%flying = .true.
  end subroutine start_halo

  subroutine finish_halo(halo)
    type(halo_state), intent(inout) :: halo
    integer :: ierr
    if (halo%flying) call mpi_waitall(halo%started, halo%requests, mpi_statuses_ignore, ierr)
    halo%flying = .false.
    halo%started = 0
  end subroutine finish_halo

  ! What is beyond the walls reflects.
  subroutine walls(t, nx, ny)
    integer, intent(in) :: nx, ny
    real(dp), intent(inout) :: t(0:nx + 1, 0:ny + 1)
    if (around%of(south) == mpi_proc_null) t(1:nx, 0) = t(1:nx, 1)
    if (around%of(north) == mpi_proc_null) t(1:nx, ny + 1) = t(1:nx, ny)
  end subroutine walls

  function total(mine) result(all)
    real(dp), intent(in) :: mine
    real(dp) :: all
    integer :: ierr
    call mpi_allreduce(mine, all, 1, mpi_double_precision, mpi_sum, grid, ierr)
  end function total

  function least(mine) result(all)
    real(dp), intent(in) :: mine
    real(dp) :: all
    integer :: ierr
    all = mine
    call mpi_allreduce(mpi_in_place, all, 1, mpi_double_precision, mpi_min, grid, ierr)
  end function least

  function anywhere(mine) result(all)
    logical, intent(in) :: mine
    logical :: all
    integer :: ierr
    call mpi_allreduce(mine, all, 1, mpi_logical, mpi_lor, grid, ierr)
  end function anywhere
end module plate_ranks

module plate_physics
  use plate_types
  implicit none
contains

  pure function conductivity(stuff, t) result(k)
    type(material), intent(in) :: stuff
    real(dp), intent(in) :: t
    real(dp) :: k
    k = stuff%conductivity*(1 + stuff%softness*t*t/(1 + t*t))
  end function conductivity

  subroutine flux_point(t, new, nx, ny, i, j, dt, stuff)
    integer, intent(in) :: nx, ny, i, j
    real(dp), intent(in) :: t(0:nx + 1, 0:ny + 1), dt
    real(dp), intent(inout) :: new(nx, ny)
    type(material), intent(in) :: stuff
    real(dp) :: along_x, along_y
    along_x = conductivity(stuff, 0.5_dp*(t(i, j) + t(i + 1, j)))*(t(i + 1, j) - t(i, j)) &
            - conductivity(stuff, 0.5_dp*(t(i - 1, j) + t(i, j)))*(t(i, j) - t(i - 1, j))
    along_y = conductivity(stuff, 0.5_dp*(t(i, j) + t(i, j + 1)))*(t(i, j + 1) - t(i, j)) &
            - conductivity(stuff, 0.5_dp*(t(i, j - 1) + t(i, j)))*(t(i, j) - t(i, j - 1))
    new(i, j) = t(i, j) + dt*(along_x + along_y)/stuff%capacity
  end subroutine flux_point

  subroutine inner_points(t, new, nx, ny, dt, stuff)
    integer, intent(in) :: nx, ny
    real(dp), intent(in) :: t(0:nx + 1, 0:ny + 1), dt
    real(dp), intent(inout) :: new(nx, ny)
    type(material), intent(in) :: stuff
    integer :: i, j
    do j = 2, ny - 1
      do i = 2, nx - 1
        call flux_point(t, new, nx, ny, i, j, dt, stuff)
      end do
    end do
  end subroutine inner_points

  subroutine edge_points(t, new, nx, ny, dt, stuff)
    integer, intent(in) :: nx, ny
    real(dp), intent(in) :: t(0:nx + 1, 0:ny + 1), dt
    real(dp), intent(inout) :: new(nx, ny)
    type(material), intent(in) :: stuff
    integer :: i, j
    do j = 1, ny
      do i = 1, nx
        if (i == 1 .or. i == nx .or. j == 1 .or. j == ny) call flux_point(t, new, nx, ny, i, j, dt, stuff)
      end do
    end do
  end subroutine edge_points

  function allowed(t, nx, ny, stuff) result(dt)
    integer, intent(in) :: nx, ny
    real(dp), intent(in) :: t(0:nx + 1, 0:ny + 1)
    type(material), intent(in) :: stuff
    real(dp) :: dt, fastest
    integer :: i, j
    fastest = 0
    do j = 1, ny
      do i = 1, nx
        fastest = max(fastest, conductivity(stuff, t(i, j)))
      end do
    end do
    dt = 0.2_dp*stuff%capacity/fastest
  end function allowed
end module plate_physics

subroutine one_step(t, nx, ny, stuff, mean)
  use plate_ranks
  use plate_physics
  implicit none
  integer, intent(in) :: nx, ny
  real(dp), intent(inout) :: t(0:nx + 1, 0:ny + 1), mean
  type(material), intent(in) :: stuff
  type(halo_state) :: halo
  real(dp) :: new(nx, ny), dt
  dt = least(allowed(t, nx, ny, stuff))
  call start_halo(t, nx, ny, halo)
  !$AD CHECKPOINT-START
  call inner_points(t, new, nx, ny, dt, stuff)
  call finish_halo(halo)
  call walls(t, nx, ny)
  call edge_points(t, new, nx, ny, dt, stuff)
  !$AD CHECKPOINT-END
  t(1:nx, 1:ny) = new
  mean = total(sum(new))/(nx*ny*ranks)
end subroutine one_step

subroutine relax(t, nx, ny, target_mean, sweeps)
  use plate_ranks
  implicit none
  integer, intent(in) :: nx, ny, sweeps
  real(dp), intent(inout) :: t(0:nx + 1, 0:ny + 1)
  real(dp), intent(in) :: target_mean
  real(dp) :: spread
  integer :: sweep
  do sweep = 1, sweeps
    t(1:nx, 1:ny) = t(1:nx, 1:ny) - 0.3_dp*(t(1:nx, 1:ny) - target_mean)
    spread = maxval(abs(t(1:nx, 1:ny) - target_mean))
    if (.not. anywhere(spread > 0.4_dp)) exit
  end do
end subroutine relax

subroutine plate(t, nx, ny, nsteps, conduct, cost)
  use plate_ranks
  use plate_physics
  implicit none
  integer, intent(in) :: nx, ny, nsteps
  real(dp), intent(inout) :: t(0:nx + 1, 0:ny + 1)
  real(dp), intent(in) :: conduct
  real(dp), intent(out) :: cost
  type(material) :: stuff
  real(dp) :: mean, mine
  integer :: step, ierr
  stuff%conductivity = 0.5_dp + 0.1_dp*conduct*conduct
  stuff%capacity = 2
  stuff%softness = 0.3_dp
  call find_place(nx, ny)
  mean = 0
  do step = 1, nsteps
    !$AD CHECKPOINT-START
    call one_step(t, nx, ny, stuff, mean)
    call relax(t, nx, ny, mean, 3)
    !$AD CHECKPOINT-END
  end do
  mine = sum((t(1:nx, 1:ny) - 0.5_dp)**2)
  call mpi_reduce(mine, cost, 1, mpi_double_precision, mpi_sum, 0, grid, ierr)
  if (me /= 0) cost = 0
  call leave_place()
end subroutine plate

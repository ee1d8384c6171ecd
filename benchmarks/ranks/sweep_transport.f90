! Particles that fly through a slab: directions swept from rank to rank, forth and back, until all ranks agree.
!
! The slab is cut along z. A direction that points up enters at rank 0 and is handed on, energy group by energy group, so
! that the ranks work on several groups at once; those that point down go the other way. The scattering source couples
! the groups; the flux of the step before is kept for a convergence test that all ranks take alike. At the end the last
! rank tells the first what leaks, which the first answers with the albedo: a message from behind the marked part.

module slab_kinds
  implicit none
  integer, parameter :: dp = kind(1d0)

  type quadrature
    integer :: count = 0
    real(dp) :: mu(8) = 0
    real(dp) :: weight(8) = 0
  end type quadrature

  type cross_sections
    integer :: groups = 0
    real(dp) :: total(4) = 0
    real(dp) :: scatter(4, 4) = 0
  end type cross_sections
end module slab_kinds

module slab_line
  use mpi
  use slab_kinds
  implicit none
  private
  public :: find_place, me, ranks, take_front, hand_on, settle, sum_over_all, agree, is_first, is_last
  public :: begin_leak, end_leak
  integer, protected :: me = 0, ranks = 1
  integer :: line = mpi_comm_world
  integer, parameter :: up_tag = 100, down_tag = 500, leak_tag = 900
  integer :: pending(64) = mpi_request_null, many = 0
contains

  subroutine find_place()
    integer :: ierr
    call mpi_comm_dup(mpi_comm_world, line, ierr)
    call mpi_comm_rank(line, me, ierr)
    call mpi_comm_size(line, ranks, ierr)
    many = 0
  end subroutine find_place

  logical function is_first(down)
    logical, intent(in) :: down
    is_first = (me == 0 .and. .not. down) .or. (me == ranks - 1 .and. down)
  end function is_first

  logical function is_last(down)
    logical, intent(in) :: down
    is_last = (me == ranks - 1 .and. .not. down) .or. (me == 0 .and. down)
  end function is_last

  integer function tag_of(down, group, angle) result(tag)
    logical, intent(in) :: down
    integer, intent(in) :: group, angle
    tag = up_tag + 10*group + angle
    if (down) tag = down_tag + 10*group + angle
  end function tag_of

  subroutine take_front(front, down, group, angles)
    integer, intent(in) :: group, angles
    logical, intent(in) :: down
    real(dp), intent(inout) :: front(angles)
    integer :: from, ierr
    if (is_first(down)) return
    from = merge(me + 1, me - 1, down)
    call mpi_recv(front, angles, mpi_double_precision, from, tag_of(down, group, 0), line, mpi_status_ignore, ierr)
  end subroutine take_front

  ! What is handed on goes out of a buffer that lives until everything is settled.
  subroutine hand_on(kept, down, group, angles)
    integer, intent(in) :: group, angles
    logical, intent(in) :: down
    real(dp), intent(in) :: kept(angles)
    integer :: to, ierr
    if (is_last(down)) return
    to = merge(me - 1, me + 1, down)
    many = many + 1
    call mpi_isend(kept, angles, mpi_double_precision, to, tag_of(down, group, 0), line, pending(many), ierr)
  end subroutine hand_on

  subroutine settle()
    integer :: ierr
    if (many == 0) return
    call mpi_waitall(many, pending, mpi_statuses_ignore, ierr)
    many = 0
  end subroutine settle

  subroutine sum_over_all(values, n)
    integer, intent(in) :: n
    real(dp), intent(inout) :: values(n)
    integer :: ierr
    call mpi_allreduce(mpi_in_place, values, n, mpi_double_precision, mpi_sum, line, ierr)
  end subroutine sum_over_all

  subroutine agree(done)
    logical, intent(inout) :: done
    logical :: all_done
    integer :: ierr
    call mpi_allreduce(done, all_done, 1, mpi_logical, mpi_land, line, ierr)
    done = all_done
  end subroutine agree

  subroutine begin_leak(leak)
    real(dp), intent(in) :: leak
    integer :: ierr
    if (ranks > 1 .and. me == ranks - 1) call mpi_send(leak, 1, mpi_double_precision, 0, leak_tag, line, ierr)
  end subroutine begin_leak

  subroutine end_leak(leak)
    real(dp), intent(inout) :: leak
    integer :: ierr
    if (ranks > 1 .and. me == 0) then
      call mpi_recv(leak, 1, mpi_double_precision, ranks - 1, leak_tag, line, mpi_status_ignore, ierr)
    end if
  end subroutine end_leak
end module slab_line

module slab_physics
  use slab_kinds
  implicit none
contains

  subroutine set_up(angles, data, groups, density)
    type(quadrature), intent(inout) :: angles
    type(cross_sections), intent(inout) :: data
    integer, intent(in) :: groups
    real(dp), intent(in) :: density
    integer :: g, h
    angles%count = 2
    angles%mu(1:2) = [0.861136_dp, 0.339981_dp]
    angles%weight(1:2) = [0.347855_dp, 0.652145_dp]
    data%groups = groups
    do g = 1, groups
      data%total(g) = density*(0.8_dp + 0.3_dp*g)
      do h = 1, groups
        data%scatter(h, g) = density*0.4_dp/(1 + abs(g - h))**2
      end do
    end do
  end subroutine set_up

  ! Diamond differences through the cells of one rank, with a limiter that keeps fluxes positive.
  subroutine fly(front, flux, source, cells, dz, angles, total, down)
    integer, intent(in) :: cells
    type(quadrature), intent(in) :: angles
    real(dp), intent(inout) :: front(angles%count), flux(cells)
    real(dp), intent(in) :: source(cells), dz, total
    logical, intent(in) :: down
    real(dp) :: middle, behind
    integer :: k, cell, m
    do k = 1, cells
      cell = merge(cells + 1 - k, k, down)
      do m = 1, angles%count
        middle = (source(cell)*dz + 2*angles%mu(m)*front(m))/(total*dz + 2*angles%mu(m))
        behind = 2*middle - front(m)
        if (behind < 0) then
          behind = 0.1_dp*middle
        end if
        flux(cell) = flux(cell) + angles%weight(m)*middle
        front(m) = behind
      end do
    end do
  end subroutine fly

  subroutine scattering(source, flux, cells, data, fixed)
    integer, intent(in) :: cells
    type(cross_sections), intent(in) :: data
    real(dp), intent(in) :: flux(cells, data%groups), fixed(cells)
    real(dp), intent(inout) :: source(cells, data%groups)
    integer :: g, h
    do g = 1, data%groups
      source(:, g) = fixed/g
      do h = 1, data%groups
        source(:, g) = source(:, g) + 0.5_dp*data%scatter(h, g)*flux(:, h)
      end do
    end do
  end subroutine scattering
end module slab_physics

subroutine sweep_one_way(flux, source, cells, dz, angles, data, edge, down)
  use slab_line
  use slab_physics
  implicit none
  integer, intent(in) :: cells
  type(quadrature), intent(in) :: angles
  type(cross_sections), intent(in) :: data
  real(dp), intent(inout) :: flux(cells, data%groups)
  real(dp), intent(in) :: source(cells, data%groups), dz, edge
  logical, intent(in) :: down
  real(dp) :: front(8), kept(8, 4)
  integer :: g
  do g = 1, data%groups
    front = 0
    if (is_first(down)) front(1:angles%count) = edge/g
    call take_front(front, down, g, angles%count)
    call fly(front(1:angles%count), flux(:, g), source(:, g), cells, dz, angles, data%total(g), down)
    kept(:, g) = front
    call hand_on(kept(:, g), down, g, angles%count)
  end do
  call settle()
end subroutine sweep_one_way

subroutine slab(fixed, cells, groups, most, density, leak)
  use slab_line
  use slab_physics
  implicit none
  integer, intent(in) :: cells, groups, most
  real(dp), intent(inout) :: fixed(cells)
  real(dp), intent(in) :: density
  real(dp), intent(out) :: leak
  type(quadrature) :: angles
  type(cross_sections) :: data
  real(dp) :: flux(cells, groups), source(cells, groups), before(cells, groups), balance(2), dz
  logical :: done
  integer :: step
  call find_place()
  call set_up(angles, data, groups, density)
  dz = 0.5_dp
  flux = 0
  done = .false.
  do step = 1, most
    if (done) exit
    !$AD CHECKPOINT-START
    before = flux
    call scattering(source, flux, cells, data, fixed)
    flux = 0
    call sweep_one_way(flux, source, cells, dz, angles, data, 1.0_dp, .false.)
    !$AD CHECKPOINT-START
    call sweep_one_way(flux, source, cells, dz, angles, data, 0.2_dp, .true.)
    !$AD CHECKPOINT-END
    done = maxval(abs(flux - before)) < 0.05_dp
    call agree(done)
    !$AD CHECKPOINT-END
  end do
  balance = [sum(flux), sum(flux*flux)]
  call sum_over_all(balance, 2)
  leak = 0
  !$AD CHECKPOINT-START
  leak = flux(1, 1)*balance(1)
  call end_leak(leak)
  leak = leak*leak/balance(2)
  !$AD CHECKPOINT-END
  call begin_leak(flux(cells, groups))
end subroutine slab

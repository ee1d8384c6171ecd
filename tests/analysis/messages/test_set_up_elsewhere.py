"""Variables of modules that a set-up outside the head gives each rank's own numbers are not alike on all ranks."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset import Choices, analyse, load, report
from snapset.analysis.messages.static_verdicts import static_messages
from snapset.frontend.load import load_text

from tests.analysis.messages.test_static_verdicts import judged
from tests.support.message_programs import on_ranks

PROGRAM = """module par
  use mpi
  implicit none
  integer :: me, np, left, row, steps, comm = mpi_comm_world
  logical :: first
  character(len=8) :: how
contains
  subroutine init_par()
    integer :: ierr, rank, n
    {set}
    call mpi_comm_size(comm, np, ierr)
    n = rank + 1
    steps = np*2
    if (rank == 0) how = 'sum'
  end subroutine
end module
subroutine model(x, y)
  use par
  implicit none
  real(8), intent(inout) :: x
  real(8), intent(out) :: y
  real(8) :: a
  integer :: ierr
  a = x
  !$AD CHECKPOINT-START
  x = x*x
  if ({cond}) call mpi_allreduce(x, a, 1, mpi_double_precision, mpi_sum, comm, ierr)
  !$AD CHECKPOINT-END
  if (.not. ({cond})) call mpi_allreduce(x, a, 1, mpi_double_precision, mpi_sum, comm, ierr)
  y = x*a
end subroutine
"""
ASKED = "call mpi_comm_rank(comm, me, ierr)"
LOCAL = "call MPI_Comm_rank(comm, rank, ierr)\nme = rank"


@pytest.mark.parametrize(("set_", "cond"), [
    (ASKED, "me == 0"), (LOCAL, "me == 0"), (f"{LOCAL}\nfirst = me == 0", "first"),
    (f"{ASKED}\nif (me > 0) left = me - 1", "left == 0"),
    ("call mpi_cart_shift(comm, 0, 1, left, me, ierr)", "left >= 0"),
    ("call mpi_comm_split(comm, 1, 2, row, ierr)", "row == mpi_comm_null"),
])
def test_what_each_rank_has_is_not_alike(tmp_path: Path, set_: str, cond: str) -> None:
    """On rank 0 the sum would be in the part, on others behind it: both ways alike on all ranks is no proof."""
    file = tmp_path / "m.f90"
    file.write_text(PROGRAM.format(set=set_, cond=cond))
    (part,) = report([str(file)], "model(x)>(y)").parts
    assert part.messages is not None
    assert part.messages.verdict in ("unknown", "right-tight", "not right-tight")
    found = analyse(load([str(file)]), "model(x)>(y)", Choices(("lazy",)))
    assert found.parts[0].messages is not None
    assert found.parts[0].messages.verdict != "self-contained"


@pytest.mark.parametrize("cond", ["steps > 2", "how == 'sum'", "np > 1"])
def test_what_is_alike_still_is(tmp_path: Path, cond: str) -> None:
    """A number of ranks, a switch: decided one way and the other, alike on all ranks."""
    file = tmp_path / "m.f90"
    file.write_text(PROGRAM.format(set=ASKED, cond=cond))
    (part,) = report([str(file)], "model(x)>(y)").parts
    assert part.messages is not None
    assert part.messages.verdict == "self-contained"


def test_a_rank_that_the_program_shows_is_known() -> None:
    """With the set-up among what is read, ``me`` is this rank's number: by hand, rank 0 waits in the part
    for what the others do behind it."""
    found = judged(PROGRAM.format(set=ASKED, cond="me == 0"))
    assert {one.verdict for one in found.parts.values()} == {"not right-tight"}
    assert load_text(PROGRAM.format(set=LOCAL, cond="me == 0")).rank_names == {"me"}


CORNERS = """
subroutine model(x, y)
  use mpi
  implicit none
  real(8), intent(inout) :: x(8)
  real(8), intent(out) :: y
  integer :: comm, me, np, ierr, k, dims(2), at(2), c(2), nb(8), req(16)
  real(8) :: got(8)
  integer, parameter :: di(8) = [-1, 1, 0, 0, -1, 1, -1, 1], dj(8) = [0, 0, -1, 1, -1, -1, 1, 1]
  integer, parameter :: back(8) = [2, 1, 4, 3, 8, 7, 6, 5]
  call mpi_comm_size(mpi_comm_world, np, ierr)
  dims = 0
  call mpi_dims_create(np, 2, dims, ierr)
  call mpi_cart_create(mpi_comm_world, 2, dims, [.true., .true.], .false., comm, ierr)
  call mpi_comm_rank(comm, me, ierr)
  call mpi_cart_coords(comm, me, 2, at, ierr)
  do k = 1, 8
    c(1) = modulo(at(1) + di(k), dims(1))
    c(2) = modulo(at(2) + dj(k), dims(2))
    call mpi_cart_rank(comm, c, nb(k), ierr)
  end do
  !$AD CHECKPOINT-START
  do k = 1, 8
    call mpi_irecv(got(k), 1, mpi_double_precision, nb(k), back(k), comm, req(k), ierr)
    call mpi_isend(x(k), 1, mpi_double_precision, nb(k), k, comm, req(8 + k), ierr)
  end do
  call mpi_waitall(16, req, mpi_statuses_ignore, ierr)
  x = x*got
  !$AD CHECKPOINT-END
  y = sum(x*x)
end subroutine
"""


def test_neighbours_across_corners_are_known_by_their_coordinates() -> None:
    """MPI_CART_RANK reads the coordinates that it is given."""
    (proved,) = static_messages(load_text(CORNERS), "model").parts.values()
    assert (proved.verdict, proved.sizes, proved.assumed) == ("self-contained", (2, 3, 4, 5, 6), ())
    assert [one.verdict for one in on_ranks(CORNERS, "model(x)>(y)", 4).parts] == ["self-contained"]


SUMMED = """
subroutine pair_sum(a, b, comm)
  use mpi
  implicit none
  real(8), intent(in) :: a
  real(8), intent(out) :: b
  integer, intent(in) :: comm
  integer :: ierr
  call mpi_allreduce(a, b, 1, mpi_double_precision, mpi_sum, comm, ierr)
end subroutine

subroutine sums(a, b, comm, own)
  use mpi
  implicit none
  real(8), intent(in) :: a
  real(8), intent(out) :: b
  integer, intent(in) :: comm, own(2)
  integer :: ierr
  b = a
  {before}
  if (own(1) < own(2)) then
    !$AD CHECKPOINT-START
    call pair_sum(a, b, comm)
    !$AD CHECKPOINT-END
  end if
  {behind}
end subroutine

subroutine model(x, y, comm, own)
  use mpi
  implicit none
  real(8), intent(inout) :: x
  real(8), intent(out) :: y
  integer, intent(in) :: comm, own(2)
  call sums(x*x, y, comm, own)
  y = y*y
end subroutine
"""
LEAD_BACK = ("if (own(1) == 1) call mpi_recv(b, 1, mpi_double_precision, own(2), 1, comm, mpi_status_ignore, ierr)",
             "if (own(1) == 2) call mpi_send(a, 1, mpi_double_precision, own(2), 1, comm, ierr)")


def test_a_call_in_what_is_closed_may_be_closed_too() -> None:
    """Around it are only collectives. What its second run needs is said: two assumptions."""
    parts = static_messages(load_text(SUMMED.format(before="", behind="")), "model").parts
    inner = next(one for (key, _), one in parts.items() if key == "sums")
    assert inner.verdict == "self-contained"
    assert [one.partition(" receives")[0] for one in inner.assumed] == ["pair_sum", "sums"]


def test_no_call_beside_messages_that_are_not_followed_is_closed() -> None:
    """What is sent behind the call may be what another rank waits for before it."""
    found = static_messages(load_text(SUMMED.format(before=LEAD_BACK[0], behind=LEAD_BACK[1])), "model")
    assert [key for key, _ in found.parts] == ["model"]


LAYERED = """
module layer
  use mpi
  implicit none
  integer :: open_ = 0, reqs(50), lists(5), comms(5)
contains
  integer function set_of(list) result(k)
    integer, intent(in), optional :: list(:)
    integer :: group, ierr
    k = 1
    if (.not. present(list)) return
    do k = 1, 5
      if (lists(k) == list(1)) return
    end do
    call mpi_comm_group(comms(1), group, ierr)
    call mpi_comm_create_group(comms(1), group, 3, comms(k), ierr)
  end function
  subroutine post(x, from)
    real(8), intent(inout) :: x
    integer, intent(in) :: from
    integer :: ierr
    open_ = open_ + 1
    call mpi_irecv(x, 1, mpi_double_precision, from, 1, comms(1), reqs(open_), ierr)
  end subroutine
  subroutine give(x, to)
    real(8), intent(in) :: x
    integer, intent(in) :: to
    integer :: ierr
    open_ = open_ + 1
    call mpi_isend(x, 1, mpi_double_precision, to, 1, comms(1), reqs(open_), ierr)
  end subroutine
  subroutine settle()
    integer :: m, ierr
    do m = 1, open_
      call mpi_wait(reqs(m), mpi_status_ignore, ierr)
    end do
    open_ = 0
  end subroutine
  subroutine total(a, list)
    real(8), intent(inout) :: a
    integer, intent(in), optional :: list(:)
    real(8) :: b
    integer :: n, ierr
    n = set_of(list)
    if (lists(n) == 1) return
    call mpi_allreduce(a, b, 1, mpi_double_precision, mpi_sum, comms(n), ierr)
    a = b
  end subroutine
{unreached}
end module

subroutine swap(x, got, left, right)
  use layer
  implicit none
  real(8), intent(in) :: x
  real(8), intent(inout) :: got
  integer, intent(in) :: left, right
  call post(got, left)
  call give(x, right)
  call settle()
end subroutine

subroutine model(x, y, near)
  use layer
  implicit none
  real(8), intent(inout) :: x
  real(8), intent(out) :: y
  integer, intent(in) :: near(2)
  real(8) :: got
  got = 0
  call swap(x, got, near(1), near(2))
  x = x*got
  y = x*x
  call total(y)
end subroutine
"""
BESIDE = """
  subroutine elsewhere(x)
    real(8), intent(inout) :: x
    integer :: ierr
    call mpi_irecv(x, 1, mpi_double_precision, 0, 1, comms(1), reqs(1), ierr)
  end subroutine
"""


@pytest.mark.parametrize("unreached", ["", BESIDE])
def test_what_the_head_does_not_reach_keeps_no_exchange_open(unreached: str) -> None:
    """A library's layer has its requests in a module, and procedures that this head never calls (FMS's mpp)."""
    parts = static_messages(load_text(LAYERED.format(unreached=unreached)), "model").parts
    found = {one.assumed[0].partition(" ")[0] for (key, _), one in parts.items() if key == "model"}
    assert found == {"swap"}
    assert {one.verdict for (key, _), one in parts.items() if key == "model"} == {"self-contained"}
    called = LAYERED.format(unreached=BESIDE).replace("  y = x*x", "  call elsewhere(x)\n  y = x*x")
    assert not static_messages(load_text(called), "model").parts

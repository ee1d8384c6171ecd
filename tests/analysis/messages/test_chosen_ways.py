"""SELECT CASE, PRESENT and runs of a part in which nothing happens: what is proved of all ranks holds on each run.

The judges: the run of the same program on simulated ranks, and verdicts derived by hand.
"""

from __future__ import annotations

import pytest
from snapset.analysis.messages.static_verdicts import StaticMessages

from tests.analysis.messages.test_static_verdicts import BETTER, judged
from tests.support.message_programs import on_ranks

HEAD = "model(x)>(y)"
PROGRAM = """module ways
use mpi
implicit none
integer :: me, ranks
real(8), allocatable :: spare(:)
contains
subroutine shift(x, a, by)
real(8), intent(in) :: x
real(8), intent(out) :: a
integer, intent(in) :: by
integer :: ierr
call mpi_sendrecv(x, 1, mpi_double_precision, modulo(me + by, ranks), 1, a, 1, mpi_double_precision, &
                  modulo(me - by, ranks), 1, mpi_comm_world, mpi_status_ignore, ierr)
end subroutine
integer function from_case(way)
integer, intent(in) :: way
integer, parameter :: left = -1
select case (way)
case (left)
  from_case = ranks - 1
case (1, 3:5, 9:)
  from_case = 1
case (:-7)
  from_case = 2
case default
  from_case = 0
end select
end function
subroutine perhaps(x, a, by, b)
real(8), intent(in) :: x
real(8), intent(out) :: a
integer, intent(in), optional :: by
real(8), optional :: b(:)
if (present(b)) then
  call shift(x, a, 2)
else if (present(by)) then
  call shift(x, a, by)
else
  a = x
end if
end subroutine
subroutine passing(x, a, by, b)
real(8), intent(in) :: x
real(8), intent(out) :: a
integer, intent(in), optional :: by
real(8), allocatable, optional :: b(:)
call perhaps(x, a, by)
if (present(b)) call shift(x, a, 3)
end subroutine
end module
subroutine model(x, y)
use ways
implicit none
real(8), intent(inout) :: x
real(8), intent(out) :: y
integer :: ierr
real(8) :: a
real(8), allocatable :: none(:)
call mpi_comm_rank(mpi_comm_world, me, ierr)
call mpi_comm_size(mpi_comm_world, ranks, ierr)
a = x
!$AD CHECKPOINT-START
x = x*x
{inside}
x = x*a
!$AD CHECKPOINT-END
y = x*x
end subroutine
"""


def marked(found: StaticMessages) -> list[str]:
    return [one.verdict for (where, _), one in found.parts.items() if where.endswith("model")]


@pytest.mark.parametrize(("inside", "verdict"), [
    *((f"call shift(x, a, from_case({way}))", "self-contained") for way in (-1, 1, 4, 12, -8, 7)),
    ("select case (mod(me, 2) == 0)\ncase (.true.)\nif (me + 1 < ranks) call mpi_send(x, 1, mpi_double_precision, "
     "me + 1, 1, mpi_comm_world, ierr)\ncase default\ncall mpi_recv(a, 1, mpi_double_precision, me - 1, 1, "
     "mpi_comm_world, mpi_status_ignore, ierr)\nend select", "self-contained"),
    ("call perhaps(x, a, 1)", "self-contained"),
    ("call perhaps(x, a, b=[x])", "self-contained"),
    ("call perhaps(x, a)", "silent"),
    ("call passing(x, a)", "silent"),
    ("call passing(x, a, by=ranks - 1)", "self-contained"),
    ("call passing(x, a, b=none)", "self-contained"),  # an allocatable dummy argument is there
    ("call passing(x, a, b=spare)", "self-contained"),
])  # fmt: skip
def test_the_way_that_is_taken_is_known(inside: str, verdict: str) -> None:
    text = PROGRAM.format(inside=inside)
    found = judged(text)
    assert not found.unknown
    assert max(marked(found), key=BETTER.__getitem__) == verdict
    for size in (2, 3):
        run = on_ranks(text, HEAD, size, {"x": 0.6}, plans=("log", "resend", "popular"))
        assert all(one.right for one in run.runs), (size, run.runs)
        assert max((one.verdict for one in run.parts if one.id.startswith("model")),
                   key=BETTER.__getitem__) == verdict


@pytest.mark.parametrize("inside", [
    "call perhaps(x, a, 1, none)",  # not allocated: absent, and nobody sees that here
    "call perhaps(x, a, 1, spare)",
    "call shift(x, a, from_case(int(x)))",
])
def test_nothing_is_proved_where_the_way_is_not_known(inside: str) -> None:
    """But on the assumption that what is sent in a call is received in it."""
    found = judged(PROGRAM.format(inside=inside))
    assert found.unknown
    assert all(one.assumed for one in found.parts.values())


BORDER = """subroutine model(x, n, y)
use mpi
implicit none
integer, intent(in) :: n
real(8), intent(inout) :: x
real(8), intent(out) :: y
integer :: me, ierr, step, way
real(8) :: a
call mpi_comm_rank(mpi_comm_world, me, ierr)
do step = 1, n
  do way = 1, 2
    a = x
    !$AD CHECKPOINT-START
    if (me == way - 1) call mpi_send(x, 1, mpi_double_precision, way, 1, mpi_comm_world, ierr)
    if (me == way) call mpi_recv(a, 1, mpi_double_precision, way - 1, 1, mpi_comm_world, mpi_status_ignore, ierr)
    x = sin(x)*a
    !$AD CHECKPOINT-END
  end do
end do
y = x
end subroutine
"""


def test_runs_in_which_a_rank_says_nothing_are_counted() -> None:
    """From 0 to 1, then from 1 to 2. By hand every message is in the part's runs of one number on both ranks."""
    for name, text in (("one part", BORDER), ("in a part", _in_a_part(BORDER))):
        found = on_ranks(text, HEAD, 3, {"x": 0.6, "n": 3}, plans=("log", "resend", "popular"))
        assert {one.verdict for one in found.parts} == {"self-contained"}, name
        inner = max(found.parts, key=lambda one: one.instances)
        assert inner.instances == 6
        assert all(one.right for one in found.runs)


def _in_a_part(text: str) -> str:
    step = text.index("  do way")
    end = text.index("end do\ny = x")
    return f"{text[:step]}  !$AD CHECKPOINT-START\n{text[step:end]}  !$AD CHECKPOINT-END\n{text[end:]}"


HANDLES = """module env
use mpi_f08
implicit none
type(MPI_Comm) :: world, half
integer :: me, ranks
contains
subroutine setup()
  integer :: version, subversion, class
  call mpi_comm_dup(MPI_COMM_WORLD, world)
  call mpi_comm_set_errhandler(world, MPI_ERRORS_RETURN)
  call mpi_get_version(version, subversion)
  call mpi_error_class(version, class)
  call mpi_comm_rank(world, me)
  call mpi_comm_size(world, ranks)
  half%mpi_val = world%mpi_val
end subroutine
end module
subroutine model(x, y)
  use env
  implicit none
  real(8), intent(inout) :: x
  real(8), intent(out) :: y
  real(8) :: a
  type(MPI_Request) :: r(2)
  call setup()
  !$AD CHECKPOINT-START
  r%mpi_val = MPI_REQUEST_NULL%mpi_val
  call mpi_irecv(a, 1, MPI_DOUBLE_PRECISION, modulo(me - 1, ranks), 3, half, r(1))
  call mpi_isend(x, 1, MPI_DOUBLE_PRECISION, modulo(me + 1, ranks), 3, world, r(2))
  call mpi_waitall(2, r, MPI_STATUSES_IGNORE)
  x = x*a
  !$AD CHECKPOINT-END
  y = x*x
end subroutine
"""


def test_handles_are_numbers() -> None:
    """What is sent on the communicator is received on the one that was given its number."""
    found = judged(HANDLES)
    assert not found.unknown
    assert set(marked(found)) == {"self-contained"}
    run = on_ranks(HANDLES, HEAD, 3, {"x": 0.6}, plans=("log", "resend", "popular"))
    assert all(one.right for one in run.runs)

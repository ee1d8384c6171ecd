"""SELECT CASE, PRESENT and runs of a part in which nothing happens: what is proved of all ranks holds on each run.

The judges: the run of the same program on simulated ranks, and verdicts derived by hand.
"""

from __future__ import annotations

import pytest
from snapset.analysis.messages.static_verdicts import StaticMessages, static_messages
from snapset.frontend.load import load_text

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


COUNTED = """
subroutine model(x, n, y)
  use mpi
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x
  real(8), intent(out) :: y
  integer :: me, k, i, ierr
  real(8) :: got
  call mpi_comm_rank(mpi_comm_world, me, ierr)
  got = 0
  k = 0
  {loop}
    k = k + 1
    call mpi_barrier(mpi_comm_world, ierr)
  end do
  if (k {asked} .and. me == 0) call mpi_send(x, 1, mpi_double_precision, 1, 3, mpi_comm_world, ierr)
  !$AD CHECKPOINT-START
  if (k {asked} .and. me == 1) call mpi_recv(got, 1, mpi_double_precision, 0, 3, mpi_comm_world, &
                                             mpi_status_ignore, ierr)
  x = x*x + got*got
  !$AD CHECKPOINT-END
  y = x*x
end subroutine
"""


@pytest.mark.parametrize("asked", ["/= 1", "/= 2", "/= 3", "> 3", "== 5"])
@pytest.mark.parametrize("loop", ["do i = 1, n", "do while (k < n)", "do while (k < 5)", "do i = 1, 5"])
def test_what_a_loop_counts_is_not_known_by_its_first_steps(loop: str, asked: str) -> None:
    """With n = 5, k is 5 behind the loop: a message crosses the border, and the part is not self-contained. What k is
    in the second of two steps that were followed said otherwise."""
    text = COUNTED.format(loop=loop, asked=asked)
    found = on_ranks(text, "model(x)>(y)", 2, {"n": 5, "x": 0.6})
    assert [one.verdict for one in found.parts] == ["right-tight"]
    proved = static_messages(load_text(text), "model").parts
    assert all(one.verdict == "right-tight" for one in proved.values())
    assert proved or "n" in loop.partition("do ")[2]


FLIPPED = """
subroutine model(x, n, y)
  use mpi
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x
  real(8), intent(out) :: y
  integer :: me, np, k, i, ierr, to
  logical :: first
  real(8) :: got
  call mpi_comm_rank(mpi_comm_world, me, ierr)
  call mpi_comm_size(mpi_comm_world, np, ierr)
  first = .true.
  k = 1
  do i = 1, n
    k = 3 - k
    to = modulo(me + 1, np)
    if (first) call mpi_barrier(mpi_comm_world, ierr)
    first = .false.
    !$AD CHECKPOINT-START
    call mpi_sendrecv(x, 1, mpi_double_precision, to, k, got, 1, mpi_double_precision, modulo(me - 1, np), k, &
                      mpi_comm_world, mpi_status_ignore, ierr)
    x = x*got
    !$AD CHECKPOINT-END
  end do
  y = x*x
end subroutine
"""


def test_what_settles_in_a_loop_is_known_in_its_later_steps() -> None:
    """``first`` is false from the second step on; k flips for ever, and is a tag."""
    (proved,) = static_messages(load_text(FLIPPED), "model").parts.values()
    assert (proved.verdict, proved.sizes) == ("self-contained", (2, 3, 4, 5, 6))


DOUBLED = """
subroutine model(x, y)
  use mpi
  implicit none
  real(8), intent(inout) :: x
  real(8), intent(out) :: y
  integer :: me, np, ierr, p2, mask
  real(8) :: got
  call mpi_comm_rank(mpi_comm_world, me, ierr)
  call mpi_comm_size(mpi_comm_world, np, ierr)
  p2 = 1
  do while (2*p2 <= np)
    p2 = 2*p2
  end do
  !$AD CHECKPOINT-START
  if (me < p2) then
    mask = 1
    do while (mask < p2)
      call mpi_sendrecv(x, 1, mpi_double_precision, ieor(me, mask), 2, got, 1, mpi_double_precision, &
                        ieor(me, mask), 2, mpi_comm_world, mpi_status_ignore, ierr)
      x = x + got*got
      mask = 2*mask
    end do
  end if
  !$AD CHECKPOINT-END
  y = x*x
end subroutine
"""


def test_doubling_is_followed_to_its_end() -> None:
    """On 4 ranks two rounds: 8 messages, each with a partner whose number differs in one bit."""
    (proved,) = static_messages(load_text(DOUBLED), "model").parts.values()
    assert (proved.verdict, proved.sizes, proved.assumed) == ("self-contained", (2, 3, 4, 5, 6), ())
    found = on_ranks(DOUBLED, "model(x)>(y)", 4, {"x": 0.3})
    assert [one.verdict for one in found.parts] == ["self-contained"]


JUMPS = """
subroutine pass(x, status, me, np)
  use mpi
  implicit none
  real(8), intent(inout) :: x
  integer, intent(in) :: me, np
  integer, intent(out) :: status
  integer :: ierr
  real(8) :: got
  if (np == 1) go to 20
  call mpi_sendrecv(x, 1, mpi_double_precision, modulo(me+1, np), 1, got, 1, mpi_double_precision, &
                    modulo(me-1, np), 1, mpi_comm_world, mpi_status_ignore, ierr)
  if (ierr /= mpi_success) go to 10
  x = x*got
  go to 20
10 status = 1
  return
  entry skip(x, status)
20 status = 0
end subroutine

subroutine model(x, y)
  use mpi
  implicit none
  real(8), intent(inout) :: x
  real(8), intent(out) :: y
  integer :: me, np, ierr, status
  call mpi_comm_rank(mpi_comm_world, me, ierr)
  call mpi_comm_size(mpi_comm_world, np, ierr)
  !$AD CHECKPOINT-START
  call pass(x, status, me, np)
  !$AD CHECKPOINT-END
  call skip(x, status)
  y = x*x
end subroutine
"""


def test_a_goto_forward_is_followed() -> None:
    """ENTRY is one, too."""
    proved = static_messages(load_text(JUMPS), "model").parts
    assert {one.verdict for one in proved.values()} == {"self-contained", "silent"}
    assert {one.sizes for one in proved.values()} == {(2, 3, 4, 5, 6)}
    backwards = JUMPS.replace("  x = x*got\n  go to 20\n", "  x = x*got\n").replace("10 status = 1", "10 go to 5")
    backwards = backwards.replace("  if (np == 1)", "5 if (np == 1)")
    found = static_messages(load_text(backwards), "model")
    assert all(one.assumed for one in found.parts.values())

"""What following a rank makes of aborts, tables, split communicators, tests and calls that set integers: what is proved
holds on simulated ranks, what is not proved is not said."""

from __future__ import annotations

import pytest
from snapset.analysis.replay.experiment.gradient import primal
from snapset.analysis.replay.experiment.inputs import Inputs

from tests.analysis.messages.test_static_verdicts import BETTER, judged
from tests.support.message_programs import check_derivative, on_all, on_ranks, plan

HEAD = "model(x)>(y)"
PROGRAM = """module places
use mpi
integer :: me, ranks, kept = 0, other = 1, table(4), many
logical :: found
type tables
  integer :: count
  integer :: to(4)
end type
contains
{procedures}
subroutine find_place()
integer :: ierr
call mpi_comm_rank(mpi_comm_world, me, ierr)
call mpi_comm_size(mpi_comm_world, ranks, ierr)
end subroutine
subroutine fail(text, doabort)
character(len=*), intent(in) :: text
logical, intent(in), optional :: doabort
logical :: stops
integer :: ierr
stops = .true.
if (present(doabort)) stops = doabort
print *, text
if (stops) then
  call mpi_abort(mpi_comm_world, 1, ierr)
  stop
end if
end subroutine
end module
subroutine model(x, y, n)
use places
implicit none
real(8), intent(inout) :: x
real(8), intent(out) :: y
integer, intent(in) :: n
integer :: k, comm, half, rank, size, ierr, req(2), istat
real(8) :: a
real(8), allocatable :: w(:)
logical :: flag
call find_place()
a = x
{before}
!$AD CHECKPOINT-START
x = x*x
{inside}
x = x*a
!$AD CHECKPOINT-END
y = x*x
end subroutine
"""
SHIFT = ("call mpi_sendrecv(x, 1, mpi_double_precision, {to}, 1, a, 1, mpi_double_precision, {source}, 1, {comm}, "
         "mpi_status_ignore, ierr)")
RING = SHIFT.format(to="mod(me + 1, ranks)", source="modulo(me - 1, ranks)", comm="mpi_comm_world")
IN_HALF = SHIFT.format(to="mod(rank + 1, size)", source="modulo(rank - 1, size)", comm="half")
OF_HALF = "call mpi_comm_rank(half, rank, ierr); call mpi_comm_size(half, size, ierr)"
SUM = "call mpi_allreduce(x, a, 1, mpi_double_precision, mpi_sum, {0}, ierr)"
TO_LOWER = "call mpi_send(x, 1, mpi_double_precision, me - 1, 1, mpi_comm_world, ierr)"
FROM_HIGHER = "call mpi_recv(a, 1, mpi_double_precision, me + 1, 1, mpi_comm_world, mpi_status_ignore, ierr)"
START = ("call mpi_irecv(a, 1, mpi_double_precision, modulo(me - 1, ranks), 1, mpi_comm_world, req(1), ierr); "
         "call mpi_isend(x, 1, mpi_double_precision, mod(me + 1, ranks), 1, mpi_comm_world, req(2), ierr)")
LOOP = "do while (.not. flag); call mpi_testall(2, req, flag, mpi_statuses_ignore, ierr); y = y + 1; end do"
SET = "subroutine set(k)\ninteger, intent(out) :: k\nk = 0\nif (k == 0) k = 1\nend subroutine"
GUESS = "subroutine guess(x)\nreal(8), intent(in) :: x\nother = int(x)\nend subroutine"
GUESS_LATER = GUESS.replace("other =", "if (x > 1) return\nother =")
LEAVE = ("subroutine leave(x)\nreal(8), intent(inout) :: x\ninteger :: ierr\nif (me == 0) return\n{0}\n"
         "if (me < 0) call mpi_barrier(mpi_comm_world, ierr)\nend subroutine")
ROOM = ("subroutine room(n)\ninteger, intent(in) :: n\nreal(8), allocatable :: w(:)\ninteger :: istat, ierr\n"
        "allocate (w(n), stat=istat)\nif (istat > 0) then\ncall fail('no room')\nreturn\nend if\nw = n\n"
        "if (w(1) < 0) call fail('negative')\ncall mpi_barrier(mpi_comm_world, ierr)\nend subroutine")
ANYBODY = ("if (mod(me, 2) == 0) then; if (me + 1 < ranks) call mpi_send(x, 1, mpi_double_precision, me + 1, {tag}, "
           "mpi_comm_world, ierr); else; call mpi_recv(a, 1, mpi_double_precision, mpi_any_source, {wanted}, "
           "mpi_comm_world, mpi_status_ignore, ierr); end if")
BACK = ("call mpi_sendrecv(x, 1, mpi_double_precision, modulo(me - 1, ranks), {0}, a, 1, mpi_double_precision, "
        "mod(me + 1, ranks), {0}, {1}, mpi_status_ignore, ierr)")
LAST_TO_FIRST = ("if (me == ranks - 1) call mpi_send(x, 1, mpi_double_precision, 0, {0}, mpi_comm_world, ierr); "
                 "if (me == 0) call mpi_recv(a, 1, mpi_double_precision, ranks - 1, {0}, mpi_comm_world, "
                 "mpi_status_ignore, ierr)")
EXCHANGE = """subroutine exchange(x, a, {formals})
real(8), intent(in) :: x
real(8), intent(inout) :: a
{declared}
integer :: ierr, k
do k = 1, t%count
call mpi_irecv(a, 1, mpi_double_precision, t%to(k), 1, mpi_comm_world, req(k), ierr)
end do
do k = 1, t%count
{send}
end do
{wait}
end subroutine"""
SEND = "call mpi_send(x, 1, mpi_double_precision, t%to(k), 1, mpi_comm_world, ierr)"
WAIT = "call mpi_waitall(t%count, req, mpi_statuses_ignore, ierr)"
TABLE = "type(tables), intent(in) :: t"


def exchange(formals: str = "t", declared: str = f"{TABLE}\ninteger :: req(4)", send: str = SEND,
             wait: str = WAIT) -> str:
    return EXCHANGE.format(formals=formals, declared=declared, send=send, wait=wait)


def text_of(inside: str, before: str = "", procedures: str = "") -> str:
    return PROGRAM.format(inside=inside, before=before, procedures=procedures).replace("; ", "\n")


@pytest.mark.parametrize(("inside", "before", "procedures"), [
    (f"call room(n); {RING}", "", ROOM),
    (f"if (x > 1d300) call fail('much'); {RING}", "", ""),
    (f"if (x < 1d300) then; {RING}; else; print *, x; call fail('much', .true.); stop; end if", "", ""),
    (f"{RING}; if (ierr /= 0) then; {RING}; end if", "", ""),
    (SUM.format("comm"), "call mpi_comm_dup(mpi_comm_world, comm, ierr)", ""),
    (IN_HALF, f"call mpi_comm_split(mpi_comm_world, mod(me, 2), me, half, ierr); {OF_HALF}", ""),
    (IN_HALF, f"call mpi_comm_split(mpi_comm_world, me/2, -me, half, ierr); {OF_HALF}", ""),
    (IN_HALF, f"call mpi_comm_split(mpi_comm_world, n, n, half, ierr); {OF_HALF}", ""),
    (IN_HALF, "call mpi_comm_split(mpi_comm_world, me/3, me, comm, ierr); call mpi_comm_split(comm, mod(me, 2), me, "
              f"half, ierr); {OF_HALF}", ""),
    (f"if (me > 0) then; {SUM.format('half')}; end if",
     "k = 1; if (me == 0) k = mpi_undefined; call mpi_comm_split(mpi_comm_world, k, me, half, ierr)", ""),
    (SUM.format("mpi_comm_self"), "", ""),
    (f"if (me == 0) then; {SUM.format('mpi_comm_self')}; end if; {RING}", "", ""),
    (f"if (x > 1d300) then; call fail('much'); {RING}; end if; {RING}", "", ""),
    (f"if (size == 2) then; if (rank == 0) then; {TO_LOWER}; else; {FROM_HIGHER}; end if; end if",
     f"call mpi_comm_split(mpi_comm_world, me/2, -me, half, ierr); {OF_HALF}", ""),
    (f"{START}; flag = .false.; {LOOP}", "", ""),
    (SHIFT.format(to="mod(me + k, ranks)", source="modulo(me - k, ranks)", comm="mpi_comm_world"), "call set(k)", SET),
    (f"call leave(x); {RING}", "kept = 1; if (kept == 1) k = 1", LEAVE.format("x = 2*x")),
    (ANYBODY.format(tag=3, wanted=3), "", ""),  # one rank can meet it
    (ANYBODY.format(tag="me", wanted="mpi_any_tag"), "", ""),
    (f"{ANYBODY.format(tag=3, wanted=3)}; {LAST_TO_FIRST.format(4)}", "", ""),
    (f"{ANYBODY.format(tag=3, wanted=3)}; {IN_HALF}",
     f"call mpi_comm_split(mpi_comm_world, mod(me, 2), me, half, ierr); {OF_HALF}", ""),
])  # fmt: skip
def test_what_is_proved_holds(inside: str, before: str, procedures: str) -> None:
    text = text_of(inside, before, procedures)
    found = judged(text)
    verdicts = [one for (where, _), one in found.parts.items() if where.endswith("model")]
    assert verdicts, found.unknown
    assert not any(one.assumed for one in verdicts)
    assert any(one.verdict == "self-contained" for one in verdicts)
    for size in (2, 3, 4):
        run = on_ranks(text, HEAD, size, {"n": 3}, plans=("log", "resend", "popular"))
        assert all(one.right for one in run.runs), (size, run.runs)
        worst = max(BETTER[one.verdict] for one in verdicts)
        assert all(BETTER[part.verdict] <= worst for part in run.parts if part.id.startswith("model"))


@pytest.mark.parametrize(("inside", "before", "procedures"), [
    (f"if (x > 1) call fail('much', flag); {RING}; if (x > 1) {SUM.format('mpi_comm_world')}", "", ""),
    (f"if (x > 1) then; call fail('much', .false.); {RING}; end if", "", ""),
    (f"if (x > 1) then; return; end if; {RING}", "", ""),
    (IN_HALF, f"call mpi_comm_split(mpi_comm_world, int(x), me, half, ierr); {OF_HALF}", ""),
    (SHIFT.format(to="other", source="other", comm="mpi_comm_world"), "call guess(x)", GUESS),
    (f"if (other > 0) then; {RING}; end if", "call guess(x)", GUESS),  # a module's, first seen behind the call
    (f"if (other > 0) then; {RING}; end if", "call guess(x)", GUESS_LATER),  # that is not followed
    (f"{START}; flag = x > 0; {LOOP}", "", ""),
    (f"call leave(x); if (other > 0) then; {RING}; end if", "", LEAVE.format("other = 0")),
    (f"if (x > 1) {SUM.format('mpi_comm_self')}; if (x > 1) {SUM.format('mpi_comm_world')}", "", ""),
    (f"{ANYBODY.format(tag=3, wanted=3)}; {BACK.format(3, 'mpi_comm_world')}", "", ""),  # two ranks can meet it
    (f"{ANYBODY.format(tag='me', wanted='mpi_any_tag')}; {RING}", "", ""),
    (f"{ANYBODY.format(tag=3, wanted=3)}; {BACK.format(3, 'n')}", "", ""),  # on a communicator that may be that of all
    (f"if (me == 0) then; {ANYBODY.format(tag=3, wanted=3)}; end if; if (me == 1) call mpi_recv(a, 1, "
     "mpi_double_precision, mpi_any_source, 4, mpi_comm_world, mpi_status_ignore, ierr)", "", ""),  # nobody can
])  # fmt: skip
def test_what_may_differ_is_not_proved(inside: str, before: str, procedures: str) -> None:
    assert not judged(text_of(inside, before, procedures)).parts


FILL = "type(tables) :: t"


def with_table(inside: str, procedures: str) -> str:
    declared = text_of(inside, "t%count = int(x); t%to = int(x)", procedures)
    return declared.replace("logical :: flag\n", f"logical :: flag\n{FILL}\n", 1)


def test_exchanges_by_tables_are_taken_to_be_closed_and_that_is_said() -> None:
    found = judged(with_table(f"call exchange(x, a, t); {RING}", exchange()))
    verdicts = {one.verdict for (where, _), one in found.parts.items() if where.endswith("model")}
    assert verdicts == {"self-contained", "silent"}  # find_place is called
    assert all("exchange receives in each call all that it sends" in one.assumed[0] for one in found.parts.values())
    assert "may differ" in found.unknown


@pytest.mark.parametrize("procedures", [
    exchange(send="a = a + x"),  # only receives
    exchange(formals="t, req", declared=f"{TABLE}\ninteger, intent(inout) :: req(4)"),  # may be completed elsewhere
    exchange(wait="call mpi_put(x, ierr)"),  # not understood
])
def test_what_cannot_be_closed_is_not(procedures: str) -> None:
    call = "call exchange(x, a, t, req)" if "t, req)" in procedures else "call exchange(x, a, t)"
    assert not judged(with_table(call, procedures)).parts


def test_what_one_rank_sends_to_the_other_procedure_is_not_closed() -> None:
    """A master and its workers each send and receive; neither is closed."""
    both = (exchange().replace("exchange", "master") + "\n" + exchange().replace("exchange", "work"))
    inside = "if (me == 0) then; call master(x, a, t); else; call work(x, a, t); end if"
    assert not judged(with_table(inside, both)).parts


def test_a_loop_that_computes_while_it_tests_is_a_wait() -> None:
    text = text_of(f"{START}; flag = .false.; {LOOP}")
    run = on_ranks(text, HEAD, 3, {"n": 3})
    assert plan(run, "popular").right


PLATE = """module plate
use mpi
implicit none
integer :: grid, beside(2, 2), requests(2), dims(2)
real(8) :: u(4)
contains
subroutine prepare()
  integer :: ranks, k, ierr
  logical :: round(2)
  call mpi_comm_size(mpi_comm_world, ranks, ierr)
  dims = [0, 1]
  round = (/ .true., .false. /)
  call mpi_dims_create(ranks, 2, dims, ierr)
  call mpi_cart_create(mpi_comm_world, 2, dims, round, .false., grid, ierr)
  do k = 1, 2
    call mpi_cart_shift(grid, k - 1, 1, beside(1, k), beside(2, k), ierr)
  end do
  call mpi_recv_init(u(1), 1, mpi_double_precision, beside(1, {along}), 1, grid, requests(1), ierr)
  call mpi_send_init(u(2), 1, mpi_double_precision, beside(2, {along}), 1, grid, requests(2), ierr)
end subroutine
subroutine forget()
  integer :: k, ierr
  do k = 1, 2
    call mpi_request_free(requests(k), ierr)
  end do
end subroutine
end module
subroutine model(x, n, y)
use plate
implicit none
integer, intent(in) :: n
real(8), intent(inout) :: x
real(8), intent(out) :: y
integer :: ierr, k
call prepare()
do k = 1, n
  u = x
  !$AD CHECKPOINT-START
  call mpi_startall(2, requests, ierr)
  x = sin(x)
  {ended}
  !$AD CHECKPOINT-END
  {behind}
  x = x*u(1)
end do
call forget()
y = x
end subroutine
"""
WAITED = "call mpi_waitall(2, requests, mpi_statuses_ignore, ierr)"


@pytest.mark.parametrize(("along", "ended", "behind", "verdict"), [
    (1, WAITED, "", "self-contained"), (1, "", WAITED, "right-tight"), (2, WAITED, "", "silent"),  # walls along y
])
def test_halos_that_are_prepared_once(along: int, ended: str, behind: str, verdict: str) -> None:
    """Shapes in array constructors, neighbours found in a loop, requests freed at the end."""
    text = PLATE.format(along=along, ended=ended, behind=behind)
    found = judged(text)
    assert found.unknown == ""
    worst = max(found.parts.values(), key=lambda one: BETTER[one.verdict]).verdict
    assert worst == ("self-contained" if verdict == "silent" else verdict)  # MPI_CART_CREATE in prepare
    part = f"model@{next(k for k, line in enumerate(text.splitlines(), 1) if 'startall' in line)}"
    run = on_ranks(text, "model(x)>(y)", 3, {"n": 2, "x": 0.5}, plans=("log", "resend"))
    assert all(one.right for one in run.runs)
    assert {one.verdict for one in run.parts if one.id == part} == {verdict}


CUT = """subroutine model(x, y)
use mpi
implicit none
real(8), intent(inout) :: x
real(8), intent(out) :: y
integer :: grid, copy, rows, columns, me, size, ierr, dims(2), from, to
real(8) :: a, b, c
call mpi_comm_size(mpi_comm_world, size, ierr)
dims = 0
call mpi_dims_create(size, 2, dims, ierr)
call mpi_cart_create(mpi_comm_world, 2, dims, [.true., .true.], .false., grid, ierr)
call mpi_comm_dup(grid, copy, ierr)
call mpi_cart_sub(copy, [.true., .false.], rows, ierr)
call mpi_cart_sub(grid, [.false., .true.], columns, ierr)
call mpi_comm_rank(grid, me, ierr)
a = me*x
!$AD CHECKPOINT-START
call mpi_allreduce(a, b, 1, mpi_double_precision, mpi_sum, rows, ierr)
call mpi_cart_shift(columns, 0, 1, from, to, ierr)
call mpi_sendrecv(a, 1, mpi_double_precision, to, 1, c, 1, mpi_double_precision, from, 1, columns, &
                  mpi_status_ignore, ierr)
!$AD CHECKPOINT-END
y = 100*b + c
end subroutine
"""


def test_parts_of_a_grid() -> None:
    """By hand, ranks 0 1 above 2 3: sums of 0 2 and of 1 3, the one beside."""
    found = on_all(CUT, HEAD, 4, lambda rank, head, machine, ranked:
                   primal(head, machine, Inputs({"x": 1.0}), None, ranked))
    assert found == [201, 400, 203, 402]
    proved = judged(CUT)
    assert {one.verdict for one in proved.parts.values()} == {"self-contained"}
    assert all(one.sizes == (2, 3, 4, 5, 6) for one in proved.parts.values())
    check_derivative(CUT, HEAD, 4)
    assert plan(on_ranks(CUT, HEAD, 4, {"x": 0.5}), "popular").right

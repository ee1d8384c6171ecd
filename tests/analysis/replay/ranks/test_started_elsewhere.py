"""Persistent messages that one procedure prepares and another starts: executed, with the sets of what leads there.

The judges are store-all, bit for bit, with everything poisoned that nobody claims to need; and for store-all the
differences of the sum over all ranks.
"""

from __future__ import annotations

import pytest
from snapset.analysis.messages.static_verdicts import static_messages
from snapset.analysis.procedures.program_facts import ProgramFacts
from snapset.analysis.recording.strategies import EAGER, LAZY, Strategy
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.experiment.ranked_plans import RankedComparison, RankOptions, compare_ranks
from snapset.frontend.load import load_text
from snapset.library.analysis import parse_heads

from tests.support.message_programs import check_derivative, on_ranks, plan

HEAD = "model(x)>(cost)"
PROGRAM = """module wires
use mpi
integer, save :: kept(4), left, right
real(8), save :: edge(4)
type channel
  integer :: request(2)
end type
contains
{procedures}
subroutine wire(v, m, r)
integer, intent(in) :: m
real(8) :: v(m)
integer :: r(2), ierr
call mpi_recv_init(v(1), 1, mpi_double_precision, left, 1, mpi_comm_world, r(1), ierr)
call mpi_send_init(v(m), 1, mpi_double_precision, right, 1, mpi_comm_world, r(2), ierr)
end subroutine
end module
subroutine model(x, n, cost)
use wires
implicit none
integer, intent(in) :: n
real(8), intent(inout) :: x(n)
real(8), intent(out) :: cost
real(8) :: a(n), b(n)
type(channel) :: own
integer :: ierr, req(4), me, ranks, k
call mpi_comm_rank(mpi_comm_world, me, ierr)
call mpi_comm_size(mpi_comm_world, ranks, ierr)
left = modulo(me - 1, ranks)
right = mod(me + 1, ranks)
a = x
b = 2*x
edge = x(2)
{prepare}
do k = 1, 2
!$AD CHECKPOINT-START
{body}
!$AD CHECKPOINT-END
x = sin(x)*a(1)
a(1) = a(1)*b(1)
end do
cost = sum(x*x) + sum(a*a)
end subroutine
"""
REAL = "mpi_double_precision"
WORLD = "mpi_comm_world"
STARTALL = "call mpi_startall(2, {0}, ierr)\n"
WAITALL = "call mpi_waitall(2, {0}, mpi_statuses_ignore, ierr)\n"
GO = f"subroutine go(r)\ninteger :: r(2), ierr\n{STARTALL.format('r')}{WAITALL.format('r')}end subroutine\n"
WORKING = (f"subroutine go(r, v, m)\ninteger, intent(in) :: m\ninteger :: r(2), ierr\nreal(8) :: v(m)\n"
           f"v(2:) = sin(v(2:))*v(1)\n{STARTALL.format('r')}{WAITALL.format('r')}v(2:) = v(2:)*v(1)\nend subroutine\n")
OUTER = f"subroutine outer(r)\ninteger :: r(2)\ncall go(r)\nend subroutine\n{GO}"
APART = (f"subroutine begin(r)\ninteger :: r(2), ierr\n{STARTALL.format('r')}end subroutine\n"
         f"subroutine finish(r)\ninteger :: r(2), ierr\n{WAITALL.format('r')}end subroutine\n")
OF_MODULE = f"subroutine go()\ninteger :: ierr\n{STARTALL.format('kept')}{WAITALL.format('kept')}end subroutine\n"
OF_CHANNEL = (f"subroutine go(c)\ntype(channel) :: c\ninteger :: ierr\n{STARTALL.format('c%request')}"
              f"{WAITALL.format('c%request')}end subroutine\n")
SEVERAL = ("subroutine go(r)\ninteger :: r(4), ierr\ncall mpi_startall(4, r, ierr)\n"
           "call mpi_waitall(4, r, mpi_statuses_ignore, ierr)\nend subroutine\n")
ONE_BY_ONE = ("subroutine go(r)\ninteger :: r, ierr\ncall mpi_start(r, ierr)\nend subroutine\n"
              "subroutine finish(r)\ninteger :: r, ierr\ncall mpi_wait(r, mpi_status_ignore, ierr)\nend subroutine\n")
HERE = (f"call mpi_recv_init(a(1), 1, {REAL}, left, 1, {WORLD}, {{0}}(1), ierr)\n"
        f"call mpi_send_init(x(n), 1, {REAL}, right, 1, {WORLD}, {{0}}(2), ierr)")
WORK = "a(2:) = a(2:)*a(1)*x(2:)\n"
CASES = {
    "passed": (GO, HERE.format("req"), f"{WORK}call go(req)"),
    "prepared in a procedure": (GO, "call wire(a, n, req)", f"{WORK}call go(req)"),
    "two levels down": (OUTER, "call wire(a, n, req)", f"{WORK}call outer(req)"),
    "started and awaited apart": (APART, HERE.format("req"), f"{WORK}call begin(req)\nb = sin(b)\ncall finish(req)"),
    "awaited behind the part": (APART, HERE.format("req"),
                                f"{WORK}call begin(req)\n!$AD CHECKPOINT-END\nb = sin(b)\n!$AD CHECKPOINT-START\n"
                                "call finish(req)\nb = b*a(1)"),
    "requests of a module": (OF_MODULE, HERE.format("kept"), f"{WORK}call go()"),
    "requests of a type": (OF_CHANNEL, HERE.format("own%request"), f"{WORK}call go(own)"),
    "the buffer is passed too": (WORKING, "call wire(a, n, req)", f"{WORK}call go(req, a, n)"),
    "the buffer is global": (GO, "call wire(edge, 4, req)", f"{WORK}edge(2:) = edge(2:)*edge(1)\ncall go(req)\n"
                                                             "b(1) = b(1)*edge(1)"),
    "two arrays": (SEVERAL, "call wire(a, n, req(1:2))\ncall wire(b, n, req(3:4))",
                   f"{WORK}b(2:) = b(2:)*b(1)\ncall go(req)"),
    "one by one": (ONE_BY_ONE, HERE.format("req"),
                   f"{WORK}call go(req(1))\ncall go(req(2))\ncall finish(req(2))\ncall finish(req(1))"),
    "started where it is not prepared, in the model": (
        "", "call wire(a, n, req(1:2))\ncall wire(b, n, req(3:4))",
        f"{WORK}b(2:) = b(2:)*b(1)\ncall mpi_startall(4, req, ierr)\ncall mpi_waitall(4, req, mpi_statuses_ignore, "
        "ierr)"),
    "prepared anew in each part": (GO, "", f"call wire(a, n, req)\n{WORK}call go(req)"),
}


def executed(text: str, strategy: Strategy, ranks: int = 3) -> RankedComparison:
    return compare_ranks(load_text(text), parse_heads([HEAD])[0], (strategy,), Inputs({"n": 3}), RankOptions(ranks))


def program(name: str) -> str:
    procedures, prepare, body = CASES[name]
    return PROGRAM.format(procedures=procedures, prepare=prepare, body=body)


@pytest.mark.sample(4)
@pytest.mark.parametrize("strategy", [LAZY, EAGER], ids=lambda one: one.name)
@pytest.mark.parametrize("name", CASES)
def test_every_way_of_second_runs_is_right(name: str, strategy: Strategy) -> None:
    found = executed(program(name), strategy)
    for one in ("store-all", "log", "resend"):
        assert plan(found, one).right, plan(found, one)
    assert plan(found, "store-all").gradient_digest


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", CASES)
def test_store_all_is_the_derivative(name: str) -> None:
    check_derivative(program(name), HEAD, 3, {"n": 3})


def test_sets_without_the_hidden_buffer_are_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The call reaches no more than its arguments: a(1), which the message overwrites, is then not restored."""
    text = program("passed")
    assert plan(executed(text, LAZY), "log").right
    monkeypatch.setattr(ProgramFacts, "leads_to_foreign_start", lambda self, key: False)
    assert not plan(executed(text, LAZY), "log").right


IN_A_MODULE = """
module phalo
  use mpi
  implicit none
  integer :: req(4)
  real(8) :: inbuf(2), outbuf(2)
contains
  subroutine ph_init(left, right)
    integer, intent(in) :: left, right
    integer :: ierr
    call mpi_recv_init(inbuf(1), 1, mpi_double_precision, left, 1, mpi_comm_world, req(1), ierr)
    call mpi_recv_init(inbuf(2), 1, mpi_double_precision, right, 2, mpi_comm_world, req(2), ierr)
    call mpi_send_init(outbuf(2), 1, mpi_double_precision, right, 1, mpi_comm_world, req(3), ierr)
    call mpi_send_init(outbuf(1), 1, mpi_double_precision, left, 2, mpi_comm_world, req(4), ierr)
  end subroutine
  subroutine ph_start(u, n)
    integer, intent(in) :: n
    real(8), intent(in) :: u(0:n+1)
    integer :: ierr
    outbuf(1) = u(1)
    outbuf(2) = u(n)
    call mpi_startall(4, req, ierr)
  end subroutine
  subroutine ph_finish(u, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(0:n+1)
    integer :: ierr
    call mpi_waitall(4, req, mpi_statuses_ignore, ierr)
    u(0) = inbuf(1)
    u(n+1) = inbuf(2)
  end subroutine
end module
subroutine model(u, n, nsteps, cost)
  use phalo
  implicit none
  integer, intent(in) :: n, nsteps
  real(8), intent(inout) :: u(0:n+1)
  real(8), intent(out) :: cost
  real(8) :: v(n)
  integer :: me, np, it, k, ierr
  call mpi_comm_rank(mpi_comm_world, me, ierr)
  call mpi_comm_size(mpi_comm_world, np, ierr)
  call ph_init(modulo(me - 1, np), modulo(me + 1, np))
  do it = 1, nsteps
    !$AD CHECKPOINT-START
    call ph_start(u, n)
    do k = 2, n - 1
      v(k) = u(k)*(1 + 0.1d0*u(k-1)*u(k+1))
    end do
    call ph_finish(u, n)
    v(1) = u(1)*(1 + 0.1d0*u(0)*u(2))
    v(n) = u(n)*(1 + 0.1d0*u(n-1)*u(n+1))
    u(1:n) = v
    !$AD CHECKPOINT-END
  end do
  do k = 1, 4
    call mpi_request_free(req(k), ierr)
  end do
  cost = sum(u*u)
end subroutine
"""
BY_ENTRY = """
subroutine begin_halo(u, n, left, right, req)
  use mpi
  implicit none
  integer, intent(in) :: n, left, right
  integer, intent(inout) :: req(2)
  real(8), intent(inout) :: u(0:n)
  integer :: ierr
  call mpi_irecv(u(0), 1, mpi_double_precision, left, 4, mpi_comm_world, req(1), ierr)
  call mpi_isend(u(n), 1, mpi_double_precision, right, 4, mpi_comm_world, req(2), ierr)
  return
  entry end_halo(u, n, req)
  call mpi_waitall(2, req, mpi_statuses_ignore, ierr)
end subroutine
subroutine model(u, n, nsteps, cost)
  use mpi
  implicit none
  integer, intent(in) :: n, nsteps
  real(8), intent(inout) :: u(0:n)
  real(8), intent(out) :: cost
  integer :: me, np, it, k, ierr, req(2)
  real(8) :: v(n)
  call mpi_comm_rank(mpi_comm_world, me, ierr)
  call mpi_comm_size(mpi_comm_world, np, ierr)
  do it = 1, nsteps
    !$AD CHECKPOINT-START
    call begin_halo(u, n, modulo(me - 1, np), modulo(me + 1, np), req)
    do k = 2, n
      v(k) = u(k)*(1 + 0.1d0*u(k-1))
    end do
    call end_halo(u, n, req)
    v(1) = u(1)*(1 + 0.1d0*u(0))
    u(1:n) = v
    !$AD CHECKPOINT-END
  end do
  cost = sum(u*u)
end subroutine
"""


@pytest.mark.parametrize("text", [IN_A_MODULE, BY_ENTRY], ids=["persistent", "entry"])
@pytest.mark.parametrize("ranks", [2, 3])
def test_begun_and_finished_in_procedures_of_their_own(text: str, ranks: int) -> None:
    """Persistent requests in a module, prepared, started and completed by three procedures; ENTRY that completes. The
    part around both is self-contained, each call in it is not: run again as it was, it never ends."""
    found = on_ranks(text, "model(u)>(cost)", ranks, {"n": 4, "nsteps": 2})
    for name in ("store-all", "log", "resend"):
        assert plan(found, name).right, name
    assert plan(found, "log").log_bytes == plan(found, "log").predicted_log_bytes > 0
    assert not plan(found, "popular").ends
    verdicts = sorted(one.verdict for one in found.parts if one.verdict != "silent")
    assert verdicts == ["right-tight", "right-tight", "self-contained"]
    proved = static_messages(load_text(text), "model").parts.values()
    assert sorted(one.verdict for one in proved if one.verdict != "silent") == verdicts
    assert not any(one.assumed for one in proved)
    check_derivative(text, "model(u)>(cost)", ranks, {"n": 4, "nsteps": 2})

"""Calls of MPI behind procedures that see only half of a message: its request, its buffer on one side, neither.

The adjoint of each call must run on both ends, or the adjoint waits for ever; the judges are store-all, and for that
the differences of the sum over all ranks.
"""

from __future__ import annotations

import pytest

from tests.support.message_programs import check_derivative, on_ranks, plan

HEAD = "model(x)>(cost)"
PROGRAM = """module wires
use mpi
integer, save :: kept(4), left, right, me, ranks
type channel
  integer :: request(2)
  logical :: flying
end type
type(channel), save :: line
contains
{procedures}
end module
subroutine model(x, n, cost)
use wires
implicit none
integer, intent(in) :: n
real(8), intent(inout) :: x(n)
real(8), intent(out) :: cost
real(8) :: a(n), b
type(channel) :: own
integer :: ierr, req(4), k
logical :: flag
call mpi_comm_rank(mpi_comm_world, me, ierr)
call mpi_comm_size(mpi_comm_world, ranks, ierr)
left = modulo(me - 1, ranks)
right = mod(me + 1, ranks)
a = x(1)
b = 0
req = mpi_request_null
!$AD CHECKPOINT-START
{body}
!$AD CHECKPOINT-END
x = x*a
cost = sum(x*x)
end subroutine
"""
REAL = "mpi_double_precision"
START = (f"call mpi_irecv(a, n, {REAL}, left, 1, mpi_comm_world, {{0}}(1), ierr)\n"
         f"call mpi_isend(x, n, {REAL}, right, 1, mpi_comm_world, {{0}}(2), ierr)")
WAITALL = "call mpi_waitall(2, {0}, mpi_statuses_ignore, ierr)"
FINISH = f"subroutine finish(r)\ninteger, intent(inout) :: r(2)\ninteger :: ierr\n{WAITALL.format('r')}\nend subroutine"
OF_CHANNEL = ("subroutine finish(c)\ntype(channel), intent(inout) :: c\ninteger :: ierr\n"
              f"if (c%flying) {WAITALL.format('c%request')}\nc%flying = .false.\nend subroutine")
OUTER = f"subroutine outer(r)\ninteger, intent(inout) :: r(2)\ncall finish(r)\nend subroutine\n{FINISH}"
OF_MODULE = f"subroutine finish()\ninteger :: ierr\n{WAITALL.format('kept')}\nend subroutine"
ONE = ("subroutine finish(r)\ninteger, intent(inout) :: r\ninteger :: ierr\n"
       "call mpi_wait(r, mpi_status_ignore, ierr)\nend subroutine")
ASKING = ("subroutine finish(r)\ninteger, intent(inout) :: r(2)\ninteger :: ierr\nlogical :: flag\nflag = .false.\n"
          "do while (.not. flag)\ncall mpi_testall(2, r, flag, mpi_statuses_ignore, ierr)\nend do\nend subroutine")
ANY = ("subroutine finish(r)\ninteger, intent(inout) :: r(2)\ninteger :: ierr, k, which\ndo k = 1, 2\n"
       "call mpi_waitany(2, r, which, mpi_status_ignore, ierr)\nend do\nend subroutine")
GIVE = (f"subroutine give(v, n)\ninteger, intent(in) :: n\nreal(8), intent(in) :: v(n)\ninteger :: ierr\n"
        f"if (me > 0) call mpi_send(v, n, {REAL}, 0, 2, mpi_comm_world, ierr)\nend subroutine\n"
        f"subroutine take(v, n)\ninteger, intent(in) :: n\nreal(8), intent(inout) :: v(n)\nreal(8) :: w(n)\n"
        f"integer :: ierr, k\nif (me == 0) then\ndo k = 1, ranks - 1\n"
        f"call mpi_recv(w, n, {REAL}, k, 2, mpi_comm_world, mpi_status_ignore, ierr)\nv = v + w*w\nend do\n"
        "end if\nend subroutine")
RELAY = ("subroutine relay()\nreal(8) :: w\ninteger :: ierr\nif (me == 1) then\n"
         f"call mpi_recv(w, 1, {REAL}, 0, 3, mpi_comm_world, mpi_status_ignore, ierr)\n"
         f"call mpi_send(w, 1, {REAL}, 0, 4, mpi_comm_world, ierr)\nend if\nend subroutine")
SUMMED = (f"subroutine summed(v, w, n)\ninteger, intent(in) :: n\nreal(8), intent(in) :: v(n)\n"
          f"real(8), intent(inout) :: w(n)\nreal(8) :: found(n)\ninteger :: ierr\n"
          f"call mpi_reduce(v, found, n, {REAL}, mpi_sum, 0, mpi_comm_world, ierr)\nif (me == 0) w = w*found\n"
          "end subroutine")

CASES = {
    "requests alone": (FINISH, f"{START.format('req')}\nx = x\ncall finish(req(1:2))"),
    "of a derived type": (OF_CHANNEL, f"{START.format('own%request')}\nown%flying = .true.\ncall finish(own)"),
    "of a module's derived type": (OF_CHANNEL, f"{START.format('line%request')}\nline%flying = .true.\n"
                                               "call finish(line)"),
    "two levels down": (OUTER, f"{START.format('req')}\ncall outer(req)"),
    "a module's requests": (OF_MODULE, f"{START.format('kept')}\ncall finish()"),
    "one by one": (ONE, f"{START.format('req')}\ndo k = 1, 2\ncall finish(req(k))\nend do"),
    "asked for": (ASKING, f"{START.format('req')}\ncall finish(req)"),
    "any of them": (ANY, f"{START.format('req')}\ncall finish(req)"),
    "not useful behind the send": (GIVE, "call take(x, n)\nb = x(1)\na = sin(x)\ncall give(a, n)\na = b"),
    "a constant is sent": (GIVE, "a = 0.3d0\ncall take(x, n)\ncall give(a, n)\na = x"),
    "nothing that is passed travels": (
        RELAY, f"if (me == 0) call mpi_send(x, 1, {REAL}, 1, 3, mpi_comm_world, ierr)\ncall relay()\n"
               f"if (me == 0) call mpi_recv(a, 1, {REAL}, 1, 4, mpi_comm_world, mpi_status_ignore, ierr)"),
    "reduced to one rank": (SUMMED, "b = x(1)\na = cos(x)\ncall summed(a, x, n)\na = b"),
    "never used where received": ("", f"a = x*x\nif (me > 0) call mpi_send(a, n, {REAL}, 0, 2, mpi_comm_world, ierr)\n"
                                      f"if (me == 0) then\ndo k = 1, ranks - 1\ncall mpi_recv(a, n, {REAL}, k, 2, "
                                      "mpi_comm_world, mpi_status_ignore, ierr)\nend do\nend if\na = 2"),
    "shorter than its buffer": ("", f"a = x*x\nif (me > 0) call mpi_send(x, 1, {REAL}, 0, 2, mpi_comm_world, ierr)\n"
                                    f"if (me == 0) then\ndo k = 1, ranks - 1\ncall mpi_recv(a, n, {REAL}, k, 2, "
                                    "mpi_comm_world, mpi_status_ignore, ierr)\nx(2) = x(2) + a(1)*a(2)\nend do\n"
                                    "end if"),
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", CASES)
def test_both_ends_of_a_message_have_an_adjoint(name: str) -> None:
    procedures, body = CASES[name]
    text = PROGRAM.format(procedures=procedures, body=body)
    check_derivative(text, HEAD, 3, {"n": 3})
    found = on_ranks(text, HEAD, 3, {"n": 3})
    assert found.runs[0].ends, found.runs[0]
    for one in ("store-all", "log", "resend"):
        assert plan(found, one).right, plan(found, one)


HANDLES = """subroutine model(x, n, cost)
use mpi_f08{only}
implicit none
integer, intent(in) :: n
real(8), intent(inout) :: x(n)
real(8), intent(out) :: cost
type(MPI_Request) :: req(2)
type(MPI_Comm) :: comm
integer :: rank, size
call mpi_comm_dup(mpi_comm_world, comm)
call mpi_comm_rank(comm, rank)
call mpi_comm_size(comm, size)
!$AD CHECKPOINT-START
call mpi_irecv(x(1), 1, mpi_double_precision, mod(rank - 1 + size, size), 4, comm, req(1))
call mpi_isend(x(n), 1, mpi_double_precision, mod(rank + 1, size), 4, comm, req(2))
call mpi_waitall(2, req, mpi_statuses_ignore)
x = x*x
!$AD CHECKPOINT-END
cost = sum(x*x)
end subroutine
"""


@pytest.mark.parametrize("only", ["", ", only: mpi_request, mpi_comm, mpi_comm_world, mpi_double_precision, "
                                      "mpi_statuses_ignore"])
def test_handles_of_mpi_f08_are_numbers(only: str) -> None:
    text = HANDLES.format(only=only)
    found = on_ranks(text, HEAD, 2, {"n": 3})
    assert [one.right for one in found.runs] == [True] * 4
    check_derivative(text, HEAD, 2, {"n": 3})

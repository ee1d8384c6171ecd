"""``type(MPI_Status)``: passed to the program's own procedures, in arrays, its components read; a farm and a ring."""

from __future__ import annotations

import re

import pytest

from tests.support.message_programs import check_derivative, on_ranks

HEAD = "model(x)>(cost)"
PROGRAM = """module wires
use mpi_f08
implicit none
type message
  type(MPI_Status) :: st
  real(8) :: w
end type
contains
subroutine wait_one(req, st)
  type(MPI_Request), intent(inout) :: req
  type(MPI_Status), intent(out) :: st
  call mpi_wait(req, st)
end subroutine
integer function origin(st)
  type(MPI_Status), intent(in) :: st
  origin = st%MPI_SOURCE
end function
subroutine check(many, n, total)
  integer, intent(in) :: n
  type(MPI_Status), intent(in) :: many(n)
  integer, intent(out) :: total
  total = sum(many%MPI_TAG) + many(1)%mpi_tag
end subroutine
end module
subroutine model(x, n, cost)
use wires
implicit none
integer, intent(in) :: n
real(8), intent(inout) :: x(n)
real(8), intent(out) :: cost
type(MPI_Request) :: req(2)
type(MPI_Status) :: st, other, many(2)
type(message) :: held
integer :: me, size, k, total, count
real(8) :: w
call mpi_comm_rank(mpi_comm_world, me)
call mpi_comm_size(mpi_comm_world, size)
total = 0
w = 1
{body}
x = x*w
cost = sum(x*x)
end subroutine
"""
REAL = "mpi_double_precision"
RING = (f"call mpi_irecv(w, 1, {REAL}, modulo(me - 1, size), 3, mpi_comm_world, req(1))\n"
        f"call mpi_isend(x(n), 1, {REAL}, mod(me + 1, size), 3, mpi_comm_world, req(2))\n")
BODIES = {
    "passed on": RING + "call wait_one(req(1), st)\ncall wait_one(req(2), other)\nw = w*(1 + origin(st))",
    "an array": RING + "call mpi_waitall(2, req, many)\ncall check(many(1:1), 1, total)\n"
                       "w = w*(total + many(1)%MPI_SOURCE)",
    "one of several": RING + "call mpi_wait(req(1), many(2))\ncall mpi_wait(req(2), mpi_status_ignore)\n"
                             "st = many(2)\nw = w*(1 + st%MPI_TAG)",
    "in an object": RING + "call mpi_wait(req(1), held%st)\ncall wait_one(req(2), st)\nheld%w = w\n"
                           "w = held%w*(2 + held%st%MPI_SOURCE)",
    "a farm": "if (me == 0) then\ndo k = 1, size - 1\n"
              f"call mpi_recv(w, 1, {REAL}, mpi_any_source, mpi_any_tag, mpi_comm_world, st)\n"
              f"call mpi_get_count(st, {REAL}, count)\n"
              "x(1) = x(1) + w*count*st%MPI_TAG*(1 + origin(st))\nend do\nelse\n"
              f"call mpi_send(x(2), 1, {REAL}, 0, 10 + me, mpi_comm_world)\nend if",
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", BODIES)
def test_a_status_is_what_it_is_without_mpi_f08(name: str) -> None:
    text = PROGRAM.format(body=BODIES[name])
    check_derivative(text, HEAD, 3, {"n": 3})
    part = PROGRAM.format(body=f"!$AD CHECKPOINT-START\n{BODIES[name]}\n!$AD CHECKPOINT-END")
    found = on_ranks(part, HEAD, 3, {"n": 3})
    assert [one.right for one in found.runs][:3] == [True]*3, found.runs


def test_the_standard_s_words_mean_the_same_integers() -> None:
    """MPI's Fortran binding without derived types: STATUS(MPI_SOURCE) is STATUS%MPI_SOURCE."""
    typed = PROGRAM.format(body=BODIES["a farm"])
    plain = typed.replace("use mpi_f08", "use mpi").replace("type(MPI_Request)", "integer")
    plain = plain.replace("type(MPI_Status) :: st, other, many(2)",
                          "integer :: st(mpi_status_size), other(mpi_status_size), many(mpi_status_size, 2)")
    plain = plain.replace("type(MPI_Status), intent(in) :: many(n)", "integer, intent(in) :: many(mpi_status_size, n)")
    plain = re.sub(r"type\(MPI_Status\)(.*):: st", r"integer\1:: st(mpi_status_size)", plain)
    plain = re.sub(r"(\w+)%MPI_(TAG|SOURCE)", r"\1(mpi_\2)", plain, flags=re.IGNORECASE)
    plain = plain.replace("many(mpi_tag)", "many(mpi_tag, :)").replace("many(1)(mpi_tag)", "many(mpi_tag, 1)")
    plain = plain.replace("many(1)%mpi_tag", "many(mpi_tag, 1)")
    plain = re.sub(r"call mpi_(?!get_count)(.*)\)", r"call mpi_\1, total)", plain).replace("total = 0\n", "")
    plain = plain.replace("mpi_get_count(st, mpi_double_precision, count)",
                          "mpi_get_count(st, mpi_double_precision, count, total)")
    found = [on_ranks(text, HEAD, 3, {"n": 3}).runs for text in (typed, plain)]
    figures = [[(one.plan, one.right, one.log_bytes, one.gradient_digest) for one in runs] for runs in found]
    assert figures[0] == figures[1]

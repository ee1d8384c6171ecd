"""Which elements a call of MPI means: from an element of a component on, of sections that are not contiguous, of a
status in a component. By hand: each element is its own number; gradients by differences."""

from __future__ import annotations

import pytest
from snapset.analysis.replay.experiment.gradient import primal
from snapset.analysis.replay.experiment.inputs import Inputs

from tests.support.message_programs import check_derivative, on_all, on_ranks, plan

HEAD = "model(x)>(y)"
TEXT = """module objects
use mpi
type inner_t
  real(8) :: c(2,3) = 0
  integer :: st(mpi_status_size, 2) = 0
end type
type object_t
  real(8) :: b(4) = 0
  integer :: r(4) = mpi_request_null
  type(inner_t) :: in(2)
  real(8), allocatable :: d(:)
end type
contains
subroutine finish(one)
  type(object_t), intent(inout) :: one
  integer :: ierr
  call mpi_waitall(2, one%r, one%in(2)%st, ierr)
end subroutine
subroutine strided(v, from)
  real(8), intent(inout) :: v(:)
  integer, intent(in) :: from
  integer :: ierr
  call mpi_recv(v, 2, mpi_double_precision, from, 1, mpi_comm_world, mpi_status_ignore, ierr)
end subroutine
end module
subroutine model(x, y)
use objects
implicit none
real(8), intent(inout) :: x
real(8), intent(out) :: y
type(object_t) :: h(2), g(2)
real(8) :: s(6), u(3,4)
integer :: rank, size, ierr, left, right, k, cut
call mpi_comm_rank(mpi_comm_world, rank, ierr)
call mpi_comm_size(mpi_comm_world, size, ierr)
left = modulo(rank - 1, size)
right = mod(rank + 1, size)
call mpi_type_vector(2, 1, 2, mpi_double_precision, cut, ierr)
call mpi_type_commit(cut, ierr)
s = [(k*x, k = 1, 6)]
u = 0
do k = 1, 2
  allocate(h(k)%d(3), g(k)%d(3))
  g(k)%d = 0
end do
!$AD CHECKPOINT-START
{inside}
!$AD CHECKPOINT-END
y = {objective}
end subroutine
"""
REAL, WORLD = "mpi_double_precision", "mpi_comm_world"
RING = "call mpi_sendrecv({}, {}, right, 1, {}, {}, left, 1, mpi_comm_world, mpi_status_ignore, ierr)"


def ring(sent: str, many: str, into: str, wanted: str) -> str:
    return RING.format(sent, many, into, wanted)


TWO, THREE, ONE_CUT = f"2, {REAL}", f"3, {REAL}", "1, cut"
CASES = {
    "received from an element on": (ring("s", THREE, "g(1)%b(2)", THREE), "sum(abs(g(1)%b - [0, 1, 2, 3]*x)) + "
                                    "sum(abs(g(2)%b))"),
    "sent from an element on": (f"h(2)%b = s(2:5); {ring('h(2)%b(3)', TWO, 's', TWO)}",
                                "sum(abs(s - [4, 5, 3, 4, 5, 6]*x))"),
    "two dimensions, two levels": (ring("s", THREE, "g(2)%in(1)%c(2,1)", THREE),
                                   "sum(abs(g(2)%in(1)%c - reshape([0, 1, 2, 3, 0, 0]*x, [2, 3])))"),
    "a type of data in a component": (ring("s", TWO, "g(2)%in(2)%c(2,1)", ONE_CUT),
                                      "sum(abs(g(2)%in(2)%c - reshape([0, 1, 0, 2, 0, 0]*x, [2, 3])))"),
    "allocatable": (ring("s", TWO, "g(2)%d(2)", TWO), "sum(abs(g(2)%d - [0, 1, 2]*x)) + sum(g(1)%d)"),
    "some of a column": (ring("s", TWO, "u(:, 2)", TWO), "sum(abs(u(:, 2) - [1, 2, 0]*x)) + sum(abs(u(:, 3)))"),
    "some of a row": (ring("s", TWO, "u(2, :)", TWO), "sum(abs(u(2, :) - [1, 2, 0, 0]*x)) + sum(abs(u(:, 3)))"),
    "some of a stride": (f"call mpi_isend(s, 2, {REAL}, right, 1, {WORLD}, h(1)%r(3), ierr); call strided(u(1, 1:4:2), "
                         "left); call mpi_wait(h(1)%r(3), mpi_status_ignore, ierr)",
                         "sum(abs(u(1, :) - [1, 0, 2, 0]*x)) + sum(abs(u(2:, :)))"),
    "requests and statuses": (f"call mpi_irecv(g(2)%b(1), 2, {REAL}, left, 7, {WORLD}, h(2)%r(1), ierr); "
                              f"call mpi_isend(s(3), 2, {REAL}, right, 7, {WORLD}, h(2)%r(2), ierr); "
                              "call finish(h(2))", "sum(abs(g(2)%b - [3, 4, 0, 0]*x)) + "
                              "abs(h(2)%in(2)%st(mpi_tag, 1) - 7) + abs(h(2)%in(2)%st(mpi_source, 1) - left)"),
    "requests from an element on": (f"call mpi_irecv(g(2)%b(1), 2, {REAL}, left, 7, {WORLD}, h(2)%r(2), ierr); "
                                    f"call mpi_isend(s(3), 2, {REAL}, right, 7, {WORLD}, h(2)%r(3), ierr); "
                                    "call mpi_waitall(2, h(2)%r(2), mpi_statuses_ignore, ierr)",
                                    "sum(abs(g(2)%b - [3, 4, 0, 0]*x))"),
}  # fmt: skip


def program(name: str, objective: str | None = None) -> str:
    inside, wrong = CASES[name]
    return TEXT.format(inside=inside.replace("; ", "\n"), objective=objective or wrong)


@pytest.mark.parametrize("name", CASES)
def test_which_elements_are_meant(name: str) -> None:
    def result(text: str) -> list[float]:
        return on_all(text, HEAD, 2, lambda rank, head, machine, ranked:
                      primal(head, machine, Inputs({"x": 0.5}), None, ranked))

    assert result(program(name)) == [0, 0]
    assert result(program(name).replace("s = [(k*x", "s = [((k + 1)*x")) != [0, 0]


ALL = "sum(s*s) + sum(u*u) + sum(g(1)%b**2) + sum(g(2)%b**2) + sum(g(2)%in(1)%c**2) + sum(g(2)%in(2)%c**2) + " \
      "sum(g(2)%d**2)"


@pytest.mark.parametrize("name", CASES)
def test_their_adjoints_are_in_the_same_place(name: str) -> None:
    text = program(name, ALL)
    check_derivative(text, HEAD, 3)
    found = on_ranks(text, HEAD, 3)
    for one in ("store-all", "log", "resend"):
        assert plan(found, one).right, plan(found, one)

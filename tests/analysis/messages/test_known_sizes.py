"""How many neighbours there are, where an allocated array says so: what is proved holds on each run."""

from __future__ import annotations

import pytest
from snapset.analysis.messages.static_verdicts import static_messages
from snapset.frontend.load import load_text

from tests.analysis.messages.test_static_verdicts import judged
from tests.support.message_programs import check_derivative, on_ranks, plan

HEAD = "model(u)>(cost)"
PROGRAM = """module halo
use mpi
implicit none
type beside
  integer, allocatable :: rank(:), tag(:), req(:)
  real(8), allocatable :: buf(:, :)
end type
type(beside), save :: nb
integer, parameter :: by(2) = [-1, 1]
integer :: me, np
contains
subroutine init(n)
  integer, intent(in) :: n
  integer :: k, ierr
  call mpi_comm_rank(mpi_comm_world, me, ierr)
  call mpi_comm_size(mpi_comm_world, np, ierr)
  allocate (nb%rank(2), nb%tag(0:1))
  allocate (nb%req(2*size(nb%rank)), nb%buf(n, size(nb%rank)))
  nb%buf = 0
  do k = 1, size(nb%rank)
    nb%rank(k) = modulo(me + by(k), np)
    nb%tag(k - 1) = 40 + k
  end do
end subroutine
subroutine renew(list)
  integer, allocatable, intent(inout) :: list(:)
  deallocate (list)
  allocate (list(me + 1))
end subroutine
subroutine exchange(u, n)
  integer, intent(in) :: n
  real(8), intent(inout) :: u(0:n+1)
  integer :: k, ierr, nr
  nr = 0
  do k = 1, size(nb%rank)
    nr = nr + 1
    call mpi_irecv(nb%buf(1, k), 1, mpi_double_precision, nb%rank(k), nb%tag(2 - k), mpi_comm_world, nb%req(nr), ierr)
  end do
  do k = lbound(nb%tag, 1), ubound(nb%tag, dim=1)
    nr = nr + 1
    call mpi_isend(u(merge(1, n, k == 0)), 1, mpi_double_precision, nb%rank(k + 1), nb%tag(k), mpi_comm_world, &
                   nb%req(nr), ierr)
  end do
  call mpi_waitall(size(nb%req), nb%req, mpi_statuses_ignore, ierr)
  u(0) = nb%buf(1, 1)
  u(n+1) = nb%buf(1, size(nb%buf, 2))
end subroutine
end module
subroutine model(u, n, cost)
  use halo
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: u(0:n+1)
  real(8), intent(out) :: cost
  integer :: ierr
  call init(n)
  {before}
  !$AD CHECKPOINT-START
  work: block
    {first}
    call exchange(u, n)
    u(1:n) = u(1:n) + 0.1d0*u(0:n-1)*u(2:n+1)
  end block work
  !$AD CHECKPOINT-END
  call mpi_allreduce(sum(u(1:n)**2), cost, 1, mpi_double_precision, mpi_sum, mpi_comm_world, ierr)
end subroutine
"""


@pytest.mark.parametrize("first", ["", "if (me == n + np) exit work", "if (n < 0) exit work"])
def test_as_many_as_are_allocated(first: str) -> None:
    """A value is sent at the end; a block is left by its name, on all ranks or on none."""
    text = PROGRAM.format(before="", first=first)
    found = judged(text)
    if "me ==" in first:
        assert not any(one.verdict == "self-contained" and not one.assumed for one in found.parts.values())
    else:
        assert not found.unknown
        assert {one.verdict for one in found.parts.values()} == {"self-contained", "silent"}  # init is silent
    for ranks in (2, 3):
        run = on_ranks(text, HEAD, ranks, {"n": 4}, plans=("log", "resend", "popular"))
        assert all(one.right for one in run.runs), run.runs


def test_what_is_sent_of_a_value_is_differentiated() -> None:
    check_derivative(PROGRAM.format(before="", first=""), HEAD, 2, {"n": 4})


@pytest.mark.parametrize("before", [
    "call renew(nb%rank)",
    "if (u(1) > 1) then\ndeallocate (nb%rank)\nallocate (nb%rank(me + 1))\nend if",
    "if (me > 0) then\ndeallocate (nb%rank)\nallocate (nb%rank(1))\nend if",
    "nb%rank = [me]",
    "nb%rank = nb%tag(:me)",
    "call move_alloc(nb%tag, nb%rank)",
])
def test_another_allocation_is_another_size(before: str) -> None:
    """Nothing is proved, but on the assumption that the exchange is closed."""
    found = judged(PROGRAM.format(before=before, first=""))
    assert all(one.assumed for one in found.parts.values())


CHANGED = """
subroutine model(x, n, y)
  use mpi
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x
  real(8), intent(out) :: y
  integer :: me, ierr, flags(2), k
  real(8) :: got
  call mpi_comm_rank(mpi_comm_world, me, ierr)
  flags = 0
  k = 0
  {change}
  got = 0
  if ({asked} .and. me == 0) call mpi_send(x, 1, mpi_double_precision, 1, 3, mpi_comm_world, ierr)
  !$AD CHECKPOINT-START
  if ({asked} .and. me == 1) call mpi_recv(got, 1, mpi_double_precision, 0, 3, mpi_comm_world, &
                                           mpi_status_ignore, ierr)
  x = x*x + got*got
  !$AD CHECKPOINT-END
  y = x*x
end subroutine
"""


@pytest.mark.parametrize(("change", "asked"), [
    ("where ([n, n] > 3) flags = 1", "flags(1) == 1"),
    ("forall (k = 1:2) flags(k) = 1", "flags(1) == 1"),
    ("do k = 1, 3; call mpi_barrier(mpi_comm_world, ierr); end do", "k == 4"),
    ("do k = 3, 1, -1; flags(k/2 + 1) = k; end do", "k == 0"),
    ("do k = 5, 4; call mpi_barrier(mpi_comm_world, ierr); end do", "k == 5"),
    ("do k = 1, n; call mpi_barrier(mpi_comm_world, ierr); end do", "k == 6"),
])  # fmt: skip
def test_what_is_changed_without_an_assignment_of_its_own(change: str, asked: str) -> None:
    """With n = 5 what is asked is true, and a message crosses the border: masked assignments, and a counter behind its
    loop, which is one step further."""
    text = CHANGED.format(change=change.replace("; ", "\n"), asked=asked)
    assert [one.verdict for one in on_ranks(text, "model(x)>(y)", 2, {"n": 5, "x": 0.6}).parts] == ["right-tight"]
    proved = static_messages(load_text(text), "model").parts
    assert all(one.verdict == "right-tight" for one in proved.values())


HALVES = """
subroutine model(x, y)
  use mpi
  implicit none
  real(8), intent(inout) :: x
  real(8), intent(out) :: y
  integer :: me, ierr, half, k
  call mpi_comm_rank(mpi_comm_world, me, ierr)
  call mpi_comm_split(mpi_comm_world, mod(me, 2), me, half, ierr)
  call mpi_allreduce(me, k, 1, mpi_integer, mpi_sum, half, ierr)
  if (k > 3) then
    !$AD CHECKPOINT-START
    call mpi_barrier(mpi_comm_world, ierr)
    x = x*x
    !$AD CHECKPOINT-END
  else
    call mpi_barrier(mpi_comm_world, ierr)
  end if
  y = x*x
end subroutine
"""


def test_what_a_group_sums_is_not_alike_on_all_ranks() -> None:
    """On 4 ranks the halves sum to 2 and 4: two ranks are in the part, and the others at a barrier outside."""
    found = on_ranks(HALVES, "model(x)>(y)", 4)
    assert [one.verdict for one in found.parts] != ["self-contained"]
    assert not plan(found, "popular").ends
    assert not static_messages(load_text(HALVES), "model").parts

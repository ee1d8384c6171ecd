"""Variables of modules that a set-up outside the head gives each rank's own numbers are not alike on all ranks."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset import Choices, analyse, load, report
from snapset.frontend.load import load_text

from tests.analysis.messages.test_static_verdicts import judged

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

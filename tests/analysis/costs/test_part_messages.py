"""What parts say to other ranks: verdict, bytes logged and sent again, by hand and against runs; on the stack."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
import snapset
from snapset.analysis.costs.stack_model import HeadStructure
from snapset.analysis.results import HeadResult
from snapset.analysis.symbolic.numeric_value import evaluate
from snapset.analysis.symbolic.polynomials import ZERO

from tests.support.corpus import CORPUS, parse_expected
from tests.support.message_programs import on_ranks, plan


@dataclass(frozen=True)
class ByHand:
    """Of one part: the verdict, bytes of its log, of all its runs, sent again."""

    verdict: str
    log: str = "0"
    held: str = "0"
    resent: str = "0"


BY_HAND = {
    "mpi_halo": {"model@16": ByHand("self-contained", resent="16")},  # two reals to each side
    "mpi_halo_overlap": {"model@16": ByHand("right-tight", "32", "32")},  # 4 reals, started before the part
    "mpi_halo_tail": {"model@13": ByHand("right-tight")},  # received behind it
    "mpi_pipeline": {"model@15": ByHand("not right-tight", "24", "24"), "model@23": ByHand("right-tight", resent="8")},
    "mpi_sendrecv": {"model@14": ByHand("self-contained", resent="48")},  # three reals, twice
    "mpi_reduce": {"model@11": ByHand("self-contained", resent="16")},  # a sum and a maximum
    "mpi_heat2d": {"model@59": ByHand("self-contained", resent="16*nx + 16"),
                   "model@59#2": ByHand("self-contained", resent="16*nx")},
}


def result_of(name: str) -> HeadResult:
    head = parse_expected((CORPUS / f"{name}.expected").read_text()).head
    return snapset.report([str(CORPUS / f"{name}.f90")], head)


def messages(result: HeadResult) -> dict[str, ByHand]:
    return {part.id: ByHand(said.verdict, str(said.log_bytes), str(said.held_bytes), str(said.resent_bytes))
            for part in result.parts if (said := part.messages) is not None}


@pytest.mark.parametrize("name", BY_HAND)
def test_figures_by_hand(name: str) -> None:
    assert messages(result_of(name)) == BY_HAND[name]


@pytest.mark.parametrize(("name", "ranks"), [("mpi_halo_overlap", 3), ("mpi_halo_tail", 3), ("mpi_pipeline", 2)])
def test_the_log_is_what_a_run_holds(name: str, ranks: int) -> None:
    """Held by outermost parts, under the plan that each part's verdict allows (messages are one real each)."""
    text = (CORPUS / f"{name}.f90").read_text()
    run = plan(on_ranks(text, parse_expected((CORPUS / f"{name}.expected").read_text()).head, ranks,
                        plans=("resend",)), "resend")
    held = sum(evaluate(said.held_bytes, {}) for part in result_of(name).parts
               if part.parent is None and (said := part.messages) is not None)
    assert run.log_bytes == held


LOGGED = """subroutine model(x, n, nsteps, y)
use mpi
implicit none
integer, intent(in) :: n, nsteps
real(8), intent(inout) :: x(n)
real(8), intent(out) :: y
real(8) :: h(n)
integer :: rank, size, ierr, step, req
call mpi_comm_rank(mpi_comm_world, rank, ierr)
call mpi_comm_size(mpi_comm_world, size, ierr)
do step = 1, nsteps
  call mpi_isend(x, n, mpi_double_precision, mod(rank + 1, size), 1, mpi_comm_world, req, ierr)
  !$AD CHECKPOINT-START
  call take(h, n, mod(rank - 1 + size, size))
  !$AD CHECKPOINT-END
  call mpi_wait(req, mpi_status_ignore, ierr)
  x = x*h
end do
y = sum(x)
contains
subroutine take(into, many, from)
  integer, intent(in) :: many, from
  real(8), intent(inout) :: into(many)
  integer :: ierr, k
  do k = 1, 1
    call mpi_recv(into, many, mpi_double_precision, from, 1, mpi_comm_world, mpi_status_ignore, ierr)
  end do
end subroutine
end subroutine
"""


def test_the_log_is_in_the_names_of_the_part_and_on_the_stack(tmp_path: Path,
                                                              monkeypatch: pytest.MonkeyPatch) -> None:
    """A receive in a callee, in a loop there, the part in a loop of n steps: 8*n a run, all of them at once."""
    path = tmp_path / "t.f90"
    path.write_text(LOGGED)
    found = snapset.report([str(path)], "model(x)>(y)")
    (part,) = (one for one in found.parts if one.kind == "region")
    said = part.messages
    assert said is not None
    assert (said.verdict, str(said.log_bytes)) == ("right-tight", "8*n")
    numbers = {"n": 5, "nsteps": 7}
    assert evaluate(said.held_bytes, numbers) == 8*5*7
    monkeypatch.setattr(HeadStructure, "log", lambda self, key, level, node: ZERO)
    without = snapset.report([str(path)], "model(x)>(y)")
    for name in ("peak_bytes", "traffic_bytes"):
        more, less = (getattr(one.totals["lazy"], name) for one in (found, without))
        grown = evaluate(more, numbers) - evaluate(less, numbers)
        # the call is a part in the part, whose second run logs once more: on top of less than the peak
        assert grown == 8*5*7*(2 if name == "traffic_bytes" else 1)


def test_a_part_without_messages_says_nothing() -> None:
    found = snapset.report([str(CORPUS / "burgers_region.f90")], "burgers(u)>(cost)")
    assert all(part.messages is None for part in found.parts)


def test_where_nothing_is_proved_all_receives_are_logged() -> None:
    found = messages(result_of("mpi_master"))
    assert found == {"model@13": ByHand("unknown", "8*size - 8", "8*size - 8")}

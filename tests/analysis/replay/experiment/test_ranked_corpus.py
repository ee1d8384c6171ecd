"""The corpus of programs that communicate, on ranks: every plan that should be right is, the popular one fails where
it should, and store-all gradients are those of differences."""

from __future__ import annotations

from typing import Any

import pytest
from snapset.analysis.replay.experiment.ranked_plans import RankedComparison
from snapset.analysis.replay.ranks.mpi_machine import written_pieces
from snapset.analysis.replay.statements import message_calls, node_functions

from tests.support.corpus import CORPUS, parse_expected
from tests.support.message_programs import check_derivative, on_ranks, plan

RIGHT = ("mpi_border", "mpi_comm_split", "mpi_even_odd", "mpi_halo", "mpi_reduce", "mpi_ring", "mpi_sendrecv",
         "mpi_waitany", "mpi_wrapper", "mpi_heat2d", "mpi_persistent")  # fmt: skip
POPULAR_FAILS = ("mpi_halo_overlap", "mpi_halo_tail", "mpi_master", "mpi_nested", "mpi_pipeline", "mpi_reduce_branch",
                 "mpi_sweep", "mpi_workers")


def ranks_for(name: str) -> int:
    return 2 if name == "mpi_pipeline" else 3


def text_of(name: str) -> tuple[str, str]:
    return (CORPUS / f"{name}.f90").read_text(), parse_expected((CORPUS / f"{name}.expected").read_text()).head


def compared(name: str, **wanted: Any) -> RankedComparison:
    return on_ranks(*text_of(name), ranks_for(name), {"n": 4, "nsteps": 3} if "nsteps" in text_of(name)[0] and
                    "integer, intent(in) :: n," in text_of(name)[0] else None, **wanted)


@pytest.mark.sample(8)
@pytest.mark.parametrize("sends", ["synchronous", "buffered", 3])
@pytest.mark.parametrize("name", [*RIGHT, *POPULAR_FAILS])
def test_every_plan_is_as_right_as_it_should_be(name: str, sends: Any) -> None:
    for nested in ("again", "keep"):
        found = compared(name, sends=sends, nested=nested)
        for one in ("store-all", "log", "resend"):
            assert plan(found, one).right, (one, plan(found, one))
        for one in ("log", "resend"):
            assert plan(found, one).log_bytes == plan(found, one).predicted_log_bytes
        if name in RIGHT:
            assert plan(found, "popular").right
        elif sends == "synchronous":
            assert not plan(found, "popular").right


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", [*RIGHT, *POPULAR_FAILS])
def test_store_all_is_the_derivative_of_the_sum_over_all_ranks(name: str) -> None:
    check_derivative(*text_of(name), ranks_for(name))


def test_recording_at_the_wait_would_be_too_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seeded fault: the old value of a receive's buffer is not recorded where the receive is started."""
    assert plan(compared("mpi_halo_overlap"), "log").right
    spots = message_calls.spots

    def without_the_buffer(stmt: Any, values: Any, procedure: Any) -> list[str]:
        lines = spots(stmt, values, procedure)
        return [one.replace("written_pieces", "emptied") for one in lines] if "irecv" in stmt.name else lines

    def emptied(name: str, given: Any, wanted: Any, port: Any) -> Any:
        found = written_pieces(name, given, wanted, port)
        return [(slot, (slice(0, 0),) if one == "buf" else index)
                for one, (slot, index) in zip(wanted, found, strict=True)]

    monkeypatch.setattr(message_calls, "spots", without_the_buffer)
    monkeypatch.setattr(node_functions, "KNOWN", {**node_functions.KNOWN, "emptied": emptied})
    assert differs_from_differences()


def differs_from_differences() -> bool:
    """With the fault both adjoints are wrong alike: the judge is the derivative."""
    try:
        test_store_all_is_the_derivative_of_the_sum_over_all_ranks("mpi_halo_overlap")
    except AssertionError:
        return True
    return False


@pytest.mark.parametrize("name", ["mpi_pipeline", "mpi_nested", "mpi_halo_overlap", "mpi_ring"])
def test_the_least_plan_is_right_and_its_log_as_predicted(name: str) -> None:
    found = compared(name, plans=("log", "resend", "least"))
    least = plan(found, "least")
    assert least.right
    assert least.log_bytes == least.predicted_log_bytes
    assert least.log_bytes <= plan(found, "log").log_bytes


def test_a_gradient_that_is_no_number_is_said() -> None:
    text = ("subroutine model(x, y)\nuse mpi\nreal(8), intent(in) :: x\nreal(8), intent(out) :: y\n"
            "y = sqrt(x - {})\nend\n")
    assert [one.code for one in on_ranks(text.format(100), "model(x)>(y)", 2).diagnostics] == ["SN401"]
    assert on_ranks(text.format(-100), "model(x)>(y)", 2).diagnostics == ()

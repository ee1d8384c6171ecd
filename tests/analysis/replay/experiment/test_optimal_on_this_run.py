"""Under optimal a run takes no more than under lazy, also where control goes otherwise than the model counts."""

from __future__ import annotations

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import ExperimentOptions, compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.experiment.measurements import StrategyRun
from snapset.frontend.load import load_text
from snapset.render.pages.replay_text import write_replay

(HEAD,) = parse_heads("p(x)>(y)")
TEXT = """subroutine p(x, limit, y)
  real(8), intent(in) :: x(5)
  real(8), intent(in) :: limit
  real(8), intent(out) :: y
  real(8) :: u(5)
  integer :: k
  u = 2*x
  y = 0
  !$AD CHECKPOINT-START
  y = y + sum(u*u*u)
  !$AD CHECKPOINT-END
  if (x(1) > limit) then
    do k = 1, 4
      u = 2*u + x
    end do
  end if
  y = y + sum(u*u)
end subroutine p
"""


def runs(limit: float, strategies: str, wanted: ExperimentOptions | None = None) -> dict[str, StrategyRun]:
    found = compare(load_text(TEXT), HEAD, parse_strategies(strategies), Inputs({"limit": limit}), None,
                    wanted or ExperimentOptions())
    assert found.equal
    return {run.name: run for run in found.runs}


@pytest.mark.parametrize("strategies", ["optimal", "lazy,optimal", "optimal,eager", "lazy,eager,optimal"])
def test_a_loop_that_does_not_run(strategies: str) -> None:
    """u is saved before the part, 40 bytes, or taped 4 times in the loop: by the model the first is best. Where the
    loop does not run the second costs nothing but what tells whether it did."""
    found = runs(1e9, strategies)["optimal"]
    assert found.chosen == "lazy"
    assert (found.traffic_bytes or 0) - (found.control_bytes or 0) == 0
    assert not [one for one in found.spent if one.location == "u"]


@pytest.mark.parametrize("strategies", ["optimal", "lazy,optimal", "lazy,eager,optimal"])
def test_a_loop_that_runs(strategies: str) -> None:
    """All goes as the model counts: the snapshot is what the run takes, too."""
    found = runs(-1e9, strategies)["optimal"]
    assert found.chosen is None
    assert [(one.location, one.bytes) for one in found.spent if one.kind != "control"] == [("u", 40)]


@pytest.mark.parametrize(("times", "chosen"), [(0, "lazy"), (4, None)])
def test_a_loop_whose_length_no_formula_tells(times: int, chosen: str | None) -> None:
    """The model takes 100 iterations; the bounds of a DO loop alone decide what runs."""
    text = TEXT.replace("if (x(1) > limit) then", "").replace("  end if\n", "").replace("k = 1, 4", "k = 1, many(2)")
    text = text.replace("x, limit, y", "x, many, y").replace("real(8), intent(in) :: limit",
                                                            "integer, intent(in) :: many(2)")
    found = compare(load_text(text), HEAD, parse_strategies("optimal"), Inputs({"many": [1, times]}))
    assert found.equal
    assert found.runs[0].chosen == chosen
    assert (found.runs[0].traffic_bytes or 0) - (found.runs[0].control_bytes or 0) == (0 if chosen else 40)


def test_what_is_run_is_what_is_reported() -> None:
    """The figures by place, the necessity and the prediction are those of the choice that ran."""
    wanted = ExperimentOptions(necessity=True, profile=True)
    found = runs(1e9, "lazy,optimal", wanted)
    lazy, mine = found["lazy"], found["optimal"]
    assert (mine.spent, mine.profile, mine.necessity) == (lazy.spent, lazy.profile, lazy.necessity)
    assert (mine.predicted_peak_bytes, mine.predicted_traffic_bytes) == (
        lazy.predicted_peak_bytes, lazy.predicted_traffic_bytes)


def test_the_page_says_so() -> None:
    found = compare(load_text(TEXT), HEAD, parse_strategies("optimal"), Inputs({"limit": 1e9}))
    assert "optimal: here as lazy" in " ".join(write_replay(found).split())
    found = compare(load_text(TEXT), HEAD, parse_strategies("optimal"), Inputs({"limit": -1e9}))
    assert "here as" not in write_replay(found)

"""Verdicts on parts, by hand."""

from __future__ import annotations

import pytest
from snapset.analysis.messages.checkpointed_ranks import RerunPlan, run_plan
from snapset.analysis.messages.communication_trace import Event, Ranks, TracePart, placed
from snapset.analysis.messages.part_verdicts import PartVerdicts

THROUGH_A_THIRD: Ranks = (
    (TracePart("C", (Event("send", 1, "pair"),)), Event("send", 2, "late")),
    (TracePart("C", (Event("recv", 0, "pair"), Event("recv", 2, "other"))),),
    (Event("recv", 0, "late"), TracePart("C", (Event("send", 1, "other"),))),
)
"""Both messages are wholly inside, and no arrow leads from D to C: but `late` leads from D to before C on rank 2."""


def test_a_path_back_by_a_third_rank_counts() -> None:
    """Every arrow criterion passes it, and sending again ends in a deadlock: the program alone does not."""
    found = PartVerdicts(placed(THROUGH_A_THIRD)).on("C")
    assert found.self_contained
    assert found.verdict == "not right-tight"
    assert [(one.start.event.message, one.start.rank, one.end.rank) for one in found.arrows_back] == [("late", 0, 2)]
    assert run_plan(THROUGH_A_THIRD, RerunPlan(checkpoints=False)).end.ends
    assert run_plan(THROUGH_A_THIRD, RerunPlan()).end.ends
    for again in (RerunPlan(popular=True), RerunPlan(resent={"C": frozenset(("pair", "other"))})):
        for sends in ("synchronous", "buffered"):
            assert len(run_plan(THROUGH_A_THIRD, again, sends).end.blocked) == 3  # type: ignore[arg-type]


def test_a_part_without_events_is_silent() -> None:
    ranks: Ranks = ((TracePart("C", ()), Event("send", 1, "a")), (TracePart("C", ()), Event("recv", 0, "a")))
    assert PartVerdicts(placed(ranks)).on("C").verdict == "silent"


def test_a_collective_on_some_ranks_crosses() -> None:
    inside, outside = TracePart("C", (Event("collective", -1, "s"),)), Event("collective", -1, "s")
    assert PartVerdicts(placed(((inside,), (inside,)))).on("C").verdict == "self-contained"
    found = PartVerdicts(placed(((inside,), (outside,)))).on("C")
    assert found.crossing == ("s",)
    run = run_plan(((inside,), (outside,)), RerunPlan(popular=True))
    assert not run.end.ends


def test_a_rank_cannot_run_one_instance_twice() -> None:
    with pytest.raises(ValueError, match="two instances"):
        placed(((TracePart("C", ()), TracePart("C", ())),))

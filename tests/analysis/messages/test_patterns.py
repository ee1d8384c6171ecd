"""The published table of 16 patterns: graph, verdict and all 128 outcomes. 104 of these were confirmed with MPICH."""

from __future__ import annotations

from typing import Any

import pytest
from snapset.analysis.messages.checkpointed_ranks import RerunPlan, TraceRun, run_plan
from snapset.analysis.messages.communication_trace import PlacedEvent, placed
from snapset.analysis.messages.part_verdicts import PartVerdicts

from tests.support.message_patterns import PATTERNS, ranks_of

WORDS = {"fwd": "fwd", "again": "again", "adj": "adj"}


def plan_of(name: str, pattern: dict[str, Any]) -> RerunPlan:
    return {"store-all": RerunPlan(checkpoints=False), "popular": RerunPlan(popular=True), "log": RerunPlan(),
            "resend": RerunPlan(resent={"C": frozenset(pattern["resent"])})}[name]


def outcome(run: TraceRun) -> object:
    """As the table writes it."""
    if run.end.failed is not None:
        return {f"error: {run.end.failed[1]}": run.end.failed[0]}
    if run.end.blocked:
        places = [(one.rank, one.place) for one in run.end.blocked]
        return {"deadlock": [[rank, at.sweep, [at.kind, at.peer, at.message]] for rank, at in places]}
    if run.never_received:
        return f"ends, {run.never_received} message(s) never received"
    return f"ends, {run.never_completed} request(s) never completed" if run.never_completed else "ends"


@pytest.mark.parametrize("sends", ["synchronous", "buffered"])
@pytest.mark.parametrize("plan", ["store-all", "popular", "log", "resend"])
@pytest.mark.parametrize("name", PATTERNS)
def test_every_outcome_is_the_published_one(name: str, plan: str, sends: Any) -> None:
    pattern = PATTERNS[name]
    run = run_plan(ranks_of(pattern), plan_of(plan, pattern), sends)
    assert outcome(run) == pattern["outcome"][plan][sends]
    if outcome(run) == "ends":
        whole = run_plan(ranks_of(pattern), RerunPlan(checkpoints=False), sends)
        assert run.gradient == whole.gradient


@pytest.mark.parametrize("name", PATTERNS)
def test_the_graph_says_what_the_table_says(name: str) -> None:
    pattern = PATTERNS[name]
    trace = placed(ranks_of(pattern))
    found = PartVerdicts(trace).on("C")
    assert found.self_contained is pattern["self_contained"]
    assert found.right_tight is pattern["right_tight"]
    assert found.inside == frozenset(pattern["pairs_inside"])

    def told(one: PlacedEvent) -> list[Any]:
        first, behind = trace.parts["C"][one.rank]
        letter = "U" if one.at < first else "D" if one.at >= behind else "C"
        return [[one.event.kind, one.event.peer, one.event.message], f"rank {one.rank}, {letter}"]

    arrows = [told(one.start) + told(one.end) for one in found.arrows_back]
    assert sorted(arrows, key=str) == sorted(pattern["arrows_back"], key=str)


def test_there_are_16_patterns_and_128_outcomes() -> None:
    assert len(PATTERNS) == 16
    assert sum(len(sends) for one in PATTERNS.values() for sends in one["outcome"].values()) == 128


def test_the_cycle_names_the_adjoint_receive_and_the_repeated_receive() -> None:
    """Fig. 8: re-sent in the outer part, which is not right-tight."""
    pattern = PATTERNS["fig8-outer"]
    for sends in ("synchronous", "buffered"):
        run = run_plan(ranks_of(pattern), plan_of("resend", pattern), sends)  # type: ignore[arg-type]
        assert sorted(run.end.cycle) == [0, 1]
        adjoint, repeated = (one.place for one in run.end.blocked)
        assert (adjoint.sweep, adjoint.kind, adjoint.message) == ("adj", "recv", "~late")
        assert (repeated.sweep, repeated.kind, repeated.message) == ("again", "recv", "pair")

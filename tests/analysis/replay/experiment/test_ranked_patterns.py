"""The published patterns as Fortran programs: verdicts and outcomes of the machine are those of the table."""

from __future__ import annotations

from typing import Any

import pytest
from snapset.analysis.replay.experiment.ranked_plans import RankedRun

from tests.support.message_patterns import PATTERNS
from tests.support.message_programs import fortran_of, on_ranks, plan

SWEEPS = {"fwd": "first", "again": "again", "adj": "adjoint"}


def outcome(run: RankedRun) -> object:
    if run.error is not None:
        return "error" if "wait without a request" in run.error else run.error
    if run.stuck:
        return [(one.rank, one.sweep) for one in run.stuck]
    if run.never_received:
        return f"ends, {run.never_received} message(s) never received"
    return f"ends, {run.never_completed} request(s) never completed" if run.never_completed else "ends"


def expected(published: Any) -> object:
    if isinstance(published, dict) and "deadlock" in published:
        return [(rank, SWEEPS[sweep]) for rank, sweep, _ in published["deadlock"]]
    return "error" if isinstance(published, dict) else published


@pytest.mark.sample(2)
@pytest.mark.parametrize("sends", ["synchronous", "buffered"])
@pytest.mark.parametrize("name", PATTERNS)
def test_the_machine_does_what_the_table_says(name: str, sends: str) -> None:
    pattern = PATTERNS[name]
    found = on_ranks(fortran_of(pattern), "model(x)>(y)", len(pattern["ranks"]), sends=sends)
    whole = plan(found, "store-all")
    assert outcome(whole) == expected(pattern["outcome"]["store-all"][sends])
    if not whole.right:
        assert found.runs == (whole,)
        return
    for one in ("popular", "log"):
        run = plan(found, one)
        assert outcome(run) == expected(pattern["outcome"][one][sends]), one
        assert run.equal is True or not run.ends
    (part,) = found.parts
    assert (part.verdict in ("self-contained", "silent")) == (pattern["self_contained"] and pattern["right_tight"])
    assert (part.verdict == "not right-tight") == (not pattern["right_tight"])
    assert bool(part.arrows_back) == bool(pattern["arrows_back"])
    resend = plan(found, "resend")
    assert resend.right
    assert resend.predicted_log_bytes == resend.log_bytes
    assert plan(found, "log").predicted_log_bytes == plan(found, "log").log_bytes
    if pattern["right_tight"]:
        assert bool(resend.sent_again_bytes) == bool(pattern["resent"])

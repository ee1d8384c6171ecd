"""Sent again or logged, whichever takes fewer bytes: right on random programs, never dearer than either."""

from __future__ import annotations

from snapset.analysis.messages.checkpointed_ranks import RerunPlan, run_plan
from snapset.analysis.messages.communication_trace import Event, TracePart, placed
from snapset.analysis.messages.least_plan import least_messages, part_of, plan_bytes
from snapset.analysis.messages.part_verdicts import PartVerdicts, resent_messages

from tests.analysis.messages.generated.test_random_programs import STORE_ALL, as_predicted, right
from tests.generators.messages.random_messages import random_ranks


def check(seed: int) -> bool:
    """Does a program end by itself? Then its cheapest plan is right, and as cheap as any."""
    ranks = random_ranks(seed)
    whole = run_plan(ranks, STORE_ALL)
    if not whole.end.ends:
        return False
    verdicts = PartVerdicts(placed(ranks)).all()
    for nested in ("again", "keep"):
        least = least_messages(verdicts, ranks, nested)  # type: ignore[arg-type]
        plan = RerunPlan(resent=least, nested=nested)  # type: ignore[arg-type]
        run = run_plan(ranks, plan)
        assert right(run, whole), seed
        assert as_predicted(ranks, plan, run), seed
        for wanted in ("log", "resend"):
            other = resent_messages(verdicts, wanted)  # type: ignore[arg-type]
            assert plan_bytes(ranks, least, nested) <= plan_bytes(ranks, other, nested), seed  # type: ignore[arg-type]
    return True


def test_the_cheapest_plan_is_right_on_random_programs() -> None:
    assert sum(check(seed) for seed in range(150)) > 75


def test_what_costs_less_is_chosen() -> None:
    """Two parts on two ranks: of ``a`` the receive is large and the send another rank's; the ranks pay for their own.

    Logging: rank 1 holds 100 bytes of ``a``; sending again: rank 0 sends 100. Runs of ``b`` follow each other, so that
    all of their logs are held at once, but each is sent again once: the same bytes, and the log is taken.
    """
    ranks = ((TracePart("a run 1", (Event("send", 1, "m", bytes=100), Event("recv", 1, "n", bytes=100))),),
             (TracePart("a run 1", (Event("recv", 0, "m", bytes=100), Event("send", 0, "n", bytes=100))),))
    verdicts = PartVerdicts(placed(ranks)).all()
    assert least_messages(verdicts, ranks) == {"a run 1": frozenset()}
    unequal = ((TracePart("a run 1", (Event("send", 1, "m", bytes=8),)), TracePart("b run 1", (
        Event("recv", 1, "n", bytes=400),))),
        (TracePart("a run 1", (Event("recv", 0, "m", bytes=400),)), TracePart("b run 1", (
            Event("send", 0, "n", bytes=8),))))
    verdicts = PartVerdicts(placed(unequal)).all()
    assert least_messages(verdicts, unequal) == {"a run 1": frozenset("m"), "b run 1": frozenset("n")}


def test_all_runs_of_a_part_do_alike() -> None:
    assert part_of("model 3 run 12") == "model 3"
    assert part_of("C") == "C"

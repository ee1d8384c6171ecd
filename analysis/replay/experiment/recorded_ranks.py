"""A real run's messages beside the proof: verdicts on its parts, and each way of second runs executed on its trace.

The trace has no values: whether a plan ends, what it logs and sends again is what comes of it, on one number a rank
(:mod:`snapset.analysis.messages.checkpointed_ranks`). A part that was proved better than the run shows it is wrong.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from snapset.analysis.messages.checkpointed_ranks import BlockPlace, RerunPlan, TraceRun, run_plan
from snapset.analysis.messages.communication_trace import Ranks, events_of, placed
from snapset.analysis.messages.least_plan import least_messages
from snapset.analysis.messages.log_prediction import predicted_log
from snapset.analysis.messages.part_verdicts import PartVerdicts, resent_messages
from snapset.analysis.replay.experiment.ranked_plans import (
    PlanName,
    RankedComparison,
    RankedRun,
    RankOptions,
    StuckRank,
    ranked_parts,
)
from snapset.analysis.replay.ranks.rank_events import Sweep
from snapset.analysis.replay.ranks.ranked_traces import RankedTraces


def recorded_comparison(head: str, ranks: Ranks, ids: Mapping[str, str], wanted: RankOptions) -> RankedComparison:
    """What a recorded run says. ``ids``: of parts by their number in it."""
    members = _members(ranks)
    trace = placed(ranks)
    verdicts = PartVerdicts(trace).all()
    instances: defaultdict[str, list[str]] = defaultdict(list)
    for name in trace.parts:
        instances[name.partition(" ")[0]].append(name)
    places: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for one in trace.all():
        places[one.event.message][f"{one.event.where} (rank {one.rank})"] = None
    traces = RankedTraces(ranks, (), {part: tuple(names) for part, names in instances.items()},
                          {message: ", ".join(list(where)[:4]) for message, where in places.items()})
    names = {part: ids.get(part, f"part {part}, which the report does not name") for part in instances}
    runs = [_judged("store-all", run_plan(ranks, RerunPlan(checkpoints=False), wanted.sends, members=members), None)]
    for plan in wanted.plans if runs[0].right else ():
        resent = least_messages(verdicts, ranks, wanted.nested) if plan == "least" else \
            resent_messages(verdicts, "resend" if plan == "resend" else "log")
        rerun = RerunPlan(popular=plan == "popular", resent=resent, nested=wanted.nested)
        predicted = None if plan == "popular" else max(predicted_log(one, rerun)[0] for one in ranks)
        runs.append(_judged(plan, run_plan(ranks, rerun, wanted.sends, members=members), predicted))
    sends = wanted.sends if isinstance(wanted.sends, str) else f"seed {wanted.sends}"
    return RankedComparison(head, len(ranks), sends, "", ranked_parts(verdicts, traces, names), tuple(runs), traces)


def _members(ranks: Ranks) -> dict[str, tuple[int, ...]]:
    """Who takes part in each collective: those that have recorded it."""
    found: defaultdict[str, dict[int, None]] = defaultdict(dict)
    for rank, trace in enumerate(ranks):
        for one in events_of(trace):
            if one.kind in ("collective", "icollective"):
                found[one.message][rank] = None
    return {message: tuple(who) for message, who in found.items()}


def _judged(plan: PlanName, found: TraceRun, predicted: int | None) -> RankedRun:
    stuck = []
    for one in found.end.blocked:
        place: BlockPlace = one.place
        sweep: Sweep = "first" if place.sweep == "fwd" else "again" if place.sweep == "again" else "adjoint"
        stuck.append(StuckRank(one.rank, "recorded", sweep, f"{place.kind} {place.message}", one.waits_for,
                               one.rank in found.end.cycle))
    failed = found.end.failed
    error = None if failed is None else f"rank {failed[0]}: {failed[1]}"
    ends = found.end.ends
    return RankedRun(plan, None, 0, max(found.log_peaks), predicted, found.sent_again, tuple(stuck),
                     found.never_received if ends else 0, found.never_completed if ends else 0, error)

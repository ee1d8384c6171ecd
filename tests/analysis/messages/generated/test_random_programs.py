"""Random programs: logging is right for every part, re-sending for every right-tight one; logs are as predicted.

The judge is the store-all adjoint of the same program, which itself is compared with differences.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from snapset.analysis.messages.checkpointed_ranks import RerunPlan, TraceRun, run_plan, start_values
from snapset.analysis.messages.communication_trace import Ranks, placed
from snapset.analysis.messages.log_prediction import predicted_log
from snapset.analysis.messages.part_verdicts import PartVerdicts, resent_messages

from tests.generators.messages.random_messages import random_ranks

STORE_ALL = RerunPlan(checkpoints=False)


def right(found: TraceRun, whole: TraceRun) -> bool:
    clean = not found.never_received and not found.never_completed
    return found.end.ends and clean and found.gradient == whole.gradient


def as_predicted(ranks: Ranks, plan: RerunPlan, run: TraceRun) -> bool:
    expected = [predicted_log(trace, plan) for trace in ranks]
    return expected == list(zip(run.log_peaks, run.log_written, strict=True))


def check(seed: int) -> tuple[int, int, int]:
    """Programs that end; parts that are not right-tight, and those of them that deadlock when sent again."""
    ranks = random_ranks(seed)
    whole = run_plan(ranks, STORE_ALL)
    if not whole.end.ends:
        return 0, 0, 0
    assert not whole.never_received, seed
    verdicts = PartVerdicts(placed(ranks)).all()
    plans = [RerunPlan(resent=resent_messages(verdicts, wanted), nested=nested)  # type: ignore[arg-type]
             for wanted in ("log", "resend") for nested in ("again", "keep")]
    for plan in plans:
        for sends in ("synchronous", "buffered", seed):
            run = run_plan(ranks, plan, sends)  # type: ignore[arg-type]
            assert right(run, whole), (seed, plan, sends, run)
            assert as_predicted(ranks, plan, run), (seed, plan)
    again, keep = (max(run_plan(ranks, one).log_peaks) for one in plans[:2])
    assert again <= keep, seed
    if all(one.self_contained and one.right_tight for one in verdicts.values()):
        assert right(run_plan(ranks, RerunPlan(popular=True)), whole), seed
    loose = [name for name, one in verdicts.items() if not one.right_tight and one.inside]
    stuck = 0
    for name in loose:
        forced = replace(plans[2], resent={**plans[2].resent, name: verdicts[name].inside})
        stuck += not run_plan(ranks, forced).end.ends
    return 1, len(loose), stuck


def test_logging_and_resending_are_right_on_random_programs() -> None:
    counts = [check(seed) for seed in range(200)]
    assert sum(ended for ended, _, _ in counts) > 100
    assert sum(stuck for _, _, stuck in counts) > 2


@pytest.mark.slow
def test_logging_and_resending_are_right_on_5000_random_programs() -> None:
    """How often a part that is not right-tight deadlocks is the criterion's precision."""
    counts = [check(seed) for seed in range(5_000)]
    ended, loose, stuck = (sum(column) for column in zip(*counts, strict=True))
    print(f"{ended} programs end; of {loose} parts not right-tight that hold pairs {stuck} deadlock when sent again")
    assert ended > 2_500


def test_the_store_all_adjoint_is_the_derivative() -> None:
    step = 1e-6
    for seed in range(40):
        ranks = random_ranks(seed)
        whole = run_plan(ranks, STORE_ALL)
        if not whole.end.ends:
            continue
        start = start_values(len(ranks))
        for rank, slope in enumerate(whole.gradient):
            sums = []
            for change in (step, -step):
                moved = tuple(x + change * (k == rank) for k, x in enumerate(start))
                sums.append(sum(run_plan(ranks, STORE_ALL, start=lambda size, x=moved: x).results))
            assert (sums[0] - sums[1]) / (2 * step) == pytest.approx(slope, rel=1e-5, abs=1e-7), seed

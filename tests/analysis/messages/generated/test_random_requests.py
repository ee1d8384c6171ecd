"""Random programs with persistent and non-blocking messages, whoever prepares, starts and awaits them.

The judges: store-all, bit for bit, with everything poisoned that nobody claims to need; the same program without its
procedures, whose store-all gradient is the same bits and whose parts read and write nothing more; differences of the
sum over all ranks; and each run, for what is proved of all.
"""

from __future__ import annotations

import pytest
from snapset import Choices, analyse
from snapset.analysis.messages.static_verdicts import static_messages
from snapset.analysis.recording.strategies import EAGER, LAZY
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.experiment.ranked_plans import RankedComparison, RankOptions, compare_ranks
from snapset.frontend.load import load_text
from snapset.library.analysis import parse_heads

from tests.generators.messages.random_requests import HEAD, RandomRequests, random_requests
from tests.support.message_programs import check_derivative, plan

BETTER = {"silent": 0, "self-contained": 1, "right-tight": 2, "not right-tight": 3}


def executed(text: str, ranks: int, seed: int) -> RankedComparison:
    strategy = (LAZY, EAGER)[seed // 2 % 2]
    sends = ("synchronous", "buffered", seed)[seed % 3]
    return compare_ranks(load_text(text), parse_heads([HEAD])[0], (strategy,), Inputs({"x": 0.6}),
                         RankOptions(ranks, sends=sends))  # type: ignore[arg-type]


def facts(text: str) -> list[set[str]]:
    """By marked part of the model, the reals that its first run writes, and those that its adjoint reads."""
    result = analyse(load_text(text), HEAD, Choices(("lazy",)))
    parts = (one.sets for one in result.parts if one.kind == "region" and one.procedure == "model")
    return [{f"{what} {name}" for what, names in (("writes", one.out_c), ("reads", one.use_cbar)) for name in names
             if name in ("x", "a", "b", "g")} for one in parts]


def check(seed: int) -> RandomRequests:
    program = random_requests(seed)
    ranks = 2 + seed // 4 % 2
    found, inlined = executed(program.called, ranks, seed), executed(program.inlined, ranks, seed)
    for run in (found, inlined):
        for one in run.runs:
            assert one.plan == "popular" or one.right, (seed, one)
            assert one.plan == "popular" or one.log_bytes == (one.predicted_log_bytes or 0), (seed, one)
        proved = static_messages(load_text(program.called if run is found else program.inlined), "model").parts
        sure = [one for one in proved.values() if ranks in one.sizes and not one.assumed]
        if len(sure) == len(proved) and sure:  # the worst of what is proved, the worst of what is seen
            assert max(BETTER[one.verdict] for one in run.parts) <= max(BETTER[one.verdict] for one in sure), seed
            if all(BETTER[one.verdict] < 2 for one in sure):
                assert plan(run, "popular").right, seed
    assert plan(found, "store-all").gradient_digest == plan(inlined, "store-all").gradient_digest, seed
    if program.seen and "the step" not in program.kinds:
        for part, same in zip(facts(program.called), facts(program.inlined), strict=True):
            assert same <= part, (seed, same, part)
    return program


@pytest.mark.parametrize("seed", range(12))
def test_random_programs(seed: int) -> None:
    program = check(seed)
    if seed % 4 == 1:
        check_derivative(program.called, HEAD, 2)


@pytest.mark.parametrize("first", [
    pytest.param(first, marks=pytest.mark.wide if first < 180 else pytest.mark.slow) for first in range(100, 400, 20)])
def test_more_random_programs(first: int) -> None:
    for seed in range(first, first + 20):
        program = check(seed)
        if seed % 5 == 0:
            check_derivative(program.called, HEAD, 2)


def test_every_kind_is_written() -> None:
    """What the programs of the default run are made of."""
    kinds = frozenset.union(*(random_requests(seed).kinds for seed in range(12)))
    assert kinds == {"prepare", "post", "begin", "begin below", "begin one", "begin kept", "finish", "finish below",
                     "finish one", "finish kept", "times", "the step", "launch", "land", "emit"}

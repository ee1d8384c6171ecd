"""How many steps a time loop has, and whether all are alike (SN501)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from snapset.analysis.costs.trip_counts import CountScope
from snapset.analysis.loops.step_bytes import StepBytes
from snapset.analysis.loops.step_numbers import StepNumbers, known_value
from snapset.analysis.loops.time_loop import TimeLoop
from snapset.analysis.symbolic.loop_sums import at
from snapset.analysis.symbolic.polynomials import Quantity, number
from snapset.frontend.base.diagnostics import Diagnostic
from snapset.frontend.rules import diagnostic

MOST = 100_000  # steps whose bytes are worked out one by one


def iterations(loop: TimeLoop, scope: CountScope) -> Quantity:
    """The trip count, the greatest there may be where EXIT leaves early; ``trips(procedure:line)`` for a loop without
    one."""
    return scope.trips(loop.loop).count


def step_by_step(amount: Quantity, bytes_: StepBytes, count: int, numbers: StepNumbers) -> tuple[int, ...] | None:
    """The bytes of each of so many steps; None where they are not known."""
    counter = bytes_.pushes.scope.counter(bytes_.loop.loop)
    found = []
    for k in range(min(count, MOST)):
        one = known_value(at(amount, counter, number(k)), numbers.at(k))
        if one is None:
            return None
        found.append(one)
    return tuple(found)


def varying(bytes_: StepBytes, amount: Quantity, each: Sequence[int] | None,
            trips: Mapping[int, Sequence[int]] | None = None) -> Diagnostic:
    """SN501: what is left by a step is not the same for all.

    ``each``: step by step, where that is known; ``trips``: by line, how often a run went through the loops of each
    step.
    """
    unknown = bytes_.unknown(amount)
    why = f"it depends on {', '.join(unknown)}" if unknown else "it depends on the number of the step"
    ratio = f": {_spread(each)}" if each and min(each) < max(each) else ""
    ran = [f"the loop of line {line} runs {_spread(every)}" for line, every in sorted((trips or {}).items())
           if min(every) < max(every)]
    advice = ("A schedule takes the most for each; snapset divide, and snapset replay --divide, split the run by its "
              "length instead of by steps")
    if unknown and not trips:
        advice += "; snapset replay --loop --schedule measures how far apart the steps are"
    return diagnostic("SN501", f"the steps of this loop do not leave the same number of bytes{ratio}; "
                      f"{'; '.join([why, *ran])}. {advice}", bytes_.loop.span)


def _spread(each: Sequence[int]) -> str:
    """``at most 2048, 7.4 on average, a ratio of 277``."""
    mean = sum(each) / len(each)
    return f"at most {max(each)}, {mean:.1f} on average, a ratio of {max(each) / mean:.3g}"

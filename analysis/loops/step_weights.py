"""The bytes of a time loop's steps as numbers: what schedules are made from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from snapset.analysis.dataflow.bitsets import May
from snapset.analysis.loops.step_bytes import StepBytes
from snapset.analysis.loops.step_spans import step_by_step
from snapset.analysis.schedules.step_sizes import StepSizes
from snapset.analysis.symbolic.atoms import Sym
from snapset.analysis.symbolic.numeric_value import value
from snapset.analysis.symbolic.polynomials import Quantity


@dataclass(frozen=True, slots=True)
class StepWeights:
    """``peaks``: of each step the working storage while it is reversed. ``known``: by the formulas, and not by a
    run."""

    sizes: StepSizes
    peaks: tuple[int, ...]
    known: bool

    def peak(self, k: int) -> int:
        return self.peaks[k if len(self.peaks) > 1 else 0]


class StepWeighing:
    """Weighs the steps of one loop, whose restart data is ``restart``; ``period``: iterations that make a step."""

    def __init__(self, figures: StepBytes, restart: May, period: int) -> None:
        self.figures = figures
        self.restart = figures.sizes(restart)
        self.left = self.figures.dependencies
        self.peak = self.figures.peak
        self.period = period

    def known(self, steps: int, given: Callable[[Sym], int | None]) -> StepWeights | None:
        """By the formulas, ``given`` the numbers of their names; None where they do not tell."""
        restart, count = value(self.restart, given), steps*self.period
        if restart is None or self.figures.unknown(self.left):
            return None
        each, peaks = self.of_steps(self.left, count, given), self.of_steps(self.peak, count, given)
        if each is None or peaks is None:
            return None
        return weights(steps, restart, each, peaks, self.period)

    def of_steps(self, amount: Quantity, count: int, given: Callable[[Sym], int | None]) -> Sequence[int] | None:
        if not self.figures.varies(amount):
            one = value(amount, given)
            return None if one is None else [one]*count
        return step_by_step(amount, self.figures, count, given)


def weights(steps: int, restart: int, each: Sequence[int], peaks: Sequence[int], period: int,
            known: bool = True) -> StepWeights:
    """Of steps of ``period`` iterations; ``each``, ``peaks``: of iterations."""
    if len(set(each)) <= 1 and len(set(peaks)) <= 1:
        one, peak = (each[0], peaks[0]) if each else (0, 0)
        return StepWeights(StepSizes.of(steps, restart, one*period), (peak + one*(period - 1),), known)
    spans = [range(k*period, min((k + 1)*period, len(each))) for k in range(steps)]
    left = [sum(each[i] for i in span) for span in spans]
    high = [max((sum(each[i] for i in range(span.start, i)) + peaks[i] for i in span), default=0) for span in spans]
    return StepWeights(StepSizes.of(steps, restart, left), tuple(high), known)

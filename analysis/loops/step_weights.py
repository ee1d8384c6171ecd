"""The bytes of a time loop's steps as numbers: what schedules are made from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
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
    """Weighs the steps of one loop, whose restart data is ``chain``, by the iterations that are run plainly from it.
    ``every``: the figures of a step, and of those near the end of a span, which may leave more. ``period``: iterations
    that make a step."""

    def __init__(self, every: Sequence[StepBytes], chain: Sequence[May], period: int) -> None:
        self.every = every
        self.figures = every[0]
        self.chain = tuple(map(self.figures.sizes, chain))
        self.left = self.figures.dependencies
        self.period = period

    def known(self, steps: int, given: Callable[[Sym], int | None]) -> StepWeights | None:
        """By the formulas, ``given`` the numbers of their names; None where they do not tell."""
        count = steps*self.period
        chain = [one for one in (value(size, given) for size in self.chain) if one is not None]
        if len(chain) < len(self.chain) or self.figures.unknown(self.left):
            return None
        each = self.most([one.dependencies for one in self.every], count, given)
        peaks = self.most([one.peak for one in self.every], count, given)
        if each is None or peaks is None:
            return None
        return weights(steps, chain, each, peaks, self.period)

    def most(self, amounts: Iterable[Quantity], count: int,
             given: Callable[[Sym], int | None]) -> Sequence[int] | None:
        """Of each step the greatest of several amounts."""
        found = [self.of_steps(one, count, given) for one in dict.fromkeys(amounts)]
        known = [one for one in found if one is not None]
        return [max(several) for several in zip(*known, strict=True)] if len(known) == len(found) else None

    def of_steps(self, amount: Quantity, count: int, given: Callable[[Sym], int | None]) -> Sequence[int] | None:
        if not self.figures.varies(amount):
            one = value(amount, given)
            return None if one is None else [one]*count
        return step_by_step(amount, self.figures, count, given)


def weights(steps: int, chain: Sequence[int], each: Sequence[int], peaks: Sequence[int], period: int,
            known: bool = True) -> StepWeights:
    """Of steps of ``period`` iterations; ``each``, ``peaks``: of iterations. ``chain``: the bytes of R_0, R_1 ..."""
    restart = chain[-1] if chain else 0
    spans = [chain[min(k, len(chain) - 1)] for k in range(period - 1, len(chain) + period - 1, period)]
    if len(set(each)) <= 1 and len(set(peaks)) <= 1:
        one, peak = (each[0], peaks[0]) if each else (0, 0)
        return StepWeights(StepSizes.of(steps, restart, one*period, by_span=spans), (peak + one*(period - 1),), known)
    ranges = [range(k*period, min((k + 1)*period, len(each))) for k in range(steps)]
    left = [sum(each[i] for i in one) for one in ranges]
    high = [max((sum(each[i] for i in range(one.start, i)) + peaks[i] for i in one), default=0) for one in ranges]
    return StepWeights(StepSizes.of(steps, restart, left, by_span=spans), tuple(high), known)

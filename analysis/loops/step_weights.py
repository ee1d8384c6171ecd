"""The bytes of a time loop's steps as numbers: what schedules are made from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from snapset.analysis.dataflow.bitsets import May
from snapset.analysis.loops.step_bytes import StepBytes
from snapset.analysis.loops.step_numbers import StepNumbers, known_value
from snapset.analysis.loops.step_spans import iterations, step_by_step
from snapset.analysis.schedules.step_sizes import StepSizes
from snapset.analysis.symbolic.atoms import Sym
from snapset.analysis.symbolic.polynomials import Quantity
from snapset.frontend.base.frozen_records import frozen


@frozen
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
    that make a step. ``shared``: some of it may be the same memory by several names, which is held once: by the
    formulas more."""

    def __init__(self, every: Sequence[StepBytes], chain: Sequence[May], period: int, shared: bool = False) -> None:
        self.every = every
        self.figures = every[0]
        self.chain = tuple(map(self.figures.sizes, chain))
        self.left = self.figures.dependencies
        self.period = period
        self.shared = shared

    def names(self) -> frozenset[Sym]:
        """What the formulas need numbers for."""
        formulas = (*self.chain, *(one.dependencies for one in self.every), *(one.peak for one in self.every))
        return frozenset(name for formula in formulas for name in formula.names if isinstance(name, Sym))

    def known(self, steps: int, numbers: StepNumbers) -> StepWeights | None:
        """By the formulas; None where they do not tell."""
        if self.shared:
            return None
        count = self.iterations(steps, numbers)
        chain = [one for one in (known_value(size, numbers.given) for size in self.chain) if one is not None]
        if len(chain) < len(self.chain):
            return None
        each = self.most([one.dependencies for one in self.every], count, numbers)
        peaks = self.most([one.peak for one in self.every], count, numbers)
        if each is None or peaks is None:
            return None
        return weights(steps, chain, each, peaks, self.period)

    def iterations(self, steps: int, numbers: StepNumbers) -> int:
        """How many there are in so many steps, the last of which may have fewer than the others."""
        count = numbers.steps
        if count is None:
            count = known_value(iterations(self.figures.loop, self.figures.pushes.scope), numbers.given)
        return count if count is not None and -(-count//self.period) == steps else steps*self.period

    def most(self, amounts: Iterable[Quantity], count: int, numbers: StepNumbers) -> Sequence[int] | None:
        """Of each step the greatest of several amounts."""
        found = [self.of_steps(one, count, numbers) for one in dict.fromkeys(amounts)]
        known = [one for one in found if one is not None]
        return [max(several) for several in zip(*known, strict=True)] if len(known) == len(found) else None

    def of_steps(self, amount: Quantity, count: int, numbers: StepNumbers) -> Sequence[int] | None:
        if not self.figures.varies(amount):
            one = known_value(amount, numbers.given)
            return None if one is None else [one]*count
        return step_by_step(amount, self.figures, count, numbers)


def weights(steps: int, chain: Sequence[int], each: Sequence[int], peaks: Sequence[int], period: int,
            known: bool = True) -> StepWeights:
    """Of steps of ``period`` iterations; ``each``, ``peaks``: of iterations. ``chain``: the bytes of R_0, R_1 ..."""
    restart, spans = chain[-1] if chain else 0, by_steps(chain, period)
    if len(set(each)) <= 1 and len(set(peaks)) <= 1 and len(each) % period == 0:
        one, peak = (each[0], peaks[0]) if each else (0, 0)
        return StepWeights(StepSizes.of(steps, restart, one*period, by_span=spans), (peak + one*(period - 1),), known)
    ranges = [range(k*period, min((k + 1)*period, len(each))) for k in range(steps)]
    left = [sum(each[i] for i in one) for one in ranges]
    high = [max((sum(each[i] for i in range(one.start, i)) + peaks[i] for i in one), default=0) for one in ranges]
    return StepWeights(StepSizes.of(steps, restart, left, by_span=spans), tuple(high), known)


def by_steps(chain: Sequence[int], period: int) -> list[int]:
    """The bytes of R_0, R_1 ... for spans of 1, 2 ... steps, each ``period`` iterations: R_(period-1) is for one."""
    return [chain[min(k, len(chain) - 1)] for k in range(period - 1, len(chain) + period - 1, period)]

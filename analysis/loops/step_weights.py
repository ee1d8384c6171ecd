"""The bytes of a time loop's steps as numbers: what schedules are made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from snapset.analysis.dataflow.bitsets import May
from snapset.analysis.loops.step_bytes import StepBytes
from snapset.analysis.loops.step_numbers import StepNumbers, known_value
from snapset.analysis.loops.step_spans import iterations, step_by_step
from snapset.analysis.schedules.step_sizes import RecordedWay, StepSizes
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
    ``every``: the figures of a step in the first run, and in a span that is run again with 0, 1 ... iterations behind
    it, which may leave less, or more. ``period``: iterations that make a step. ``shared``: some of it may be the same
    memory by several names, which is held once: by the formulas more."""

    def __init__(self, every: Sequence[StepBytes], chain: Sequence[May], period: int, shared: bool = False) -> None:
        self.every = every
        self.figures = every[-1]
        self.chain = tuple(map(self.figures.restart_sizes, chain))
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
        left = [self.of_steps(one.dependencies, count, numbers) for one in self.every]
        peaks = [self.of_steps(one.peak, count, numbers) for one in self.every]
        ways = [(one, other) for one, other in zip(left, peaks, strict=True) if one is not None and other is not None]
        if len(ways) < len(self.every):
            return None
        return weights(steps, chain, ways, self.period)

    def iterations(self, steps: int, numbers: StepNumbers) -> int:
        """How many there are in so many steps, the last of which may have fewer than the others."""
        count = numbers.steps
        if count is None:
            count = known_value(iterations(self.figures.loop, self.figures.pushes.scope), numbers.given)
        return count if count is not None and -(-count//self.period) == steps else steps*self.period

    def of_steps(self, amount: Quantity, count: int, numbers: StepNumbers) -> Sequence[int] | None:
        if not self.figures.varies(amount):
            one = known_value(amount, numbers.given)
            return None if one is None else [one]*count
        return step_by_step(amount, self.figures, count, numbers)


def weights(steps: int, chain: Sequence[int], ways: Sequence[tuple[Sequence[int], Sequence[int]]], period: int,
            known: bool = True) -> StepWeights:
    """Of steps of ``period`` iterations; ``ways``: what iterations leave, and their peaks, by the way they are recorded
    (:class:`RecordedWay`). ``chain``: the bytes of R_0, R_1 ..."""
    restart, spans = chain[-1] if chain else 0, by_steps(chain, period)
    found = _by_step(steps, ways, period)
    left, peaks = _most([way.left for way in found]), _most([way.peaks for way in found])
    sizes = StepSizes.of(steps, restart, left if len(left) > 1 else left[0], by_span=spans)
    return StepWeights(replace(sizes, ways=found), tuple(peaks), known)


def _by_step(steps: int, ways: Sequence[tuple[Sequence[int], Sequence[int]]], period: int) -> tuple[RecordedWay, ...]:
    """The ways of steps: of the iteration before the last one in a step, one more is run behind it."""
    again = len(ways) - 2
    several = [[0]*period]
    several += [[min(behind*period + period - 1 - q, again) + 1 for q in range(period)]
                for behind in range(-(-again//period) + 1)]
    return tuple(_recorded(steps, ways, one, period) for one in several)


def _recorded(steps: int, ways: Sequence[tuple[Sequence[int], Sequence[int]]], taken: Sequence[int],
              period: int) -> RecordedWay:
    """``taken``: the way of each iteration in a step."""
    left, peaks = [], []
    for k in range(steps):
        below = high = 0
        for i in range(k*period, min((k + 1)*period, len(ways[0][0]))):
            one, peak = ways[taken[i - k*period]]
            high = max(high, below + peak[i])
            below += one[i]
        left.append(below)
        peaks.append(high)
    return RecordedWay(_alike(left), _alike(peaks))


def _alike(values: Sequence[int]) -> tuple[int, ...]:
    return tuple(values) if len(set(values)) > 1 else tuple(values[:1]) or (0,)


def _most(several: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Of each step the greatest."""
    length = max(map(len, several))
    return _alike([max(one[k if len(one) > 1 else 0] for one in several) for k in range(length)])


def by_steps(chain: Sequence[int], period: int) -> list[int]:
    """The bytes of R_0, R_1 ... for spans of 1, 2 ... steps, each ``period`` iterations: R_(period-1) is for one."""
    return [chain[min(k, len(chain) - 1)] for k in range(period - 1, len(chain) + period - 1, period)]

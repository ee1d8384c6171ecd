"""Leaves of so many bytes, and a rule that keeps within so many bytes altogether."""

from __future__ import annotations

from snapset.analysis.divide.pick import HALVES, StoppingRule, pick
from snapset.analysis.divide.tree import planned_tree
from snapset.analysis.replay.divide.divide_planner import DividePlanner
from snapset.analysis.replay.divide.divide_results import DividePlan
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.frozen_records import frozen


class LeastMemoryError(InputError):
    """No division keeps within so many bytes; ``least``: what some division takes."""

    def __init__(self, room: int, least: int) -> None:
        self.least = least
        super().__init__(f"--memory {room}: no division of this run keeps within it; the least that works is {least}")


SAMPLES = 512
MOST_SNAPSHOTS = 16
MOST_LEAVES = 20_000
TRIED = 10


@frozen
class _Profile:
    """At even points of the run: step, bytes taped so far, a capsule's bytes."""

    points: tuple[tuple[int, int, int], ...]

    @property
    def largest(self) -> int:
        return max(size for _, _, size in self.points)

    def tape(self, steps: int) -> int:
        """The most that any ``steps`` steps tape, about."""
        most, low = 0, 0
        for at, taped, _ in self.points:
            while at - self.points[low][0] > steps:
                low += 1
            most = max(most, taped - self.points[low][1])
        return most


def leaf_steps(planner: DividePlanner, size: int) -> int:
    """The steps of leaves that tape at most about ``size`` bytes."""
    profile = _Profile(tuple(planner.profile(min(SAMPLES, max(1, planner.steps)))))
    low, high = 1, max(1, planner.steps)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if profile.tape(middle) <= size else (low, middle - 1)
    return low


def within_leaf(planner: DividePlanner, mid: str, size: int, d: int | None, t: int | None, log: bool) -> DividePlan:
    """The plan with the longest leaves of which none tapes more than ``size`` bytes.

    Raises:
        InputError: one statement tapes more, or d and t leave no choice.
    """
    alpha = leaf_steps(planner, size)
    while True:
        plan = planner.plan(pick(planner.steps, alpha, d, t, log, mid == HALVES), mid)
        if max(plan.tapes, default=0) <= size:
            return plan
        if alpha == 1:
            raise InputError(f"--leaf {size} bytes: a leaf tapes {max(plan.tapes)} bytes at least")
        alpha = max(1, alpha * 4 // 5)


def within_memory(planner: DividePlanner, mid: str, room: int) -> DividePlan:
    """The plan with the least recomputation whose peak is at most ``room`` bytes.

    Snapshots from 0 to 16, leaves of 1, 2, 4 ... steps, and of the whole run, are looked at; t follows. (Halves have as
    many reruns as snapshots, and no fewer than reach the leaves: with the t of eq. (23) theirs are longer than α.)

    Raises:
        InputError: none does; with the least that some plan takes.
    """
    n = planner.steps
    profile = _Profile(tuple(planner.profile(min(SAMPLES, max(1, n)))))
    sizes = sorted({1, max(1, n), *(1 << k for k in range(n.bit_length()))})
    sizes = [alpha for alpha in sizes if -(-n // alpha) <= MOST_LEAVES and alpha < n]
    rules = [pick(n, n, d=0)]
    if mid == HALVES:
        rules += [pick(n, alpha, log=True, halved=True) for alpha in sizes]
    else:
        rules += [pick(n, alpha, d=d) for d in range(1, MOST_SNAPSHOTS + 1) for alpha in sizes]
    guessed = {rule: profile.largest * (1 + rule.d) + profile.tape(rule.alpha) for rule in rules}
    small = sorted(rules, key=guessed.__getitem__)[:TRIED]
    fitting = [rule for rule in rules if guessed[rule] <= room]
    fitting.sort(key=lambda rule: _rerun(n, rule, mid))
    least: int | None = None
    for rule in (*fitting[:TRIED], *small):
        plan = planner.plan(rule, mid)
        if plan.peak_bytes <= room:
            return plan
        least = plan.peak_bytes if least is None else min(least, plan.peak_bytes)
    raise LeastMemoryError(room, least or 0)


def _rerun(n: int, rule: StoppingRule, mid: str) -> int:
    return planned_tree(n, rule, mid).recomputed

"""Leaves of so many bytes, and a rule that keeps within so many bytes altogether."""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from snapset.analysis.divide.pick import HALVES, StoppingRule, pick
from snapset.analysis.divide.tree import CheckpointTree, TreeLeaf, TreeSplit, planned_tree
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
WORST = 6  # leaves of a division that are weighed before it is planned
NOTHING = sys.maxsize


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

    def taped(self, at: int) -> float:
        """Up to a step, about."""
        return self._between(at, 1)

    def held(self, at: int) -> float:
        """By a capsule at a step, about."""
        return self._between(at, 2)

    def _between(self, at: int, column: int) -> float:
        k = bisect_right(self.points, at, key=lambda one: one[0])
        if k == len(self.points):
            return self.points[-1][column]
        before, behind = self.points[max(0, k - 1)], self.points[k]
        part = (at - before[0]) / max(1, behind[0] - before[0])
        return before[column] + part*(behind[column] - before[column])

    def worst(self, tree: CheckpointTree, n: int) -> Sequence[tuple[TreeLeaf, tuple[tuple[int, int], ...]]]:
        """The leaves at which a division takes most, about, each with the capsules that stand there: from which step
        to which."""
        standing, found = [(0, n)], list[tuple[float, TreeLeaf, tuple[tuple[int, int], ...]]]()
        weights = [self.held(0)]
        for event in tree.events:
            if isinstance(event, TreeSplit):
                standing.append((event.kappa, event.phi))
                weights.append(self.held(event.kappa))
                continue
            size = sum(weights) + self.taped(event.phi) - self.taped(event.sigma)
            if len(found) < WORST or size > found[0][0]:
                found = sorted([*found, (size, event, tuple(standing))], key=lambda one: one[0])[-WORST:]
            if len(standing) > 1 and standing[-1][0] == event.sigma:
                standing.pop()
                weights.pop()
        return [(leaf, intervals) for _, leaf, intervals in found]


def leaf_steps(planner: DividePlanner, size: int) -> int:
    """The steps of leaves that tape at most about ``size`` bytes."""
    profile = _Profile(planner.profile(min(SAMPLES, max(1, planner.steps))))
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
    many reruns as snapshots, and no fewer than reach the leaves: with the t of eq. (23) theirs are longer than α.) What
    they take is guessed from samples of the run; of those that look best, a run finds what they take at the leaves
    where they should take most, which is the least that they can take; only what passes that is planned.

    Raises:
        LeastMemoryError: none does; with the least that some plan takes.
    """
    n = planner.steps
    profile = _Profile(planner.profile(min(SAMPLES, max(1, n))))
    rules = _rules(n, mid)
    guessed = {rule: profile.largest * (1 + rule.d) + profile.tape(rule.alpha) for rule in rules}
    fitting = sorted(_longest([rule for rule in rules if guessed[rule] <= room]), key=lambda rule: _rerun(n, rule, mid))
    found = _first_within(planner, mid, room, profile, fitting[:TRIED])
    if isinstance(found, DividePlan):
        return found
    least = found
    small = [rule for rule in sorted(rules, key=guessed.__getitem__)[:TRIED] if rule not in fitting[:TRIED]]
    found = _first_within(planner, mid, room, profile, small)
    if isinstance(found, DividePlan):
        return found
    raise LeastMemoryError(room, min(least, found))


def _rules(n: int, mid: str) -> list[StoppingRule]:
    sizes = sorted({1, max(1, n), *(1 << k for k in range(n.bit_length()))})
    sizes = [alpha for alpha in sizes if -(-n // alpha) <= MOST_LEAVES and alpha < n]
    if mid == HALVES:
        return [pick(n, n, d=0), *(pick(n, alpha, log=True, halved=True) for alpha in sizes)]
    return [pick(n, n, d=0), *(pick(n, alpha, d=d) for d in range(1, MOST_SNAPSHOTS + 1) for alpha in sizes)]


def _longest(rules: list[StoppingRule]) -> Iterator[StoppingRule]:
    """Of each number of snapshots those with the longest leaves, which run least again."""
    for d in sorted({rule.d for rule in rules}):
        yield from sorted((rule for rule in rules if rule.d == d), key=lambda rule: -rule.alpha)[:2]


def _first_within(planner: DividePlanner, mid: str, room: int, profile: _Profile,
                  rules: list[StoppingRule]) -> DividePlan | int:
    """The plan of the first rule that keeps within ``room``; else the least that one of them takes."""
    if not rules:
        return NOTHING
    trees = planner.trees(rules, mid)
    worst = [profile.worst(tree, planner.steps) for tree in trees]
    planner.weigh([one for leaves in worst for _, intervals in leaves for one in intervals],
                  [at for leaves in worst for leaf, _ in leaves for at in (leaf.sigma, leaf.phi)])
    at_least = [max(_takes(planner, leaf, intervals) for leaf, intervals in leaves) for leaves in worst]
    for rule, lower in zip(rules, at_least, strict=True):
        if lower <= room:
            plan = planner.plan(rule, mid)
            if plan.peak_bytes <= room:
                return plan
    least = NOTHING
    for lower, rule in sorted(zip(at_least, rules, strict=True), key=lambda one: one[0]):
        if lower < least:
            least = min(least, planner.plan(rule, mid).peak_bytes)
    return least


def _takes(planner: DividePlanner, leaf: TreeLeaf, intervals: tuple[tuple[int, int], ...]) -> int:
    """The bytes at a leaf, capsules and tape."""
    return sum(planner.held[one] for one in intervals) + planner.taped[leaf.phi] - planner.taped[leaf.sigma]


def _rerun(n: int, rule: StoppingRule, mid: str) -> int:
    return planned_tree(n, rule, mid).recomputed

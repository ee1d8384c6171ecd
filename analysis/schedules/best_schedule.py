"""The best schedule for given sizes and bytes: mixed checkpointing with unequal sizes.

    best = best_schedule(steps=100, restart=10, dependencies=1, budget=40)
    best.forward_steps, best.peak, best.actions            189, 40, (Advance(i=0, ...), ...)

Exact where all steps are alike and the programme is within reach (500 steps, 10,000 with 20 checkpoints), and for up
to 64 steps of differing sizes. Beyond, sizes are rounded up so that the budget holds, and ``lower_bound`` says what no
schedule can be below.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

from snapset.analysis.schedules.abstract_machine import Checkpoint, Recount, recount
from snapset.analysis.schedules.actions import Action, Adjoint, Content, Schedule, StorageLevel
from snapset.analysis.schedules.step_sizes import EXACT_VARYING, Cost, StepSizes
from snapset.frontend.base.collection_arguments import collections
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.frozen_records import frozen

MOST_BUDGET = 1 << 61  # more makes no difference to what is stored


class InfeasibleBudgetError(InputError):
    """No schedule fits; ``least`` is the least budget in bytes that works."""

    def __init__(self, budget: int, least: int) -> None:
        self.budget, self.least = budget, least
        super().__init__(f"{budget} bytes are too few for any schedule of this loop; the least budget that works is "
                         f"{least} bytes, beside the working storage of one step")


@frozen
class MeasuredSchedule:
    """A schedule, and what it does with the sizes of a loop.

    ``forward_cost``: of all steps run forward, first run included. ``peak``: most bytes of checkpoints held at once,
    beside the working storage. ``working``: bytes of the working storage. ``total``: of both together; while a step is
    reversed, what that takes at most, where :func:`measured` was told.
    """

    schedule: Schedule
    sizes: StepSizes
    counts: Recount
    forward_cost: Cost
    peak: int
    working: int
    total: int

    @property
    def actions(self) -> tuple[Action, ...]:
        return self.schedule.actions

    @property
    def forward_steps(self) -> int:
        """Steps run forward, first run included."""
        return self.counts.forward

    def bytes_on(self, *levels: StorageLevel) -> int:
        """Most bytes held at once on these storages together."""
        return self.counts.peak(*levels, size=self.sizes.bytes_of, freed=True)

    def stores(self, content: Content) -> int:
        """How many checkpoints of a kind are written in all; steps kept together in the working storage count, too."""
        together = self.counts.peak(StorageLevel.WORK) > 1
        return sum(one.content is content and not one.kept and (together or one.where is not StorageLevel.WORK)
                   for one in self.counts.checkpoints)


@frozen
class BestSchedule(MeasuredSchedule):
    """The best schedule found. ``lower_bound``: no schedule within the budget has a smaller forward cost."""

    lower_bound: Cost

    @property
    def exact(self) -> bool:
        """Is it proved that nothing better fits?"""
        return self.forward_cost <= self.lower_bound * (1 + 1e-9)

    @property
    def gap(self) -> float:
        """How far above the lower bound the cost is at most: 0.02 for two percent."""
        return float(self.forward_cost / self.lower_bound - 1) if self.lower_bound else 0.0


def best_schedule(*, steps: int, restart: int | Sequence[int], dependencies: int | Sequence[int], budget: int,
                  cost: Cost | Sequence[Cost] = 1, where: StorageLevel = StorageLevel.MEMORY,
                  restart_by_span: Sequence[int] = ()) -> BestSchedule:
    """The schedule with the least forward cost; of these the one with the fewest stores.

    Args:
        steps: how many steps the loop has.
        restart: bytes needed to run again from the start of a step: one number, or one for each step.
        dependencies: bytes that a step's adjoint reads: one number, or one for each step.
        budget: bytes for both together, beside the working storage (which holds one step's dependencies).
        cost: of running a step forward: one number, or one for each step.
        where: the storage that the actions name.
        restart_by_span: where a short span needs less, the bytes of restart data from which 1, 2 ... steps are run, the
            last of them recorded; the last is ``restart``.

    Raises:
        InfeasibleBudgetError: no schedule fits; ``least`` says what would.
        InputError: an argument is no number, or not one for each step.
    """
    collections("best_schedule", restart_by_span=restart_by_span)
    sizes = StepSizes.of(steps, restart, dependencies, cost, restart_by_span)
    return best_for(sizes, checked_budget(budget), where)


def best_for(sizes: StepSizes, budget: int, where: StorageLevel = StorageLevel.MEMORY) -> BestSchedule:
    """:func:`best_schedule` for sizes that are checked already."""
    from snapset.analysis.schedules.mixed.solved_programme import solved

    if budget < (least := least_budget(sizes)):
        raise InfeasibleBudgetError(budget, least)
    actions, lower_bound = solved(sizes.planned(), budget, where)
    found = measured(Schedule("mixed, unequal sizes", sizes.steps, tuple(actions)), sizes)
    return BestSchedule(found.schedule, sizes, found.counts, found.forward_cost, found.peak, found.working, found.total,
                        lower_bound)


def measured(schedule: Schedule, sizes: StepSizes, peaks: Sequence[int] = ()) -> MeasuredSchedule:
    """Count the schedule's actions and weigh what it holds. ``peaks``: what the working storage takes at most while a
    step is reversed, one number for all steps, or one for each. Raises IllegalActionError.
    """
    counts = recount(schedule, sizes.steps)
    stored = counts.peak(StorageLevel.MEMORY, StorageLevel.DISK, size=sizes.bytes_of, freed=True)
    working = counts.peak(StorageLevel.WORK, size=sizes.bytes_of, freed=True)
    total = _reached(schedule, counts, sizes, peaks) if peaks else stored + working
    return MeasuredSchedule(schedule, sizes, counts, forward_cost(counts, sizes), stored, working, total)


def _reached(schedule: Schedule, counts: Recount, sizes: StepSizes, peaks: Sequence[int]) -> int:
    """The most bytes of checkpoints and working storage together; while a step is reversed it takes its own peak."""
    changes = [0]*(counts.actions + 1)
    reversed_by: dict[tuple[int | None, int], Checkpoint] = {}
    for one in counts.checkpoints:
        changes[one.written] += sizes.bytes_of(one)
        changes[counts.actions if one.freed is None else one.freed] -= sizes.bytes_of(one)
        if one.where is StorageLevel.WORK:
            reversed_by[one.freed, one.i] = one
    held = most = 0
    for number, action in enumerate(schedule):
        if isinstance(action, Adjoint):
            below = held
            for k in reversed(range(action.i, action.j)):
                step = reversed_by[number, k]
                below -= sizes.bytes_of(step)
                most = max(most, below + sizes.peak_of(step, peaks))
        held += changes[number]
        most = max(most, held)
    return most


def forward_cost(counts: Recount, sizes: StepSizes) -> Cost:
    """Σ f_k times how often step k is run."""
    if len(sizes.cost) == 1:
        return sizes.cost[0] * counts.forward
    return sum(f * runs for f, runs in zip(sizes.cost, counts.runs, strict=True))


def checked_budget(budget: object) -> int:
    if not hasattr(budget, "__index__") or isinstance(budget, bool) or int(budget) < 0:
        raise InputError(f"budget: {budget!r} is no number of bytes; give a whole number, 0 or more")
    return min(int(budget), MOST_BUDGET)


def least_budget(sizes: StepSizes) -> int:
    """The fewest bytes beside the working storage with which some schedule works.

    Keep the dependencies of the first k steps and one restart behind them, or all dependencies. Restart data of step
    k alone brings the adjoint back to k, however far the loop goes on. Where short spans take less, see
    :func:`_with_spans`.
    """
    sizes = sizes.planned()
    if sizes.steps <= 1:
        return 0
    if sizes.by_span and (sizes.constant or sizes.steps <= EXACT_VARYING):
        return _with_spans(sizes)
    return min([sizes.all_dependencies(), *_prefixes(sizes)])


def _prefixes(sizes: StepSizes) -> Iterator[int]:
    """d_0 + .. + d_(k-1) + r_k for each k that is not the last step."""
    if len(sizes.restart) == len(sizes.dependencies) == 1:
        yield sizes.restart[0]
        return
    before = accumulate((sizes.d(k) for k in range(sizes.steps - 2)), initial=0)
    for k, kept in enumerate(before):
        yield kept + sizes.r(k)


def _with_spans(sizes: StepSizes) -> int:
    """L(0, n), the least with which [i, j) can be reversed being the least of ::

        d_i + L(i + 1, j)                                 L(i, i + 1) = 0
        max(r(m - i) + L(m, j), L(i, m))                  i < m < j; where r has its greatest value, m = j - 1 is best
    """
    n, few, alike = sizes.steps, len(sizes.by_span), len(sizes.dependencies) == 1
    found = dict[tuple[int, int], int]()

    def least(i: int, j: int) -> int:
        return found[(0, j - i) if alike else (i, j)]

    for length in range(1, n + 1):
        for i in range(1 if alike else n - length + 1):
            j = i + length
            splits = {*range(i + 1, min(i + few, j)), j - 1} if length > 1 else ()
            found[i, j] = min((max(sizes.r(i, m - i) + least(m, j), least(i, m)) for m in splits), default=0)
            if length > 1:
                found[i, j] = min(found[i, j], sizes.d(i) + least(i + 1, j))
    return found[0, n]

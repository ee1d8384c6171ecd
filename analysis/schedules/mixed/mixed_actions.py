"""From the choices of a dynamic programme to the actions of its schedule.

The programme answers, for the forward at i, the adjoint at j and B bytes free: record all that is left, keep the
dependencies of step i, or keep restart data of step i and advance to m (see :mod:`.mixed_constant`). Depth: a stack of
its own, for a loop has more steps than Python's has frames.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Protocol

from snapset.analysis.schedules.actions import (
    Action,
    Adjoint,
    Advance,
    Content,
    EndForward,
    EndReverse,
    Load,
    StorageLevel,
)
from snapset.frontend.base.frozen_records import frozen


@frozen
class StoreChoice:
    """What to store at step i: NOTHING (record all steps left), its DEPENDENCIES, or RESTART data and on to ``m``."""

    store: Content
    m: int = 0


class Programme(Protocol):
    """A solved dynamic programme over (i, j, B)."""

    def choice(self, i: int, j: int, budget: int, kept: bool) -> StoreChoice:
        """The best first choice; ``kept``: restart data of step i is there, and storing it again would be no store."""

    def restart(self, i: int, span: int | None = None) -> int:
        """r_i in the programme's units; ``span``: so many steps are run from it (None: any number)."""

    def dependencies(self, i: int) -> int:
        """d_i in the programme's units."""


@frozen
class _Solve:
    """Bring the adjoint from j to i, the forward being at i. ``kept``: restart data of i was loaded and kept."""

    i: int
    j: int
    budget: int
    kept: bool = False


@frozen
class _Reload:
    """Go back to restart data of i, and bring the adjoint from j to i."""

    i: int
    j: int
    budget: int


def actions_of(programme: Programme, steps: int, budget: int, where: StorageLevel) -> Iterator[Action]:
    """The actions of the best schedule for ``steps`` steps, checkpoints at ``where``."""
    ended = False
    for action in _performed(programme, [_Solve(0, steps, budget)] if steps else [], where):
        if isinstance(action, Adjoint) and not ended:
            ended = True
            yield EndForward()
        yield action
    if not ended:
        yield EndForward()
    yield EndReverse()


def reversal(programme: Programme, stored: Sequence[int], steps: int, budget: int,
             where: StorageLevel) -> Iterator[Action]:
    """The adjoint of all steps, restart data of the steps ``stored`` being at ``where``, 0 among them.

    Each part between two of them has what the earlier ones leave of the budget.
    """
    parts: list[_Solve | _Reload | Action] = []
    for i, j in pairwise([*stored, steps] if stored else []):
        parts.append(_Reload(i, j, budget))
        budget -= programme.restart(i)
    yield from _performed(programme, parts, where)
    yield EndReverse()


def _performed(programme: Programme, todo: list[_Solve | _Reload | Action], where: StorageLevel) -> Iterator[Action]:
    """Carry out tasks, the last first."""
    while todo:
        task = todo.pop()
        if isinstance(task, _Solve):
            todo.extend(reversed(_steps_of(programme, task, where)))
        elif isinstance(task, _Reload):
            kept = programme.choice(task.i, task.j, task.budget, True).store is Content.RESTART
            yield Load(task.i, where, kept)
            todo.append(_Solve(task.i, task.j, task.budget, kept))
        else:
            yield task


def _steps_of(programme: Programme, task: _Solve, where: StorageLevel) -> list[_Solve | _Reload | Action]:
    i, j, budget = task.i, task.j, task.budget
    choice = programme.choice(i, j, budget, task.kept)
    if choice.store is Content.NOTHING:
        return [*recorded(i, j, where)]
    if choice.store is Content.DEPENDENCIES:
        return [Advance(i, i + 1, Content.DEPENDENCIES, where), _Solve(i + 1, j, budget - programme.dependencies(i)),
                Load(i, where, keep=False), Adjoint(i + 1, i)]
    m = choice.m
    advance = Advance(i, m) if task.kept else Advance(i, m, Content.RESTART, where)
    return [advance, _Solve(m, j, budget - programme.restart(i, m - i)), _Reload(i, m, budget)]


def recorded(i: int, j: int, where: StorageLevel) -> Iterator[Action]:
    """All steps i .. j-1 recorded, the last into the working storage; then their adjoints."""
    for k in range(i, j - 1):
        yield Advance(k, k + 1, Content.DEPENDENCIES, where)
    yield Advance(j - 1, j, Content.DEPENDENCIES, StorageLevel.WORK)
    yield Adjoint(j, j - 1)
    for k in reversed(range(i, j - 1)):
        yield Load(k, where, keep=False)
        yield Adjoint(k + 1, k)

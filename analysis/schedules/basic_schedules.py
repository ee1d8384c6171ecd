"""The two ends of the scale, and the simplest schedule between them.

Keep all dependencies in the working storage: n forward steps. Restart from the first step each time: n(n+1)/2.
Restart data at equal distances: 2n, and the working storage holds the steps of one period.
"""

from __future__ import annotations

from snapset.analysis.schedules.actions import (
    Action,
    Adjoint,
    Advance,
    Content,
    EndForward,
    EndReverse,
    Load,
    Schedule,
    StorageLevel,
)


def all_in_memory(steps: int) -> Schedule:
    """Record every step into the working storage, then run the adjoint through (Maddison, Table 2)."""
    run: tuple[Action, ...] = (Advance(0, steps, Content.DEPENDENCIES, StorageLevel.WORK),) if steps else ()
    back: tuple[Action, ...] = (Adjoint(steps, 0),) if steps else ()
    return Schedule("all in memory", steps, (*run, EndForward(), *back, EndReverse()), online=True, repeatable=True)


def periodic(steps: int, period: int, where: StorageLevel = StorageLevel.DISK) -> Schedule:
    """Restart data every ``period`` steps; the working storage takes all steps of a period (Maddison, Table 3)."""
    starts = range(0, steps, period)
    spans = [(i, min(i + period, steps)) for i in starts]
    forward = [Advance(i, j, Content.RESTART, where) for i, j in spans]
    back = [action for i, j in reversed(spans)
            for action in (Load(i, where, keep=True), Advance(i, j, Content.DEPENDENCIES), Adjoint(j, i))]
    return Schedule(f"periodic, every {period} steps", steps, (*forward, EndForward(), *back, EndReverse()),
                    online=True, repeatable=True)


def restart_from_first(steps: int, where: StorageLevel = StorageLevel.MEMORY) -> Schedule:
    """Keep the restart data of step 0 only: each step's dependencies are had by running from there."""
    if steps <= 1:
        return Schedule("none", steps, all_in_memory(steps).actions)
    actions: list[Action] = [Advance(0, steps - 1, Content.RESTART, where)]
    for k in reversed(range(steps)):
        if k < steps - 1:
            actions.append(Load(0, where, keep=k > 0))
            if k > 0:
                actions.append(Advance(0, k))
        actions.append(Advance(k, k + 1, Content.DEPENDENCIES, StorageLevel.WORK))
        if k == steps - 1:
            actions.append(EndForward())
        actions.append(Adjoint(k + 1, k))
    return Schedule("none", steps, (*actions, EndReverse()))

"""From the choices of :class:`~snapset.analysis.schedules.mixed.two_storages.TwoStorages` to actions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

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
from snapset.analysis.schedules.mixed.two_storages import Storing, TwoStorages
from snapset.frontend.base.frozen_records import frozen

MEMORY, DISK = StorageLevel.MEMORY, StorageLevel.DISK


@frozen
class _Part:
    """Bring the adjoint from j to i with ``memory`` and ``disk`` bytes free; ``held``: where restart data of i is."""

    i: int
    j: int
    memory: int
    disk: int
    held: StorageLevel | None = None


@frozen
class _Again:
    """Come back to restart data of the part's first step, and go on with it."""

    part: _Part


Task = _Part | _Again | Action


def two_storage_schedule(programme: TwoStorages, memory: int, disk: int) -> Schedule:
    """The programme's schedule for all its steps."""
    actions = list(_performed(programme, [_Part(0, programme.steps, memory, disk)] if programme.steps else []))
    turn = next((k for k, action in enumerate(actions) if isinstance(action, Adjoint)), 0)
    actions[turn:turn] = [EndForward()]
    return Schedule("mixed, two storages", programme.steps, (*actions, EndReverse()))


def _performed(programme: TwoStorages, todo: list[Task]) -> Iterator[Action]:
    while todo:
        task = todo.pop()
        if isinstance(task, _Part):
            todo.extend(reversed(_tasks(programme, task)))
        elif isinstance(task, _Again):
            todo.extend(reversed(_come_back(programme, task.part)))
        else:
            yield task


def _come_back(programme: TwoStorages, part: _Part) -> list[Task]:
    what, _ = programme.choice(part.j - part.i, part.memory, part.disk, part.held is DISK)
    keep = what is (Storing.KEEP_ON_DISK if part.held is DISK else Storing.RESTART_IN_MEMORY)
    assert part.held is not None
    return [Load(part.i, part.held, keep), part if keep else replace(part, held=None)]


def _tasks(programme: TwoStorages, part: _Part) -> list[Task]:
    i, j, x, y = part.i, part.j, part.memory, part.disk
    what, m = programme.choice(j - i, x, y, part.held is DISK)
    m += i
    r, d = programme.r, programme.d
    match what:
        case Storing.RECORD:
            return [Advance(i, j, Content.DEPENDENCIES), Adjoint(j, i)]
        case Storing.DEPENDENCIES_IN_MEMORY | Storing.DEPENDENCIES_ON_DISK:
            fast = what is Storing.DEPENDENCIES_IN_MEMORY
            where, rest = (MEMORY, _Part(m, j, x - d, y)) if fast else (DISK, _Part(m, j, x, y - d))
            return [Advance(i, m, Content.DEPENDENCIES, where), rest, Load(i, where, keep=False), Adjoint(m, i)]
        case Storing.RESTART_IN_MEMORY:
            where, rest = MEMORY, _Part(m, j, x - r, y)
        case Storing.KEEP_ON_DISK | Storing.RESTART_ON_DISK:
            where, rest = DISK, _Part(m, j, x, y - r)
    run = Advance(i, m) if part.held is where else Advance(i, m, Content.RESTART, where)
    return [run, rest, _Again(_Part(i, m, x, y, where))]

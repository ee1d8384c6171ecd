"""The schedules of the package checkpoint_schedules, translated into our actions.

Theirs: ``Forward(0, 3, True, False, StorageType.DISK)``, ``Copy`` and ``Move`` to the working storage, ``Reverse``.
What is kept outside: its actions cannot be compared (``==`` raises), so they are told apart by type; what it prints
while it plans is swallowed; and H-Revolve reads some checkpoints for the last time by ``Copy``, so that they stay
where they are: :func:`freed` inserts a ``Free`` behind the last read.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from typing import Any

from snapset.analysis.schedules.abstract_machine import recount
from snapset.analysis.schedules.actions import (
    Action,
    Adjoint,
    Advance,
    Content,
    EndForward,
    EndReverse,
    Free,
    Load,
    Schedule,
    StorageLevel,
)
from snapset.analysis.schedules.basic_schedules import all_in_memory


def multistage(steps: int, in_memory: int, on_disk: int = 0, longest: bool = True) -> Schedule:
    """Revolve (Griewank and Walther) with checkpoints in memory and on disk (Stumm and Walther).

    ``longest``: of equally good advances the longest, else algorithm 799's own.
    """
    trajectory = "maximum" if longest else "revolve"
    return _offline("multistage" if in_memory and on_disk else "revolve", steps,
                    lambda package: package.MultistageCheckpointSchedule(steps, in_memory, on_disk,
                                                                         trajectory=trajectory))


def revolve(steps: int, in_memory: int) -> Schedule:
    """Revolve in H-Revolve's formulation."""
    return _offline("revolve", steps, lambda package: package.Revolve(steps, in_memory))


def mixed(steps: int, checkpoints: int, where: StorageLevel = StorageLevel.MEMORY) -> Schedule:
    """Maddison's schedule: restart data and dependencies in units of one size."""
    def make(package: Any) -> Any:
        place = package.StorageType.DISK if where is StorageLevel.DISK else package.StorageType.RAM
        return package.MixedCheckpointSchedule(steps, checkpoints, storage=place)
    return _offline("mixed", steps, make)


def hrevolve(steps: int, in_memory: int, on_disk: int, write: float, read: float) -> Schedule:
    """H-Revolve (Herrmann and Pallez); ``write``, ``read``: what a checkpoint on disk costs, in steps' time."""
    return _offline("H-Revolve", steps,
                    lambda package: package.HRevolve(steps, in_memory, on_disk, wd=write, rd=read))


def disk_revolve(steps: int, in_memory: int, write: float, read: float) -> Schedule:
    """Disk-Revolve (Aupy and others): as many checkpoints on disk as it likes."""
    return _offline("disk-revolve", steps, lambda package: package.DiskRevolve(steps, in_memory, wd=write, rd=read))


def periodic_disk(steps: int, in_memory: int, write: float, read: float) -> Schedule:
    """Periodic Disk-Revolve (Aupy and Herrmann): checkpoints on disk at equal distances."""
    return _offline("periodic disk", steps,
                    lambda package: package.PeriodicDiskRevolve(steps, in_memory, wd=write, rd=read))


def two_level(steps: int, period: int, checkpoints: int, where: StorageLevel = StorageLevel.DISK) -> Schedule:
    """Restart data on disk every ``period`` steps, revolve with ``checkpoints`` more in between (Pringle and others).

    The number of steps is not needed before the forward has ended.
    """
    def make(package: Any) -> Any:
        place = package.StorageType.DISK if where is StorageLevel.DISK else package.StorageType.RAM
        return package.TwoLevelCheckpointSchedule(period, checkpoints, binomial_storage=place)
    return _offline("two-level", steps, make)


def everything(steps: int) -> Schedule:
    """All dependencies in the working storage."""
    return _offline("all in memory", steps, lambda package: package.SingleMemoryStorageSchedule())


def everything_on_disk(steps: int) -> Schedule:
    """All dependencies on disk, each moved to the working storage when its turn comes."""
    return _offline("all on disk", steps, lambda package: package.SingleDiskStorageSchedule(move_data=True))


def freed(schedule: Schedule) -> Schedule:
    """The schedule with a ``Free`` behind the last read of what it reads and then leaves where it is."""
    behind: dict[int, Free] = {}
    for one in recount(schedule, schedule.steps).checkpoints:
        last = one.written if one.kept and one.last_read is None else one.last_read
        if last is not None and one.where is not StorageLevel.WORK and one.freed is None:
            behind[last] = Free(one.i, one.where)
    actions: list[Action] = []
    for number, action in enumerate(schedule):
        actions.append(action)
        if number in behind:
            actions.append(behind[number])
    return Schedule(schedule.name, schedule.steps, tuple(actions))


def _offline(name: str, steps: int, make: Callable[[Any], Any]) -> Schedule:
    if steps <= 1:  # H-Revolve fails for one step
        return Schedule(name, steps, all_in_memory(steps).actions)
    return Schedule(name, steps, tuple(_translated(steps, make)))


def _translated(steps: int, make: Callable[[Any], Any]) -> Iterator[Action]:
    """Our actions for the package's; its online schedules are told the number of steps when the forward is there."""
    import checkpoint_schedules as package

    with redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # "Numba not available"
        theirs = make(package)
        planned = _finished(theirs, package) if theirs.max_n is not None else None
    for action in planned or theirs:
        if isinstance(action, package.Forward):
            end = min(action.n1, steps)
            yield from _advance(action, end, package)
            if end == steps and theirs.max_n is None:
                theirs.finalize(steps)
        elif isinstance(action, package.Copy | package.Move):
            yield from _moved(action, package)
        elif isinstance(action, package.Reverse):
            yield Adjoint(action.n1, action.n0)
        elif isinstance(action, package.EndForward):
            yield EndForward()
        else:
            yield EndReverse()
            return


def _finished(theirs: Any, package: Any) -> list[Any]:
    """All its actions, up to the end of the first adjoint."""
    found = []
    for action in theirs:
        found.append(action)
        if isinstance(action, package.EndReverse):
            break
    return found


def _advance(action: Any, end: int, package: Any) -> Iterator[Action]:
    if action.write_ics and action.write_adj_deps:
        raise NotImplementedError(f"{action!r} stores restart data and dependencies at once")
    content = (Content.RESTART if action.write_ics else
               Content.DEPENDENCIES if action.write_adj_deps else Content.NOTHING)
    where = StorageLevel.WORK if content is Content.NOTHING else _level(action.storage, package)
    yield Advance(action.n0, end, content, where)


def _moved(action: Any, package: Any) -> Iterator[Action]:
    target, kind = action.to_storage, package.StorageType
    if target is kind.NONE:
        yield Free(action.n, _level(action.from_storage, package))
    elif target is kind.WORK:
        yield Load(action.n, _level(action.from_storage, package), keep=isinstance(action, package.Copy))
    else:
        raise NotImplementedError(f"{action!r} moves a checkpoint from one storage to another")


def _level(storage: Any, package: Any) -> StorageLevel:
    kind = package.StorageType
    return {kind.RAM: StorageLevel.MEMORY, kind.DISK: StorageLevel.DISK, kind.WORK: StorageLevel.WORK}[storage]

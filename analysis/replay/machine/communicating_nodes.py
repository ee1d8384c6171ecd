"""What the adjoint's sweeps tell a rank: where parts begin and end, which calls of MPI are recorded, which are undone.

A program that runs on no ranks (``frame.memory.ranked`` None) hears nothing of it.
"""

from __future__ import annotations

from typing import TypeAlias

from snapset.analysis.replay.memory.frames import Frame
from snapset.analysis.replay.ranks.mpi_machine import MpiMachine
from snapset.analysis.replay.ranks.rank_adjoints import adjoint_event
from snapset.analysis.replay.ranks.rank_events import DoneEvent, PartKey
from snapset.analysis.replay.ranks.rank_port import RankPort

OuterRun: TypeAlias = "tuple[str | None, str | None, int, int]"


def _port(frame: Frame) -> RankPort | None:
    ranked = frame.memory.ranked
    return ranked.port if isinstance(ranked, MpiMachine) else None


def communicated(frame: Frame, node: int) -> tuple[DoneEvent, ...]:
    """Run a call of MPI in a recording sweep: its events."""
    port = _port(frame)
    if port is not None:
        port.done.clear()
    frame.code.run[node](frame.s, frame)
    return () if port is None else tuple(port.done)


def communicated_back(frame: Frame, events: tuple[DoneEvent, ...]) -> None:
    """The adjoints of a call's events, last first."""
    port = _port(frame)
    if port is not None:
        for one in reversed(events):
            adjoint_event(port, one)


def first_run_begins(frame: Frame, code: str, node: int) -> PartKey | None:
    """A part begins whose second run comes later."""
    port = _port(frame)
    if port is None:
        return None
    key = port.enter_first(f"{code}@{node}")
    port.targets.append(port.target)
    port.target = port.target or port.name(key)
    return key


def first_run_ends(frame: Frame, key: PartKey | None) -> None:
    """It is over."""
    port = _port(frame)
    if port is not None and key is not None:
        port.target = port.targets.pop()
        port.leave_first(key)


def second_run_begins(frame: Frame, key: PartKey | None) -> OuterRun | None:
    """The second run of a part: events are counted from where it began."""
    port = _port(frame)
    if port is None or key is None:
        return None
    outer = port.again, port.target, port.counter, port.inside
    port.again, port.target, port.counter, port.inside = port.name(key), None, key[1], key[2] + 1
    return outer


def second_run_ends(frame: Frame, key: PartKey | None, outer: OuterRun | None) -> None:
    """The part's adjoint is over, and its log."""
    port = _port(frame)
    if port is not None and key is not None and outer is not None:
        port.log.end(port.name(key))
        port.again, port.target, port.counter, port.inside = outer

"""What a forward sweep under a plan leaves behind for the backward sweep: its trace."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from snapset.analysis.adjoint.repeatable_groups import Steps
from snapset.analysis.memory.locations import Location
from snapset.analysis.replay.machine.plan_tables import PartPlan, SplitCallPlan
from snapset.analysis.replay.machine.reevaluated_branches import ReevaluatedBranch
from snapset.analysis.replay.machine.saved_copies import Pieces, Saved
from snapset.analysis.replay.machine.stack import Undo
from snapset.analysis.replay.memory.frames import Bound, Frame
from snapset.analysis.replay.memory.runtime_support import Array, Slot
from snapset.analysis.replay.ranks.rank_events import DoneEvent, PartKey
from snapset.frontend.base.frozen_records import frozen


@frozen
class SplitCallRun:
    """A run of a callee between its sweeps."""

    plan: SplitCallPlan
    frame: Frame
    actuals: Bound
    trace: list[TraceEntry]


@dataclass(slots=True)
class TraceEntry:
    """One thing to be undone. ``bytes``: what it has on the stack, ``lower`` of them for Sbk. ``again``: assignments
    that then run once more. ``held``: required locations as they were, under a choice of S and U. ``events``:
    what a call of MPI did; ``instance``: which run of a part it is, where ranks communicate."""

    node: int
    bytes: int
    variables: list[tuple[Slot, Any]]
    undo: Undo | None = None
    derivative: Callable[..., Any] | None = None
    mask: Array | None = None
    part: PartPlan | None = None
    snp: Saved | None = None
    sbk: Saved | None = None
    idle_writes: list[tuple[Slot, Any]] | None = None
    lower: int = 0
    resets: tuple[Location, ...] = ()
    split_run: SplitCallRun | None = None
    sides: tuple[Any, ...] = ()
    pieces: Pieces = field(default_factory=dict)
    own: Pieces = field(default_factory=dict)
    decided: ReevaluatedBranch | None = None
    again: Steps = ()
    held: list[Any] | None = None
    events: tuple[DoneEvent, ...] = ()
    instance: PartKey | None = None

"""The plan of a program as tables: what the plan machine looks up while running, and a row for all it may save."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from typing import Any, Literal, TypeAlias

from snapset.analysis.adjoint.repeatable_groups import Steps
from snapset.analysis.memory.locations import Location
from snapset.analysis.replay.machine.reevaluated_branches import Deciding
from snapset.analysis.replay.memory.runtime_support import SlotFinder
from snapset.frontend.base.frozen_records import frozen

Kind: TypeAlias = Literal["snp", "sbk", "tape", "mask", "control"]
SavedLocation: TypeAlias = tuple[Location, int]  # a saved location and its row
NOT_TAPED = -1
IN_SBK = -1  # a location of Snp that Sbk holds already takes no room of its own


@frozen
class Row:
    """One thing a plan may put on the stack; what it takes is counted by its number.

    ``procedure``: the code's key; ``level``: the marked part whose adjoint does it (0: the procedure itself);
    ``location``: its name as reports show it, or what is recorded of control. ``size``: the bytes of an allocation.
    """

    procedure: str
    level: int
    node: int
    kind: Kind
    location: str
    size: int = 0


@frozen
class PartPlan:
    """A part (or active call): what is saved, and what is free to be destroyed at which moment.

    ``lost_before``: between D̄ and POP(Snp); ``idle``: those of them D̄ does not use; ``lost_after``:
    between C̄ and POP(Sbk). ``passive``: what flows into a call and does not vary, whose adjoints end as zero.
    ``callees``: by procedure the code that a call runs. ``pieces``: the locations of which only some elements
    are saved, with what finds these: a slot and an index; nothing else is lost of those that are not in ``lost_whole``.
    ``again``: the assignments that run when the snapshot is back. ``inside``: the locations of which D̄ overwrites
    nothing but the piece. ``allocates``: a second run makes anew what has an adjoint. ``own``: of arrays that the
    iterations of a loop share out, what finds the elements of this one: no others are lost.
    """

    level: int | None
    callees: Mapping[str, str]
    snp: tuple[SavedLocation, ...]
    sbk: tuple[SavedLocation, ...]
    first: frozenset[int]
    idle: tuple[Location, ...]
    lost_before: tuple[Location, ...]
    lost_after: tuple[Location, ...]
    passive: tuple[Location, ...]
    pieces: Mapping[Location, Callable[..., Any]] = field(default_factory=dict)
    lost_whole: frozenset[Location] = frozenset()
    again: Steps = ()
    inside: frozenset[Location] = frozenset()
    allocates: bool = False
    own: Mapping[Location, Callable[..., Any]] = field(default_factory=dict)


@frozen
class SplitCallPlan:
    """A call in split mode. ``saved``: what its caller tapes, to enter the callee again. ``callees``, ``passive``: as
    of a part."""

    callees: Mapping[str, str]
    saved: tuple[SavedLocation, ...]
    passive: tuple[Location, ...]


@frozen
class LevelPlan:
    """One level: what runs (``running``), what each node's writes tape, its parts, where control goes on.

    ``taped``: by node the row of each written piece (NOT_TAPED: none); ``whole``: what a call that is no part
    saves, and the end of a code whose sweeps run apart. ``split_calls``: calls in split mode. ``counted``: what is
    recorded of control at a node, in bytes, and its row. ``resets``: whose adjoints an inactive call sets to zero.
    ``again``: the assignments that run once more when a node is taken back; ``behind``: before it is.
    ``deciding``: the tests and loop beginnings that are evaluated again; ``meets``: by node, those that are then.
    ``staying``: assignments whose values stay when they are taken back, untaped.
    """

    enter: int
    leave: int
    running: frozenset[int]
    taped: Mapping[int, tuple[int, ...]]
    whole: Mapping[int, tuple[SavedLocation, ...]]
    parts: Mapping[int, PartPlan]
    split_calls: Mapping[int, SplitCallPlan]
    skip: Mapping[int, int]
    flat_skip: Mapping[int, int]
    counted: Mapping[int, tuple[int, int]]
    resets: Mapping[int, tuple[Location, ...]]
    deciding: Mapping[int, Deciding]
    meets: Mapping[int, tuple[int, ...]]
    again: Mapping[int, Steps] = field(default_factory=dict)
    behind: Mapping[int, Steps] = field(default_factory=dict)
    staying: frozenset[int] = frozenset()


@frozen
class ProcedurePlan:
    """``derivatives``: compiled statement adjoints; ``regenerated``: what finds the DO variables given back at a node;
    ``stored_masks``: rows of the WHERE masks that are recorded, by node. ``key``: the code's; ``dying``: its own
    when its forward sweep ends (split mode); ``sides``: what evaluates the sides a statement records, and their row."""

    key: str
    levels: tuple[LevelPlan, ...]
    derivatives: Mapping[int, Callable[..., Any]]
    regenerated: Mapping[int, tuple[SlotFinder, ...]]
    stored_masks: Mapping[int, int]
    dying: tuple[Location, ...]
    sides: Mapping[int, tuple[Callable[..., Any], int]]


@frozen
class Plans:
    """The plans of all adjoint codes, by key (the head's first), under one strategy; ``rows`` by number."""

    procedures: Mapping[str, ProcedurePlan]
    rows: tuple[Row, ...]

    def without(self, number: int) -> Plans:
        """The same plans, but what one row saves is not saved. For rows of kind snp, sbk and tape."""
        row = self.rows[number]
        plan = self.procedures[row.procedure]
        level = _without(plan.levels[row.level], row.node, number)
        levels = (*plan.levels[:row.level], level, *plan.levels[row.level + 1:])
        return replace(self, procedures={**self.procedures, row.procedure: replace(plan, levels=levels)})


def _without(level: LevelPlan, node: int, number: int) -> LevelPlan:
    taped, whole, parts, split_calls = dict(level.taped), dict(level.whole), dict(level.parts), dict(level.split_calls)
    if node in taped:
        taped[node] = tuple(NOT_TAPED if row == number else row for row in taped[node])
    if node in whole:
        whole[node] = _others(whole[node], number)
    if node in split_calls:
        split_calls[node] = replace(split_calls[node], saved=_others(split_calls[node].saved, number))
    if node in parts:
        part = parts[node]
        parts[node] = replace(part, snp=_others(part.snp, number), sbk=_others(part.sbk, number))
    return replace(level, taped=taped, whole=whole, parts=parts, split_calls=split_calls)


def _others(saved: tuple[SavedLocation, ...], number: int) -> tuple[SavedLocation, ...]:
    return tuple((location, row) for location, row in saved if row != number)

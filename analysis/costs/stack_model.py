"""Peak and traffic of a head's adjoint, recursively (equations.md section 4).

    peak(Req |- I;D)   = max(bytes taped at I + peak(D-bar))
    peak(Req |- [C];D) = bytes(Sbk) + max(bytes(Snp) + peak(Req_D |- D-bar), peak(Req_C |- C-bar))

What a part's second run reads of messages, ``log(C)``, is kept as Sbk is, to the end of C-bar.

A stretch of adjoint code has three figures (:class:`~snapset.analysis.costs.stack_figures.Cost`): what its forward
sweep leaves on the stack, the highest point within it while its parts' own adjoints run, and all bytes it writes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeAlias, TypeVar
from weakref import proxy

from snapset.analysis.adjoint.interprocedural import Adjoints
from snapset.analysis.costs.control_regions import ControlRegion, structure
from snapset.analysis.costs.module_shapes import ModuleShapes
from snapset.analysis.costs.part_costs import LevelCost
from snapset.analysis.costs.part_messages import part_messages
from snapset.analysis.costs.stack_figures import Cost
from snapset.analysis.costs.tape_pushes import Pushes
from snapset.analysis.costs.trip_counts import CountScope, Given
from snapset.analysis.incremental.query_engine import QueryOwner, derived, query
from snapset.analysis.recording.head_records import HeadRecords
from snapset.analysis.recording.tape_sites import Stretch
from snapset.analysis.recording.to_be_recorded import ProcedureRecord
from snapset.analysis.results import Bytes, PartMessages
from snapset.analysis.symbolic.atoms import Sym
from snapset.analysis.symbolic.polynomials import ZERO, Number, Quantity, of
from snapset.analysis.symbolic.substitution import known
from snapset.frontend.base.deep_recursion import deep
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.cfg.graph import Loop

T = TypeVar("T")
Lifted: TypeAlias = Callable[[Bytes | None], Bytes | None]


@frozen
class PartCost:
    """What one part costs on the stack. ``whole``: from the part's first run to the turn of its level, [C];D.
    ``adjoint``: its adjoint alone, C̄."""

    whole: Cost
    adjoint: Cost


@frozen
class CodeCost:
    """A code's whole cost, and those of its parts by level and node."""

    whole: Cost
    parts: Mapping[tuple[int, int], PartCost]


@frozen
class KnownCosts:
    """Where the costs of codes are asked for (:class:`HeadCosts`)."""

    whole: Callable[[str], Cost]
    parts: Callable[[str], Mapping[tuple[int, int], PartCost]]


class HeadStructure(QueryOwner):
    """What no strategy changes: scopes and structures of a head's procedures (``order``: the head first).

    ``given`` puts numbers in the place of the head's names, from the beginning: then its costs are numbers. What a
    callee calls by the same name is another thing, and has its value only where the formula is lifted to the head.
    """

    def __init__(self, adjoints: Adjoints, order: Sequence[str] | None = None, given: Given | None = None,
                 through_calls: bool = False) -> None:
        super().__init__(adjoints.engine)
        self.adjoints = adjoints
        self._order = order
        self.given = given
        self.through_calls = through_calls
        self.shapes = ModuleShapes(adjoints.models)
        self._numbers: dict[tuple[str, Sym], int | None] = {}
        self._asked: dict[str, int] = {}

    @property
    def order(self) -> Sequence[str]:
        """The head's codes, callers first."""
        return self.adjoints.planning.order() if self._order is None else self._order

    @derived
    def scope(self, key: str) -> CountScope:
        adjoint, models = self.adjoints.by_key[key], self.adjoints.models
        found = CountScope(adjoint.model, adjoint.control.deciding, self._given(key), models.program.procedures,
                           self.shapes.extents)
        procedure = adjoint.code.procedure
        if found.names_lines() or models.recurs(procedure):  # of what is not known, a line's number is the name
            models.place(procedure)
        return found

    def _given(self, key: str) -> Given | None:
        if self.given is None or key == self.order[0]:
            return self.given
        if not self.through_calls:
            return None
        return partial(HeadStructure._number, proxy(self), key)  # no cycle: the scope is ours

    def _number(self, key: str, sym: Sym) -> int | None:
        """What a code's name stands for, where all calls of it give the same number."""
        if key == self.order[0]:
            return None if self.given is None else self.given(sym)
        if (key, sym) not in self._numbers:
            depth = self._asked.get(key)
            if depth is not None and len(sym.path) > depth:
                return None  # down a list, x%next%next: each call of a recursion asks for the next one's
            self._asked[key] = len(sym.path)
            self._numbers[key, sym] = None  # asked for while it is looked for: a recursion
            found = {self._passed(caller, node, procedure, sym) for caller in self.adjoints.codes.callers[key]
                     for (node, procedure), run in self.adjoints.by_key[caller].code.callees.items() if run == key}
            only = found.pop() if len(found) == 1 else None
            self._numbers[key, sym] = None if only is None else int(only)
            if depth is None:
                del self._asked[key]
            else:
                self._asked[key] = depth
        return self._numbers[key, sym]

    def _passed(self, caller: str, node: int, procedure: str, sym: Sym) -> Number | None:
        """What a name of what is called stands for at one call, where that is a number."""
        return known(self.lifter(caller, node, procedure)(of(sym)), partial(self._number, caller)).constant

    @derived
    def region(self, key: str, index: int) -> ControlRegion:
        adjoint = self.adjoints.by_key[key]
        graph = adjoint.levels[index].graph.forward
        succs = {n: tuple(graph.succs[n]) for n in graph.order}
        found = structure(adjoint.model.flow, frozenset(graph.order), succs, graph.entry)
        if found.names_lines():
            self.adjoints.models.place(adjoint.code.procedure)
        return found

    @derived
    def messages(self, key: str, level: int, node: int) -> PartMessages | None:
        """What a part says to other ranks; None where nothing."""
        return part_messages(self, key, level, node) if self.adjoints.messages.any() else None

    def log(self, key: str, level: int, node: int) -> Quantity:
        """The bytes that one run of a part logs for its second run."""
        found = self.messages(key, level, node)
        return ZERO if found is None else found.log_bytes

    @derived
    def lifter(self, key: str, node: int, procedure: str) -> Callable[[Quantity], Quantity]:
        """From a callee's names to its caller's, at one call."""
        callee = self.adjoints.models.program.procedures[procedure]
        return self.scope(key).lifter(self.adjoints.by_key[key].model.calls[node].stmt, node, callee)


class CostModel:
    """The costs of one head under one strategy. Every formula is in its own procedure's names.

    ``tagged``: see :class:`~snapset.analysis.costs.tape_pushes.Pushes`. ``before``: the same head under another
    strategy; what is the same under both is not worked out again. ``followed``: this will be another's ``before``.
    ``known``:
    what the codes cost that are not in ``own``.
    """

    def __init__(self, structures: HeadStructure, records: Mapping[str, ProcedureRecord], tagged: bool = False,
                 before: CostModel | None = None, followed: bool = False,
                 known: KnownCosts | None = None, own: frozenset[str] = frozenset()) -> None:
        self.structures = structures
        self.known = known
        self.own = own
        self.followed = followed
        self.tagged = tagged
        self.records = records
        self._pushes: dict[str, Pushes] = {}
        self._levels: dict[tuple[str, int], LevelCost] = {}
        self._before: dict[tuple[str, int], LevelCost] = {}
        self._moved: set[str] = set()
        self._open: set[str] = set()
        if before is not None:
            self._keep(before)

    def _keep(self, before: CostModel) -> None:
        """All that is the same: of codes recorded as before, none of whose callees costs otherwise."""
        adjoints, codes = self.structures.adjoints, self.structures.adjoints.codes
        other = {key for key, record in self.records.items() if before.records[key] is not record}
        stale = other.union(*(codes.above(key) for key in other))
        self._pushes = {key: one for key, one in before._pushes.items() if key not in other}
        for at, level in before._levels.items():
            (self._before if at[0] in stale else self._levels)[at] = level
        recursive = any(adjoints.models.recurs(codes.by_key[key].procedure) for key in stale)
        self._moved = set(stale) if recursive else set()
        for key in reversed(self.structures.order) if not recursive else ():
            if key in other or (key in stale and not self._moved.isdisjoint(codes.by_key[key].callees.values())):
                if self.whole(key) != before.whole(key):
                    self._moved.add(key)
            elif key in stale:
                self._levels.update((at, level) for at, level in self._before.items() if at[0] == key)

    def _dirty(self, before: LevelCost) -> frozenset[int]:
        """The nodes of a level that may cost otherwise than before: their pushes are others, or what they run is."""
        key, index, adjoint = before.key, before.index, before.adjoint_
        pushes = self.pushes_of(key)
        found = {node for node in (before.level.parts.keys() | adjoint.split_calls.keys()) & adjoint.model.calls.keys()
                 if any((node, target.key) in adjoint.code.callees
                        and adjoint.code.callees[node, target.key] in self._moved
                        for target in adjoint.model.calls[node].targets)}
        found.update(node for node, inner in before.level.graph.parts.items()
                     if (key, inner) not in self._before or self._dirty(self._before[key, inner]))
        if pushes is not before.pushes:
            now, then = pushes.record.levels[index], before.pushes.record.levels[index]
            found.update(_different(now.taped, then.taped), _different(now.solved, then.solved),
                         _different(pushes.control(index), before.control))
        return frozenset(found)

    def head(self) -> Cost:
        """The whole head, in the names of its procedure."""
        return self.whole(self.structures.order[0])

    def whole(self, key: str) -> Cost:
        """The whole adjoint of a procedure, in its own names."""
        if self.known is not None and key not in self.own:
            return self.known.whole(key)
        return self.level(key, 0).whole

    def part(self, key: str, level: int, node: int) -> PartCost:
        """A part of a procedure, reached for the first time."""
        if self.known is not None and key not in self.own:
            return self.known.parts(key)[level, node]
        found = self.level(key, level)
        return PartCost(found.behind(node), found.adjoint(node))

    @deep
    def level(self, key: str, index: int) -> LevelCost:
        if (key, index) not in self._levels:
            outermost = key not in self._open
            self._open.add(key)
            self._levels[key, index] = self._worked_out(key, index)
            if outermost:
                self._open.discard(key)
        return self._levels[key, index]

    def _worked_out(self, key: str, index: int) -> LevelCost:
        before, adjoints = self._before.get((key, index)), self.structures.adjoints
        if before is None or adjoints.models.recurs(adjoints.planning.code(key).procedure):
            return LevelCost(self, key, index)
        return LevelCost(self, key, index, before, self._dirty(before))

    def recurs(self, key: str) -> bool:
        """Is the cost of a code asked for while it is being worked out?"""
        return key in self._open and (key, 0) not in self._levels

    def split_calls_in(self, key: str, stretch: Stretch) -> Iterator[tuple[str, Stretch, Lifted]]:
        """The callees of a stretch that run apart, all of them as a stretch, and what turns their bytes into those of
        all executions of the call."""
        adjoint, pushes = self.structures.adjoints.by_key[key], self.pushes_of(key)
        for node in sorted(stretch.nodes & adjoint.split_calls.keys()):
            loops = pushes.taping.loops_around(node, stretch.level)
            for target, callee in adjoint.split_calls[node].targets:
                lift = self.structures.lifter(key, node, target.key)

                def lifted(amount: Bytes | None, lift: Callable[[Quantity], Quantity] = lift,
                           loops: Sequence[Loop] = loops) -> Bytes | None:
                    return None if amount is None else pushes.times(lift(amount), loops)

                order = self.structures.adjoints.by_key[callee].levels[0].graph.forward.order
                yield callee, Stretch(stretch.part, frozenset(order), 0), lifted

    def pushes_of(self, key: str) -> Pushes:
        if self.known is not None:  # who asks has read what they are made of
            self.structures.adjoints.by_key[key], self.records[key]
        if key not in self._pushes:
            structures = self.structures
            self._pushes[key] = Pushes(structures.adjoints.by_key[key], self.records[key], structures.scope(key),
                                       self.tagged)
        return self._pushes[key]


class HeadCosts(QueryOwner):
    """The costs of a head's codes by strategy, each found when it is asked for."""

    def __init__(self, records: HeadRecords) -> None:
        super().__init__(records.engine)
        self.records = records
        self.planning = records.planning
        self.models = records.adjoints.models
        self.structures = HeadStructure(records.adjoints)

    def under(self, name: str, own: frozenset[str] = frozenset()) -> CostModel:
        """All of one strategy; ``own``: those to be worked out."""
        known = KnownCosts(partial(self.whole, name), lambda key: self._cost(name, key).parts)
        return CostModel(self.structures, self.records.under(name), known=known, own=own)

    def _cost(self, name: str, key: str) -> CodeCost:
        return self.together(name, self.planning.together(key))[key]

    @query("file")
    def whole(self, name: str, key: str) -> Cost:
        """The whole adjoint of a code, in its own names: what its callers see."""
        return self._cost(name, key).whole

    @query()
    def together(self, name: str, keys: tuple[str, ...]) -> Mapping[str, CodeCost]:
        """The costs of codes that run each other, or of one."""
        cost_model, adjoints = self.under(name, frozenset(keys)), self.records.adjoints
        for key in (*(key for key in keys if self._is_entered(key, keys)), *keys):
            cost_model.whole(key)
        return {key: CodeCost(cost_model.whole(key), {
            (level.graph.index, node): cost_model.part(key, level.graph.index, node)
            for level in adjoints.by_key[key].levels for node in level.parts}) for key in keys}

    def _is_entered(self, key: str, keys: tuple[str, ...]) -> bool:
        """Does anything but these codes run it?"""
        callers = self.planning.callers(key)
        return not callers or any(caller not in keys for caller in callers)


def _different(one: Mapping[int, T], other: Mapping[int, T]) -> Iterator[int]:
    """The keys whose values are not the same."""
    return (key for key in one.keys() | other.keys() if one.get(key) != other.get(key))

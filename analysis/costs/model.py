"""Peak and traffic of a head's adjoint, recursively (equations.md section 4).

    peak(Req |- I;D)   = max(bytes taped at I + peak(D-bar))
    peak(Req |- [C];D) = bytes(Sbk) + max(bytes(Snp) + peak(Req_D |- D-bar), peak(Req_C |- C-bar))

A stretch of adjoint code has three figures (:class:`~snapset.analysis.costs.cost.Cost`): what its forward sweep
leaves on the stack, the highest point within it while its parts' own adjoints run, and all bytes it writes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from snapset.analysis.adjoints import Adjoints
from snapset.analysis.costs.cost import Cost
from snapset.analysis.costs.formula import Formula
from snapset.analysis.costs.level import LevelCost
from snapset.analysis.costs.pushes import Pushes
from snapset.analysis.costs.scope import Given, Scope
from snapset.analysis.costs.structure import Region, structure
from snapset.analysis.recorded import ProcedureRecord
from snapset.analysis.result import Bytes
from snapset.analysis.taping import Stretch
from snapset.frontend.flow import Loop

Lifted: TypeAlias = Callable[[Bytes | None], Bytes | None]


@dataclass(frozen=True, slots=True)
class PartCost:
    """``whole``: from a part's first run to the turn of its level, [C];D. ``adjoint``: C-bar."""

    whole: Cost
    adjoint: Cost


class Ground:
    """What no strategy changes: scopes and structures of a head's procedures (``order``: the head first).

    ``given`` puts numbers in the place of the head's names, from the beginning: then its costs are numbers. What a
    callee calls by the same name is another thing, and has its value only where the formula is lifted to the head.
    """

    def __init__(self, adjoints: Adjoints, order: Sequence[str], given: Given | None = None) -> None:
        self.adjoints = adjoints
        self.order = order
        self.given = given
        self._scopes: dict[str, Scope] = {}
        self._regions: dict[tuple[str, int], Region] = {}
        self._lifters: dict[tuple[str, int, str], Callable[[Formula], Formula]] = {}

    def scope(self, key: str) -> Scope:
        if key not in self._scopes:
            adjoint = self.adjoints.by_key[key]
            given = self.given if key == self.order[0] else None
            self._scopes[key] = Scope(adjoint.model, adjoint.control.deciding, given)
        return self._scopes[key]

    def region(self, key: str, index: int) -> Region:
        if (key, index) not in self._regions:
            adjoint = self.adjoints.by_key[key]
            graph = adjoint.levels[index].graph.forward
            succs = {n: tuple(graph.succs[n]) for n in graph.order}
            self._regions[key, index] = structure(adjoint.model.flow, frozenset(graph.order), succs, graph.entry)
        return self._regions[key, index]

    def lifter(self, key: str, node: int, procedure: str) -> Callable[[Formula], Formula]:
        """From a callee's names to its caller's, at one call."""
        at = key, node, procedure
        if at not in self._lifters:
            callee = self.adjoints.models.by_key[procedure].procedure
            self._lifters[at] = self.scope(key).lifter(self.adjoints.by_key[key].model.calls[node].stmt, node, callee)
        return self._lifters[at]


class Coster:
    """The costs of one head under one strategy. Every formula is in its own procedure's names.

    ``tagged``: see :class:`~snapset.analysis.costs.pushes.Pushes`. ``before``: the same head under another strategy;
    what is the same under both is not worked out again.
    """

    def __init__(self, ground: Ground, records: Mapping[str, ProcedureRecord], tagged: bool = False,
                 before: Coster | None = None) -> None:
        self.ground = ground
        self.tagged = tagged
        self.records = records
        self._pushes: dict[str, Pushes] = {}
        self._levels: dict[tuple[str, int], LevelCost] = {}
        self._before: dict[tuple[str, int], LevelCost] = {}
        self._open: set[str] = set()
        if before is not None:
            self._keep(before)

    def _keep(self, before: Coster) -> None:
        """All costs of the codes that are recorded as before, and so are those they run."""
        codes = self.ground.adjoints.codes
        other = {key for key, record in self.records.items() if before.records[key] is not record}
        stale = other.union(*(codes.above(key) for key in other))
        self._pushes = {key: one for key, one in before._pushes.items() if key not in other}
        for at, level in before._levels.items():
            (self._before if at[0] in stale else self._levels)[at] = level

    def head(self) -> Cost:
        """The whole head, in the names of its procedure."""
        return self.whole(self.ground.order[0])

    def whole(self, key: str) -> Cost:
        """The whole adjoint of a procedure, in its own names."""
        return self.level(key, 0).whole

    def part(self, key: str, level: int, node: int) -> PartCost:
        """A part of a procedure, reached for the first time."""
        found = self.level(key, level)
        return PartCost(found.behind(node), found.adjoint(node))

    def level(self, key: str, index: int) -> LevelCost:
        if (key, index) not in self._levels:
            outermost = key not in self._open
            self._open.add(key)
            self._levels[key, index] = LevelCost(self, key, index, self._before.pop((key, index), None))
            if outermost:
                self._open.discard(key)
        return self._levels[key, index]

    def recurs(self, key: str) -> bool:
        """Is the cost of a code asked for while it is being worked out?"""
        return key in self._open and (key, 0) not in self._levels

    def apart_in(self, key: str, stretch: Stretch) -> Iterator[tuple[str, Stretch, Lifted]]:
        """The callees of a stretch that run apart, all of them as a stretch, and what turns their bytes into those of
        all executions of the call."""
        adjoint, pushes = self.ground.adjoints.by_key[key], self.pushes_of(key)
        for node in sorted(stretch.nodes & adjoint.apart.keys()):
            loops = pushes.taping.loops_around(node, stretch.level)
            for target, callee in adjoint.apart[node].targets:
                lift = self.ground.lifter(key, node, target.key)

                def lifted(amount: Bytes | None, lift: Callable[[Formula], Formula] = lift,
                           loops: Sequence[Loop] = loops) -> Bytes | None:
                    return pushes.times(lift(amount), loops) if isinstance(amount, Formula) else None

                order = self.ground.adjoints.by_key[callee].levels[0].graph.forward.order
                yield callee, Stretch(stretch.part, frozenset(order), 0), lifted

    def pushes_of(self, key: str) -> Pushes:
        if key not in self._pushes:
            ground = self.ground
            self._pushes[key] = Pushes(ground.adjoints.by_key[key], self.records[key], ground.scope(key), self.tagged)
        return self._pushes[key]

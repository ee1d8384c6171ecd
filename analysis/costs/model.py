"""Peak and traffic of a head's adjoint, recursively (equations.md section 4).

    peak(Req |- I;D)   = max(bytes taped at I + peak(D-bar))
    peak(Req |- [C];D) = bytes(Sbk) + max(bytes(Snp) + peak(Req_D |- D-bar), peak(Req_C |- C-bar))

A stretch of adjoint code has three figures (:class:`Cost`): what its forward sweep leaves on the stack,
the highest point within it while its parts' own adjoints run, and all bytes it writes. Sequences add them,
branches take the worse side of each, loops repeat them (the part of the last iteration sits on the tape of
all others).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from snapset.analysis.adjoint import ProcedureAdjoint
from snapset.analysis.adjoints import Adjoints
from snapset.analysis.costs.formula import ONE, ZERO, Counter, Formula, clamp, maximum, of
from snapset.analysis.costs.loops import at, depends, largest, total
from snapset.analysis.costs.pushes import Pushes
from snapset.analysis.costs.scope import Given, Scope
from snapset.analysis.costs.structure import Region, Repeat, structure
from snapset.analysis.recorded import ProcedureRecord
from snapset.analysis.result import Bytes
from snapset.analysis.taping import Stretch
from snapset.frontend import ir
from snapset.frontend.flow import Loop

Lifted: TypeAlias = Callable[[Bytes | None], Bytes | None]


@dataclass(frozen=True, slots=True)
class Cost:
    """Bytes: ``left`` on the stack by the forward sweep; ``inside``: the highest point while adjoints of parts
    run (0 without parts); ``traffic``: all that is pushed."""

    left: Formula = ZERO
    inside: Formula = ZERO
    traffic: Formula = ZERO

    @property
    def peak(self) -> Formula:
        return maximum((self.left, self.inside))

    def then(self, other: Cost) -> Cost:
        """This, and what runs after it on top of what this leaves."""
        if self == NOTHING or other == NOTHING:
            return other if self == NOTHING else self
        inside = other.inside if not other.inside.terms else self.left + other.inside
        return Cost(self.left + other.left, maximum((self.inside, inside)), self.traffic + other.traffic)

    def changed(self, change: Callable[[Formula], Formula]) -> Cost:
        return self if self == NOTHING else Cost(change(self.left), change(self.inside), change(self.traffic))


NOTHING = Cost()


def worst(costs: Iterable[Cost]) -> Cost:
    """Of several ways the run can go."""
    found = list(dict.fromkeys(costs))
    if len(found) == 1:
        return found[0]
    return Cost(maximum(c.left for c in found), maximum(c.inside for c in found), maximum(c.traffic for c in found))


def repeated(body: Cost, counter: Counter, count: Formula) -> Cost:
    """A body run ``count`` times; it may depend on the counter."""
    if body == NOTHING:
        return NOTHING
    inside = body.inside
    if inside.terms:
        before = at(body.left, counter, of(_earlier(counter)))
        inside = inside + total(_earlier(counter), of(counter), before)
    return Cost(total(counter, count, body.left), largest(counter, count, inside),
                total(counter, count, body.traffic))


def _earlier(counter: Counter) -> Counter:
    return Counter(counter.name, counter.loop + "'")


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


class Coster:
    """The costs of one head under one strategy. Every formula is in its own procedure's names.

    ``tagged``: see :class:`~snapset.analysis.costs.pushes.Pushes`.
    """

    def __init__(self, ground: Ground, records: Mapping[str, ProcedureRecord], tagged: bool = False) -> None:
        self.ground = ground
        self.tagged = tagged
        self.records = records
        self._pushes: dict[str, Pushes] = {}
        self._levels: dict[tuple[str, int], _LevelCost] = {}
        self._open: set[str] = set()

    def head(self) -> Cost:
        """The whole head, in the names of its procedure."""
        return self.level(self.ground.order[0], 0).whole

    def part(self, key: str, level: int, node: int) -> PartCost:
        """A part of a procedure, reached for the first time."""
        found = self.level(key, level)
        return PartCost(found.behind(node), found.adjoint(node))

    def level(self, key: str, index: int) -> _LevelCost:
        if (key, index) not in self._levels:
            outermost = key not in self._open
            self._open.add(key)
            self._levels[key, index] = _LevelCost(self, key, index)
            if outermost:
                self._open.discard(key)
        return self._levels[key, index]

    def recurs(self, key: str) -> bool:
        """Is the cost of a code asked for while it is being worked out?"""
        return key in self._open and (key, 0) not in self._levels

    def lifter(self, key: str, node: int, procedure: str) -> Callable[[Formula], Formula]:
        """From a callee's names to its caller's."""
        adjoints = self.ground.adjoints
        stmt = adjoints.by_key[key].model.calls[node].stmt
        return self.ground.scope(key).lifter(stmt, node, adjoints.models.by_key[procedure].procedure)

    def apart_in(self, key: str, stretch: Stretch) -> Iterator[tuple[str, Stretch, Lifted]]:
        """The callees of a stretch that run apart, all of them as a stretch, and what turns their bytes into those of
        all executions of the call."""
        adjoint, pushes = self.ground.adjoints.by_key[key], self.pushes_of(key)
        for node in sorted(stretch.nodes & adjoint.apart.keys()):
            loops = pushes.taping.loops_around(node, stretch.level)
            for target, callee in adjoint.apart[node].targets:
                lift = self.lifter(key, node, target.key)

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


class _LevelCost:
    """One level's adjoint: its whole cost, and from each node to its end."""

    def __init__(self, coster: Coster, key: str, index: int) -> None:
        self.coster = coster
        self.key = key
        self.index = index
        self.adjoint_: ProcedureAdjoint = coster.ground.adjoints.by_key[key]
        self.level = self.adjoint_.levels[index]
        self.pushes = coster.pushes_of(key)
        self.scope = coster.ground.scope(key)
        self.control = self.pushes.control(index)
        self._behind: dict[int, Cost] = {}
        self._adjoints: dict[int, Cost] = {}
        self.whole = self.region(coster.ground.region(key, index), NOTHING)

    def behind(self, node: int) -> Cost:
        """From the first time a part is reached to the turn, the part included."""
        return self._behind.get(node, NOTHING)

    def adjoint(self, node: int) -> Cost:
        return self._adjoints.get(node, NOTHING)

    # ------------------------------------------------------------ structure

    def region(self, region: Region, after: Cost) -> Cost:
        """The cost of a region; ``after``: what follows it, for the figures of the parts in it."""
        rest: dict[int, Cost] = {}
        for member in reversed(region.order):
            follow = worst(rest[t] for t in region.succs[member]) if region.succs[member] else NOTHING
            if member in region.repeats:
                own = self.repeat(region.repeats[member], follow.then(after))
            else:
                own = self.node(member)
                if member in self.level.parts:
                    self._behind[member] = own.then(follow).then(after)
            rest[member] = own.then(follow)
        return worst(rest[e] for e in region.entries if e in rest)

    def repeat(self, repeat: Repeat, after: Cost) -> Cost:
        if repeat.loop is None:
            count = self.scope.unknown_trips(repeat.line)
            counter = Counter("pass", f"{self.key}:{repeat.line}")
        else:
            trips = self.scope.trips(repeat.loop)
            count, counter = trips.count, trips.counter
        known = set(self._behind)
        body = self.region(repeat.body, NOTHING)
        fresh = [n for n in self._behind if n not in known]
        if fresh:
            self.complete(fresh, body, counter, count, after)
        whole = repeated(body, counter, count)
        if repeat.loop is not None and isinstance(repeat.loop.stmt, ir.While):
            head = self.adjoint_.model.flow.first_node[id(repeat.loop.stmt)]
            whole = self.counted(head).then(whole)
            if repeat.loop.stmt.before:
                whole = whole.then(body)  # the condition that ends it is evaluated too
        return whole

    def complete(self, parts: list[int], body: Cost, counter: Counter, count: Formula, after: Cost) -> None:
        """Behind a part in a loop: the other iterations, and what follows the loop."""
        later = body.changed(lambda f: at(f, counter, of(counter) + ONE) if depends(f, counter) else f)
        others = repeated(later, counter, clamp(count - ONE))
        for node in parts:
            first = self._behind[node].changed(lambda f: at(f, counter, ZERO) if depends(f, counter) else f)
            self._behind[node] = first.then(others).then(after)

    # ------------------------------------------------------------ nodes

    def node(self, node: int) -> Cost:
        before = self.counted(node) if not self.heads_while(node) else NOTHING
        if node in self.level.parts:
            return before.then(self.part(node))
        if node in self.adjoint_.apart:
            before = before.then(self.callee(node))
        pushed = self.pushes.values(self.index, node)
        return before.then(Cost(pushed, ZERO, pushed) if pushed.terms else NOTHING)

    def counted(self, node: int) -> Cost:
        pushed = self.control.get(node)
        return NOTHING if pushed is None else Cost(pushed, ZERO, pushed)

    def heads_while(self, node: int) -> bool:
        """Is this where a loop without a count is entered and begun again? Its control is pushed once, outside."""
        if node not in self.control:
            return False
        flow = self.adjoint_.model.flow
        return any(x.init < 0 and flow.first_node[id(x.stmt)] == node for x in flow.loops)

    def part(self, node: int) -> Cost:
        taken = self.pushes.snapshot(self.pushes.record.levels[self.index].solved[node], node)
        inner = self.level.graph.parts.get(node)
        adjoint = self.callee(node) if inner is None else self.coster.level(self.key, inner).whole
        self._adjoints[node] = adjoint
        return Cost(taken.both, taken.sbk + adjoint.peak, taken.both + adjoint.traffic)

    def callee(self, node: int) -> Cost:
        """The adjoint of what a call runs, or its forward sweep (split mode), in this procedure's names; the worst
        of several."""
        found = []
        model = self.adjoint_.model
        for target in model.calls[node].targets:
            key = self.adjoint_.code.callees.get((node, target.key))
            if key is not None and self.coster.recurs(key):
                deeper = self.scope.deeper(model.flow.nodes[node].span.line)
                found.append(Cost(ZERO, deeper, deeper))
            elif key is not None:
                lift = self.coster.lifter(self.key, node, target.key)
                found.append(self.coster.level(key, 0).whole.changed(lift))
        return worst(found) if found else NOTHING

"""The cost of one level's adjoint: its whole, and from each of its parts to its end.

Worked out again under another strategy, it keeps what is the same: the costs of the nodes whose pushes and callees
are as they were, and of all that lies behind them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from typing import TYPE_CHECKING

from snapset.analysis.costs.control_regions import ControlRegion, Repeat
from snapset.analysis.costs.stack_figures import NOTHING, Cost, repeated, worst
from snapset.analysis.procedures.call_binding import is_elementwise
from snapset.analysis.symbolic.atoms import Counter
from snapset.analysis.symbolic.extrema import clamp
from snapset.analysis.symbolic.loop_sums import at, depends
from snapset.analysis.symbolic.polynomials import ONE, ZERO, Quantity, of
from snapset.frontend import ir
from snapset.frontend.base.deep_recursion import deep
from snapset.frontend.base.frozen_records import frozen

if TYPE_CHECKING:
    from snapset.analysis.costs.stack_model import CostModel


@frozen
class RegionCost:
    """The costs found for one control region. ``own``: of each member alone. ``rest``: from a member to the end of the
    region. ``whole``: of all of it."""

    own: dict[int, Cost] = field(default_factory=dict)
    rest: dict[int, Cost] = field(default_factory=dict)
    whole: Cost = NOTHING


class LevelCost:
    """One level's adjoint. ``before``: the same level under another strategy; ``dirty``: the nodes whose pushes or
    callees may be others than there."""

    def __init__(self, cost_model: CostModel, key: str, index: int, before: LevelCost | None = None,
                 dirty: frozenset[int] = frozenset()) -> None:
        self.key = key
        self.index = index
        self.adjoint_ = cost_model.structures.adjoints.by_key[key]
        self.level = self.adjoint_.levels[index]
        self.pushes = cost_model.pushes_of(key)
        self.scope = cost_model.structures.scope(key)
        self.control = self.pushes.control(index)
        flow = self.adjoint_.model.flow
        self.whiles = frozenset(flow.first_node.get(x.stmt.id, -1) for x in flow.loops if x.init < 0)
        self.top = cost_model.structures.region(key, index)
        self._dirty = dirty
        self._worked: dict[ControlRegion, RegionCost] = {} if before is None else dict(before._worked)
        self._adjoints: dict[int, Cost] = {} if before is None else dict(before._adjoints)
        self._behind: dict[int, Cost] | None = None
        self.whole = self.region(self.top, cost_model).whole
        if not self.level.parts and not cost_model.followed:
            self._worked = {}

    def behind(self, node: int) -> Cost:
        """From the first time a part is reached to the turn, the part included."""
        if self._behind is None:
            self._behind = dict(self.parts(self.top, NOTHING))
        return self._behind.get(node, NOTHING)

    def adjoint(self, node: int) -> Cost:
        return self._adjoints.get(node, NOTHING)

    # ------------------------------------------------------------ structure

    def region(self, region: ControlRegion, cost_model: CostModel) -> RegionCost:
        """The costs in a region, from its end to its beginning."""
        old = self._worked.get(region)
        if old is not None and self._dirty.isdisjoint(region.inside):
            return old
        own: dict[int, Cost] = {}
        rest: dict[int, Cost] = {}
        for member in reversed(region.order):
            succs, before = region.succs[member], None if old is None else old.own[member]
            cost = own[member] = self.member(region, member, before, cost_model)
            if old is not None and cost is before and all(rest[t] is old.rest[t] for t in succs):
                rest[member] = old.rest[member]
            else:
                rest[member] = cost.then(_worst(rest, succs))
        entries = [e for e in region.entries if e in rest]
        same = old is not None and all(rest[e] is old.rest[e] for e in entries)
        self._worked[region] = found = RegionCost(own, rest, old.whole if old and same else _worst(rest, entries))
        return found

    def member(self, region: ControlRegion, member: int, before: Cost | None, cost_model: CostModel) -> Cost:
        """A loop or a node; what it was ``before`` if it is the same."""
        repeat = region.repeats.get(member)
        inside = (member,) if repeat is None else repeat.around
        if before is not None and self._dirty.isdisjoint(inside):
            return before
        found = self.node(member, cost_model) if repeat is None else self.repeat(repeat, cost_model)
        return before if before is not None and found == before else found

    @deep
    def repeat(self, repeat: Repeat, cost_model: CostModel) -> Cost:
        body = self.region(repeat.body, cost_model).whole
        whole = repeated(body, *self.trips(repeat))
        if repeat.loop is not None and isinstance(repeat.loop.stmt, ir.While):
            head = self.adjoint_.model.flow.first_node[repeat.loop.stmt.id]
            whole = self.counted(head).then(whole)
            if repeat.loop.stmt.before:
                whole = whole.then(body)  # the condition that ends it is evaluated too
        return whole

    def trips(self, repeat: Repeat) -> tuple[Counter, Quantity]:
        if repeat.loop is None:
            return Counter("pass", f"{self.key}:{repeat.line}"), self.scope.unknown_trips(repeat.line)
        trips = self.scope.trips(repeat.loop)
        return trips.counter, trips.count

    # ------------------------------------------------------------ from each part on

    def parts(self, region: ControlRegion, after: Cost) -> Iterator[tuple[int, Cost]]:
        """From each part in a region to the end of what lies ``after`` it."""
        worked = self._worked[region]
        for member in region.order:
            inner = region.repeats.get(member)
            if inner is None and member in self.level.parts:
                yield member, worked.rest[member].then(after)
            elif inner is not None and self.holds_parts(inner.body):
                follow = _worst(worked.rest, region.succs[member])
                yield from self.looping(inner, follow.then(after))

    @deep
    def holds_parts(self, region: ControlRegion) -> bool:
        return not self.level.parts.keys().isdisjoint(region.order) or any(
            self.holds_parts(inner.body) for inner in region.repeats.values())

    def looping(self, repeat: Repeat, after: Cost) -> Iterator[tuple[int, Cost]]:
        """Behind a part in a loop: the other iterations, and what follows the loop."""
        counter, count = self.trips(repeat)
        later = self._worked[repeat.body].whole.changed(
            lambda f: at(f, counter, of(counter) + ONE) if depends(f, counter) else f)
        others = repeated(later, counter, clamp(count - ONE))
        for node, cost in self.parts(repeat.body, NOTHING):
            first = cost.changed(lambda f: at(f, counter, ZERO) if depends(f, counter) else f)
            yield node, first.then(others).then(after)

    # ------------------------------------------------------------ nodes

    def node(self, node: int, cost_model: CostModel) -> Cost:
        """What one node pushes, and what it runs."""
        before = self.counted(node) if not self.heads_while(node) else NOTHING
        if node in self.level.parts:
            return before.then(self.part(node, cost_model))
        if node in self.adjoint_.split_calls:
            before = before.then(self.callee(node, cost_model))
        return before.then(_pushed(self.pushes.values(self.index, node)))

    def counted(self, node: int) -> Cost:
        return _pushed(self.control.get(node))

    def heads_while(self, node: int) -> bool:
        """Is this where a loop without a count is entered and begun again? Its control is pushed once, outside."""
        if node not in self.control:
            return False
        return node in self.whiles

    def part(self, node: int, cost_model: CostModel) -> Cost:
        taken = self.pushes.snapshot(self.pushes.record.levels[self.index].solved[node], node)
        inner = self.level.graph.parts.get(node)
        adjoint = self.callee(node, cost_model) if inner is None else cost_model.level(self.key, inner).whole
        self._adjoints[node] = adjoint
        log = cost_model.structures.log(self.key, self.index, node)
        return Cost(taken.both + log, taken.sbk + log + adjoint.peak, taken.both + log + adjoint.traffic)

    def callee(self, node: int, cost_model: CostModel) -> Cost:
        """The adjoint of what a call runs, or its forward sweep (split mode), in this procedure's names; the worst
        of several."""
        found = []
        model = self.adjoint_.model
        for target in model.calls[node].targets:
            key = self.adjoint_.code.callees.get((node, target.key))
            if key is not None and cost_model.recurs(key):
                deeper = self.scope.deeper(model.flow.nodes[node].span.line)
                found.append(Cost(ZERO, deeper, deeper))
            elif key is not None:
                lift = cost_model.structures.lifter(self.key, node, target.key)
                found.append(self.each(node, target.key, cost_model.whole(key).changed(lift), cost_model))
        return worst(found) if found else NOTHING

    def each(self, node: int, procedure: str, once: Cost, cost_model: CostModel) -> Cost:
        """The adjoint of a call, which an elemental procedure runs once for each element: each run leaves the stack as
        it found it."""
        stmt = self.adjoint_.model.calls[node].stmt
        program = cost_model.structures.adjoints.models.program
        if once == NOTHING or not is_elementwise(stmt, program.procedures[procedure]):
            return once
        return Cost(once.left, once.inside, once.traffic * self.pushes.runs(stmt, node))


def _pushed(amount: Quantity | None) -> Cost:
    return NOTHING if amount is None or not amount.terms else Cost(amount, ZERO, amount)


def _worst(costs: dict[int, Cost], of_those: Iterable[int]) -> Cost:
    found = [costs[one] for one in of_those]
    return worst(found) if found else NOTHING

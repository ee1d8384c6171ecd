"""The peak and the traffic of a head as rows of an integer program (docs/equations.md, section 4).

As :mod:`snapset.analysis.costs.part_costs` works them out, but with columns in place of what the decisions change: of
an IF with 80*x bytes on one way and 40 on the other, the column of its peak is at least both. What runs one after the
other is added up in a row, a loop multiplies, and what no decision changes is a number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from snapset.analysis.costs.control_regions import ControlRegion, Repeat
from snapset.analysis.costs.part_costs import LevelCost
from snapset.analysis.costs.stack_figures import Cost
from snapset.analysis.costs.stack_model import CostModel
from snapset.analysis.placement.decision_rows import NotSeparableError, Pushed, RequirementRows
from snapset.analysis.placement.linear_program import NO, LinearProgram, LinearSum, total
from snapset.analysis.procedures.call_binding import is_elementwise
from snapset.analysis.recording.strategies import Place
from snapset.analysis.symbolic.polynomials import Quantity
from snapset.frontend import ir
from snapset.frontend.base.deep_recursion import deep
from snapset.frontend.base.frozen_records import frozen

BLOCKS = 2000  # codes worked out for a call of their own
Number: TypeAlias = Callable[[Quantity], int]


@frozen
class LinearCost:
    """As :class:`~snapset.analysis.costs.stack_figures.Cost`; ``inside`` None: no part runs."""

    left: LinearSum = NO
    inside: LinearSum | None = None
    traffic: LinearSum = NO


class StackRows:
    """``lazy``: the costs with all decisions on the minus side; ``number``: the value of a formula of the head."""

    def __init__(self, rows: RequirementRows, lazy: CostModel, number: Number) -> None:
        self.rows = rows
        self.program: LinearProgram = rows.program
        self.lazy = lazy
        self.number = number
        self.moving = self._moving()
        self.open: set[str] = set()
        self.blocks = 0
        self.known: dict[str, LinearCost] = {}

    def _moving(self) -> dict[tuple[str, int], frozenset[int]]:
        """By level the nodes whose cost depends on a decision, but for what they run."""
        found: dict[tuple[str, int], set[int]] = {}
        for table in (self.rows.taped, self.rows.control):
            for (key, index, node), pushed in table.items():
                if any(yes.terms for yes, _ in pushed):
                    found.setdefault((key, index), set()).add(node)
        for key, index, node in self.rows.saved:
            found.setdefault((key, index), set()).add(node)
        return {at: frozenset(nodes) for at, nodes in found.items()}

    def head(self) -> tuple[LinearSum, LinearSum]:
        """Peak and traffic."""
        cost = self._code(self.lazy.structures.order[0], self.number)
        return self._peak(cost), cost.traffic

    def _peak(self, cost: LinearCost) -> LinearSum:
        return cost.left if cost.inside is None else self.program.largest((cost.left, cost.inside))

    # ------------------------------------------------------------ codes

    @deep
    def _code(self, key: str, number: Number) -> LinearCost:
        """A code's whole adjoint; worked out once if its figures are numbers in its own names, else for each call.
        ``number``: of a formula in its names."""
        if key not in self.known:
            self.blocks += 1
            if self.blocks > BLOCKS:
                raise NotSeparableError("more calls than can be followed")
            self.open.add(key)
            asked: list[Quantity] = []

            def own(amount: Quantity) -> int:
                constant = amount.constant
                if constant is not None:
                    return int(constant)
                asked.append(amount)
                return number(amount)

            found = _LevelRow(self, key, 0, own).whole()
            self.open.discard(key)
            if asked:
                return found
            self.known[key] = found
        return self.known[key]

    def called(self, key: str, node: int, number: Number) -> LinearCost:
        """The adjoint of what a call runs."""
        structures = self.lazy.structures
        adjoint = structures.adjoints.by_key[key]
        found = []
        for target in adjoint.model.calls[node].targets:
            callee = adjoint.code.callees.get((node, target.key))
            if callee is None:
                continue
            if callee in self.open:
                deeper = LinearSum({}, number(structures.scope(key).deeper(adjoint.model.flow.nodes[node].span.line)))
                found.append(LinearCost(NO, deeper, deeper))
                continue
            once = self._code(callee, _through(structures.lifter(key, node, target.key), number))
            program, stmt = structures.adjoints.models.program, adjoint.model.calls[node].stmt
            if is_elementwise(stmt, program.procedures[target.key]):
                runs = number(self.lazy.pushes_of(key).runs(stmt, node))
                once = LinearCost(once.left, once.inside, once.traffic.scaled(runs))
            found.append(once)
        return self.worst(found)

    # ------------------------------------------------------------ how costs add up

    def then(self, one: LinearCost, other: LinearCost) -> LinearCost:
        inside = one.inside
        if other.inside is not None:
            behind = self._named(one.left + other.inside)
            inside = behind if inside is None else self.program.largest((inside, behind))
        return LinearCost(self._named(one.left + other.left), inside, self._named(one.traffic + other.traffic))

    def _named(self, figure: LinearSum) -> LinearSum:
        """A column for a long sum, so that no row is long."""
        return figure if len(figure.terms) <= 8 else self._column(figure)

    def _column(self, figure: LinearSum) -> LinearSum:
        found = self.program.column()
        self.program.at_least(found, figure)
        return found

    def worst(self, costs: Iterable[LinearCost]) -> LinearCost:
        found = list(costs)
        if len(found) <= 1:
            return found[0] if found else LinearCost()
        inside = [one.inside for one in found if one.inside is not None]
        largest = self.program.largest
        return LinearCost(largest(one.left for one in found), largest(inside) if inside else None,
                          largest(one.traffic for one in found))

    def repeated(self, body: LinearCost, count: int) -> LinearCost:
        if not count:
            return LinearCost()
        inside = None if body.inside is None else body.left.scaled(count - 1) + body.inside
        return LinearCost(body.left.scaled(count), inside, body.traffic.scaled(count))


class _LevelRow:
    """One level. ``number``: of a formula of its code."""

    def __init__(self, stack: StackRows, key: str, index: int, number: Number) -> None:
        self.stack = stack
        self.key = key
        self.index = index
        self.number = number
        self.level: LevelCost = stack.lazy.level(key, index)
        self.moving = stack.moving.get((key, index), frozenset())

    def whole(self) -> LinearCost:
        return self.region(self.level.top)

    @deep
    def region(self, region: ControlRegion) -> LinearCost:
        rest: dict[int, LinearCost] = {}
        for member in reversed(region.order):
            behind = self.stack.worst(rest[one] for one in region.succs[member])
            rest[member] = self.stack.then(self.member(region, member), behind)
        return self.stack.worst(rest[one] for one in region.entries if one in rest)

    def member(self, region: ControlRegion, member: int) -> LinearCost:
        repeat = region.repeats.get(member)
        if self.moving.isdisjoint((member,) if repeat is None else repeat.around):
            return self.fixed(self.level.region(region, self.stack.lazy).own[member])
        return self.node(member) if repeat is None else self.repeat(repeat)

    def fixed(self, cost: Cost) -> LinearCost:
        left, inside, traffic = (LinearSum({}, self._counted(one)) for one in (cost.left, cost.inside, cost.traffic))
        return LinearCost(left, inside if cost.inside.terms else None, traffic)

    def _counted(self, amount: Quantity) -> int:
        """Raises NotSeparableError for an amount that is another one in each iteration of a loop."""
        if any(atom.counters for atom in amount.atoms()):
            raise NotSeparableError("loops whose bounds depend on other loops")
        return self.number(amount)

    def repeat(self, repeat: Repeat) -> LinearCost:
        body = self.region(repeat.body)
        whole = self.stack.repeated(body, self._counted(self.level.trips(repeat)[1]))
        if repeat.loop is not None and isinstance(repeat.loop.stmt, ir.While):
            head = self.level.adjoint_.model.flow.first_node[repeat.loop.stmt.id]
            whole = self.stack.then(self.control(head), whole)
            if repeat.loop.stmt.before:
                whole = self.stack.then(whole, body)
        return whole

    # ------------------------------------------------------------ nodes

    def node(self, node: int) -> LinearCost:
        before = LinearCost() if self.level.heads_while(node) else self.control(node)
        place = self.key, self.index, node
        if place in self.stack.rows.saved:
            return self.stack.then(before, self.part(node, place))
        taped = self.pushed(self.stack.rows.taped.get(place, ()))
        return self.stack.then(before, LinearCost(taped, None, taped))

    def control(self, node: int) -> LinearCost:
        pushed = self.pushed(self.stack.rows.control.get((self.key, self.index, node), ()))
        return LinearCost(pushed, None, pushed)

    def pushed(self, pushed: Pushed) -> LinearSum:
        return total(yes.scaled(self._counted(amount)) for yes, amount in pushed)

    def part(self, node: int, place: Place) -> LinearCost:
        saved, structures = self.stack.rows.saved[place], self.stack.lazy.structures
        log = LinearSum({}, self._counted(structures.log(*place)))
        sbk = self.pushed(saved.sbk) + log
        both = sbk + self.pushed(saved.snp)
        inner = self.level.level.graph.parts.get(node)
        adjoint = self.stack.called(self.key, node, self._counted) if inner is None else _LevelRow(
            self.stack, self.key, inner, self.number).whole()
        inside = [adjoint.left] + ([] if adjoint.inside is None else [adjoint.inside])
        return LinearCost(both, self.stack.program.largest(sbk + one for one in inside), both + adjoint.traffic)


def _through(lift: Callable[[Quantity], Quantity], number: Number) -> Number:
    return lambda amount: number(lift(amount))

"""What a real run counted (gcov), node by node, and the bytes that makes.

gcov counts lines. A node's count is that of the lines of its group: the nodes that run whenever it does, decided
by the same sides of the same tests in the same loops. A line that belongs to several groups (``if (c) x = y``)
says nothing; array operations count their elements too, IF and DO lines the ends of loops: only plain scalar
statements and calls are believed, on lines where nothing of arrays or structures is evaluated. What none of them
tells follows from the trip count where that is a number, or from both sides of an IF.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from snapset.analysis.costs.stack_model import CostModel, HeadStructure
from snapset.analysis.costs.tape_pushes import Pushes
from snapset.analysis.costs.trip_counts import CountScope
from snapset.analysis.dataflow.control_dependence import control_edges
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.symbolic.atoms import Sym
from snapset.analysis.symbolic.polynomials import ZERO, Quantity, add, of
from snapset.analysis.symbolic.substitution import substitute
from snapset.frontend import ir
from snapset.frontend.cfg.graph import Loop, Node
from snapset.frontend.ir.expression_queries import children

Lines = Mapping[tuple[str, int], int]
Group = tuple[frozenset[tuple[int, int]], tuple[int, ...]]


class NodeCounts:
    """How often each node of one procedure ran. ``lines``: counts by file and line."""

    def __init__(self, model: ProcedureModel, scope: CountScope, lines: Lines) -> None:
        self.model = model
        self.scope = scope
        edges = control_edges(model.flow)
        self.groups: dict[int, Group] = {n.index: (edges.get(n.index, frozenset()), n.loops) for n in model.flow.nodes}
        on_line: dict[tuple[str, int], set[Group]] = {}
        for node in model.flow.nodes:
            if node.kind in ("simple", "call", "test", "init"):
                on_line.setdefault((node.span.file, node.span.line), set()).add(self.groups[node.index])
        loops = {(n.span.file, n.span.line) for n in model.flow.nodes if n.kind in ("simple", "call") and _loops(n)}
        self.known: dict[Group, int] = {}
        for node in model.flow.nodes:
            place, group = (node.span.file, node.span.line), self.groups[node.index]
            if place in lines and len(on_line.get(place, ())) == 1 and _plain(node) and place not in loops:
                self.known[group] = min(lines[place], self.known.get(group, lines[place]))

    def count(self, node: int) -> int | None:
        """None where it is not known."""
        return self._count(self.groups[node])

    def pushed(self, node: int) -> int | None:
        """As :meth:`count`; where an endless or conditional loop begins, its control is pushed once on entry."""
        loops = [x for x in self.model.flow.loops if x.init < 0 and self.model.flow.first_node[x.stmt.id] == node]
        return self.entered(loops[0]) if loops else self.count(node)

    def _count(self, group: Group) -> int | None:
        if group not in self.known and group[1]:
            loop = self.model.flow.loops[group[1][-1]]
            entered = self.entered(loop)
            trips = self.scope.trips(loop).count.constant
            step = self.groups[loop.step] if loop.step >= 0 else None
            if entered is not None and trips is not None and group == step:
                self.known[group] = entered * int(trips)
        if group not in self.known:
            self._from_sides(group)
        return self.known.get(group)

    def _from_sides(self, group: Group) -> None:
        """A test ran as often as its sides together (gcov counts loop ends on IF lines too)."""
        for node in self.model.flow.nodes:
            if node.kind == "test" and self.groups[node.index] == group and isinstance(node.stmt, ir.If):
                sides = [self.known.get((frozenset(((node.index, s),)), node.loops))
                         for s in self.model.flow.succs[node.index]]
                known = [one for one in sides if one is not None]
                if len(known) == len(sides):
                    self.known[group] = sum(known)
                    return

    def entered(self, loop: Loop) -> int | None:
        """How often a loop was reached from outside."""
        if loop.init >= 0:
            return self.count(loop.init)
        head = self.model.flow.first_node[loop.stmt.id]
        deciding, loops = self.groups[head]
        return self._count((frozenset(edge for edge in deciding if edge[0] not in loop.body), loops))


def _loops(node: Node) -> bool:
    """May the compiler make loops of what a statement evaluates? gcov counts their iterations on its line."""
    match node.stmt:
        case ir.Assign(value=value):
            return _has_arrays(node.stmt.target) or _has_arrays(value)
        case ir.Call(args=args):
            return any(_has_arrays(one.value) for one in args if not isinstance(one.value, ir.Ref))
        case _:
            return False


def _plain(node: Node) -> bool:
    """Does gcov count how often the statement runs, not its elements?"""
    match node.stmt:
        case ir.Assign():
            return True
        case ir.Call() | ir.Allocate() | ir.Deallocate():
            return node.kind in ("simple", "call")
        case _:
            return False


def _has_arrays(expr: ir.Expr) -> bool:
    ranked = isinstance(expr, ir.Ref | ir.Intrinsic) and expr.rank > 0
    made = isinstance(expr, ir.Structure | ir.ArrayConstructor)
    return ranked or made or any(_has_arrays(inner) for inner in children(expr))


class HeadCounts:
    """The bytes of one head under one strategy, as counted."""

    def __init__(self, cost_model: CostModel, lines: Lines) -> None:
        self.cost_model = cost_model
        self.lines = lines
        self._counts: dict[str, NodeCounts] = {}

    def counts(self, key: str) -> NodeCounts:
        if key not in self._counts:
            structures = self.cost_model.structures
            self._counts[key] = NodeCounts(structures.adjoints.by_key[key].model, structures.scope(key), self.lines)
        return self._counts[key]

    def times(self, key: str, node: int, once: Quantity) -> Quantity | None:
        """Bytes of one execution of a node, for all its executions; None where that is not known."""
        count = self.counts(key).pushed(node)
        if count is None or once.counters:
            return None if once.terms else ZERO
        return once.scaled(count)

    def traffic(self) -> Quantity | None:
        """All bytes the adjoint of the counted run writes on its stack, in the head's names."""
        found: list[Quantity | None] = []
        codes = self.cost_model.structures.adjoints.codes
        if len({code.procedure for code in codes.by_key.values()}) < len(codes.by_key):
            return None  # which code of a procedure a line ran for, the counts do not tell
        for key in self.cost_model.structures.order:
            pushes = self.cost_model.pushes_of(key)
            for index in range(len(pushes.adjoint.levels)):
                found += [self.lifted(key, one) for one in self._level(key, pushes, index)]
        known = [one for one in found if one is not None]
        return add(ZERO, *known) if len(known) == len(found) else None

    def _level(self, key: str, pushes: Pushes, index: int) -> Sequence[Quantity | None]:
        level, record = pushes.adjoint.levels[index], pushes.record.levels[index]
        found = [self.times(key, node, once) for node, once in pushes.control(index).items()]
        for node in level.graph.forward.order:
            if node in level.parts:
                once = pushes.snapshot(record.solved[node], node).both
            else:
                once = pushes.values(index, node)
            if once.terms:
                found.append(self.times(key, node, once))
        return found

    def lifted(self, key: str, amount: Quantity | None, inside: frozenset[str] = frozenset()) -> Quantity | None:
        """In the head's names; what differs from call to call keeps the callee's, ``callee::n``. ``inside``: the
        procedures that are asked already, in a recursion."""
        structures = self.cost_model.structures
        if amount is None or key == structures.order[0] or amount.constant is not None:
            return amount
        found: set[Quantity | None] = set()
        callee = structures.adjoints.by_key[key].model.procedure
        for caller in structures.order if key not in inside else ():
            model = structures.adjoints.by_key[caller].model
            for node, site in model.calls.items():
                if any(t.key == callee.key for t in site.targets):
                    lift = structures.scope(caller).lifter(site.stmt, node, callee)
                    found.add(self.lifted(caller, lift(amount), inside | {key}))
        only = next(iter(found)) if len(found) == 1 else None
        if only is not None and not only.counters:
            return only
        return substitute(amount, lambda a: of(Sym(f"{callee.name}::{a.name}", what="value"))
                          if isinstance(a, Sym) and a.what == "" else None)


def trip_counts(structures: HeadStructure, lines: Lines) -> dict[str, int]:
    """Numbers for the trip counts that are not known, ``trips(procedure:line)``, of the run: iterations over entries,
    where that is whole."""
    found: dict[str, int] = {}
    for key in structures.order:
        model, scope = structures.adjoints.by_key[key].model, structures.scope(key)
        counts = NodeCounts(model, scope, lines)
        for loop in model.flow.loops:
            inside = [n for n in loop.body if model.flow.nodes[n].loops[-1] == loop.index]
            body = [c for n in inside if (c := counts.count(n)) is not None]
            entered = counts.entered(loop)
            if body and entered and max(body) % entered == 0:
                found[f"trips({model.procedure.name}:{loop.stmt.span.line})"] = max(body) // entered
    return found

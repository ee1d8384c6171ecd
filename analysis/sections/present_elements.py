"""Which elements an array certainly has where a part begins, so that a snapshot may read them.

``if (b(i) > top) b(i) = top`` writes ``b(i)`` only sometimes, and i may be anything: but the test reads ``b(i)``
whichever way it goes, so the array has it. ``if (x > 0) b(i) = 0`` inside ``do i = 1, n`` tells as much where b is
declared ``b(n)``. ``if (k > 0) b(k) = 0`` tells nothing: b may have no element 0. Of ``c(i)%w(k)``, where each element
has been allocated a w of its own length, ``c(j)%w(k)`` tells nothing either.

Of a loop the accesses of all iterations count together: ``do i = 1, n; if (b(i) > top) b(i) = top`` has b(1) to b(n),
however b is declared, for the test runs in each iteration (and where none runs, ``b(1:n)`` is empty). So has ``if (c)
then; b(i) = 0; else; b(i) = 1; end if``: every way through the loop's body comes by one of the two.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from snapset.analysis.dataflow.bitsets import May
from snapset.analysis.dataflow.control_dependence import with_deciders
from snapset.analysis.memory.affine_forms import affine
from snapset.analysis.memory.references import References
from snapset.analysis.sections.subscript_limits import Box, SubscriptLimits, WrittenBox
from snapset.analysis.symbolic.polynomials import ONE, Quantity
from snapset.frontend import ir
from snapset.frontend.cfg.graph import FlowGraph, Loop
from snapset.frontend.ir.expression_queries import children, rank_of
from snapset.frontend.ir.intrinsics import record

Form = Callable[[ir.Expr], "Quantity | None"]
"""A subscript as a form in what the part leaves as it was."""


class PresentElements:
    """For the nodes ``inside`` one part (or a whole procedure). ``changed``: what they may write; ``written``: what any
    node may. ``plain``: does a reference select elements of a location, and of no other? ``box``: what a reference
    selects whenever a node runs, and the tests that decide on that."""

    def __init__(self, flow: FlowGraph, refs: References, inside: frozenset[int], changed: May, written: May,
                 form: Form, plain: Callable[[ir.Ref, int], bool], box: Callable[[int, ir.Ref], WrittenBox],
                 deciding: Mapping[int, frozenset[int]]) -> None:
        self.flow, self.refs, self.inside, self.changed, self.written = flow, refs, inside, changed, written
        self.form, self.plain, self.box, self.deciding = form, plain, box, deciding
        self._boxes: dict[int, list[WrittenBox]] = {}
        self._accesses: dict[int, dict[int, list[tuple[Quantity | None, ...]]]] = {}
        self._certain: dict[frozenset[int], bool] = {}

    def has(self, index: int, dimension: int, hull: Sequence[SubscriptLimits | None]) -> bool:
        """Does every way through the part access an element of a location with this subscript of the hull, or with both
        ends; of a component that each element has for itself, with the hull's subscripts of that element?"""
        wanted, same = hull[dimension], list[tuple[int, Quantity]]()
        for outer in range(self.owners(index, dimension)):
            given = hull[outer]
            if given is None or given.low != given.high:
                return False
            same.append((outer, given.low))
        return wanted is not None and all(self.met(frozenset(
            node for node, every in self.accesses(index).items() if any(
                one[dimension] == end and all(one[outer] == form for outer, form in same) for one in every)))
            for end in {wanted.low, wanted.high})

    def owners(self, index: int, dimension: int) -> int:
        """How many subscripts say in which element the component is that has this dimension; none where the components
        of all elements have the same bounds."""
        before = 0
        for shape in self.refs.space.infos[index].shapes:
            if dimension < before + shape.rank:
                return before if shape.kind == "deferred" else 0
            before += shape.rank
        return 0

    def boxes(self, index: int) -> list[WrittenBox]:
        """What is accessed of a location over all iterations of the loops in the part: by each node, and by those
        together that access the same in one loop, and one of which every way through its body comes by."""
        if index not in self._boxes:
            found: list[WrittenBox] = []
            alike: dict[tuple[Box, tuple[int, ...]], set[int]] = {}
            for node in sorted(self.inside) if not self.apart(index) else ():
                for ref in self.elements(node):
                    if self.selects(ref, index):
                        found.append(self.box(node, ref))
                        alike.setdefault((found[-1].limits, self.flow.nodes[node].loops), set()).add(node)
            for (limits, loops), nodes in alike.items():
                loop = self.flow.loops[loops[-1]] if loops else None
                if loop is not None and len(nodes) > 1 and loop.test in self.inside and self.by_one_of(loop, nodes):
                    deciders = with_deciders(frozenset((loop.test,)), self.deciding, {}) | {loop.test}
                    found.append(WrittenBox(limits, deciders & self.inside, False))
            self._boxes[index] = found
        return self._boxes[index]

    def apart(self, index: int) -> bool:
        """Has each element that has the location a bound of its own?"""
        rank = sum(shape.rank for shape in self.refs.space.infos[index].shapes)
        return any(self.owners(index, dimension) for dimension in range(rank))

    def by_one_of(self, loop: Loop, nodes: Collection[int]) -> bool:
        """Does every way from a loop's test through its body, to its next iteration or out of it, come by a node?"""
        flow, reached = self.flow, set[int]()
        work = [one for one in flow.succs[loop.test] if one in loop.body and one not in nodes]
        while work:
            node = work.pop()
            if node == loop.test or node == loop.step or node not in loop.body:
                return False
            if node not in reached:
                reached.add(node)
                work += [one for one in flow.succs[node] if one not in nodes]
                if not flow.succs[node]:
                    return False
        return True

    def selects(self, ref: ir.Ref, index: int) -> bool:
        """Is a reference an element of a location, in the memory that it has where the part begins?"""
        moved = self.refs.descriptor(ref).bits & self.refs.space.descriptors & self.changed
        return bool(self.refs.touch(ref).bits >> index & 1) and self.plain(ref, index) and not moved

    def accesses(self, index: int) -> dict[int, list[tuple[Quantity | None, ...]]]:
        """By node, the subscripts of the elements of a location that it accesses whenever it runs."""
        if index not in self._accesses:
            found: dict[int, list[tuple[Quantity | None, ...]]] = {}
            for node in self.inside:
                for ref in self.elements(node):
                    if self.selects(ref, index):
                        subscripts = (one for part in ref.parts for one in part.subscripts or ())
                        found.setdefault(node, []).append(tuple(
                            None if isinstance(one, ir.Range) else self.form(one) for one in subscripts))
            self._accesses[index] = found
        return self._accesses[index]

    def elements(self, node: int) -> Iterator[ir.Ref]:
        """The elements that a node certainly reads or writes. A call may be passed ``b(n + 1)`` for no element."""
        at = self.flow.nodes[node]
        if at.kind == "simple" and isinstance(at.stmt, ir.Assign) and not at.masks and not at.stmt.target.rank:
            yield from evaluated(at.stmt.target)
            yield from evaluated(at.stmt.value)
        elif at.kind == "test":
            for one in at.test:
                yield from evaluated(one)

    def met(self, nodes: frozenset[int]) -> bool:
        """Does every way through the part lead through one of these nodes?"""
        if nodes not in self._certain:
            flow = self.flow
            starts = {node for node in self.inside if node == flow.entry or any(
                one not in self.inside for one in flow.preds[node])}
            reached, work = set(starts - nodes), list(starts - nodes)
            while work:
                for after in flow.succs[work.pop()]:
                    if after in self.inside and after not in nodes and after not in reached:
                        reached.add(after)
                        work.append(after)
            self._certain[nodes] = bool(nodes) and not any(
                node == flow.exit or any(after not in self.inside for after in flow.succs[node]) for node in reached)
        return self._certain[nodes]

    def over_outer_loops(self, limits: SubscriptLimits) -> SubscriptLimits:
        """The least and the greatest that they are while the DO loops around the part run, as far as that is known."""
        flow = self.flow
        loops = [flow.loops[i] for i in flow.nodes[min(self.inside)].loops if flow.loops[i].test not in self.inside]
        outer = {loop.stmt.var.name for loop in loops if isinstance(loop.stmt, ir.Do)}

        def usable(ref: ir.Ref) -> bool:
            return ref.name in outer or not self.refs.space.with_aliases(self.refs.values(ref)) & self.written

        low, high = limits.low, limits.high
        for loop in reversed(loops):
            if not isinstance(loop.stmt, ir.Do) or not loop.structured:
                continue
            name, step = loop.stmt.var.name, ONE if loop.stmt.step is None else affine(loop.stmt.step, usable)
            start, stop = affine(loop.stmt.start, usable), affine(loop.stmt.stop, usable)
            if start is None or stop is None or step is None or step.factors or not step.offset:
                continue
            least, greatest = (start, stop) if step.offset > 0 else (stop, start)
            low = low.replaced(name, least if low.factor(name) > 0 else greatest)
            high = high.replaced(name, greatest if high.factor(name) > 0 else least)
        return SubscriptLimits(low, high)


def evaluated(expr: ir.Expr) -> Iterator[ir.Ref]:
    """The elements that evaluating an expression certainly reads. Of ``k > 0 .and. b(k) > 0`` the second operand may
    not be looked at, of ``merge(b(k), 0, k > 0)`` the first; ``size(b(k)%w)`` reads nothing."""
    inside: Sequence[ir.Expr] = tuple(children(expr))
    if isinstance(expr, ir.Ref):
        if not expr.rank:
            yield expr
    elif isinstance(expr, ir.Binary) and expr.op in (".and.", ".or."):
        inside = (expr.left,)
    elif isinstance(expr, ir.Intrinsic):
        if record(expr).inquiry:
            return
        inside = inside[2:] if expr.name == "merge" else inside
    for one in inside:
        if not rank_of(one):
            yield from evaluated(one)

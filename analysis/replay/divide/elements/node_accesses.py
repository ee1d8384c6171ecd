"""What the nodes of a procedure read and write of its arrays, element by element: references with their subscripts.

Told of arrays that are variables by themselves: no components, no overlaid storage, nothing that a pointer leads to
or that changes its bounds on the way. Of a call, of input and output, of what stands in an implied DO nothing is told:
who reads there may read all of the array.
"""

from __future__ import annotations

from functools import cached_property

from snapset.analysis.dataflow.bitsets import EMPTY, Exact, exactly, members, singleton, union
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.cfg.graph import Loop, Node
from snapset.frontend.ir.expression_queries import bounds, walk


@frozen
class NodeAccesses:
    """``reads``: by array, the references through which a node reads it (None: perhaps all of it). ``kills``: arrays
    that it writes whole. ``writes``: the array of which it writes what a reference selects, and that."""

    reads: tuple[tuple[int, tuple[ir.Ref, ...] | None], ...] = ()
    kills: Exact = EMPTY
    writes: tuple[int, ir.Ref] | None = None


NOTHING = NodeAccesses()


class ElementAccesses:
    """Of one procedure. ``arrays``: of which elements are told."""

    def __init__(self, model: ProcedureModel) -> None:
        self.model = model
        self.flow = model.flow
        self.variables: dict[int, str] = {}
        shaped = union(effect.shaped for effect in model.effects)
        for index, (location, info) in enumerate(zip(model.space.locations, model.space.infos, strict=True)):
            variable = model.procedure.variables.get(info.name)
            bit = singleton(index)
            if (variable is not None and variable.area == location.area and variable.shape.dims
                    and not (location.path or location.segment or location.band or info.bytes is not None
                             or info.indirect or variable.pointer
                             or variable.automatic or (variable.allocatable and shaped))
                    and model.space.with_aliases(bit) == bit):
                self.variables[index] = info.name
        self.arrays = exactly(union(map(singleton, self.variables)))
        self.deferred = frozenset(loop.index for loop in self.flow.loops
                                  if isinstance(loop.stmt, ir.Do) and loop.stmt.kind == "forall")

    @cached_property
    def nodes(self) -> tuple[NodeAccesses, ...]:
        return tuple(map(self._node, self.flow.nodes))

    def _node(self, at: Node) -> NodeAccesses:
        effect = self.model.effects[at.index]
        read, kills = effect.use & self.arrays, exactly(effect.kill & self.arrays)
        if at.masks or not self.deferred.isdisjoint(at.loops):
            kills = EMPTY
        if not read and not effect.out & self.arrays:
            return NOTHING
        target = at.stmt.target if isinstance(at.stmt, ir.Assign) and at.kind == "simple" else None
        writes = None
        if target is not None and not at.masks and self.deferred.isdisjoint(at.loops):
            written = [index for index in members(effect.out & self.arrays) if self._selects(target, index)]
            if len(written) == 1 and target.substring is None:
                writes = written[0], target
        refs = self._references(at)
        reads: list[tuple[int, tuple[ir.Ref, ...] | None]] = []
        for index in members(read):
            here = None if refs is None else [ref for ref in refs if self.model.refs.touch(ref).bits >> index & 1]
            plain = here and all(self._selects(ref, index) for ref in here)
            reads.append((index, tuple(here) if here and plain else None))
        return NodeAccesses(tuple(reads), kills, writes)

    def _selects(self, ref: ir.Ref, index: int) -> bool:
        """Does a reference select elements of this array, and of nothing else?"""
        return len(ref.parts) == 1 and ref.name == self.variables[index]

    def _references(self, at: Node) -> list[ir.Ref] | None:
        """All references whose values a node reads; None where that is not told."""
        every: list[ir.Expr] = [*at.test, *(mask.expr for mask in at.masks)]
        if at.kind == "simple" and isinstance(at.stmt, ir.Assign):
            inside = [one for part in at.stmt.target.parts for one in part.subscripts or ()]
            every += [at.stmt.value, *(bound for one in inside for bound in bounds(one))]
            if at.stmt.target.substring is not None:
                every += bounds(at.stmt.target.substring)
        elif at.kind in ("init", "loop-test", "step") and isinstance(at.stmt, ir.Do):
            every += [at.stmt.start, at.stmt.stop, *(() if at.stmt.step is None else (at.stmt.step,))]
        elif at.kind != "test" or not at.test:
            return None
        found: list[ir.Ref] = []
        for expr in every:
            for one in walk(expr):
                if isinstance(one, (ir.ImpliedDo, ir.OpaqueExpr, ir.ProcedureRef)):
                    return None
                if isinstance(one, ir.Ref):
                    found.append(one)
        return found

    # ------------------------------------------------------------ loops

    @cached_property
    def counted(self) -> dict[int, Loop]:
        """The DO loops that count, by number: entered through their init alone."""
        return {loop.index: loop for loop in self.flow.loops
                if isinstance(loop.stmt, ir.Do) and loop.init >= 0 and loop.test >= 0 and loop.step >= 0
                and loop.structured and len(loop.stmt.var.parts) == 1 and not loop.stmt.var.rank}

    @cached_property
    def complete(self) -> frozenset[int]:
        """The counted loops that nothing leaves but their test."""
        return frozenset(index for index, loop in self.counted.items()
                         if all(after in loop.body or after == loop.test
                                for node in loop.body for after in self.flow.succs[node])
                         and all(self.flow.nodes[node].kind != "stop" for node in loop.body))

    @cached_property
    def nests(self) -> tuple[tuple[int, ...], ...]:
        """The counted loops around each node, outermost first."""
        return tuple(tuple(one for one in node.loops if one in self.counted) for node in self.flow.nodes)

    def holder(self, node: int) -> int | None:
        """The counted loop whose init, test or body a node is, and innermost of these; None: no loop's."""
        return self._holders.get(node)

    @cached_property
    def _holders(self) -> dict[int, int]:
        found = {node: nest[-1] for node, nest in enumerate(self.nests) if nest}
        for index, loop in self.counted.items():
            found[loop.init] = found[loop.test] = index
        return found

    @cached_property
    def around(self) -> dict[int, tuple[int, ...]]:
        """The counted loops around each counted loop, outermost first, itself last."""
        return {index: (*self.nests[loop.test], index) for index, loop in self.counted.items()}

    def certain(self, node: int, within: int) -> bool:
        """Does a node run in every iteration of a loop, if the loops between run at all?"""
        key = node, within
        if key not in self._certain:
            self._certain[key] = self._is_certain(node, within)
        return self._certain[key]

    @cached_property
    def _certain(self) -> dict[tuple[int, int], bool]:
        return {}

    def _is_certain(self, node: int, within: int) -> bool:
        nest = self.nests[node]
        if within not in nest or within not in self.complete:
            return False
        for outer, inner in zip(nest[nest.index(within):], (*nest[nest.index(within) + 1:], None), strict=True):
            if outer not in self.complete or not self._passed(self.counted[outer],
                                                              node if inner is None else self.counted[inner].init):
                return False
        return True

    def _passed(self, loop: Loop, node: int) -> bool:
        """Does every way through an iteration pass a node?"""
        work = [one for one in self.flow.succs[loop.test] if one in loop.body]
        seen = set(work)
        while work:
            now = work.pop()
            if now == node:
                continue
            if now == loop.step:
                return False
            for after in self.flow.succs[now]:
                if after in loop.body and after not in seen:
                    seen.add(after)
                    work.append(after)
        return True

    @cached_property
    def running(self) -> dict[int, tuple[int, ...]]:
        """The nodes of each counted loop but for its init."""
        return {index: (loop.test, *sorted(loop.body)) for index, loop in self.counted.items()}

    @cached_property
    def within(self) -> dict[int, tuple[tuple[int, ...], ...]]:
        """By counted loop, the counted loops around each of its nodes, those of fewer first."""
        return {index: tuple(sorted({self.nests[node] for node in loop.body}, key=lambda nest: (len(nest), nest)))
                for index, loop in self.counted.items()}

    def changes(self, node: int) -> Exact:
        """What a node may write, whatever name it has."""
        return exactly(self._changed[node])

    @cached_property
    def _changed(self) -> tuple[int, ...]:
        found = [int(self.model.space.with_aliases(effect.out) | effect.out) for effect in self.model.effects]
        for loop in self.flow.loops:
            if isinstance(loop.stmt, ir.Do):  # that of a FORALL is nobody else's, and counts as nothing that is written
                for node in {loop.init, loop.step} - {-1}:
                    found[node] |= int(self.model.refs.touch(loop.stmt.var).bits)
        return tuple(found)

    def all_changes(self, loop: int) -> Exact:
        """What a counted loop may write, its DO variable included."""
        if loop not in self._of_loops:
            one = self.counted[loop]
            self._of_loops[loop] = exactly(union(self.changes(n) for n in (one.init, one.test, *one.body)))
        return self._of_loops[loop]

    @cached_property
    def _of_loops(self) -> dict[int, Exact]:
        return {}


    def recurs(self, loop: int) -> bool:
        """May a loop be entered again, in the same iteration of the counted loop around it?"""
        if loop not in self._recurring:
            one = self.counted[loop]
            outer = self.around[loop][:-1]
            header = self.counted[outer[-1]].test if outer else -1
            work = [after for node in (one.test, *one.body) for after in self.flow.succs[node]
                    if after != one.test and after not in one.body]
            seen = set(work)
            while work:
                for after in self.flow.succs[work.pop()]:
                    if after != header and after not in seen:
                        seen.add(after)
                        work.append(after)
            self._recurring[loop] = one.init in seen
        return self._recurring[loop]

    @cached_property
    def _recurring(self) -> dict[int, bool]:
        return {}

    def keeps_its_variable(self, loop: int) -> bool:
        """Does nothing in a counted loop write its DO variable?"""
        one = self.counted[loop]
        assert isinstance(one.stmt, ir.Do)
        own = self.model.refs.touch(one.stmt.var).bits
        return not any(self.changes(node) & own for node in one.body if node != one.step)


def named_alone(ref: ir.Ref) -> bool:
    """Is it a scalar variable: no element, no component?"""
    return len(ref.parts) == 1 and ref.parts[0].subscripts is None and ref.substring is None and not ref.rank

"""Elements that are written again before anybody needs them: the second write has nothing to tape.

    b(i) = 2 - a(i) - c(i)           ! tapes the b(i) of before, which derivatives have read
    if (j > 1) b(i) = b(i) + south   ! what it overwrites is one line old, and no derivative reads it

To Be Recorded takes b for one location: from the first derivative that reads an element of b on, every write of one is
taped. A write of ``b(i)`` clears it where it is a scalar, but here leaves the other elements. So each element that is
written by its name in several places is followed by itself: from a write of it, until something may need it, or its
subscripts mean another.

The first write restores what was before both, if that is needed: what the code leaves is the same as if both did.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import TypeAlias

from snapset.analysis.dataflow.bitsets import EMPTY, Exact, May, Must, exactly, members, singleton, union
from snapset.analysis.dataflow.framework import Direction, MustProblem, ProblemScope
from snapset.analysis.dataflow.solver import DirectedGraph
from snapset.analysis.memory.affine_forms import affine, of_fixed_extents
from snapset.analysis.memory.element_accesses import given_subscripts
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.sections.dependence_distance import Access
from snapset.analysis.symbolic.polynomials import Quantity
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.expression_queries import walk
from snapset.frontend.ir.intrinsics import record
from snapset.frontend.ir.pretty_print import expr

Read: TypeAlias = tuple[int, int, Sequence[Access] | None]  # a node, an array, what of it; None: not plain to see


@frozen(eq=False)
class UnneededElements(MustProblem):
    """The elements that were written on every way, and since then nothing may need them.

        unneeded(exit I) = {x ∈ unneeded(entry I) : I needs no x, and leaves x's subscripts} ∪ {x : I writes x}

    ``needed``, ``needed_behind``: by node, what is read there, or behind it, on the way back. A set is one of elements.
    """

    name = "unneeded-elements"
    direction = Direction.FORWARD

    writes: Mapping[int, int]
    moved: Mapping[int, int]
    needed: Mapping[int, int]
    needed_behind: Mapping[int, int]
    names: Mapping[int, str] = field(default_factory=dict)

    def transfer(self, node: int, state: Must) -> Must:
        left = state & ~self.needed.get(node, 0) | self.writes.get(node, 0)
        return exactly(left & ~self.moved.get(node, 0) & ~self.needed_behind.get(node, 0))

    def shown(self, state: Must) -> Mapping[str, tuple[str, ...]]:
        return {"": tuple(name for bit, name in self.names.items() if bit & state)}


@frozen
class _Element:
    """``bit``: the set of it alone; ``named_by``: what its subscripts read."""

    index: int
    bit: int
    name: str
    forms: tuple[Quantity | None, ...]
    named_by: May

    def may_be(self, other: Access) -> bool:
        """May an access at the same moment be to the same element?"""
        if len(other.element) != len(self.forms):
            return True
        apart = (a - b for a, b in zip(self.forms, other.element, strict=True) if a is not None and b is not None)
        return not any(one.offset and not one.factors for one in apart)


class RewrittenElements:
    """Of one level. ``assignments``: those that it runs and that may tape; ``arrays``: those whose elements no other
    name reaches; ``touching``: by part, all that it and its adjoint touch; ``changing``: what they change of it. A part
    that reads i leaves ``b(i)`` the element that it was."""

    def __init__(self, model: ProcedureModel, scope: ProblemScope, graph: DirectedGraph, assignments: Iterable[int],
                 arrays: May, touching: Mapping[int, May], changing: Mapping[int, May]) -> None:
        self.model, self.scope, self.graph = model, scope, graph
        self.elements: list[_Element] = []
        self.of_array: dict[int, list[_Element]] = {}
        self.named_by: dict[int, int] = {}  # by location, the elements whose subscripts read it
        self.written: dict[int, tuple[_Element, ...]] = {}  # by node
        found: dict[tuple[int, ir.Ref], list[int]] = {}
        for node in assignments:
            for index in members(self._certainly_written(node, arrays)):
                stmt = model.flow.nodes[node].stmt
                assert isinstance(stmt, ir.Assign)
                found.setdefault((index, stmt.target), []).append(node)
        for (index, target), nodes in found.items():
            if len(nodes) > 1:
                self._add(index, target, nodes)
        self.concerned = union(singleton(one) for one in (*self.of_array, *self.named_by))
        self.moved = {n: bits for n in graph.order if (bits := self._moved_at(n, touching.get(n, EMPTY),
                                                                                 changing.get(n, EMPTY)))}

    def _certainly_written(self, node: int, arrays: May) -> Exact:
        """The arrays of which an assignment writes what its target names, whatever masks there are elsewhere."""
        at, effect = self.model.flow.nodes[node], self.model.effects[node]
        if not isinstance(at.stmt, ir.Assign) or at.kind != "simple" or at.masks or effect.keep or effect.everything:
            return EMPTY
        plain = all(_is_value(one) for one in walk(at.stmt.target))
        return exactly(effect.out & arrays) if plain else EMPTY

    def _add(self, index: int, target: ir.Ref, nodes: Iterable[int]) -> None:
        measured = of_fixed_extents(self.model.refs.variables)
        given = given_subscripts(target, self.model.space.infos[index]) or ()
        forms = tuple(None if isinstance(one, ir.Range) else affine(one, lambda _: True, measured) for one in given)
        element = _Element(index, 1 << len(self.elements), expr(target), forms, self.model.refs.subscripts(target))
        self.elements.append(element)
        self.of_array.setdefault(index, []).append(element)
        for location in members(element.named_by):
            self.named_by[location] = self.named_by.get(location, 0) | element.bit
        for node in nodes:
            self.written[node] = (*self.written.get(node, ()), element)

    def _moved_at(self, node: int, touched: May, changed: May) -> int:
        """The elements whose subscripts a node changes, and those of what a part touches."""
        effect = self.model.effects[node]
        if effect.everything:
            return -1
        changed = May(effect.out | changed)
        if not isinstance(self.model.flow.nodes[node].stmt, ir.Assign):
            touched |= changed
        found = 0
        for location in members(changed & self.concerned):
            found |= self.named_by.get(location, 0)
        for location in members(touched & self.concerned):
            found |= _together(self.of_array.get(location, ()))
        return found

    def spared(self, reads: Iterable[Read], behind: Iterable[Read]) -> Mapping[int, Exact]:
        """By node, the array of which it overwrites an element that nothing needs. ``reads``, ``behind``: what is read
        at a node on the way back, once that node is taken back or before."""
        if not self.elements:
            return {}
        needed, needed_behind = self._needed(reads), self._needed(behind)
        writes = {n: _together(found) for n, found in self.written.items()}
        problem = UnneededElements(self.scope, EMPTY, writes, self.moved, needed, needed_behind,
                                   {one.bit: one.name for one in self.elements})
        solved = problem.solve(self.graph)
        return {n: exactly(union(singleton(one.index) for one in found
                                 if solved.at_entry(n) & ~needed.get(n, 0) & one.bit))
                for n, found in self.written.items()}

    def _needed(self, reads: Iterable[Read]) -> dict[int, int]:
        found: dict[int, int] = {}
        for node, index, accesses in reads:
            found[node] = found.get(node, 0) | _together(
                one for one in self.of_array.get(index, ())
                if accesses is None or any(one.may_be(access) for access in accesses))
        return found


def _is_value(expression: ir.Expr) -> bool:
    """Has it the same value where what it reads has? Not ``size(w)``, which an ALLOCATE changes."""
    if isinstance(expression, ir.Intrinsic):
        return not record(expression).inquiry
    return not isinstance(expression, ir.OpaqueExpr | ir.ProcedureRef)


def _together(elements: Iterable[_Element]) -> int:
    found = 0
    for one in elements:
        found |= one.bit
    return found

"""Which assignments a write of an element leaves as they are: those that read other elements of the array.

``m = a(i)/b(i - 1); b(i) = b(i) - m*c(i - 1)``: the second writes b, which the first reads, and still m can be computed
again behind it: i is what it was, for where it is not, the first is not available any more, so that b(i) and b(i - 1)
are two elements. ``f = a(i, k)/a(k, k); do j = k + 1, n; a(i, j) = ...``: j is above k within the loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from snapset.analysis.dataflow.bitsets import members, singleton, union
from snapset.analysis.memory.affine_forms import affine, of_fixed_extents
from snapset.analysis.memory.element_accesses import given_subscripts, references
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.sections.integer_systems import CONSTANT, Form, may_hold
from snapset.analysis.symbolic.polynomials import ONE, Quantity
from snapset.frontend import ir

MOST_PAIRS = 20_000  # of a write and an assignment that reads; what is beyond is taken to meet
_Element: TypeAlias = tuple[Quantity | None, ...]  # None: a section, or not understood


def spared_reads(model: ProcedureModel, bit: Mapping[int, int], value: Mapping[int, int], operands: Mapping[int, int],
                 nodes: Mapping[int, frozenset[int]]) -> Mapping[int, int]:
    """By node that writes an element, the bits of the assignments that read the array, and no such element. ``nodes``:
    what an assignment, or a group of them, is made of."""
    reading: dict[int, list[int]] = {}  # by array: the assignments
    for n, bits in operands.items():
        for index in members(bits):
            reading.setdefault(index, []).append(n)
    search, found, pairs = _Search(model, nodes), dict[int, int](), 0
    for node in model.graph.order:
        at, effect = model.flow.nodes[node], model.effects[node]
        if at.kind != "simple" or not isinstance(at.stmt, ir.Assign) or effect.out & (effect.out - 1):
            continue
        if not effect.out or effect.everything or effect.out & model.space.other_names:
            continue
        index = effect.out.bit_length() - 1
        mine = search.element(at.stmt.target, index)
        readers = [n for n in reading.get(index, ()) if not value[n] & effect.out]
        pairs += len(readers)
        if mine is None or not readers or pairs > MOST_PAIRS:
            continue
        bounds = tuple(search.bounds(node))
        kept = union(bit[n] for n in readers if search.apart(mine, search.reads(n, index, value[n]), bounds))
        if kept:
            found[node] = kept
    return found


class _Search:
    def __init__(self, model: ProcedureModel, nodes: Mapping[int, frozenset[int]]) -> None:
        self.model, self.nodes = model, nodes
        self.measured = of_fixed_extents(model.refs.variables)
        self._reads: dict[tuple[int, int], tuple[_Element | None, ...]] = {}
        self._apart: dict[tuple[_Element, _Element, tuple[frozenset[tuple[str, int]], ...]], bool] = {}

    def reads(self, reader: int, index: int, made: int) -> tuple[_Element | None, ...]:
        """As :meth:`_read`: of all that write the array the same."""
        found = self._reads.get((reader, index))
        if found is None:
            found = self._reads[reader, index] = tuple(self._read(reader, index, made))
        return found

    def apart(self, mine: _Element, others: tuple[_Element | None, ...], bounds: Sequence[Form]) -> bool:
        """Is an element never one of others? Of a hundred loops over ``a(i)`` between the same bounds one is asked."""
        limits, known = tuple(frozenset(one.items()) for one in bounds), self._apart
        for other in others:
            if other is None:
                return False
            if (mine, other, limits) not in known:
                known[mine, other, limits] = _apart(mine, other, bounds)
            if not known[mine, other, limits]:
                return False
        return True

    def element(self, ref: ir.Ref, index: int, moved: int = 0) -> _Element | None:
        """The subscripts as they are where the reference stands, but for those that read what is ``moved``."""
        info, refs = self.model.space.infos[index], self.model.refs
        given = given_subscripts(ref, info) if info.bytes is None else None
        return None if given is None else tuple(
            None if isinstance(one, ir.Range) or refs.values(one) & moved
            else affine(one, lambda _: True, self.measured) for one in given)

    def _read(self, reader: int, index: int, made: int) -> Iterator[_Element | None]:
        """What an assignment reads, or a group, in which subscripts may name what it has half ``made``: of ``k = i; if
        (b(k) > 0) k = k + 1`` the k behind it is not the one that was read with."""
        for node in self.nodes[reader]:
            if node in self.model.calls:  # the callee reads, too
                yield None
            for ref, write in references(self.model.flow.nodes[node], self.model.refs):
                if not write and self.model.refs.touch(ref).bits & singleton(index):
                    yield self.element(ref, index, made)

    def bounds(self, node: int) -> Iterator[Form]:
        """Between which values the DO variables around a node are, where the bounds are still what they were."""
        flow, effects, refs = self.model.flow, self.model.effects, self.model.refs
        for loop in (flow.loops[i] for i in flow.nodes[node].loops):
            stmt = loop.stmt
            if not isinstance(stmt, ir.Do) or stmt.kind != "do" or not loop.structured:
                continue
            inside = union(effects[n].out for n in loop.body if n != loop.step)
            step = ONE if stmt.step is None else affine(stmt.step, lambda _: False)
            if inside & effects[loop.step].kill or step is None or step.factors or not step.offset:
                continue
            changed = inside | effects[loop.step].out
            for bound, sign in ((stmt.start, 1), (stmt.stop, -1)):
                form = affine(bound, lambda _: True, self.measured)
                if form is not None and not refs.values(bound) & changed:
                    up = sign if step.offset > 0 else -sign
                    yield _row(form, -up, {stmt.var.name: up})


def _apart(one: _Element, other: _Element, bounds: Sequence[Form]) -> bool:
    """Are the two never one element?"""
    if len(one) != len(other):
        return False
    equal = [_row(b, -1, _row(a, 1, {})) for a, b in zip(one, other, strict=True) if a is not None and b is not None]
    return not may_hold(equal, bounds)


def _row(form: Quantity, times: int, into: Mapping[str, int]) -> Form:
    found = dict(into)
    for name, factor in form.factors:
        found[name] = found.get(name, 0) + times*factor
    found[CONSTANT] = found.get(CONSTANT, 0) + times*form.offset
    return found

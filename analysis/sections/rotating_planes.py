r"""Planes of arrays that every step of a loop writes before it reads them, where another plane is written in each step.

    new = mod(k, 3)                          f(:, mod(k, 3)) is dead when step k begins: of f(:, 0:2) two planes
    do i = 1, n;  f(i, new) = g(u(i))        restart the step
    u = u + dt*(23*f(:, new) - 16*f(:, old) + 5*f(:, older))

A plane is told by one scalar subscript that has an entry form (:class:`EntryForms`). What is read before all of the
plane is written must have another one, of a certainly different value. Of the planes whose values the derivatives of a
step read, and other steps overwrite, the others need not be kept for its adjoint either, nor what it writes of those be
taped: :meth:`RotatingPlanes.read`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from snapset.analysis.dataflow.bitsets import EMPTY, May, members, singleton
from snapset.analysis.derivative_rules import derivatives
from snapset.analysis.memory.locations import Info
from snapset.analysis.memory.references import References
from snapset.analysis.procedures.array_kills import find_array_kills
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.sections.bounded_arrays import bounded
from snapset.analysis.sections.entry_forms import EntryForms, number
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.cfg.graph import Level
from snapset.frontend.ir.expression_queries import children, walk

MOST = 8  # planes of an array


@frozen
class DeadPlane:
    """Of an array: the ``plane`` that a step writes before it reads it, ``others``: the elements beside it. Their
    subscripts are of values that there are when the step begins."""

    plane: ir.Ref
    others: tuple[ir.Ref, ...]


@frozen
class ReadPlanes:
    """Of an array: the planes that the derivatives of a step read, by values that there are when it begins; ``spared``:
    the statements that write others."""

    sections: tuple[ir.Ref, ...]
    spared: frozenset[int]


@dataclass(frozen=True)
class RotatingPlanes:
    """Finds them, by the forms of subscripts."""

    forms: EntryForms

    @property
    def model(self) -> ProcedureModel:
        return self.forms.model

    @property
    def step(self) -> Level:
        """One step of the loop."""
        return self.forms.step

    def of(self, locations: int, stretches: Mapping[int, ir.Ref]) -> Mapping[int, DeadPlane]:
        """``stretches``: what the loop writes of arrays; the rest is none of the step's."""
        found = {}
        for index in members(locations):
            dead = self._dead(index, stretches.get(index))
            if dead is not None:
                found[index] = dead
        return found

    def read(self, locations: int, stretches: Mapping[int, ir.Ref], derivative: Mapping[int, May],
             varied: Mapping[int, May]) -> Mapping[int, ReadPlanes]:
        """The planes that the derivatives of a step read, where these are not all. ``derivative``: what each reads,
        ``varied``: what varies before it."""
        found = {}
        for index in members(locations):
            planes = self._read(index, stretches.get(index), derivative, varied)
            if planes is not None:
                found[index] = planes
        return found

    def _read(self, index: int, stretch: ir.Ref | None, derivative: Mapping[int, May],
              varied: Mapping[int, May]) -> ReadPlanes | None:
        info, touching = self.model.space.infos[index], self._planes_alone(index)
        nodes = self.model.flow.nodes
        if touching is None or any(nodes[one.node].kind == "test" or nodes[one.node].level != self.step.index
                                   for one in touching):
            return None
        reads: list[_Touch] = []
        for n in self.step.nodes:
            if derivative.get(n, EMPTY) >> index & 1:
                stmt = nodes[n].stmt
                refs = None
                if isinstance(stmt, ir.Assign) and not nodes[n].masks:
                    refs = read_by_derivatives(stmt.value, self.model.refs, varied[n])
                if refs is None or not isinstance(stmt, ir.Assign):
                    return None
                refs += [ref for sub in children(stmt.target) for ref in walk(sub) if isinstance(ref, ir.Ref)]
                reads += [_Touch(n, ref, False) for ref in refs if ref.name == info.name]
        for axis, extent, given in self._axes(info, stretch):
            found = dict.fromkeys(self.forms.form(one.subscript(axis), one.node) for one in reads)
            forms = [form for form in found if form is not None]
            if len(forms) == len(found) and 0 < len(forms) < extent[1] - extent[0] + 1:
                sections = tuple(_section(touching[0].ref, given, axis, form) for form in forms)
                return ReadPlanes(sections, frozenset(
                    one.node for one in touching if one.target and self._is_none_of(one, axis, forms)))
        return None

    def _is_none_of(self, target: _Touch, axis: int, forms: Iterable[ir.Expr]) -> bool:
        """Is what is written in none of some planes?"""
        own = self.forms.form(target.subscript(axis), target.node)
        return own is not None and all(self.forms.differ(own, form) for form in forms)

    def _dead(self, index: int, stretch: ir.Ref | None) -> DeadPlane | None:
        info, touching = self.model.space.infos[index], self._planes_alone(index)
        for axis, extent, given in () if touching is None else self._axes(info, stretch):
            assert touching is not None
            subscript = self._killed(index, info, axis, given, touching)
            if subscript is not None:
                return _plane(touching[0].ref, given, axis, subscript, extent)
        return None

    def _planes_alone(self, index: int) -> list[_Touch] | None:
        """All references of an array in a step, each with subscripts; None for anything else."""
        space = self.model.space
        info = space.infos[index]
        if (len(info.shapes) != 1 or not info.shapes[0].dims or info.band is not None or info.may_move
                or "%" in info.name or space.with_aliases(singleton(index)) != singleton(index)
                or info.name not in self.model.refs.variables):
            return None
        return self._touching(index, info.name)

    def _axes(self, info: Info, stretch: ir.Ref | None
              ) -> Iterator[tuple[int, tuple[int, int], tuple[ir.Subscript, ...]]]:
        """The dimensions that planes may be counted in, their bounds, and the subscripts of what there is in all."""
        dims = info.shapes[0].dims
        given = (ir.Range(),)*len(dims) if stretch is None else stretch.parts[-1].subscripts or ()
        for axis in reversed(range(len(dims))):
            extent = self._extent(dims[axis])
            if extent is not None and 1 < extent[1] - extent[0] + 1 <= MOST and given[axis] == ir.Range():
                yield axis, extent, given

    def _extent(self, dim: ir.Dim) -> tuple[int, int] | None:
        lower, upper = 1 if dim.lower is None else number(dim.lower), number(dim.upper)
        return None if lower is None or upper is None else (lower, upper)

    # ------------------------------------------------------------ the array's references

    def _touching(self, index: int, name: str) -> list[_Touch] | None:
        """All references of an array in a step; None where something else touches it than assignments and tests."""
        found = []
        for n in self.step.nodes:
            e = self.model.effects[n]
            if not (e.use | e.out) >> index & 1:
                continue
            node = self.model.flow.nodes[n]
            if n in self.model.calls or e.everything or e.globals or self.forms.at_once(n):
                return None
            here: list[_Touch] = []
            if isinstance(node.stmt, ir.Assign) and node.kind == "simple":
                target = node.stmt.target
                here += [_Touch(n, target, True)]*(target.name == name)
                values = (node.stmt.value, *(mask.expr for mask in node.masks), *children(target))
            elif node.kind == "test":
                values = node.test
            else:
                return None
            here += [_Touch(n, ref, False) for value in values for ref in walk(value)
                     if isinstance(ref, ir.Ref) and ref.name == name]
            if not here or any(len(one.ref.parts) > 1 or not one.ref.parts[0].subscripts
                               or one.ref.substring is not None for one in here):
                return None
            found += here
        return found or None

    # ------------------------------------------------------------ written before it is read

    def _killed(self, index: int, info: Info, axis: int, given: tuple[ir.Subscript, ...],
                touching: list[_Touch]) -> ir.Expr | None:
        """The entry form of the subscript whose plane is dead."""
        if any(isinstance(one.subscript(axis), ir.Range) for one in touching):
            return None
        forms = {(one.node, one.subscript(axis)): self.forms.form(one.subscript(axis), one.node) for one in touching}
        for subscript in dict.fromkeys(one.subscript(axis) for one in touching if one.target):
            own = {forms[one.node, one.subscript(axis)] for one in touching
                   if one.target and one.subscript(axis) == subscript}
            form = own.pop()
            if own or form is None or not isinstance(subscript, ir.Ref):
                continue
            closes = self._closes(index, info, axis, given, subscript)
            if closes is None:
                continue
            if not self.forms.always(closes):
                continue
            before = self.forms.reached(self.step.enter, without=closes)
            read = [forms[one.node, one.subscript(axis)] for one in touching
                    if not one.target and one.node in before | {closes}]
            if all(one is not None and self.forms.differ(one, form) for one in read):
                return form
        return None

    def _closes(self, index: int, info: Info, axis: int, given: tuple[ir.Subscript, ...],
                subscript: ir.Ref) -> int | None:
        """The node behind which the plane is written."""
        subscripts = (*given[:axis], subscript, *given[axis + 1:])
        plane = bounded(info, ir.Ref((ir.PartRef(info.name, subscripts),), info.type))
        written = self.model.space.with_aliases(self.forms.written | self.forms.counter)

        def places(ref: ir.Ref) -> Mapping[int, Info]:
            subs = ref.parts[0].subscripts
            return {index: plane} if ref.name == info.name and subs and subs[axis] == subscript else {}

        def steady(ref: ir.Ref) -> bool:
            return ref == subscript or not self.model.space.with_aliases(self.model.refs.values(ref)) & written

        marked = self.step.marked
        assert marked is not None
        kills = find_array_kills(replace(self.model.procedure, body=marked.body), self.model.flow, places, steady,
                                 lambda node: ())
        return next((one.closes for one in kills if one.index == index), None)


@frozen
class _Touch:
    """A reference of an array at a node. ``target``: it is assigned to."""

    node: int
    ref: ir.Ref
    target: bool

    def subscript(self, axis: int) -> ir.Subscript:
        subscripts = self.ref.parts[0].subscripts
        assert subscripts is not None
        return subscripts[axis]


def read_by_derivatives(expr: ir.Expr, refs: References, varied: May) -> list[ir.Ref] | None:
    """The references whose values the partial derivatives of an expression read; None where that is not plain."""
    if not refs.flows(expr) & varied:
        return []
    match expr:
        case ir.Ref():
            return [one for sub in children(expr) for one in walk(sub) if isinstance(one, ir.Ref)]
        case ir.Binary() | ir.Intrinsic() | ir.Unary():
            found: list[ir.Ref] = []
            for one in derivatives(expr):
                if refs.flows(one.operand) & varied:
                    inner = read_by_derivatives(one.operand, refs, varied)
                    if inner is None:
                        return None
                    found += inner
                    found += [ref for read in one.reads for ref in walk(read) if isinstance(ref, ir.Ref)]
            return found
        case _:
            return None


def _section(ref: ir.Ref, given: tuple[ir.Subscript, ...], axis: int, subscript: ir.Subscript) -> ir.Ref:
    subs = (*given[:axis], subscript, *given[axis + 1:])
    return ir.Ref((ir.PartRef(ref.name, subs),), ref.type, sum(isinstance(one, ir.Range) for one in subs))


def _plane(ref: ir.Ref, given: tuple[ir.Subscript, ...], axis: int, subscript: ir.Expr,
           extent: tuple[int, int]) -> DeadPlane:
    def section(sub: ir.Subscript) -> ir.Ref:
        return _section(ref, given, axis, sub)

    low, high, one = (ir.Literal_(value, ir.INTEGER) for value in (*extent, 1))
    return DeadPlane(section(subscript), (section(ir.Range(low, ir.Binary("-", subscript, one, ir.INTEGER))),
                                          section(ir.Range(ir.Binary("+", subscript, one, ir.INTEGER), high))))

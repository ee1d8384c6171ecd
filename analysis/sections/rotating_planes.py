r"""Planes of arrays that every step of a loop writes before it reads them, where another plane is written in each step.

    new = mod(k, 3)                          f(:, mod(k, 3)) is dead when step k begins: of f(:, 0:2) two planes
    do i = 1, n;  f(i, new) = g(u(i))        restart the step
    u = u + dt*(23*f(:, new) - 16*f(:, old) + 5*f(:, older))

A plane is told by one scalar subscript, whose *entry form* is an expression of values that there are when the step
begins: of names that nothing in the step has written yet, or that one assignment has given such a form. What is read
before the plane is written must be another one: remainders that differ (``mod(k + 1, 3)``), sums with other constants,
``3 - now`` beside ``now``, or two of several indices that are exchanged: set to different constants before the loop,
and given each other's values by every step.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain

from snapset.analysis.dataflow.bitsets import Exact, May, members, singleton
from snapset.analysis.dataflow.part_graphs import flat_graph
from snapset.analysis.memory.affine_forms import affine
from snapset.analysis.memory.locations import Info
from snapset.analysis.procedures.array_kills import find_array_kills
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.sections.bounded_arrays import bounded
from snapset.analysis.symbolic.polynomials import Quantity
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.cfg.graph import Level
from snapset.frontend.ir.expression_queries import children, walk

MOST = 8  # planes of an array
DEEP = 6  # assignments that lead from one name to another


@frozen
class DeadPlane:
    """Of an array: the ``plane`` that a step writes before it reads it, ``others``: the elements beside it. Their
    subscripts are of values that there are when the step begins."""

    plane: ir.Ref
    others: tuple[ir.Ref, ...]


@dataclass(frozen=True)
class RotatingPlanes:
    """Finds them. ``step``: the level of one step of a loop; ``counter``: the loop's variable; ``written``: what the
    loop overwrites; ``known``: of that, what is known of every step that is to be restarted."""

    model: ProcedureModel
    step: Level
    counter: Exact
    written: May
    known: May
    _behind: dict[int, frozenset[int]] = field(default_factory=dict)

    def of(self, locations: int, stretches: Mapping[int, ir.Ref]) -> Mapping[int, DeadPlane]:
        """``stretches``: what the loop writes of arrays; the rest is none of the step's."""
        found = {}
        for index in members(locations):
            dead = self._dead(index, stretches.get(index))
            if dead is not None:
                found[index] = dead
        return found

    def _dead(self, index: int, stretch: ir.Ref | None) -> DeadPlane | None:
        space = self.model.space
        info = space.infos[index]
        if (len(info.shapes) != 1 or not info.shapes[0].dims or info.band is not None or info.indirect
                or "%" in info.name or space.with_aliases(singleton(index)) != singleton(index)
                or info.name not in self.model.refs.variables):
            return None
        touching = self._touching(index, info.name)
        if touching is None:
            return None
        given = stretch.parts[-1].subscripts if stretch is not None else (ir.Range(),)*len(info.shapes[0].dims)
        for axis in reversed(range(len(info.shapes[0].dims))):
            extent = self._extent(info.shapes[0].dims[axis])
            if (extent is None or not 1 < extent[1] - extent[0] + 1 <= MOST or given is None
                    or given[axis] != ir.Range()):
                continue
            subscript = self._killed(index, info, axis, given, touching)
            if subscript is not None:
                return _plane(touching[0].ref, given, axis, subscript, extent)
        return None

    def _extent(self, dim: ir.Dim) -> tuple[int, int] | None:
        lower, upper = 1 if dim.lower is None else _number(dim.lower), _number(dim.upper)
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
            if n in self.model.calls or e.everything or e.globals or self._at_once(n):
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

    def _at_once(self, node: int) -> bool:
        loops = self.model.flow.loops
        return any(isinstance(stmt := loops[n].stmt, ir.Do) and stmt.kind == "forall"
                   for n in self.model.flow.nodes[node].loops)

    # ------------------------------------------------------------ written before it is read

    def _killed(self, index: int, info: Info, axis: int, given: tuple[ir.Subscript, ...],
                touching: list[_Touch]) -> ir.Expr | None:
        """The entry form of the subscript whose plane is dead."""
        if any(isinstance(one.subscript(axis), ir.Range) for one in touching):
            return None
        forms = {(one.node, one.subscript(axis)): self.form(one.subscript(axis), one.node) for one in touching}
        for subscript in dict.fromkeys(one.subscript(axis) for one in touching if one.target):
            own = {forms[one.node, one.subscript(axis)] for one in touching
                   if one.target and one.subscript(axis) == subscript}
            form = own.pop()
            if own or form is None or not isinstance(subscript, ir.Ref):
                continue
            closes = self._closes(index, info, axis, given, subscript)
            if closes is None:
                continue
            before = self._reached(self.step.enter, without=closes)
            if self.step.leave in before or any(s not in self._inside for n in before for s in self._succs[n]):
                continue
            read = [forms[one.node, one.subscript(axis)] for one in touching
                    if not one.target and one.node in before | {closes}]
            if all(one is not None and self.differ(one, form) for one in read):
                return form
        return None

    def _closes(self, index: int, info: Info, axis: int, given: tuple[ir.Subscript, ...],
                subscript: ir.Ref) -> int | None:
        """The node behind which the plane is written."""
        subscripts = (*given[:axis], subscript, *given[axis + 1:])
        plane = bounded(info, ir.Ref((ir.PartRef(info.name, subscripts),), info.type))
        written = self.model.space.with_aliases(self.written | self.counter)

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

    # ------------------------------------------------------------ paths of a step

    @cached_property
    def _inside(self) -> frozenset[int]:
        return frozenset(self.step.nodes)

    @cached_property
    def _succs(self) -> Mapping[int, tuple[int, ...]]:
        graph = flat_graph(self.model.flow, self.step.index)
        every = dict(enumerate(self.model.flow.succs))
        return {n: every[n] for n in graph.order if n != self.step.leave} | {self.step.leave: ()}

    def _reached(self, start: int, without: int = -1) -> frozenset[int]:
        """The nodes of a step that can be come to from one, that included, on ways that do not lead through another."""
        found, work = {start} - {without}, [start] if start != without else []
        while work:
            for n in self._succs.get(work.pop(), ()):
                if n != without and n in self._inside and n not in found:
                    found.add(n)
                    work.append(n)
        return frozenset(found)

    # ------------------------------------------------------------ entry forms

    def form(self, expr: ir.Subscript, node: int, deep: int = 0) -> ir.Expr | None:
        """What an integer expression is at a node, of values that there are when the step begins; None: not known."""
        match expr:
            case ir.Literal_():
                return expr
            case ir.Unary(op="+" | "-"):
                inner = self.form(expr.operand, node, deep)
                return None if inner is None else replace(expr, operand=inner)
            case ir.Binary(op="+" | "-" | "*"):
                left, right = self.form(expr.left, node, deep), self.form(expr.right, node, deep)
                return None if left is None or right is None else replace(expr, left=left, right=right)
            case ir.Intrinsic(name="mod" | "modulo", rank=0):
                args = [self.form(one.value, node, deep) for one in expr.args]
                known = tuple(replace(one, value=arg) for one, arg in zip(expr.args, args, strict=True)
                              if arg is not None)
                return replace(expr, args=known) if len(known) == len(args) else None
            case ir.Ref() if expr.rank == 0 and expr.type.kind == "integer" and self._is_scalar(expr):
                return self._name(expr, node, deep)
            case _:
                return None

    def _is_scalar(self, ref: ir.Ref) -> bool:
        return len(ref.parts) == 1 and not ref.parts[0].subscripts and not self.model.space.infos[
            next(members(self.model.refs.touch(ref).bits))].indirect

    def _name(self, ref: ir.Ref, node: int, deep: int) -> ir.Expr | None:
        bits = self.model.space.with_aliases(self.model.refs.touch(ref).bits)
        if not bits & (self.written | self.counter):
            return ref
        writers = [n for n in self.step.nodes if self.model.effects[n].out & bits]
        if not any(node in self._later(writer) for writer in writers):
            known = not bits & ~(self.known | self.counter) and len(list(members(bits))) == 1
            return ref if known else None
        if len(writers) != 1 or deep > DEEP:
            return None
        (writer,) = writers
        stmt = self.model.flow.nodes[writer].stmt
        if (writer == node or not isinstance(stmt, ir.Assign) or stmt.target != ref or self._masked(writer)
                or writer in self._later(writer) or node in self._reached(self.step.enter, without=writer)):
            return None
        return self.form(stmt.value, writer, deep + 1)

    def _later(self, node: int) -> frozenset[int]:
        """What may run behind a node in the same step."""
        if node not in self._behind:
            starts = (n for n in self._succs.get(node, ()) if n in self._inside)
            self._behind[node] = frozenset(chain.from_iterable(map(self._reached, starts)))
        return self._behind[node]

    def _masked(self, node: int) -> bool:
        at = self.model.flow.nodes[node]
        return bool(at.masks) or at.kind != "simple" or self._at_once(node)

    # ------------------------------------------------------------ which forms differ

    def differ(self, one: ir.Expr, other: ir.Expr) -> bool:
        """Have two entry forms certainly different values?"""
        if (isinstance(one, ir.Intrinsic) and isinstance(other, ir.Intrinsic) and one.name == other.name
                and len(one.args) == len(other.args) == 2 and one.args[1].value == other.args[1].value):
            by = _number(one.args[1].value)
            apart = _apart(one.args[0].value, other.args[0].value)
            return by is not None and by != 0 and apart is not None and apart % by != 0
        if isinstance(one, ir.Binary) and isinstance(other, ir.Binary) and one.op == other.op == "+":
            if one.left == other.left and _number(one.left) is not None:
                return self.differ(one.right, other.right)
            if one.right == other.right and _number(one.right) is not None:
                return self.differ(one.left, other.left)
        if isinstance(one, ir.Ref) and isinstance(other, ir.Ref) and one != other:
            return {one.name, other.name} <= self._exchanged
        return _never_alike(one, other)

    @cached_property
    def _exchanged(self) -> frozenset[str]:
        """Integers that are different constants before the loop, and that every step gives each other's values."""
        names = {name for n in self.step.nodes for name in self._written_name(n)}
        while True:
            moved = {name: self._given(name) for name in names}
            kept = {name for name, value in moved.items() if value in names}
            if kept == names:
                break
            names = kept
        begins = {name: self._constant_before(name) for name in names}
        different = len(set(moved.values())) == len(names) and len(set(begins.values())) == len(names)
        return frozenset(names) if different and None not in begins.values() else frozenset()

    def _written_name(self, node: int) -> Iterator[str]:
        stmt = self.model.flow.nodes[node].stmt
        if isinstance(stmt, ir.Assign) and stmt.target.rank == 0 and stmt.target.type.kind == "integer" and (
                self._is_scalar(stmt.target)):
            bits = self.model.refs.touch(stmt.target).bits
            if self.model.space.with_aliases(bits) == bits and not bits & ~self.known:
                yield stmt.target.name

    def _given(self, name: str) -> str | None:
        """The name whose value at the step's beginning ``name`` has at its end."""
        ref = ir.Ref((ir.PartRef(name),), ir.INTEGER)
        bits = self.model.refs.touch(ref).bits
        writers = [n for n in self.step.nodes if self.model.effects[n].out & bits]
        if len(writers) != 1 or self.step.leave in self._reached(self.step.enter, without=writers[0]):
            return None
        stmt = self.model.flow.nodes[writers[0]].stmt
        if not isinstance(stmt, ir.Assign) or self._masked(writers[0]) or writers[0] in self._later(writers[0]):
            return None
        found = self.form(stmt.value, writers[0])
        return found.name if isinstance(found, ir.Ref) else None

    def _constant_before(self, name: str) -> int | None:
        """The one constant that it is given outside of the steps, before the loop."""
        bits = self.model.refs.touch(ir.Ref((ir.PartRef(name),), ir.INTEGER)).bits
        flow = self.model.flow
        writers = [n for n, e in enumerate(self.model.effects) if e.out & bits and n not in self._inside]
        if len(writers) != 1:
            return None
        stmt = flow.nodes[writers[0]].stmt
        if not isinstance(stmt, ir.Assign) or self._masked(writers[0]):
            return None
        if self.step.enter in _reach(flow.succs, flow.entry, writers[0]) or (
                writers[0] in _reach(flow.succs, self.step.enter)):
            return None
        return _number(stmt.value)


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


def _reach(succs: tuple[tuple[int, ...], ...], start: int, without: int = -1) -> frozenset[int]:
    found, work = {start}, [start]
    while work:
        for n in succs[work.pop()]:
            if n != without and n not in found:
                found.add(n)
                work.append(n)
    return frozenset(found)


def _number(expr: ir.Expr | None) -> int | None:
    """A constant's value."""
    if isinstance(expr, ir.Unary) and expr.op == "-":
        inner = _number(expr.operand)
        return None if inner is None else -inner
    value = expr.value if isinstance(expr, ir.Literal_) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _difference(one: ir.Expr, other: ir.Expr) -> Quantity | None:
    a, b = (affine(expr, lambda ref: True) for expr in (one, other))
    return None if a is None or b is None else a - b


def _apart(one: ir.Expr, other: ir.Expr) -> int | None:
    """The difference of two expressions, where it is a constant."""
    found = _difference(one, other)
    return None if found is None or found.constant is None else int(found.constant)


def _never_alike(one: ir.Expr, other: ir.Expr) -> bool:
    """Is the difference of two expressions a constant other than 0, or odd: ``now - (3 - now)``?"""
    found = _difference(one, other)
    if found is None:
        return False
    if found.constant is not None:
        return found.constant != 0
    nothing = {name.name: 0 for name in found.names}
    rest = found.evaluate(nothing)
    return rest % 2 == 1 and all((found.evaluate({**nothing, name: 1}) - rest) % 2 == 0 for name in nothing)


def _plane(ref: ir.Ref, given: tuple[ir.Subscript, ...], axis: int, subscript: ir.Expr,
           extent: tuple[int, int]) -> DeadPlane:
    def section(sub: ir.Subscript) -> ir.Ref:
        subs = (*given[:axis], sub, *given[axis + 1:])
        return ir.Ref((ir.PartRef(ref.name, subs),), ref.type, sum(isinstance(one, ir.Range) for one in subs))

    low, high, one = (ir.Literal_(value, ir.INTEGER) for value in (*extent, 1))
    return DeadPlane(section(subscript), (section(ir.Range(low, ir.Binary("-", subscript, one, ir.INTEGER))),
                                          section(ir.Range(ir.Binary("+", subscript, one, ir.INTEGER), high))))

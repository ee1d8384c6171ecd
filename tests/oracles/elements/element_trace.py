"""Runs a program element by element and writes down what every operation reads and writes: memory is numbered cells.

``w(:, 2) = w(:, 1)*x`` is one operation for each row: it writes one cell, reads two, and its derivative needs them. Of
snapset only the parser is used; what a name, a section, an element that is passed for an array (sequence association),
a COMMON block in another layout mean is worked out here again, plainly. What is not known raises
:class:`NotTracedError`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from snapset.frontend import ir
from snapset.frontend.ir.argument_binding import bind

from tests.oracles.elements import element_values
from tests.oracles.elements.element_values import NONE, Cells, NotTracedError, Value, boxed, mapped

Ids = Any  # an array of cell numbers
Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Operation:
    """One cell written (None: a test, a bound) from what was read. ``flows``: of these what varies and carries a
    derivative."""

    target: int | None
    reads: Cells
    flows: Cells = NONE
    needs: Cells = NONE


@dataclass(frozen=True, slots=True)
class Leaf:
    """Cells of an array in its shape, and its lower bounds."""

    ids: Ids
    low: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Span:
    """One execution of a call or a marked part: its operations, how many cells there were before, the caller's frame as
    it was then."""

    stmt: ir.Stmt
    frame: Frame
    first: int
    last: int
    cells: int
    at: Mapping[str, int]  # the integers of the frame, where it begins


@dataclass(eq=False)
class Frame:
    """What the names of a running procedure stand for: by component path, cells."""

    procedure: ir.Procedure
    slots: dict[ir.Area, dict[Path, Leaf]] = field(default_factory=dict)


class Trace:
    """The run of a program. ``operations`` in order, those of one statement, which happen at a time, together;
    ``spans`` of calls and marked parts, when they end."""

    def __init__(self, program: ir.Program, key: str, values: Mapping[str, float], varied: Sequence[str]) -> None:
        self.program = program
        self.memory: list[Any] = []
        self.varied: set[int] = set()
        self.common: dict[str, list[int]] = {}
        self.globals: dict[ir.Area, dict[Path, Leaf]] = {}
        self.operations: list[tuple[Operation, ...]] = []
        self.spans: list[Span] = []
        self.frame = Frame(program.procedures[key])
        for name in self.frame.procedure.formals:
            for leaf in self.slot(self.frame, name).values():
                for cell in leaf.ids.flat:
                    self.memory[cell] = values.get(name, 0.7)
                    if name in varied:
                        self.varied.add(int(cell))
        self.block(self.frame, self.frame.procedure.body)

    def fresh(self, count: int) -> list[int]:
        first = len(self.memory)
        self.memory += [0.25]*count
        return list(range(first, first + count))

    def slot(self, frame: Frame, name: str) -> dict[Path, Leaf]:
        """The cells of a variable, which come into being when it is first named."""
        variable = frame.procedure.variables.get(name)
        if variable is None or variable.polymorphic or variable.automatic:
            raise NotTracedError(f"variable {name}")
        if variable.area.kind == "common":
            return {(): self.in_common(frame, variable)}
        held = self.globals if variable.area.kind in ("module", "saved") else frame.slots
        if variable.area not in held:
            if variable.pointer or variable.allocatable:
                raise NotTracedError(f"{name} leads nowhere")
            if variable.offset or variable.initialised:
                raise NotTracedError(f"storage of {name}")
            held[variable.area] = dict(self.leaves(frame, variable, (), ()))
        return held[variable.area]

    def leaves(self, frame: Frame, variable: ir.Variable, path: Path,
               outer: tuple[tuple[int, int], ...]) -> list[tuple[Path, Leaf]]:
        ends = (*outer, *self.ends(frame, variable))
        type_ = self.program.types.get(variable.type.derived or "")
        if type_ is not None:
            return [leaf for one in type_.components for leaf in self.leaves(frame, one, (*path, one.name), ends)]
        shape = tuple(max(0, high - low + 1) for low, high in ends)
        ids = np.array(self.fresh(math.prod(shape)), dtype=np.int64).reshape(shape, order="F")
        return [(path, Leaf(ids, tuple(low for low, _ in ends)))]

    def ends(self, frame: Frame, variable: ir.Variable) -> list[tuple[int, int]]:
        if variable.shape.kind not in ("scalar", "explicit"):
            raise NotTracedError(f"shape of {variable.name}")
        return [(1 if one.lower is None else self.integer(frame, one.lower), self.integer(frame, one.upper))
                for one in variable.shape.dims]

    def in_common(self, frame: Frame, variable: ir.Variable) -> Leaf:
        if variable.type.bytes != 8 or variable.offset % 8:
            raise NotTracedError(f"COMMON with {variable.name}")
        shape = tuple(high - low + 1 for low, high in self.ends(frame, variable))
        first, count = variable.offset//8, math.prod(shape)
        block = self.common.setdefault(variable.area.owner, [])
        block += self.fresh(first + count - len(block)) if first + count > len(block) else []
        ids = np.array(block[first:first + count], dtype=np.int64).reshape(shape, order="F")
        return Leaf(ids, tuple(low for low, _ in self.ends(frame, variable)))

    def select(self, frame: Frame, ref: ir.Ref, at: Mapping[str, int] | None = None) -> dict[Path, Ids]:
        """The cells that a reference selects, by the path below it. ``at``: what its names are; else what they are
        now."""
        path = tuple(part.name for part in ref.parts[1:])
        found: dict[Path, Ids] = {}
        for place, leaf in self.slot(frame, ref.name).items():
            if place[:len(path)] == path:
                parts = enumerate(ref.parts)
                index = [one for depth, part in parts for one in self.index(frame, leaf, ref, depth, part, at)]
                found[place[len(path):]] = leaf.ids[tuple(index)]
        return found

    def index(self, frame: Frame, leaf: Leaf, ref: ir.Ref, depth: int, part: ir.PartRef,
              at: Mapping[str, int] | None) -> list[Any]:
        """One index for each dimension of a part of a reference."""
        variable = self.declared(frame, ref, depth)
        if part.subscripts is None:
            return [slice(None)]*variable.shape.rank
        first = sum(self.declared(frame, ref, d).shape.rank for d in range(depth))
        lows, sizes = leaf.low[first:], leaf.ids.shape[first:]
        return [self.subscript(frame, one, low, size, at)
                for one, low, size in zip(part.subscripts, lows, sizes, strict=False)]

    def declared(self, frame: Frame, ref: ir.Ref, depth: int) -> ir.Variable:
        variable = frame.procedure.variables[ref.name]
        for part in ref.parts[1:depth + 1]:
            type_ = self.program.types[variable.type.derived or ""]
            variable = next(one for one in type_.components if one.name == part.name)
        return variable

    def subscript(self, frame: Frame, one: ir.Subscript, low: int, size: int, at: Mapping[str, int] | None) -> Any:
        if not isinstance(one, ir.Range):
            place = self.integer(frame, one, at) - low
            if not 0 <= place < size:
                raise NotTracedError("out of bounds")
            return place
        step = 1 if one.step is None else self.integer(frame, one.step, at)
        ends = [None if end is None else self.integer(frame, end, at) - low for end in (one.lower, one.upper)]
        first = ends[0] if ends[0] is not None else (0 if step > 0 else size - 1)
        last = ends[1] if ends[1] is not None else (size - 1 if step > 0 else 0)
        chosen = list(range(first, last + (1 if step > 0 else -1), step))
        if any(not 0 <= place < size for place in chosen):
            raise NotTracedError("out of bounds")
        if not chosen:
            return slice(0, 0)
        end = chosen[-1] + (1 if step > 0 else -1)
        return slice(chosen[0], end if end >= 0 else None, step)

    def integer(self, frame: Frame, expr: ir.Expr | None, at: Mapping[str, int] | None = None) -> int:
        if at is not None and isinstance(expr, ir.Ref) and expr.name in at:
            return at[expr.name]
        match expr:
            case ir.Binary(op=op) if op in ("+", "-", "*"):
                a, b = self.integer(frame, expr.left, at), self.integer(frame, expr.right, at)
                return a + b if op == "+" else a - b if op == "-" else a*b
            case ir.Unary(op="-"):
                return -self.integer(frame, expr.operand, at)
            case None:
                raise NotTracedError("no bound")
            case _:
                return int(self.value(frame, expr).item().v)

    def value(self, frame: Frame, expr: ir.Expr) -> Any:
        """An array (of no dimensions for a scalar) of :class:`Value`."""
        match expr:
            case ir.Literal_():
                return boxed(Value(expr.value))
            case ir.Ref():
                variable = frame.procedure.variables[expr.name]
                if variable.value is not None:
                    return self.value(frame, variable.value)
                return self.read(frame, expr)
            case ir.Unary(op="-" | "+" as op):
                return mapped(lambda a: Value(-a.v if op == "-" else a.v, a.reads, a.flows, a.needs),
                              self.value(frame, expr.operand))
            case ir.Binary():
                both = self.value(frame, expr.left), self.value(frame, expr.right)
                return mapped(partial(element_values.combined, expr.op), *both)
            case ir.Intrinsic():
                return self.intrinsic(frame, expr)
            case ir.ArrayConstructor() if not any(isinstance(one, ir.ImpliedDo) for one in expr.items):
                return np.array([self.value(frame, one).item() for one in expr.items], dtype=object)
            case _:
                raise NotTracedError(type(expr).__name__)

    def read(self, frame: Frame, ref: ir.Ref) -> Any:
        found = self.select(frame, ref)
        if len(found) != 1 or () not in found:
            raise NotTracedError("a whole object")
        index = self.subscripts(frame, ref)
        real = ref.type.kind == "real"

        def one(cell: int) -> Value:
            own = frozenset((int(cell),))
            return Value(self.memory[cell], own | index, own if real and cell in self.varied else NONE)

        return mapped(one, found[()])

    def subscripts(self, frame: Frame, ref: ir.Ref) -> Cells:
        """What finding a reference reads."""
        ends = (end for part in ref.parts for one in part.subscripts or () for end in (
            (one.lower, one.upper, one.step) if isinstance(one, ir.Range) else (one,)) if end is not None)
        return frozenset().union(*(self.value(frame, end).item().reads for end in ends))

    def intrinsic(self, frame: Frame, expr: ir.Intrinsic) -> Any:
        if expr.name == "size" and len(expr.args) == 1:
            array = expr.args[0].value
            assert isinstance(array, ir.Ref)
            return boxed(Value(int(np.size(self.select(frame, array)[()]))))
        args = [self.value(frame, one.value) for one in expr.args]
        if expr.name == "sum" and len(args) == 1:
            every = list(args[0].flat)
            union = [frozenset().union(*(getattr(one, what) for one in every)) for what in ("reads", "flows", "needs")]
            return boxed(Value(sum(one.v for one in every), *union))
        if expr.name not in element_values.FUNCTIONS:
            raise NotTracedError(expr.name)
        return mapped(lambda *every: element_values.applied(expr.name, every), *args)

    def block(self, frame: Frame, block: ir.Block) -> None:
        for stmt in block:
            if len(self.operations) > 60_000:
                raise NotTracedError("too long")
            self.statement(frame, stmt)

    def statement(self, frame: Frame, stmt: ir.Stmt) -> None:
        match stmt:
            case ir.Assign():
                self.assign(frame, stmt.target, self.value(frame, stmt.value))
            case ir.Call():
                self.spanned(frame, stmt, lambda: self.call(frame, stmt))
            case ir.Marked():
                self.spanned(frame, stmt, lambda: self.block(frame, stmt.body))
            case ir.If():
                self.block(frame, stmt.then if self.tested(frame, stmt.cond) else stmt.orelse)
            case ir.Do(kind="do"):
                self.loop(frame, stmt)
            case ir.Allocate(source=None, like=None, type=None):
                for ref in stmt.objects:
                    self.allocate(frame, ref)
            case ir.PointerAssign(bounds=()) if isinstance(stmt.value, ir.Ref):
                self.associate(frame, stmt.target, stmt.value)
            case ir.Continue() | ir.Deallocate():
                pass
            case _:
                raise NotTracedError(type(stmt).__name__)

    def allocate(self, frame: Frame, ref: ir.Ref) -> None:
        """A variable's memory; a component has none of its own here."""
        variable, given = frame.procedure.variables[ref.name], ref.parts[0].subscripts or ()
        if len(ref.parts) > 1 or variable.type.kind == "derived":
            raise NotTracedError("a component is allocated")
        dims = tuple(ir.Dim(one.lower, one.upper) if isinstance(one, ir.Range) else ir.Dim(None, one) for one in given)
        explicit = replace(variable, shape=ir.Shape("explicit", dims))
        held = self.globals if variable.area.kind in ("module", "saved") else frame.slots
        held[variable.area] = dict(self.leaves(frame, explicit, (), ()))

    def associate(self, frame: Frame, pointer: ir.Ref, target: ir.Ref) -> None:
        variable, found = frame.procedure.variables[pointer.name], self.select(frame, target)
        if len(pointer.parts) > 1 or set(found) != {()}:
            raise NotTracedError("an association of parts")
        held = self.globals if variable.area.kind in ("module", "saved") else frame.slots
        held[variable.area] = {(): Leaf(np.asarray(found[()]), (1,)*np.ndim(found[()]))}

    def tested(self, frame: Frame, cond: ir.Expr) -> Any:
        found = self.value(frame, cond).item()
        self.asked(found.reads)
        return found.v

    def asked(self, reads: Cells) -> None:
        self.operations += [(Operation(None, reads),)] if reads else []

    def spanned(self, frame: Frame, stmt: ir.Stmt, run: Callable[[], None]) -> None:
        at = {name: int(self.memory[leaf.ids.item()]) for name, one in frame.procedure.variables.items()
              if one.type.kind == "integer" and one.shape.kind == "scalar" and one.value is None
              and one.area in frame.slots for leaf in (frame.slots[one.area][()],)}
        first, cells, before = len(self.operations), len(self.memory), Frame(frame.procedure, dict(frame.slots))
        run()
        self.spans.append(Span(stmt, before, first, len(self.operations), cells, at))

    def assign(self, frame: Frame, target: ir.Ref, value: Any) -> None:
        found = self.select(frame, target)
        if set(found) != {()}:
            raise NotTracedError("a whole object is assigned")
        index, ids = self.subscripts(frame, target), np.asarray(found[()])
        if np.ndim(value) not in (0, ids.ndim):
            raise NotTracedError("shapes")
        pairs = list(zip(ids.flat, np.broadcast_to(value, ids.shape).flat, strict=True))
        self.operations.append(tuple(self.written(int(cell), one, index, target.type) for cell, one in pairs))

    def write(self, cell: int, value: Value, type_: ir.Type) -> None:
        self.operations.append((self.written(cell, value, NONE, type_),))

    def written(self, cell: int, value: Value, index: Cells, type_: ir.Type) -> Operation:
        self.memory[cell] = int(value.v) if type_.kind == "integer" else value.v
        (self.varied.add if value.flows and type_.kind == "real" else self.varied.discard)(cell)
        return Operation(cell, value.reads | index, value.flows, value.needs)

    def loop(self, frame: Frame, stmt: ir.Do) -> None:
        ends = [stmt.start, stmt.stop, stmt.step or ir.Literal_(1, ir.INTEGER)]
        start, stop, step = (self.tested(frame, one) for one in ends)
        (cell,) = self.select(frame, stmt.var)[()].flat
        for value in range(start, stop + (1 if step > 0 else -1), step):
            self.write(int(cell), Value(value), ir.INTEGER)
            self.block(frame, stmt.body)
        self.write(int(cell), Value(start + step*max(0, (stop - start + step)//step)), ir.INTEGER)

    def call(self, frame: Frame, stmt: ir.Call) -> None:
        if len(stmt.targets) != 1 or stmt.pointer or stmt.dispatch:
            raise NotTracedError(f"call of {stmt.name}")
        procedure = self.program.procedures[stmt.targets[0]]
        inner = Frame(procedure)
        pairs = list(zip(procedure.formals, bind(stmt, procedure), strict=True))
        pairs += [(procedure.result, stmt.result)] if procedure.result and stmt.result else []
        for name, actual in sorted(pairs, key=lambda pair: procedure.variables[pair[0]].shape.rank):  # scalars first
            if actual is None:
                raise NotTracedError("an argument that is not there")
            inner.slots[procedure.variables[name].area] = self.argument(frame, inner, procedure.variables[name], actual)
        self.block(inner, procedure.body)

    def argument(self, frame: Frame, inner: Frame, formal: ir.Variable, actual: ir.Expr) -> dict[Path, Leaf]:
        """The cells of a dummy argument."""
        constant = isinstance(actual, ir.Ref) and frame.procedure.variables[actual.name].value is not None
        if not isinstance(actual, ir.Ref) or constant:
            value = np.asarray(self.value(frame, actual), dtype=object)
            ids = np.array(self.fresh(value.size), dtype=np.int64).reshape(value.shape, order="F")
            for cell, one in zip(ids.flat, value.flat, strict=True):
                self.write(int(cell), one, formal.type)
            return {(): Leaf(self.shaped(inner, formal, ids), self.lows(inner, formal))}
        self.asked(self.subscripts(frame, actual))
        found = self.select(frame, actual)
        if formal.type.kind == "derived":
            if formal.shape.rank:
                raise NotTracedError("an array of objects is passed")
            return {path: Leaf(np.asarray(ids), (1,)*np.ndim(ids)) for path, ids in found.items()}
        passed = self.following(frame, actual) if formal.shape.rank and not actual.rank else np.asarray(found[()])
        return {(): Leaf(self.shaped(inner, formal, passed), self.lows(inner, formal))}

    def following(self, frame: Frame, ref: ir.Ref) -> Ids:
        """An element and all that follows it in its array."""
        *above, last = ref.parts
        whole = ir.Ref((*above, ir.PartRef(last.name)), ref.type)
        ids = np.asarray(self.select(frame, whole)[()])
        at = int(np.asarray(self.select(frame, ref)[()]).item())
        flat = ids.ravel(order="F")
        return flat[int(np.nonzero(flat == at)[0][0]):]

    def lows(self, inner: Frame, formal: ir.Variable) -> tuple[int, ...]:
        return tuple(1 if one.lower is None else self.integer(inner, one.lower) for one in formal.shape.dims)

    def shaped(self, inner: Frame, formal: ir.Variable, ids: Ids) -> Ids:
        if formal.shape.kind == "scalar":
            return np.asarray(ids).reshape(())
        if formal.shape.kind == "assumed-shape":
            return ids
        sizes = tuple(max(0, high - low + 1) for low, high in self.ends(inner, formal))
        flat = ids.ravel(order="F")
        if math.prod(sizes) > flat.size:
            raise NotTracedError("more is declared than passed")
        return flat[:math.prod(sizes)].reshape(sizes, order="F")

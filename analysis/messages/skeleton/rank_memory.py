"""What a followed rank remembers: values of variables, of components, of elements, and what a statement may write."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import inf
from typing import TypeAlias, cast

from snapset.analysis.messages.mpi_calls import known_call
from snapset.analysis.messages.skeleton.followed_program import FollowedProgram
from snapset.analysis.messages.skeleton.skeleton_program import RunningProcedure, assigned, lower
from snapset.analysis.messages.skeleton.skeleton_values import (
    UNIFORM,
    VARIES,
    CellIndex,
    SkeletonCell,
    SkeletonValue,
    binary,
    constant,
    intrinsic,
    literal,
    literal_of,
    unary,
    unknown,
)
from snapset.analysis.messages.skeleton.written_variables import Writes, place_of, written_arguments
from snapset.analysis.symbolic.fortran_text import bare
from snapset.frontend import ir
from snapset.frontend.ir.expression_queries import rank_of
from snapset.frontend.ir.statement_walk import statements

OutlivingKey: TypeAlias = tuple[str, str, int, str, str]
"""Owner and name of an area, the offset in it, how the memory is laid out there, the path of components."""


class RankMemory:
    """``globals``: what outlives procedures; ``outliving``: whose it is. ``diverged``: other ranks may have gone
    another way. ``clobbered``: what calls that were not followed may have written, also where nothing is known of it
    yet."""

    def __init__(self, facts: FollowedProgram, rank: int, size: int) -> None:
        self.rank, self.size, self.own = rank, size, facts.own
        self.program, self.writes, self.allocated = facts.program, facts.writes, facts.allocated
        self.globals: dict[OutlivingKey, SkeletonCell] = {}
        self.outliving: dict[OutlivingKey, ir.Variable] = {}
        self.diverged = False
        self.clobbered: list[Writes] = []

    def cell(self, run: RunningProcedure, ref: ir.Ref) -> SkeletonCell:
        """The memory behind a reference; a component's own."""
        run, ref = run.owner(ref)
        name = "%".join(part.name for part in ref.parts)
        if name in run.cells:
            return run.cells[name]
        variable = run.procedure.variables.get(ref.parts[0].name)
        if variable is not None and variable.area.kind in ("module", "common", "saved"):
            key = (variable.area.owner, variable.area.name, variable.offset, layout(variable), name.partition("%")[2])
            if key not in self.globals:
                new = _cell(variable, self.before(variable), len(ref.parts))
                for other, cell in self.globals.items():
                    if other[:2] == key[:2] and other[2:4] != key[2:4] and overlap(variable, self.outliving[other]):
                        new.share(cell)
                self.globals[key], self.outliving[key] = new, variable
            return self.globals[key]
        found = SkeletonCell() if variable is None else _cell(variable, VARIES, len(ref.parts))
        for known, cell in run.cells.items():
            other_name = known.partition("%")[0]
            beside = run.procedure.variables.get(other_name)
            if variable is not None and beside is not None and other_name != ref.parts[0].name and overlap(
                    variable, beside):
                found.share(cell)
        run.cells[name] = found
        return found

    def before(self, variable: ir.Variable) -> SkeletonValue:
        """What a variable that outlives procedures holds before anything here has written it."""
        place = place_of(variable)
        if not is_alike(variable) or any(one.touches(variable) for one in self.clobbered):
            return VARIES
        if place in self.own.ranks:
            return SkeletonValue(self.rank, False)
        if place in self.own.sizes:
            return constant(self.size)
        own = place in self.own.varying or variable.name in self.program.rank_names
        return VARIES if own else UNIFORM

    def components(self, run: RunningProcedure, ref: ir.Ref) -> list[SkeletonCell]:
        """The memory of all components known so far of what a reference names."""
        run, ref = run.owner(ref)
        start = "".join(f"{part.name}%" for part in ref.parts)
        variable = run.procedure.variables.get(ref.parts[0].name)
        found = [cell for name, cell in run.cells.items() if name.startswith(start)]
        if variable is not None:
            area, path = (variable.area.owner, variable.area.name), start.partition("%")[2]
            found += [self.globals[key] for key, one in self.outliving.items()
                      if (one.area.owner, one.area.name) == area and key[-1].startswith(path)]
        return found

    def index(self, run: RunningProcedure, ref: ir.Ref) -> CellIndex:
        """The known subscripts of an element; () of a scalar or whole array, None where it is not known, and of an
        array in an element."""
        _, whole = run.owner(ref)
        found = self._subscripts(run, whole.parts)
        return None if found and ref.rank else found

    def _subscripts(self, run: RunningProcedure, parts: tuple[ir.PartRef, ...]) -> CellIndex:
        found: list[int] = []
        for part in parts:
            for sub in part.subscripts or ():
                known = None if isinstance(sub, ir.Range) else self.value(run, sub).known
                if known is None:
                    return None
                found.append(known)
        return tuple(found)

    def row(self, run: RunningProcedure, ref: ir.Ref) -> tuple[CellIndex, int | None]:
        """The object in which an array lies, None where it is not known; the subscript that a reference to the array,
        to a section of it, or to an element begins with, where it says so: ``h(2)%req(3:)`` is (2,) and 3."""
        _, whole = run.owner(ref)
        sub = (whole.parts[-1].subscripts or (None,))[0]
        many = len(whole.parts[-1].subscripts or ()) > 1
        first = sub.lower if isinstance(sub, ir.Range) else sub
        known = None if first is None or many else self.value(run, first).known
        if whole.parts[-1].subscripts is None and (array := self.declared(run, ref)) and array.shape.rank == 1:
            known = self.lowest(array)
        return self._subscripts(run, whole.parts[:-1]), known

    def named(self, run: RunningProcedure, ref: ir.Ref, count: int | None,
              those: Iterable[CellIndex]) -> list[CellIndex] | None:
        """Of some elements the first ``count`` (None: all) from the one that a reference begins with; None where it is
        not known in which object they lie."""
        inside, first = self.row(run, ref)
        there = sorted((one for one in those if one is not None), key=str)
        if inside is None:
            return None if there else []
        at = len(inside)
        there = [one for one in there if one[:at] == inside]
        if count is None or (first is None and any(len(one) != at + 1 for one in there)):
            return list(there)
        start = first if first is not None else min(1, min((one[at] for one in there), default=1))
        return [one for one in there if len(one) > at and start <= one[at] < start + count]

    def declared(self, run: RunningProcedure, ref: ir.Ref) -> ir.Variable | None:
        """The declaration of what a reference names: a variable's, or a component's."""
        run, ref = run.owner(ref)
        found = run.procedure.variables.get(ref.parts[0].name)
        for part in ref.parts[1:]:
            kind = None if found is None else self.program.types.get(found.type.derived or "")
            found = None if kind is None else next((one for one in kind.components if one.name == part.name), None)
        return found

    def lowest(self, variable: ir.Variable, dim: int = 0) -> int | None:
        """The lower bound of an array, or of a component, where it is a number."""
        found = lower(variable, dim)
        given = self.allocated.get(variable.name, ()) if variable.allocatable and found is None else ()
        return given[dim] if dim < len(given) else found

    def value(self, run: RunningProcedure, expr: ir.Expr) -> SkeletonValue:
        """What an expression is on this rank."""
        match expr:
            case ir.Literal_():
                return literal(expr)
            case ir.Ref():
                variable = run.procedure.variables.get(expr.name)
                if variable is not None and variable.value is not None:
                    if expr.rank == 0 and not expr.parts[0].subscripts:
                        return self.value(run, variable.value)
                    item = self.item_of(run, variable, expr)
                    return UNIFORM if item is None else self.value(run, item)
                return self.cell(run, expr).read(self.index(run, expr))
            case ir.Unary():
                return unary(expr.op, self.value(run, expr.operand))
            case ir.Binary():
                sides = self.value(run, expr.left), self.value(run, expr.right)
                whole = expr.type.kind in ("integer", "logical")
                return binary(expr.op, *sides) if whole else unknown(sides)
            case ir.Intrinsic(name="present"):
                return run.presence(expr)
            case ir.Intrinsic(name="size" | "lbound" | "ubound") if (found := self.extent(run, expr)) is not None:
                return found
            case ir.Intrinsic():
                return intrinsic(expr.name, [self.value(run, one.value) for one in expr.args])
            case _:
                return VARIES

    def item_of(self, run: RunningProcedure, variable: ir.Variable, ref: ir.Ref) -> ir.Expr | None:
        """An element of a named constant, ``step(2)`` of ``step(2) = [-1, 1]``."""
        at, first, every = self._subscripts(run, ref.parts), lower(variable), variable.value
        if not isinstance(every, ir.ArrayConstructor) or at is None or len(at) != 1 or first is None:
            return None
        if any(isinstance(one, ir.ImpliedDo) or rank_of(one) for one in every.items):
            return None
        number = at[0] - first
        found = every.items[number] if 0 <= number < len(every.items) else None
        return None if isinstance(found, ir.ImpliedDo) else found

    def assign(self, run: RunningProcedure, target: ir.Ref, value: SkeletonValue) -> None:
        """Store a value; where ranks have gone several ways, others may not have."""
        value = value.varying() if self.diverged else value
        cell, at = self.cell(run, target), self.index(run, target)
        if target.type.kind == "derived":
            for one in self.components(run, target):
                if at == ():
                    one.fill(value)
                else:
                    one.blur(value)
        if at == () and target.rank:
            cell.fill(value)
        else:
            cell.write(at, value)

    def assignment(self, run: RunningProcedure, stmt: ir.Assign) -> None:
        """An assignment; of ``dims = [0, 1]`` element by element."""
        items = stmt.value.items if isinstance(stmt.value, ir.ArrayConstructor) else ()
        simple = all(not isinstance(one, ir.ImpliedDo) and rank_of(one) == 0 for one in items)
        values = [self.value(run, one) for one in items if not isinstance(one, ir.ImpliedDo)] if simple else []
        kept = dict(self.cell(run, stmt.target).bounds) if rank_of(stmt.value) == 0 else {}
        self.assign(run, stmt.target, self.value(run, stmt.value))
        self.cell(run, stmt.target).bounds.update(kept)
        variable = self.declared(run, stmt.target)
        low = self.lowest(variable) if variable is not None and variable.shape.rank == stmt.target.rank == 1 else None
        if low is not None and self.index(run, stmt.target) == ():
            for k, value in enumerate(values):
                self.cell(run, stmt.target).write((low + k,), value.varying() if self.diverged else value)

    def allocation(self, run: RunningProcedure, stmt: ir.Allocate | ir.Deallocate) -> None:
        """Which bounds arrays have now; a run in which it fails has no adjoint."""
        for ref in stmt.objects:
            bounds, inside = self.cell(run, ref).bounds, self.row(run, ref)[0]
            subs = ref.parts[-1].subscripts if isinstance(stmt, ir.Allocate) else None
            if inside is None:
                bounds.clear()
            elif subs is None or self.diverged:
                bounds.pop(inside, None)
            else:
                ends = ((one.lower, one.upper) if isinstance(one, ir.Range) else (None, one) for one in subs)
                bounds[inside] = tuple(
                    (constant(1) if low is None else self.value(run, low), VARIES if high is None else
                     self.value(run, high)) for low, high in ends)
        if stmt.stat is not None:
            self.assign(run, stmt.stat, constant(0))

    def extent(self, run: RunningProcedure, expr: ir.Intrinsic) -> SkeletonValue | None:
        """SIZE, LBOUND or UBOUND, where the bounds are known that the array has."""
        array, *others = expr.args
        dim = next((one.value for one in others if one.keyword in (None, "dim")), None)
        found = self.bounds(run, array.value) if isinstance(array.value, ir.Ref) else None
        number = None if dim is None else self.value(run, dim).known
        if found is None or (number is None and (dim is not None or (expr.name != "size" and len(found) > 1))):
            return None
        whole, chosen = constant(1), found if number is None else found[int(number) - 1:int(number)]
        for low, high in chosen:
            if expr.name != "size":
                return low if expr.name == "lbound" else high
            whole = binary("*", whole, intrinsic("max", [
                binary("+", binary("-", high, low), constant(1)), constant(0)]))
        return whole if chosen and expr.rank == 0 else None

    def bounds(self, run: RunningProcedure, array: ir.Ref) -> tuple[tuple[SkeletonValue, SkeletonValue], ...] | None:
        """Of a whole array, as it is allocated or declared with numbers."""
        variable, subs = self.declared(run, array), array.parts[-1].subscripts or ()
        full = all(isinstance(one, ir.Range) and one.lower is one.upper is one.step is None for one in subs)
        if variable is None or not full or variable.shape.rank != array.rank:
            return None
        if variable.allocatable:
            inside = self.row(run, array)[0]
            return None if inside is None else self.cell(run, array).bounds.get(inside)
        ends = [(constant(1) if one.lower is None else literal_of(one.lower), literal_of(one.upper))
                for one in variable.shape.dims]
        return tuple((low, high) for low, high in ends if low is not None and high is not None) \
            if all(None not in one for one in ends) else None

    def assigned(self, stmt: ir.Stmt) -> tuple[ir.Ref, ...]:
        """What a statement may assign by name."""
        if isinstance(stmt, ir.Allocate | ir.Deallocate):
            return tuple(replace(one, parts=(*one.parts[:-1], replace(one.parts[-1], subscripts=None)))
                         for one in stmt.objects)
        if isinstance(stmt, ir.Call) and (stmt.targets or known_call(stmt) is not None):
            return tuple(written_arguments(self.program, stmt, self.writes))
        return assigned(stmt)

    def beyond(self, run: RunningProcedure, stmt: ir.Stmt, notes: bool = True) -> list[SkeletonCell]:
        """The memory that a call may write without being passed it. ``notes``: it is not followed, and has written."""
        if not isinstance(stmt, ir.Call):
            return []
        found: list[SkeletonCell] = []
        for target in stmt.targets:
            writes, frame = self.writes[target], cast("RunningProcedure | None", run)
            found += self.clobber(writes) if notes else self.reached(writes)
            while frame is not None:
                for name, cell in frame.cells.items():
                    variable = frame.procedure.variables.get(name.partition("%")[0])
                    if variable is not None and writes.touches(variable):
                        found.append(cell)
                frame = frame.host
        return found

    def clobber(self, writes: Writes) -> list[SkeletonCell]:
        """What may be written without being passed, and is known; what is not known yet is written, too."""
        if writes not in self.clobbered:
            self.clobbered.append(writes)
        return self.reached(writes)

    def reached(self, writes: Writes) -> list[SkeletonCell]:
        """Of what outlives procedures, and is known, what may be written."""
        return [cell for key, cell in self.globals.items() if writes.touches(self.outliving[key])]

    def havoc(self, run: RunningProcedure, block: ir.Block, cond: SkeletonValue) -> None:
        """Statements without messages that run or do not, any number of times."""
        for _ in range(2):  # what one assigns an earlier one may read in the next step
            for stmt in statements(block):
                values = [cond, self.value(run, stmt.value)] if isinstance(stmt, ir.Assign) else (
                    [VARIES] if isinstance(stmt, ir.Call) else [cond])
                for target in self.assigned(stmt):
                    before = self.cell(run, target).read(self.index(run, target))
                    self.assign(run, target, unknown([*values, before]))
                for cell in self.beyond(run, stmt):
                    cell.fill(VARIES)


def overlap(one: ir.Variable, other: ir.Variable) -> bool:
    """May two variables have memory in common? By area and offset; what is not known to end goes on."""
    if (one.area.kind, one.area.owner, one.area.name) != (other.area.kind, other.area.owner, other.area.name):
        return False
    return one.offset < _end(other) and other.offset < _end(one)


def _cell(variable: ir.Variable, value: SkeletonValue, parts: int) -> SkeletonCell:
    """A variable's memory, or that of a component, at its place in the area."""
    found = SkeletonCell(value, begin=variable.offset, end=_end(variable))
    if variable.shape.rank == 1 and variable.shape.kind == "explicit" and parts == 1 and variable.type.bytes:
        low = variable.shape.dims[0].lower
        first = 1 if low is None else low.value if isinstance(low, ir.Literal_) else None
        if isinstance(first, int):
            found.first, found.width = first, variable.type.bytes
    return found


def _end(variable: ir.Variable) -> float:
    """The first byte behind a variable."""
    size = variable.type.bytes
    for dim in variable.shape.dims:
        low, high = dim.lower, dim.upper
        if not isinstance(low, ir.Literal_ | None) or not isinstance(high, ir.Literal_) or size is None:
            return inf
        first, last = (1 if low is None else low.value), high.value
        if not isinstance(first, int) or not isinstance(last, int):
            return inf
        size *= max(last - first + 1, 0)
    return inf if size is None else variable.offset + size


def layout(variable: ir.Variable) -> str:
    """How a variable's memory is laid out: two that begin at one place are one only if they are laid out alike."""
    dims = ",".join(f"{bare(dim.lower) if dim.lower else 1}:{bare(dim.upper) if dim.upper else '*'}"
                    for dim in variable.shape.dims)
    return f"{variable.type.kind} {variable.type.bytes} {variable.type.derived} ({dims})"


def is_alike(variable: ir.Variable | None) -> bool:
    """Is what the program is given under a name taken to be the same on all ranks? A table may be each rank's own."""
    return variable is not None and variable.type.kind in ("integer", "logical", "character") \
        and variable.shape.kind == "scalar"

"""Allocations that an adjoint may leave alone: nothing that overwrites one can be seen to give it another shape.

    p%l = p%raw            gives p%l the shape of p%raw, which it has, as every adjoint of Tapenade takes it
    w = [w, x(k)]          gives w another shape, each time it runs: a second run does not find what the first one found

Tapenade's PUSHes keep values, and no shapes. So of a program that gives an array another shape in an assignment whose
derivative it needs, its adjoint is wrong; of one that assigns what has the same shape it is right, and of most
assignments nobody can tell from the text which of the two it is (p%l and p%raw are allocated in a procedure that the
head does not call). Only what certainly grows or shrinks, and what is deallocated, counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from snapset.analysis.comparison.verdicts.overwrite_needs import location_path
from snapset.analysis.evidence.steps import Chain
from snapset.analysis.memory.reallocating_assignments import alike
from snapset.analysis.results import Part
from snapset.frontend import ir
from snapset.frontend.interprocedural.call_graph import reachable
from snapset.frontend.ir.expression_queries import rank_of
from snapset.frontend.ir.statement_walk import blocks, statements


@dataclass(frozen=True)
class KeptAllocations:
    """``source``: what the adjoint is made of."""

    source: ir.Program

    def by_part(self, location: str, part: Part, chains: Sequence[Chain]) -> bool:
        """Is it an allocation, and does a part's second run find it as it needs it? ``chains``: evidence of what
        overwrites it, one statement of several, so the part itself is looked through."""
        if not location.endswith("[]"):
            return False
        if allocated_once(self.source, location):
            return True
        return self._assigned(chains) and not any(
            self._changes(stmt, one, location, part) for one, every in self._inside(part) for stmt in every)

    def by_lines(self, location: str, procedure: ir.Procedure, lines: Sequence[int]) -> bool:
        """Is it an allocation, and is all that overwrites it in these lines assignments?"""
        writers = [stmt for stmt in statements(procedure.body) if stmt.span.line in lines and not blocks(stmt)]
        return location.endswith("[]") and bool(writers) and all(
            isinstance(stmt, ir.Assign) and not resizes(stmt) for stmt in writers)

    def _assigned(self, chains: Sequence[Chain]) -> bool:
        """Is what is shown to overwrite it assignments, or what allocates only what is not allocated?"""
        writers = [chain.last for chain in chains if chain.set.startswith("out") and chain.last is not None]
        within = [(step, self.source.procedures[step.procedure]) for step in writers
                  if step.procedure in self.source.procedures]
        return bool(writers) and all(any(
            _gives(stmt, procedure) and stmt.span.line == step.line and stmt.span.file == step.file
            for stmt in statements(procedure.body)) for step, procedure in within)

    def _inside(self, part: Part) -> Iterator[tuple[ir.Procedure, Iterable[ir.Stmt]]]:
        """What a part runs, by procedure."""
        called = dict[str, None]()
        for one in self.source.procedures.values():
            if one.name == part.procedure:
                own = [stmt for stmt in statements(one.body) if part.first_line <= stmt.span.line <= part.last_line]
                yield one, own
                called |= {key: None for stmt in own if isinstance(stmt, ir.Call) for target in stmt.targets
                           for key in reachable(self.source, target)}
        for key in called:
            yield self.source.procedures[key], statements(self.source.procedures[key].body)

    def _changes(self, stmt: ir.Stmt, procedure: ir.Procedure, location: str, part: Part) -> bool:
        """May a statement give the location another shape than it has? Components go by their own names; a dummy
        argument may be any array."""
        match stmt:
            case ir.Allocate() | ir.Deallocate():
                objects: Sequence[ir.Ref] = [one for one in stmt.objects if not _once(stmt, one, procedure)]
            case ir.Call(intrinsic=True, name="move_alloc"):
                objects = [one.value for one in stmt.args if isinstance(one.value, ir.Ref)]
            case ir.Assign() if resizes(stmt):
                objects = (stmt.target,)
            case _:
                return False
        return any(_may_be(one, location, procedure, procedure.name == part.procedure) for one in objects)


def _gives(stmt: ir.Stmt, procedure: ir.Procedure) -> bool:
    return isinstance(stmt, ir.Assign) or (
        isinstance(stmt, ir.Allocate) and all(_once(stmt, one, procedure) for one in stmt.objects))


def _may_be(made: ir.Ref, location: str, procedure: ir.Procedure, own: bool) -> bool:
    """``own``: is the location one of this procedure's, by the name that it has there?"""
    variable = procedure.variables.get(made.name)
    if len(made.parts) == 1 and not own and variable is not None and variable.area.kind in ("local", "formal"):
        return variable.area.kind == "formal"
    return made.parts[-1].name == location_path(location)[-1]


def resizes(stmt: ir.Assign) -> bool:
    """Has the value certainly more elements than the target, or fewer? ``w = [w, x(k)]``, ``w = 2*w(2:)``: of w itself,
    and more, or one end of it."""
    return any(_more(one, stmt.target) or _fewer(one, stmt.target) for one in alike(stmt.value))


def _more(value: ir.Expr, target: ir.Ref) -> bool:
    return isinstance(value, ir.ArrayConstructor) and any(one == target for one in value.items) and any(
        not isinstance(one, ir.ImpliedDo) and rank_of(one) == 0 for one in value.items)


def _fewer(value: ir.Expr, target: ir.Ref) -> bool:
    return isinstance(value, ir.Ref) and value.parts[:-1] == target.parts[:-1] \
        and value.parts[-1].name == target.parts[-1].name and any(
            isinstance(one, ir.Range) and (one.lower is None) != (one.upper is None) and one.step is None
            for one in value.parts[-1].subscripts or ())


def allocated_once(program: ir.Program, name: str) -> bool:
    """Is ``a[]`` changed by nothing but ``IF (.NOT. ALLOCATED(a)) ALLOCATE(a(n))``? A second run that finds a allocated
    leaves it as the first run made it, so that nobody sees the difference."""
    plain = name.removesuffix("[]").rpartition("::")[2]
    changes = [(stmt, ref, one) for one in program.procedures.values() for stmt in statements(one.body)
               if isinstance(stmt, ir.Allocate | ir.Deallocate) for ref in stmt.objects
               if len(ref.parts) == 1 and ref.name == plain]
    return "%" not in plain and bool(changes) and all(_once(*change) for change in changes)


def _once(stmt: ir.Stmt, made: ir.Ref, procedure: ir.Procedure) -> bool:
    """Is it done only where the object is not allocated?"""
    return isinstance(stmt, ir.Allocate) and any(
        isinstance(guard, ir.If) and not guard.orelse and any(inner.id == stmt.id for inner in guard.then)
        and all(isinstance(inner, ir.Allocate) for inner in guard.then) and _unless_allocated(guard.cond, made)
        for guard in statements(procedure.body))


def _unless_allocated(cond: ir.Expr, made: ir.Ref) -> bool:
    match cond:
        case ir.Unary(op=".not.", operand=ir.Intrinsic(name="allocated", args=(argument,))):
            return isinstance(argument.value, ir.Ref) and [one.name for one in argument.value.parts] == [
                one.name for one in made.parts]
        case _:
            return False

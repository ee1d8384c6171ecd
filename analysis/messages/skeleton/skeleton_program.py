"""What following a rank without inputs keeps in mind, and which statements matter to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from math import inf

from snapset.analysis.messages.mpi_calls import CALLS, is_message_passing, known_call
from snapset.analysis.messages.skeleton.skeleton_values import (
    UNIFORM,
    VARIES,
    CellIndex,
    SkeletonCell,
    SkeletonValue,
    constant,
)
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Span
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.expression_queries import names_in
from snapset.frontend.ir.statement_walk import statements


class UnprovableError(Exception):
    """The calls cannot be followed; ``span``: where; ``within``: the procedures around, innermost first."""

    def __init__(self, why: str, span: Span) -> None:
        super().__init__(why)
        self.span = span
        self.within: list[str] = []


class LeaveError(Exception):
    """A loop or a procedure is left: ``kind`` is cycle, exit, return, stop or goto, ``name`` the loop's, or the
    label."""

    def __init__(self, kind: str, name: str | None = None) -> None:
        super().__init__(kind)
        self.kind, self.name = kind, name


@dataclass(slots=True)
class OpenRequest:
    """A started message. ``key``: what matches its other end, by order; ``message``: the name of a collective."""

    kind: str
    peer: int
    key: tuple[object, ...]
    number: int
    where: str
    span: Span
    open: bool = True
    message: str = ""
    buffer: object = None


@frozen
class PreparedRequest:
    """A persistent request. ``buffer``: what it receives into, and whose."""

    kind: str
    peer: int
    tag: int
    communicator: object
    buffer: tuple[RunningProcedure, ir.Ref] | None
    flying: object = None


@dataclass(slots=True)
class Decisions:
    """What unknown conditions are taken to be, in the order in which they come up; the same on all ranks."""

    given: tuple[bool, ...] = ()
    taken: list[bool] = field(default_factory=list)
    known: dict[tuple[object, ...], bool] = field(default_factory=dict)

    def decide(self, key: tuple[object, ...]) -> bool:
        """One way, by what was given; first the THEN branch."""
        if key not in self.known:
            at = len(self.taken)
            self.known[key] = self.given[at] if at < len(self.given) else True
            self.taken.append(self.known[key])
        return self.known[key]


@frozen
class PassedObject:
    """What a dummy argument of derived type is in the caller: ``h(2)`` in ``call start(h(k))``.

    ``parts``: its name there, subscripts being numbers, or all where they are not known. ``rank``: the dummy's;
    ``by``: how much higher its subscripts are, None where that is not known.
    """

    run: RunningProcedure
    parts: tuple[ir.PartRef, ...]
    rank: int = 0
    by: int | None = 0

    def under(self, subscripts: tuple[ir.Subscript, ...] | None) -> tuple[ir.PartRef, ...]:
        """The name there of what the dummy argument's subscripts choose."""
        if self.rank == 0 or (subscripts is None and self.by is not None):
            return self.parts
        chosen: tuple[ir.Subscript, ...] = (ir.Range(),)
        if subscripts is not None and self.by == 0:
            chosen = subscripts
        elif subscripts is not None and self.by is not None:
            chosen = tuple(ir.Range() if isinstance(one, ir.Range) else
                           ir.Binary("-", one, ir.Literal_(self.by, WHOLE), WHOLE) for one in subscripts)
        return (*self.parts[:-1], replace(self.parts[-1], subscripts=chosen))


WHOLE = ir.Type("integer", 4)


@dataclass(slots=True)
class RunningProcedure:
    """A procedure that is followed, and the memory of its variables. ``aliases``: of dummy arguments of derived type
    what the caller passes; ``host``: the run of the procedure that contains it; ``absent``: the dummy arguments that
    are not passed (True), or perhaps not (False)."""

    procedure: ir.Procedure
    cells: dict[str, SkeletonCell]
    aliases: dict[str, PassedObject] = field(default_factory=dict)
    host: RunningProcedure | None = None
    absent: dict[str, bool] = field(default_factory=dict)

    def presence(self, expr: ir.Intrinsic) -> SkeletonValue:
        """PRESENT: the call that is followed tells."""
        argument = expr.args[0].value
        run: RunningProcedure | None = self
        while isinstance(argument, ir.Ref) and run is not None:
            if argument.name in run.procedure.formals:
                if not run.absent.get(argument.name, True):
                    return VARIES
                return constant(argument.name not in run.absent)
            run = run.host
        return VARIES

    def owner(self, ref: ir.Ref) -> tuple[RunningProcedure, ir.Ref]:
        """The run whose variable a reference names, and its name there; what subscripts of its own mean, they mean
        here."""
        name = ref.parts[0].name
        if name in self.aliases:
            given = self.aliases[name]
            return given.run.owner(replace(ref, parts=(*given.under(ref.parts[0].subscripts), *ref.parts[1:])))
        variable = self.procedure.variables.get(name)
        foreign = variable is not None and variable.area.kind in ("local", "formal") and \
            variable.area.owner != self.procedure.key
        return self.host.owner(ref) if foreign and self.host is not None else (self, ref)

    def home_of(self, procedure: ir.Procedure) -> RunningProcedure | None:
        """Of a procedure that is called from here, the run that contains it."""
        run: RunningProcedure | None = self
        while run is not None and run.procedure.key != procedure.host:
            run = run.host
        return run


def lower(variable: ir.Variable, dim: int = 0) -> int | None:
    """The lower bound of a dimension, where it is a number."""
    if not variable.shape.dims:
        return 1
    bound = variable.shape.dims[dim].lower
    if variable.pointer or variable.allocatable:
        return None if variable.shape.kind == "deferred" else 1
    if bound is None:
        return 1
    return bound.value if isinstance(bound, ir.Literal_) and isinstance(bound.value, int) else None


def allocated_from(program: ir.Program) -> Mapping[str, tuple[int, ...]]:
    """The lower bounds with which allocatable arrays, and components, of a name are allocated everywhere: numbers, the
    same ones. What takes its bounds from another array as a whole is none of these."""
    found: dict[str, set[tuple[int | None, ...]]] = {}
    for stmt in (one for procedure in program.procedures.values() for one in statements(procedure.body)):
        if isinstance(stmt, ir.Allocate):
            for ref in stmt.objects:
                subs = ref.parts[-1].subscripts or (None,)
                found.setdefault(ref.parts[-1].name, set()).add(tuple(map(_first_of, subs)))
        elif isinstance(stmt, ir.Assign) and stmt.target.rank and stmt.target.parts[-1].subscripts is None:
            if isinstance(stmt.value, ir.Ref) and stmt.value.parts[-1].subscripts is None:
                found.setdefault(stmt.target.parts[-1].name, set()).add((None,))
        elif isinstance(stmt, ir.Call) and stmt.name == "move_alloc":
            for ref in (one.value for one in stmt.args if isinstance(one.value, ir.Ref)):
                found.setdefault(ref.parts[-1].name, set()).add((None,))
    return {name: tuple(one for one in known if one is not None) for name, ways in found.items() if len(ways) == 1
            for known in ways if None not in known}


def _first_of(sub: ir.Subscript | None) -> int | None:
    """The lower bound that an ALLOCATE gives."""
    if not isinstance(sub, ir.Range):
        return None if sub is None else 1
    if sub.lower is None:
        return 1
    return sub.lower.value if isinstance(sub.lower, ir.Literal_) and isinstance(sub.lower.value, int) else None


def element_of(cell: SkeletonCell, at: CellIndex) -> SkeletonCell:
    """An element that is passed: its value, and the request in it."""
    found = SkeletonCell(cell.read(at))
    if at in cell.made:
        found.made[()] = cell.made[at]
    if at in cell.prepared:
        found.prepared[()] = cell.prepared[at]
    return found


def talking(program: ir.Program, asking: bool = True) -> frozenset[str]:
    """The procedures that communicate, or call one that does. ``asking``: also those that only ask MPI for the rank
    and its like, or end the run."""
    calls = {key: [s for s in statements(p.body) if isinstance(s, ir.Call)] for key, p in program.procedures.items()}
    found = {key for key, own in calls.items() if any(_is_passing(one, asking) for one in own)}
    grown = True
    while grown:
        new = {key for key, own in calls.items()
               if key not in found and any(target in found for one in own for target in one.targets)}
        found |= new
        grown = bool(new)
    return frozenset(found)


def _is_passing(call: ir.Call, asking: bool) -> bool:
    library = known_call(call)
    passing = not call.targets and is_message_passing(call.name)
    return passing and (asking or library is None or library.communicates)


MOST_STATEMENTS = 40


def first_steps(stmt: ir.Do, start: SkeletonValue, by: SkeletonValue, uniform: bool) -> list[SkeletonValue]:
    """The counter in a loop of unknown length: in its first step, and in one of the later ones; in two of them where
    the loop asks which step it is."""
    if start.decided is None or not by.decided:
        return [UNIFORM, UNIFORM]
    conditions = [one.cond if isinstance(one, ir.If) else one.selector for one in statements(stmt.body)
                  if isinstance(one, ir.If | ir.Select)]
    later = 2 if any(stmt.var.name in names_in(one) for one in conditions) else 1
    ends = (start.decided + by.decided, inf) if by.decided > 0 else (-inf, start.decided + by.decided)
    return [SkeletonValue(start.decided, uniform),
            *(SkeletonValue(start.decided + k*by.decided, uniform, True, *ends) for k in range(1, later + 1))]


def case_taken(stmt: ir.Select, value: SkeletonValue,
               known: Callable[[ir.Expr], SkeletonValue]) -> ir.Block | None:
    """What SELECT CASE runs for a value; None where that is not known."""
    if value.decided is None or any(case.guard is not None for case in stmt.cases):
        return None
    for case in sorted(stmt.cases, key=lambda one: one.values is None):
        for one in case.values or ():
            ends = (one.lower, one.upper) if isinstance(one, ir.Range) else (one, one)
            low, high = (None if end is None else known(end).decided for end in ends)
            if (ends[0] is not None and low is None) or (ends[1] is not None and high is None):
                return None
            if (low is None or low <= value.decided) and (high is None or value.decided <= high):
                return case.body
        if case.values is None:
            return case.body
    return ()


def is_arithmetic(procedure: ir.Procedure) -> bool:
    """Is all that it is given, and returns, an integer or logical scalar, and it short?"""
    given = [procedure.variables.get(name) for name in procedure.formals]
    whole = all(one is not None and one.type.kind in ("integer", "logical") and one.shape.kind == "scalar"
                for one in given)
    return whole and sum(1 for _ in statements(procedure.body)) <= MOST_STATEMENTS


def leaves(block: ir.Block) -> bool:
    """May it leave what is around it?"""
    return any(isinstance(one, ir.Cycle | ir.Exit | ir.Return | ir.Stop | ir.Goto | ir.ComputedGoto | ir.ArithmeticIf
                          | ir.Opaque) for one in statements(block))


def assigned(stmt: ir.Stmt) -> tuple[ir.Ref, ...]:
    """What a statement may assign by name."""
    if isinstance(stmt, ir.Assign):
        return (stmt.target,)
    if isinstance(stmt, ir.Do):
        return (stmt.var,)
    if isinstance(stmt, ir.Call):
        given = (*(one.value for one in stmt.args), *(() if stmt.result is None else (stmt.result,)))
        return tuple(one for one in given if isinstance(one, ir.Ref))
    if isinstance(stmt, ir.IO):
        return tuple(one for one in stmt.writes if isinstance(one, ir.Ref))
    return ()


TESTS = frozenset(("mpi_test", "mpi_testall"))


def waits_for_test(stmt: ir.While) -> bool:
    """Does a loop end only when a test says that all is complete?

        do while (.not. flag);  call mpi_testall(2, req, flag, ...);  call compute(x);  end do

    So it is a wait. Nothing else in it communicates by itself, or leaves it.
    """
    calls = [one for one in statements(stmt.body) if isinstance(one, ir.Call)]
    tests = [one for one in stmt.body if isinstance(one, ir.Call) and _tests(one)]
    if len(tests) != 1 or leaves(stmt.body) or any(_is_passing(one, True) for one in calls if one.id != tests[0].id):
        return False
    flag = (known_call(tests[0]) or CALLS["mpi_test"]).bind(tests[0])
    ended = stmt.cond.operand if isinstance(stmt.cond, ir.Unary) and stmt.cond.op == ".not." else None
    if flag is None or not isinstance(ended, ir.Ref) or flag["flag"] != ended or stmt.before:
        return False
    others = (target for one in statements(stmt.body) if one.id != tests[0].id for target in assigned(one))
    return all(target.name != ended.name for target in others)


def without_tests(block: ir.Block) -> ir.Block:
    """What else runs in such a loop."""
    return tuple(one for one in block if not (isinstance(one, ir.Call) and _tests(one)))


def _tests(call: ir.Call) -> bool:
    library = known_call(call)
    return library is not None and library.name in TESTS

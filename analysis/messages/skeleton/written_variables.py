"""Which of its arguments, and of the variables that outlive it, a procedure may write: itself or what it calls.

A call of a procedure that does not communicate is not followed; what it may write is no longer known, all else is as it
was: ``call diffuse(t, nx)`` leaves the module's ``left`` alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from snapset.analysis.messages.mpi_calls import MpiCall, known_call, written_by
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.argument_binding import BindError, bind
from snapset.frontend.ir.expression_queries import walk
from snapset.frontend.ir.statement_walk import statements

AreaKey: TypeAlias = tuple[str, str]
"""Owner and name: whatever shares an area's memory is written with it."""


@frozen
class Writes:
    """``formals``: by name; ``areas``: of modules, COMMON blocks, SAVEd variables, hosts. ``pointees``: what pointers
    may lead to; ``all``: anything it can reach (statements that are not understood)."""

    formals: frozenset[str] = frozenset()
    areas: frozenset[AreaKey] = frozenset()
    pointees: bool = False
    all: bool = False

    def touches(self, variable: ir.Variable) -> bool:
        """May it write a variable that it is not passed?"""
        here = (variable.area.owner, variable.area.name) in self.areas
        return here or self.all or (self.pointees and (variable.target or variable.pointer))


def written_variables(program: ir.Program) -> Mapping[str, Writes]:
    """By procedure, callees included."""
    found = {key: Writes() for key in program.procedures}
    grown = True
    while grown:
        grown = False
        for key, procedure in program.procedures.items():
            new = _written(program, procedure, found)
            if new != found[key]:
                found[key], grown = new, True
    return found


def _written(program: ir.Program, procedure: ir.Procedure, known: Mapping[str, Writes]) -> Writes:
    formals: set[str] = set()
    areas: set[AreaKey] = set()
    everything, pointees = procedure.opaque is not None, False
    for stmt in statements(procedure.body):
        everything |= isinstance(stmt, ir.Opaque)
        for ref in _targets(program, stmt, known):
            name = ref.parts[0].name
            variable = procedure.variables.get(name)
            if variable is None:
                everything = True
                continue
            pointees |= variable.pointer or len(ref.parts) > 1  # a component may be a pointer
            if name in procedure.formals:
                if variable.intent != "in":
                    formals.add(name)
            elif variable.area.kind in ("module", "common", "saved") or variable.area.owner != procedure.key:
                areas.add((variable.area.owner, variable.area.name))
        if isinstance(stmt, ir.Call):
            for target in stmt.targets:
                areas |= known[target].areas
                everything |= known[target].all
                pointees |= known[target].pointees
    return Writes(frozenset(formals), frozenset(areas), pointees, everything)


def _targets(program: ir.Program, stmt: ir.Stmt, known: Mapping[str, Writes]) -> Iterator[ir.Ref]:
    """What a statement writes by name."""
    match stmt:
        case ir.Assign() | ir.PointerAssign():
            yield stmt.target
        case ir.Do():
            yield stmt.var
        case ir.IO():
            yield from (ref for ref in stmt.writes if isinstance(ref, ir.Ref))
        case ir.Allocate() | ir.Deallocate() | ir.Nullify():
            yield from stmt.objects
        case ir.Call():
            yield from written_arguments(program, stmt, known)


def written_arguments(program: ir.Program, call: ir.Call, known: Mapping[str, Writes]) -> Iterable[ir.Ref]:
    """Of what a call passes, and its result, what may be written; of a procedure without source all, but for MPI's."""
    library = known_call(call)
    if library is not None and (bound := library.bind(call)) is not None:
        return [one for name, one in bound.items() if name in written_by(library) and isinstance(one, ir.Ref)]
    given = [one.value for one in call.args]
    found = [] if call.result is None else [call.result]
    for target in call.targets:
        procedure = program.procedures[target]
        try:
            actuals = bind(call, procedure)
        except BindError:
            return [*found, *(one for one in given if isinstance(one, ir.Ref))]
        found += [actual for formal, actual in zip(procedure.formals, actuals, strict=False)
                  if isinstance(actual, ir.Ref) and (formal in known[target].formals or known[target].all)]
    return found if call.targets else [*found, *(one for one in given if isinstance(one, ir.Ref))]


Place: TypeAlias = tuple[str, str, int]
"""Where a variable lies: owner and name of its area, and the offset there."""
_SHARED: Final = frozenset(("ierror", "size", "newtype", "datatype", "comm_cart", "provided", "flag", "version",
                            "subversion", "request", "array_of_requests", "comm", "group", "message", "lb", "extent"))
_PARTING: Final = frozenset(("comm_split", "comm_split_type", "comm_create", "comm_create_group", "cart_sub"))


@frozen
class OwnToRanks:
    """Variables of modules that hold something else on each rank, as the program's own statements say, wherever they
    stand: ``call mpi_comm_rank(comm, me, ierr)`` in a set-up, ``left = me - 1``. ``ranks``, ``sizes``: those that
    nothing but MPI_COMM_RANK, or MPI_COMM_SIZE, of a communicator of all gives a value. What is broadcast is alike."""

    varying: frozenset[Place]
    ranks: frozenset[Place]
    sizes: frozenset[Place]


def place_of(variable: ir.Variable) -> Place:
    """Where a variable lies."""
    return variable.area.owner, variable.area.name, variable.offset


@dataclass(slots=True)
class _Flows:
    """``to``: what gets a value made of a place; ``given``: by place who gives it one; ``asked``: of which
    communicators the rank or size is asked for; ``alike``: what all in a communicator get; ``groups``: communicators of
    some ranks."""

    program: ir.Program
    writes: Mapping[str, Writes]
    to: defaultdict[Place, set[Place]] = field(default_factory=lambda: defaultdict(set))
    back: defaultdict[Place, set[Place]] = field(default_factory=lambda: defaultdict(set))
    varying: set[Place] = field(default_factory=set)
    alike: list[tuple[Place, frozenset[Place]]] = field(default_factory=list)
    groups: set[Place] = field(default_factory=set)
    given: defaultdict[Place, set[str]] = field(default_factory=lambda: defaultdict(set))
    asked: defaultdict[Place, set[Place]] = field(default_factory=lambda: defaultdict(set))

    def block(self, procedure: ir.Procedure, block: ir.Block, under: frozenset[Place]) -> None:
        """``under``: what decides whether it runs."""
        for stmt in block:
            match stmt:
                case ir.Assign():
                    self.flow(procedure, stmt.target, under | self.places(procedure, stmt.value))
                case ir.If():
                    inner = under | self.places(procedure, stmt.cond)
                    self.block(procedure, (*stmt.then, *stmt.orelse), inner)
                case ir.Do():
                    ends = (one for one in (stmt.start, stmt.stop, stmt.step) if one is not None)
                    inner = under.union(*(self.places(procedure, one) for one in ends))
                    self.flow(procedure, stmt.var, inner)
                    self.block(procedure, stmt.body, inner)
                case ir.While():
                    cond = frozenset[Place]() if stmt.cond is None else self.places(procedure, stmt.cond)
                    self.block(procedure, (*stmt.before, *stmt.body), under | cond)
                case ir.Select():
                    inner = under | self.places(procedure, stmt.selector)
                    self.block(procedure, tuple(one for case in stmt.cases for one in case.body), inner)
                case ir.Marked() | ir.ScopeBlock():
                    self.block(procedure, stmt.body, under)
                case ir.Call():
                    self.call(procedure, stmt, under)
                case _:
                    for ref in _targets(self.program, stmt, self.writes):
                        self.flow(procedure, ref, frozenset())

    def places(self, procedure: ir.Procedure, expr: ir.Expr) -> frozenset[Place]:
        """What an expression names."""
        found = (procedure.variables.get(one.parts[0].name) for one in walk(expr) if isinstance(one, ir.Ref))
        return frozenset(place_of(one) for one in found if one is not None and one.value is None)

    def flow(self, procedure: ir.Procedure, target: ir.Ref, sources: Iterable[Place], by: str = "") -> None:
        variable = procedure.variables.get(target.parts[0].name)
        if variable is not None:
            self.given[place_of(variable)].add(by)
            for source in sources:
                self.to[source].add(place_of(variable))

    def call(self, procedure: ir.Procedure, stmt: ir.Call, under: frozenset[Place]) -> None:
        library = known_call(stmt)
        if library is not None:
            self.library(procedure, stmt, library, under)
            return
        for target in stmt.targets:
            callee = self.program.procedures[target]
            try:
                actuals = bind(stmt, callee)
            except BindError:
                continue
            for name, actual in zip(callee.formals, actuals, strict=False):
                formal = callee.variables.get(name)
                if actual is None or formal is None:
                    continue
                for source in self.places(procedure, actual):
                    self.to[source].add(place_of(formal))
                if isinstance(actual, ir.Ref) and name in self.writes[target].formals:
                    self.flow(procedure, actual, under | {place_of(formal)})
                    self.back[place_of(formal)] |= self.places(procedure, ir.Ref(actual.parts[:1], actual.type))
            result = callee.variables.get(callee.result or "")
            if stmt.result is not None:
                self.flow(procedure, stmt.result, under if result is None else under | {place_of(result)})
        if not stmt.targets:
            for ref in written_arguments(self.program, stmt, self.writes):
                self.flow(procedure, ref, under)

    def library(self, procedure: ir.Procedure, stmt: ir.Call, library: MpiCall, under: frozenset[Place]) -> None:
        """A call of MPI: what it hands out is each rank's own, but for a few things; what all get is alike."""
        given = library.bind(stmt) or {}
        plain = library.name.removeprefix("mpi_i" if library.role == "start collective" else "mpi_")
        asked = {"comm_rank": "rank", "comm_size": "size"}.get(plain)
        for name in written_by(library) & given.keys():
            target = given[name]
            variable = procedure.variables.get(target.parts[0].name) if isinstance(target, ir.Ref) else None
            if variable is None or not isinstance(target, ir.Ref):
                continue
            by = asked if name == asked else ""
            self.flow(procedure, target, under, by or "")
            if by:
                self.asked[place_of(variable)] |= self.places(procedure, given["comm"])
            everybody = plain in ("bcast", "allreduce", "allgather") and name in ("buffer", "recvbuf")
            if everybody:
                self.alike.append((place_of(variable), self.places(procedure, given["comm"])))
            elif name not in _SHARED and not (plain in ("comm_dup", "dims_create", "cart_get") and name != "coords"):
                self.varying.add(place_of(variable))
            if name == "newcomm" and plain in _PARTING:
                self.groups.add(place_of(variable))


def own_to_ranks(program: ir.Program, writes: Mapping[str, Writes]) -> OwnToRanks:
    """Found once, whatever the order of statements."""
    flows = _Flows(program, writes)
    for procedure in program.procedures.values():
        flows.block(procedure, procedure.body, frozenset())
    groups = _closure(flows.groups, flows.to, set())
    alike = _closure({one for one, on in flows.alike if not on & groups}, flows.back, set())
    varying = _closure(flows.varying - alike, flows.to, alike)

    def only(word: str) -> frozenset[Place]:
        return frozenset(one for one, by in flows.given.items() if by == {word} and not flows.asked[one] & varying)

    return OwnToRanks(frozenset(varying), only("rank"), only("size"))


def _closure(start: set[Place], to: Mapping[Place, set[Place]], but: set[Place]) -> set[Place]:
    found, work = set(start), list(start)
    while work:
        new = to.get(work.pop(), set()) - found - but
        found |= new
        work += new
    return found

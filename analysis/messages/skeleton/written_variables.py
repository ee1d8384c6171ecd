"""Which of its arguments, and of the variables that outlive it, a procedure may write: itself or what it calls.

A call of a procedure that does not communicate is not followed; what it may write is no longer known, all else is as it
was: ``call diffuse(t, nx)`` leaves the module's ``left`` alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from snapset.analysis.messages.mpi_calls import known_call, written_by
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.argument_binding import BindError, bind
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

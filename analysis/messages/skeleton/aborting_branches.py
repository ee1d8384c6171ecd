"""Branches that end the run: ``if (istat /= 0) then; call abort_ice('no memory'); return; end if``.

A run that aborts has no adjoint. So where a condition is not known and one branch certainly ends the run, the other one
is taken. ``abort_ice`` ends it although its MPI_ABORT stands under ``if (ldoabort)``: what a call leaves out is not
present, and a logical that only ``if (present(doabort))`` changes is what it was.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from snapset.analysis.messages.mpi_calls import known_call
from snapset.analysis.messages.skeleton.skeleton_program import assigned, leaves
from snapset.frontend import ir
from snapset.frontend.ir.argument_binding import BindError, bind
from snapset.frontend.ir.statement_walk import statements

_Known: TypeAlias = dict[str, bool]
_Place: TypeAlias = tuple[str, int, int]


@dataclass(slots=True)
class AbortingBranches:
    """``running``: the calls that are looked at, so that recursion ends."""

    program: ir.Program
    known: dict[_Place, bool] = field(default_factory=dict)
    running: set[_Place] = field(default_factory=set)

    def stops(self, block: ir.Block, absent: frozenset[str] = frozenset(), values: _Known | None = None) -> bool:
        """Does it certainly end the run? ``absent``: dummy arguments that are not passed; ``values``: of logicals."""
        values = {} if values is None else values
        for stmt in block:
            if isinstance(stmt, ir.Stop) or (isinstance(stmt, ir.Call) and self.call_stops(stmt)):
                return True
            if isinstance(stmt, ir.If):
                way = _way(stmt.cond, absent, values)
                if way is not None:
                    if self.stops(stmt.then if way else stmt.orelse, absent, values):
                        return True
                elif self.stops(stmt.then, absent, dict(values)) and self.stops(stmt.orelse, absent, dict(values)):
                    return True
                else:
                    _forget((stmt,), values)
                taken = (*stmt.then, *stmt.orelse) if way is None else stmt.then if way else stmt.orelse
                if leaves(taken):
                    return False
                continue
            if isinstance(stmt, ir.Assign) and len(stmt.target.parts) == 1 and isinstance(stmt.value, ir.Literal_) \
                    and isinstance(stmt.value.value, bool):
                values[stmt.target.name] = stmt.value.value
                continue
            if leaves((stmt,)):
                return False
            _forget((stmt,), values)
        return False

    def call_stops(self, call: ir.Call) -> bool:
        """Does a call end the run?"""
        library = known_call(call)
        if library is not None:
            return library.name == "mpi_abort"
        place = call.span.file, call.span.line, call.id
        if not call.targets or place in self.running:
            return False
        if place not in self.known:
            self.running.add(place)
            self.known[place] = all(self._ends(call, self.program.procedures[key]) for key in call.targets)
            self.running.discard(place)
        return self.known[place]

    def _ends(self, call: ir.Call, procedure: ir.Procedure) -> bool:
        try:
            actuals = bind(call, procedure)
        except BindError:
            return False
        absent = frozenset(name for name, one in zip(procedure.formals, actuals, strict=False) if one is None)
        return self.stops(procedure.body, absent)


def _way(cond: ir.Expr, absent: frozenset[str], values: _Known) -> bool | None:
    """What a condition is, where that is certain."""
    match cond:
        case ir.Intrinsic(name="present", args=(one,)) if isinstance(one.value, ir.Ref):
            return False if one.value.name in absent else None
        case ir.Ref() if len(cond.parts) == 1:
            return values.get(cond.name)
        case _:
            return None


def _forget(block: ir.Block, values: _Known) -> None:
    for stmt in statements(block):
        for target in assigned(stmt):
            values.pop(target.name, None)

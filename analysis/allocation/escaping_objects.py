"""Objects that a procedure makes by a pointer of its own, and that nothing leads to when it returns.

    allocate (t(n)); t = v*v; s = s*sum(t); deallocate (t)       nothing else leads to the object: scratch memory
    allocate (new); new%next => head; head => new                the object lives on in the list

What else may lead to it is found by looking who is given ``t`` itself and not only a number in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from snapset.analysis.dataflow.bitsets import members, set_of
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.frontend import ir
from snapset.frontend.ir.expression_queries import names_in
from snapset.frontend.ir.statement_walk import statements


def scratch(model: ProcedureModel, made: int, callee: Callable[[str], ir.Procedure]) -> int:
    """Of these locations those behind local variables without SAVE that hand none of their associations on. ``callee``:
    what a call may run, by key."""
    procedure, locations = model.procedure, model.space.locations
    behind = {locations[i].area for i in members(made)}
    own = {name: one.area for name, one in procedure.variables.items() if name != procedure.result
           and one.area in behind and one.area.kind == "local" and one.area.owner == procedure.key}
    for stmt in statements(procedure.body):
        if not own:
            return 0
        for name in _given(stmt, procedure, callee):
            own.pop(name, None)
    areas = frozenset(own.values())
    return set_of(i for i in members(made) if locations[i].area in areas)


def _given(stmt: ir.Stmt, procedure: ir.Procedure, callee: Callable[[str], ir.Procedure]) -> Iterator[str]:
    """The variables that may hand an association on: as the target of a pointer, in an object that is assigned or
    made, to a procedure that may keep it."""
    match stmt:
        case ir.PointerAssign():
            yield from names_in(stmt.value)
        case ir.Assign() if stmt.target.type.derived is not None:
            yield from names_in(stmt.value)
        case ir.Allocate() if stmt.source is not None:
            yield from names_in(stmt.source)
        case ir.Call() if _keeps(stmt, callee):
            for arg in stmt.args:
                yield from names_in(arg.value) if arg.value is not None else ()
            yield from names_in(stmt.result) if stmt.result is not None else ()
        case ir.Opaque():
            yield from procedure.variables
        case _:
            pass
    if isinstance(stmt, ir.Call) and any(callee(key).host == procedure.key for key in stmt.targets):
        yield from procedure.variables  # an internal procedure names its host's variables


def _keeps(stmt: ir.Call, callee: Callable[[str], ir.Procedure]) -> bool:
    """May a procedure associate something with what it is passed, or with what an object that it is passed holds?"""
    if stmt.intrinsic:
        return True
    callees = [callee(key) for key in stmt.targets]
    formals = [one.variables[name] for one in callees for name in one.formals if name in one.variables]
    return not callees or any(one.pointer or one.target or one.type.derived is not None for one in formals)

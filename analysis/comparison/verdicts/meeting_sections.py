"""Do what changes an array and what reads it meet in it?

    CALL DERIV(g(1:n), g(n+1:2*n))        writes the second section
    CALL DERIV_B(g(1:n), gb(1:n), ...)    reads the first

Arrays are followed whole, so that g counts as changed and as read. Nothing is missing unless the two meet: one of them
is the whole array, or both are the same section.
"""

from __future__ import annotations

from collections.abc import Iterator

from snapset.analysis.comparison.stack_calls import saved_place, stack_call
from snapset.analysis.dataflow.bitsets import members, singleton
from snapset.analysis.procedures.model_builder import Models
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.frontend import ir
from snapset.frontend.ir.statement_walk import statements


def meet(model: ProcedureModel, models: Models, location: int, call: ir.Call) -> bool:
    """Does ``call`` read of a location what the other statements of its procedure may write? Yes, unless both are
    sections of an array, and other ones."""
    if not model.space.infos[location].shapes:
        return True
    read = set(_passed(model, models, call, location, written=False))
    wrote = {one for stmt in statements(model.procedure.body) for one in _written(model, models, stmt, location)}
    if read and not any(map(_whole, read)):
        wrote -= set(_pushed(model.procedure.body))  # a section that is given back somewhere
    return not read or not wrote or any(_whole(one) for one in read | wrote) or bool(read & wrote)


def _pushed(body: ir.Block) -> Iterator[ir.Ref]:
    for stmt in statements(body):
        call = stack_call(stmt)
        if isinstance(stmt, ir.Call) and call is not None and call.role == "push":
            place = saved_place(stmt)
            yield from () if place is None else (place,)


def _written(model: ProcedureModel, models: Models, stmt: ir.Stmt, location: int) -> Iterator[ir.Ref]:
    match stmt:
        case ir.Assign(target=target) if model.refs.touch(target).bits & singleton(location):
            yield target
        case ir.Call() if stmt.targets:
            yield from _passed(model, models, stmt, location, written=True)
        case _:
            pass


def _passed(model: ProcedureModel, models: Models, call: ir.Call, location: int, *, written: bool) -> Iterator[ir.Ref]:
    """The arguments of a call through which its procedure reads, or writes, a location of the caller's."""
    for key in call.targets:
        if key not in models.by_key:
            continue
        callee = models.seen[key]
        touched = callee.summary.out if written else callee.summary.use
        names = {callee.space.infos[one].name.partition("%")[0] for one in members(touched)}
        for formal, actual in zip(callee.procedure.formals, call.args, strict=False):
            if isinstance(actual.value, ir.Ref) and formal in names \
                    and model.refs.touch(actual.value).bits & singleton(location):
                yield actual.value


def _whole(ref: ir.Ref) -> bool:
    return not any(part.subscripts for part in ref.parts)

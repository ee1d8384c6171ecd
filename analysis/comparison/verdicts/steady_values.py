"""What has one value only, however often it is given, and what nobody reads but to count on: no PUSH of it is missing.

    DO j=1,n
      uin = mach*SQRT(gam*pin)      nothing here changes mach, gam or pin: the uin of the last turn is that of any other

A local variable that nothing else gives a value has none before: whoever reads it reads that one.

    neval = neval + 1               a module's counter: its value goes nowhere else, so no derivative hangs on it
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from snapset.analysis.comparison.stack_calls import stack_call
from snapset.analysis.dataflow.bitsets import EMPTY, May, members, union
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.frontend import ir
from snapset.frontend.ir.expression_queries import walk
from snapset.frontend.ir.statement_walk import statements


def steady_values(model: ProcedureModel) -> May:
    """The scalars of a procedure that are assigned by nothing but the same text, whose operands nothing in it may
    change. A POP gives back that value, or none."""
    assigned: dict[str, list[ir.Assign]] = {}
    for stmt in statements(model.procedure.body):
        if isinstance(stmt, ir.Assign):
            assigned.setdefault(stmt.target.name, []).append(stmt)
    found: May = EMPTY
    for name, every in assigned.items():
        if _is_plain(model, name) and len({(one.target, one.value) for one in every}) == 1:
            bits = model.refs.touch(every[0].target).bits
            if _only_by(model, bits, every) and _kept(model, every[0].value):
                found |= bits
    return found


def _is_plain(model: ProcedureModel, name: str) -> bool:
    """A scalar of the procedure's own, that has no value when it begins."""
    variable = model.procedure.variables.get(name)
    return (variable is not None and variable.area.kind == "local" and not variable.shape.rank
            and variable.type.derived is None and not variable.initialised)


def _only_by(model: ProcedureModel, bits: int, every: Sequence[ir.Assign]) -> bool:
    """Is what may write a location nothing but these, and POPs? (No other name leads there.)"""
    own = {one.id for one in every}
    writers = [node.stmt for node in model.flow.nodes if model.effects[node.index].out & bits]
    return model.space.with_aliases(May(bits)) == bits and all(
        stmt is not None and (stmt.id in own or _pops(stmt)) for stmt in writers)


def _pops(stmt: ir.Stmt) -> bool:
    call = stack_call(stmt)
    return call is not None and call.role == "pop"


def _kept(model: ProcedureModel, value: ir.Expr) -> bool:
    refs = [one for one in walk(value) if isinstance(one, ir.Ref)]
    return not any(model.space.with_aliases(model.refs.touch(one).bits) & model.written for one in refs)


def all_steady(models: Mapping[str, ProcedureModel]) -> Mapping[str, May]:
    """By procedure."""
    return {key: steady_values(one) for key, one in models.items()}


def counters(models: Iterable[ProcedureModel], asked: Collection[str]) -> frozenset[ir.Area]:
    """Scalars of the source's modules that nothing reads but assignments to themselves, which no caller ``asked``
    for."""
    every, read = set[ir.Area](), set[ir.Area]()
    for model in models:
        areas = {number: one.area for number, one in enumerate(model.space.locations)}
        every |= {area for number, area in areas.items() if area.kind == "module" and area.name not in asked
                  and not model.space.infos[number].shapes and not model.space.locations[number].path}
        read |= {areas[one] for node in model.flow.nodes for one in members(_read(model, node.index, node.stmt))}
    return frozenset(every - read)


def _read(model: ProcedureModel, node: int, stmt: ir.Stmt | None) -> May:
    """What a node reads, without what it counts on; of a call of known procedures, which are looked at themselves, what
    it passes."""
    site = model.calls.get(node)
    if site is not None and site.targets and isinstance(stmt, ir.Call):
        refs = [one for argument in stmt.args for one in walk(argument.value) if isinstance(one, ir.Ref)]
        return union(model.space.with_aliases(model.refs.touch(one).bits) for one in refs)
    own = model.refs.touch(stmt.target).bits if isinstance(stmt, ir.Assign) else EMPTY
    return May(model.space.with_aliases(model.effects[node].use) & ~own)

"""What the heads run of what could not be read: that is an error.

Words tell too much: ``associate (z => a(2))`` mentions z, and a file that could not be read may define a subroutine z.
Once the rest is read it is known what is called, passed on and used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from snapset.frontend import ir
from snapset.frontend.interprocedural.call_graph import reachable
from snapset.frontend.interprocedural.lazy_procedures import body_facts_of
from snapset.frontend.interprocedural.unit_reachability import ReachedUnits
from snapset.frontend.ir.statement_walk import statements
from snapset.frontend.reading.unit_order import used_modules
from snapset.frontend.reading.unreadable_units import refuse


def refuse_run(program: ir.Program, heads: Iterable[str], near: ReachedUnits) -> None:
    """Raises InputError for a unit with a problem, or a file that could not be read, that the heads need."""
    if not near.unread:
        return
    names = frozenset(heads)
    keys = [key for key, procedure in program.procedures.items() if procedure.name in names]
    run = dict.fromkeys(one for key in keys for one in reachable(program, key))
    places = {program.procedures[key].span for key in run}
    found = [unit for unit in near.unread if unit.header is not None and unit.header.span in places]
    if near.named:
        wanted = {name for key in run for name in _without_source(program.procedures[key])}
        wanted |= {module for unit in near.units for module in used_modules(unit)}
        found += [unit for unit in near.named if unit.problem is not None and unit.problem.names & wanted]
    refuse(found)


def _without_source(procedure: ir.Procedure) -> Iterator[str]:
    """The names of procedures that are called, passed or pointed at, and are not here."""
    for call in body_facts_of(procedure).outside:
        yield call.name
    for stmt in statements(procedure.body):
        for value in _values(stmt):
            if isinstance(value, ir.ProcedureRef) and value.key is None:
                yield value.name


def _values(stmt: ir.Stmt) -> Iterator[ir.Expr]:
    match stmt:
        case ir.Call():
            yield from (argument.value for argument in stmt.args)
        case ir.PointerAssign() | ir.Assign():
            yield stmt.value

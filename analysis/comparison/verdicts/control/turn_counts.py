"""Counts of turns that an adjoint loses, and variables of the loops that these turns are of.

    DO mode=1,2                            DO mode=2,1,-1
      ad_count = 1                           CALL POPINTEGER4(ad_count)
      DO i=1,n                               DO i0=1,ad_count
        ...; IF (t .GT. 5) GOTO 100            ...; xb(i) = xb(i) + t*tb
        CALL PUSHINTEGER4(i)                   CALL POPINTEGER4(i)
        ad_count = ad_count + 1              END DO
      END DO                               END DO
  100 CALL PUSHINTEGER4(ad_count)

Without that PUSH of ``ad_count`` each turn of ``mode`` back undoes as many turns as the last one had; without those of
``i`` each turn back reads the ``i`` with which the loop ended.
"""

from __future__ import annotations

from collections.abc import Iterator

from snapset.analysis.comparison.control_values import counts_turns, decided
from snapset.analysis.comparison.stack_calls import saved_place, stack_call
from snapset.analysis.comparison.verdicts.backward_reads import subscripts
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.expression_queries import walk
from snapset.frontend.ir.statement_walk import blocks, statements


@frozen
class LostCount:
    """``name``: the count, or the variable of the loop in ``line`` of the source (0: of a count); ``read``: what reads
    it."""

    name: str
    read: ir.Stmt
    line: int = 0


def lost_counts(source: ir.Procedure, model: ProcedureModel) -> Iterator[LostCount]:
    """Of one procedure of the adjoint. What is popped anywhere, counted in two places or the variable of another loop,
    too, is left alone."""
    every = list(statements(model.procedure.body))
    popped = set(_popped(every))
    said = set[str]()
    for back in every:
        if not isinstance(back, ir.Do) or not counts_turns(back) or not isinstance(back.stop, ir.Ref):
            continue
        count = back.stop.name
        if count not in popped | said and _counted_afresh(model, every, back):
            said.add(count)
            yield LostCount(count, back)
        counting = [one for one in every if isinstance(one, ir.Do) and _counts(one, count)]
        lines = [one.span.line for one in statements(source.body) for same in counting if isinstance(one, ir.Do)
                 and (one.var, one.start, one.stop) == (same.var, same.start, same.stop)]
        if len(counting) == 1 and lines:
            name = counting[0].var.name
            read = next(_reading(back.body, name, back.var.name), None)
            if read is not None and name not in popped | said and not _given(every, name, counting[0]):
                said.add(name)
                yield LostCount(name, read, lines[0])


def _popped(every: list[ir.Stmt]) -> Iterator[str]:
    for stmt in every:
        call = stack_call(stmt)
        if isinstance(stmt, ir.Call) and call is not None and call.role.startswith("pop"):
            place = saved_place(stmt)
            yield from () if place is None else (place.name,)


def _given(every: list[ir.Stmt], name: str, loop: ir.Do) -> bool:
    """Does anything else than its loop give a variable a value?"""
    return any((isinstance(one, ir.Do) and one.var.name == name and one.id != loop.id)
               or (isinstance(one, ir.Assign) and one.target.name == name)
               or (isinstance(one, ir.Call) and stack_call(one) is None
                   and name in {ref.name for arg in one.args for ref in walk(arg.value) if isinstance(ref, ir.Ref)})
               for one in every)


def _counted_afresh(model: ProcedureModel, every: list[ir.Stmt], back: ir.Do) -> bool:
    """Is there one place that begins to count, and is it come to again before the turns have been undone? (A marked
    part's second run and its reversal stand in one turn.)"""
    count = back.stop.name if isinstance(back.stop, ir.Ref) else ""
    given = [one for one in every if isinstance(one, ir.Assign) and one.target.name == count]
    starts = [one.id for one in given if isinstance(one.value, ir.Literal_)]
    nodes = [node.index for node in model.flow.nodes if node.stmt is not None and node.stmt.id in starts]
    return len(starts) == 1 and len(given) > 1 and any(_runs_again(model, one, back.id) for one in nodes)


def _runs_again(model: ProcedureModel, node: int, but: int) -> bool:
    """Does a way lead from a node to itself, without that statement?"""
    seen: set[int] = set()
    pending = list(model.flow.succs[node])
    while pending:
        at = pending.pop()
        stmt = model.flow.nodes[at].stmt
        if at not in seen and (stmt is None or stmt.id != but):
            seen.add(at)
            pending += model.flow.succs[at]
    return node in seen


def _counts(loop: ir.Do, count: str) -> bool:
    """Does a turn of the loop itself, not of one inside, count?"""
    pending = list(loop.body)
    while pending:
        stmt = pending.pop()
        if isinstance(stmt, ir.Assign) and stmt.target.name == count and not isinstance(stmt.value, ir.Literal_):
            return True
        if not isinstance(stmt, ir.Do | ir.While):
            pending += [one for block in blocks(stmt) for one in block]
    return False


def _reading(block: ir.Block, name: str, turn: str) -> Iterator[ir.Stmt]:
    """What reads a variable in other turns than the first, which undoes the last one: its value is still there then."""
    pending = list(reversed(block))
    while pending:
        stmt = pending.pop()
        if name in _names(stmt):
            yield stmt
        inside = blocks(stmt)
        if isinstance(stmt, ir.If):
            taken = decided(stmt.cond, {turn: 2})
            inside = (stmt.then,) if taken else (stmt.orelse,) if taken is False else inside
        pending += [one for inner in reversed(inside) for one in reversed(inner)]


def _names(stmt: ir.Stmt) -> set[str]:
    """What an assignment, a call, a condition or a loop's bounds read."""
    match stmt:
        case ir.Assign(target=target, value=value):
            read = [value, *subscripts(target)]
        case ir.Call():
            read = [one.value for one in stmt.args]
        case ir.If(cond=cond):
            read = [cond]
        case ir.Do():
            read = [one for one in (stmt.start, stmt.stop, stmt.step) if one is not None]
        case _:
            return set()
    return {ref.name for one in read for ref in walk(one) if isinstance(ref, ir.Ref)}

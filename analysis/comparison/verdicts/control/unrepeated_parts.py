"""Marked parts that an adjoint does not run again, and the snapshot that it lacks for what their derivatives read.

    DO step=1,nsteps                             DO step=nsteps,1,-1
      PUSH(t)                                      POP(t)
      f(i) = k*t(i)**2       the part: its         tb(i) = tb(i) + 2*k*t(i)*fb(i)
      t(i) = t(i) - f(i)     second run would      ...
      PUSH(k)                give f(i), which      the derivative of its first line reads the t from before the part:
      k = 0.99d0*k           nobody reads          without that PUSH and its POP the one of the last step
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from snapset.analysis.comparison.judged_adjoint import Judged
from snapset.analysis.comparison.part_pairing import group_start
from snapset.analysis.comparison.stack_contents import PartMark
from snapset.analysis.comparison.verdicts.derivative_groups import derivative_groups
from snapset.analysis.comparison.verdicts.unkept_operands import UnkeptOperand, changed_between
from snapset.analysis.dataflow.bitsets import May
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import replace
from snapset.frontend.ir.statement_walk import blocks, statements


def unkept_snapshots(found: Judged, key: str, source: ir.Procedure,
                     parts: Mapping[str, tuple[range, ir.Stmt]]) -> Iterator[tuple[str, UnkeptOperand]]:
    """By the id of a marked part that the adjoint does not run again: what its derivative statements read, and is not
    what it was before the part, though nothing in the part overwrites it before it is read. ``parts``: the lines, and
    the statement that each begins with in the forward sweep."""
    body = found.models.by_key[key].procedure.body
    groups = [one for one in derivative_groups(source, found.models.by_key[key].procedure) if one.operands]
    for id_, (lines, start) in parts.items():
        own = [replace(one, operands=frozenset(ref for ref in one.operands if _as_before(source, lines, one.line, ref)))
               for one in groups if one.line in lines]
        tops = {top.id: top for one in own if (top := _at_depth_of(body, start.id, one.last.id)) is not None}
        order = [one.id for one in statements(body) if one.id in tops]
        if order and not any(isinstance(one, ir.Call) for stmt in statements(source.body)
                             if stmt.span.line in lines for one in statements((stmt,))):
            model = found.models.by_key[key]
            place = group_start(body, start.id)
            lost = {} if place is None else changed_between(found, key, {place: PartMark(start, id_, marked=True)},
                                                     {order[0]: PartMark(tops[order[0]], id_, marked=True)})
            for group in sorted(own, key=lambda one: one.line):
                for operand in sorted(group.operands, key=lambda one: one.name):
                    bits = model.refs.touch(operand).bits & lost.get(order[0], 0)
                    if bits:
                        yield id_, UnkeptOperand(May(bits), group.last, group.line)


def _as_before(source: ir.Procedure, lines: range, line: int, read: ir.Ref) -> bool:
    """Does a line of a part read what stood there before the part? Nothing above it in the part assigns that variable,
    nor in a loop there around it."""
    inside = [one for one in statements(source.body) if one.span.line in lines]
    around = [range(one.span.line, one.end.line + 1) for one in inside if isinstance(one, ir.Do | ir.While)]
    given = [one.span.line for one in inside if isinstance(one, ir.Assign) and one.target.name == read.name]
    return not any(other < line or any(line in loop and other in loop for loop in around) for other in given)


def _at_depth_of(body: ir.Block, start: int, number: int) -> ir.Stmt | None:
    """The outermost statement around a statement, or itself, around which stand as many loops as around ``start``."""
    trails = {one: _trail(body, one) for one in (start, number)}
    depth = sum(isinstance(one, ir.Do | ir.While) for one in trails[start][:-1])
    loops = 0
    for one in trails[number]:
        if loops == depth:
            return one
        loops += isinstance(one, ir.Do | ir.While)
    return None


def _trail(body: ir.Block, number: int) -> list[ir.Stmt]:
    """The statements around a statement, the outermost first, and itself."""
    found: list[ir.Stmt] = []
    block: ir.Block | None = body
    while block is not None:
        top = next(one for one in block if any(inner.id == number for inner in statements((one,))))
        found.append(top)
        block = next((one for one in blocks(top) if any(inner.id == number for inner in statements(one))), None)
    return found

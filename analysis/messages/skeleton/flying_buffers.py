"""Buffers of messages under way, and statements that certainly touch them: SN605.

Between MPI_ISEND and its wait nobody may write what is sent, between MPI_IRECV and its wait nobody may read or write
what is received into. Only what is certain is said: a scalar, a whole array, an element whose number is known, the same
text with subscripts that do not change. Simulated ranks see every write.
"""

from __future__ import annotations

from collections.abc import Iterator

from snapset.analysis.messages.skeleton.rank_memory import RankMemory
from snapset.analysis.messages.skeleton.skeleton_program import RunningProcedure, lower
from snapset.analysis.messages.skeleton.skeleton_values import SkeletonCell
from snapset.analysis.symbolic.fortran_text import bare
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.expression_queries import names_in, walk


@frozen
class FlyingBuffer:
    """``whole``: a scalar by itself. ``first``: the subscript that it begins with, ``count``: how many elements; None
    where not known."""

    receives: bool
    cell: SkeletonCell
    run: RunningProcedure
    ref: ir.Ref
    whole: bool
    first: int | None
    count: int | None
    line: int


def flying(memory: RankMemory, run: RunningProcedure, buffer: ir.Expr, count: ir.Expr | None, receives: bool,
           line: int) -> FlyingBuffer | None:
    """The buffer of a message that begins."""
    if not isinstance(buffer, ir.Ref) or buffer.name.startswith("mpi_"):
        return None
    at, cell = memory.index(run, buffer), memory.cell(run, buffer)
    many = None if count is None else memory.value(run, count).decided
    run, buffer = run.owner(buffer)
    variable = run.procedure.variables.get(buffer.parts[0].name)
    first = at[0] if at is not None and len(at) == len(buffer.parts) == 1 else None
    if at == () and variable is not None and variable.shape.rank == 1:
        first = lower(variable)
    return FlyingBuffer(receives, cell, run, buffer, at == () and buffer.rank == 0, first,
                        None if many is None else int(many), line)


def touched(memory: RankMemory, run: RunningProcedure, stmt: ir.Stmt, buffer: FlyingBuffer) -> bool:
    """Does a statement certainly touch it?"""
    if not isinstance(stmt, ir.Assign):
        return False
    refs = [stmt.target, *(_read(stmt) if buffer.receives else ())]
    return any(_overlaps(memory, run, one, buffer) for one in refs)


def _read(stmt: ir.Assign) -> Iterator[ir.Ref]:
    for expr in (stmt.value, *(sub for part in stmt.target.parts for sub in part.subscripts or ()
                               if not isinstance(sub, ir.Range))):
        yield from (one for one in walk(expr) if isinstance(one, ir.Ref))


def _overlaps(memory: RankMemory, run: RunningProcedure, ref: ir.Ref, buffer: FlyingBuffer) -> bool:
    at, (run, ref) = memory.index(run, ref), run.owner(ref)
    if ref.parts[0].name not in run.procedure.variables or memory.cell(run, ref) is not buffer.cell:
        return False
    if buffer.count == 0:
        return False
    if buffer.whole:
        return True
    if run is not buffer.run or len(ref.parts) > 1:
        return False
    if at == () or (bare(ref) == bare(buffer.ref) and _fixed(run, ref)):
        return True
    if at is None or len(at) != 1 or buffer.first is None or buffer.count is None:
        return False
    return buffer.first <= at[0] < buffer.first + buffer.count


def _fixed(run: RunningProcedure, ref: ir.Ref) -> bool:
    """Do its subscripts always mean the same elements?"""
    names = names_in(ref) - {ref.name}
    found = [run.procedure.variables.get(name) for name in names]
    return all(one is not None and (one.intent == "in" or one.value is not None) for one in found)

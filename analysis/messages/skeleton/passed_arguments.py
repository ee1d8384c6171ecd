"""Dummy arguments of a procedure that is followed: the caller's memory, seen with other bounds.

A whole array of the same lower bounds is the same memory. ``req(2:3)`` is seen as ``req(1:2)``: known elements, and
requests in them, move there and back. Of anything else only what its elements may hold is known.
"""

from __future__ import annotations

from collections.abc import Callable

from snapset.analysis.messages.skeleton.rank_memory import RankMemory
from snapset.analysis.messages.skeleton.skeleton_program import RunningProcedure, element_of
from snapset.analysis.messages.skeleton.skeleton_values import CellIndex, SkeletonCell
from snapset.frontend import ir


def pass_arguments(memory: RankMemory, run: RunningProcedure, inner: RunningProcedure,
                   actuals: tuple[ir.Expr | None, ...]) -> Callable[[], None]:
    """Give a callee its dummy arguments; what is returned gives the caller what it left in them."""
    back: list[Callable[[], None]] = []
    for name, actual in zip(inner.procedure.formals, actuals, strict=True):
        if not isinstance(actual, ir.Ref):
            if actual is not None:
                inner.cells[name] = SkeletonCell(memory.value(run, actual))
            continue
        cell, at = memory.cell(run, actual), memory.index(run, actual)
        if actual.type.kind == "derived" and not any(part.subscripts for part in actual.parts):
            inner.aliases[name] = run, actual
        by = _shift(memory, run, inner.procedure.variables.get(name), actual)
        if by == 0:
            inner.cells[name] = cell
        elif actual.rank:
            inner.cells[name] = own = _moved(cell, by)
            back.append(_array_back(cell, own, by))
        else:
            inner.cells[name] = own = element_of(cell, at)
            back.append(_element_back(cell, own, at))

    def give_back() -> None:
        for one in back:
            one()

    return give_back


def _shift(memory: RankMemory, run: RunningProcedure, formal: ir.Variable | None, actual: ir.Ref) -> int | None:
    """How much higher a dummy's subscripts are than the actual's; None where that is not known."""
    if actual.rank == 0:
        return 0 if memory.index(run, actual) == () else None
    run, actual = run.owner(actual)
    outer = run.procedure.variables.get(actual.parts[0].name)
    if formal is None or outer is None or len(actual.parts) > 1:
        return 0 if formal is None or not formal.shape.dims or lower(formal) == 1 else None
    first = lower(outer)
    sub = (actual.parts[0].subscripts or (None,))[0]
    if sub is None:
        same = [lower(formal, k) == lower(outer, k) for k in range(min(formal.shape.rank, outer.shape.rank))]
        if formal.shape.rank == outer.shape.rank and None not in (first, lower(formal)) and all(same):
            return 0
        if formal.shape.rank != 1 or outer.shape.rank != 1:
            return None
    elif not isinstance(sub, ir.Range) or outer.shape.rank != 1 or sub.step is not None:
        return None
    elif sub.lower is not None:
        known = memory.value(run, sub.lower).decided
        first = None if known is None else int(known)
    begin = lower(formal)
    return None if first is None or begin is None else begin - first


def lower(variable: ir.Variable, dim: int = 0) -> int | None:
    """The lower bound of a dimension, where it is a number."""
    if not variable.shape.dims:
        return 1
    bound = variable.shape.dims[dim].lower
    if variable.pointer or variable.allocatable:
        return None if variable.shape.kind == "deferred" else 1
    if bound is None:
        return 1
    return bound.value if isinstance(bound, ir.Literal_) and isinstance(bound.value, int) else None


def _moved(cell: SkeletonCell, by: int | None) -> SkeletonCell:
    """An array seen with other bounds."""
    if by is None:
        return SkeletonCell(cell.read(None))
    found = SkeletonCell(cell.rest)
    for at, value in cell.items.items():
        if at is not None and len(at) == 1:
            found.items[at[0] + by,] = value
    _move_requests(cell, found, by)
    return found


def _move_requests(cell: SkeletonCell, to: SkeletonCell, by: int) -> None:
    for there, here in ((to.made, cell.made), (to.prepared, cell.prepared)):
        for at, one in here.items():
            if at is not None and len(at) == 1:
                there[at[0] + by,] = one


def _array_back(cell: SkeletonCell, own: SkeletonCell, by: int | None) -> Callable[[], None]:
    before = dict(own.items)

    def work() -> None:
        if by is None:
            cell.blur(own.read(None))
            return
        if own.rest != cell.rest:
            cell.blur(own.rest)
        for at, value in own.items.items():
            if at is not None and len(at) == 1 and (at not in before or before[at] != value):
                cell.write((at[0] - by,), value)
        for gone in [at for at in cell.made if at is not None and len(at) == 1]:
            del cell.made[gone]
        _move_requests(own, cell, -by)

    return work


def _element_back(cell: SkeletonCell, own: SkeletonCell, at: CellIndex) -> Callable[[], None]:
    def work() -> None:
        cell.write(at, own.read(()))
        if at is None:
            return
        for there, here in ((cell.made, own.made), (cell.prepared, own.prepared)):
            if () in here:
                there[at] = here[()]
            else:
                there.pop(at, None)

    return work

"""Dummy arguments of a procedure that is followed: the caller's memory, seen with other bounds.

A whole array of the same lower bounds is the same memory. ``req(2:3)`` is seen as ``req(1:2)``: known elements, and
requests in them, move there and back. Of anything else only what its elements may hold is known.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from snapset.analysis.messages.skeleton.rank_memory import RankMemory
from snapset.analysis.messages.skeleton.skeleton_program import (
    WHOLE,
    PassedObject,
    RunningProcedure,
    UnprovableError,
    element_of,
    lower,
)
from snapset.analysis.messages.skeleton.skeleton_values import CellIndex, SkeletonCell
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen


def pass_arguments(memory: RankMemory, run: RunningProcedure, inner: RunningProcedure,
                   actuals: tuple[ir.Expr | None, ...]) -> Callable[[], None]:
    """Give a callee its dummy arguments; what is returned gives the caller what it left in them. Raises UnprovableError
    for requests that would be in unknown elements."""
    back: list[Callable[[], None]] = []
    for name, actual in zip(inner.procedure.formals, actuals, strict=True):
        formal = inner.procedure.variables.get(name)
        _say_absence(memory, run, inner, name, actual)
        if not isinstance(actual, ir.Ref):
            if actual is not None:
                inner.cells[name] = SkeletonCell(memory.value(run, actual))
            continue
        if actual.type.kind == "derived":
            inner.aliases[name] = _object(memory, run, formal, actual)
            continue
        cell, at = memory.cell(run, actual), memory.index(run, actual)
        if actual.rank == 0 and (formal is None or not formal.shape.dims) and at != ():
            inner.cells[name] = own = element_of(cell, at)
            back.append(_element_back(cell, own, at, inner.procedure))
            continue
        view = _View.of(memory, run, formal, actual)
        if view == _View((), 0):
            inner.cells[name] = cell
        else:
            inner.cells[name] = own = view.seen(cell, inner.procedure)
            back.append(view.back(cell, own, inner.procedure))
        if formal is not None and formal.allocatable:
            back.append(cell.bounds.clear)  # it may have been allocated otherwise

    def give_back() -> None:
        for one in back:
            one()

    return give_back


def _say_absence(memory: RankMemory, run: RunningProcedure, inner: RunningProcedure, name: str,
                 actual: ir.Expr | None) -> None:
    """Of an optional dummy argument whether it is passed: what is absent where it is passed on is absent; what is not
    allocated, or a pointer to nothing, may be."""
    formal = inner.procedure.variables.get(name)
    if actual is None:
        inner.absent[name] = True
    elif formal is not None and formal.optional and isinstance(actual, ir.Ref):
        outer, plain = run.procedure.variables.get(actual.name), len(actual.parts) == 1
        if plain and actual.name in run.procedure.formals and actual.name in run.absent:
            inner.absent[name] = run.absent[actual.name]
            return
        given = memory.declared(run, actual)
        whole = actual.parts[-1].subscripts is None
        foreign = plain and outer is not None and outer.optional and actual.name not in run.procedure.formals
        loose = given is None or (whole and (given.allocatable or given.pointer))
        if foreign or (loose and not (formal.allocatable or formal.pointer)):
            inner.absent[name] = False
    elif formal is not None and formal.optional and isinstance(actual, ir.Intrinsic) and actual.name == "null":
        inner.absent[name] = False


def _object(memory: RankMemory, run: RunningProcedure, formal: ir.Variable | None, actual: ir.Ref) -> PassedObject:
    """An object that is passed: of the subscripts that choose it the numbers that they are now."""
    def fixed(sub: ir.Subscript) -> ir.Subscript:
        known = None if isinstance(sub, ir.Range) else memory.value(run, sub).known
        return ir.Range() if known is None else ir.Literal_(int(known), WHOLE)

    parts = tuple(part if part.subscripts is None else replace(part, subscripts=tuple(map(fixed, part.subscripts)))
                  for part in actual.parts)
    rank = 0 if formal is None else formal.shape.rank
    if rank and (actual.rank == 0 or parts[-1].subscripts is not None):
        return PassedObject(run, parts, rank, None)
    return PassedObject(run, parts, rank, _shift(memory, run, formal, actual) if rank else 0)


@frozen
class _View:
    """An array as a dummy argument shows it: ``inside`` are the subscripts of the object in which it lies, ``by`` is
    how much higher the dummy's subscripts are; None where that is not known."""

    inside: CellIndex
    by: int | None

    @staticmethod
    def of(memory: RankMemory, run: RunningProcedure, formal: ir.Variable | None, actual: ir.Ref) -> _View:
        return _View(memory.row(run, actual)[0], _shift(memory, run, formal, actual))

    def there(self, at: CellIndex) -> CellIndex:
        """An element of the dummy argument in the caller's memory; None where it lies elsewhere, or nobody knows."""
        if at is None or self.inside is None or self.by is None or (self.by and len(at) != 1):
            return None
        return (*self.inside, at[0] - self.by) if len(at) == 1 else (*self.inside, *at)

    def here(self, at: CellIndex) -> CellIndex:
        """The other way round."""
        if at is None or self.inside is None or self.by is None or at[:len(self.inside)] != self.inside:
            return None
        own = at[len(self.inside):]
        return None if not own or (self.by and len(own) != 1) else (own[0] + self.by, *own[1:])

    def seen(self, cell: SkeletonCell, callee: ir.Procedure) -> SkeletonCell:
        if self.inside is None or self.by is None:
            _no_requests(cell, callee)
            return SkeletonCell(cell.read(None))
        found = SkeletonCell(cell.rest)
        for there, here in ((cell.items, found.items), (cell.made, found.made), (cell.prepared, found.prepared)):
            here.update({own: one for at, one in there.items() if (own := self.here(at)) is not None})
        return found

    def back(self, cell: SkeletonCell, own: SkeletonCell, callee: ir.Procedure) -> Callable[[], None]:
        before, rest = dict(own.items), own.rest

        def work() -> None:
            if self.inside is None or self.by is None:
                _no_requests(own, callee)
                if own.items or own.rest != rest:
                    cell.blur(own.read(None))
                return
            gone = [at for at in before if at not in own.items]
            if own.rest != rest or gone:  # all were assigned, or one that is not known
                cell.blur(own.rest)
            for at, value in own.items.items():
                if gone or own.rest != rest or before.get(at) != value:
                    cell.write(self.there(at), value)
            for requests, ours in ((cell.made, own.made), (cell.prepared, own.prepared)):
                for at in [at for at in requests if self.here(at) is not None]:
                    del requests[at]
                requests.update({self.there(at): one for at, one in ours.items()})

        return work


def _no_requests(cell: SkeletonCell, callee: ir.Procedure) -> None:
    if cell.made or cell.prepared:
        raise UnprovableError("requests in elements that are not known", callee.span)


def _shift(memory: RankMemory, run: RunningProcedure, formal: ir.Variable | None, actual: ir.Ref) -> int | None:
    """How much higher a dummy's subscripts are than the actual's; None where that is not known."""
    outer = memory.declared(run, actual)
    if formal is None or outer is None:
        return None
    if not formal.shape.dims and not outer.shape.dims:
        return 0
    _, whole = run.owner(actual)
    subs, begin = whole.parts[-1].subscripts, lower(formal)
    if subs is None:
        ranks = formal.shape.rank, outer.shape.rank
        lows = [(lower(formal, k), memory.lowest(outer, k)) for k in range(min(ranks))]
        if ranks[0] == ranks[1] and all(one is not None and one == other for one, other in lows):
            return 0
        if ranks != (1, 1):
            return None
    elif len(subs) > 1 or formal.shape.rank != 1 or (isinstance(subs[0], ir.Range) and subs[0].step is not None):
        return None
    first = memory.row(run, actual)[1]
    if subs is None or (isinstance(subs[0], ir.Range) and subs[0].lower is None):
        first = memory.lowest(outer)
    return None if first is None or begin is None else begin - first


def _element_back(cell: SkeletonCell, own: SkeletonCell, at: CellIndex, callee: ir.Procedure) -> Callable[[], None]:
    before = own.read(())

    def work() -> None:
        if at is None:
            _no_requests(own, callee)
            if own.read(()) != before:
                cell.blur(own.read(()))
            return
        cell.write(at, own.read(()))
        for there, here in ((cell.made, own.made), (cell.prepared, own.prepared)):
            if () in here:
                there[at] = here[()]
            else:
                there.pop(at, None)

    return work

"""What a generated adjoint's backward sweep reads of a variable, before anything in the same turn has given it back.

    DO i=n,1,-1
      CALL POPREAL8ARRAY(f(:, i), 9)
      CALL COLLIDE_B(f(:, i), fb(:, i))       reads f(:, i), which has just been given back: not exposed
      gb(i) = gb(i) + f(1, i)*tb              exposed, unless f or f(1, i) is popped above it
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from snapset.analysis.comparison.stack_calls import StackCall, saved_place, stack_call
from snapset.frontend import ir
from snapset.frontend.base.deep_recursion import deep
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.expression_queries import walk
from snapset.frontend.ir.statement_walk import blocks, statements

Path: TypeAlias = tuple[str, ...]
Passed = Callable[[ir.Call], Sequence[ir.Ref]]
"""The arguments of a call that it may read."""


def path(ref: ir.Ref) -> Path:
    """``c%h`` of ``c(i)%h(2)``."""
    return tuple(part.name for part in ref.parts)


def alike(one: Path, other: Path) -> bool:
    """Is one the other, or a component of it?"""
    return one[:len(other)] == other[:len(one)]


@frozen
class Question:
    """Of the variable ``name``. ``pops``: the ids of the POPs that count, None: all. ``beside``: the name of its
    adjoint where only statements count that read that, too."""

    name: Path
    read: Passed
    pops: frozenset[int] | None = None
    beside: Path | None = None


@frozen
class Read:
    """A statement of the backward sweep, and what it names."""

    stmt: ir.Stmt
    ref: ir.Ref


def exposed(sweep: Sequence[ir.Stmt], asked: Question) -> Sequence[Read]:
    """The references to a variable that may find what stood there before this stretch of the backward sweep."""
    return _run(tuple(sweep), frozenset(), asked)[0]


def exposed_from(sweep: Sequence[ir.Stmt], start: ir.Stmt, asked: Question) -> Sequence[Read]:
    """Those from a statement in the sweep on: the rest of its turn in the loops around, and their next turns.

        DO it=n,1,-1
          vb = v*costb           in the next turn: what POP has given back by then
          CALL STEP_B(v, vb)     from here on
          CALL POPREAL8(v)
    """
    found: list[Read] = []
    given = frozenset[ir.Ref]()
    for block, at, loop in reversed(_trail(tuple(sweep), start)):
        reads, given = _run(block[at:], given, asked)
        found += reads
        if loop is not None:
            again = _written(given, loop.var) if isinstance(loop, ir.Do) else given
            found += _run(block, again, asked)[0]
            given = _behind(loop, given)
    return found


def _trail(block: ir.Block, start: ir.Stmt) -> list[tuple[ir.Block, int, ir.Do | ir.While | None]]:
    """The blocks around a statement, the outermost first: from which place on each goes on, and the loop whose body it
    is."""
    found: list[tuple[ir.Block, int, ir.Do | ir.While | None]] = []
    around: ir.Stmt | None = None
    while True:
        at = next(n for n, one in enumerate(block) if any(inner.id == start.id for inner in statements((one,))))
        within, loop = block[at], around if isinstance(around, ir.Do | ir.While) else None
        found.append((block, at + (within.id != start.id), loop))
        if within.id == start.id:
            return found
        around = within
        block = next(one for one in blocks(within) if any(inner.id == start.id for inner in statements(one)))


@deep
def _run(block: ir.Block, given: frozenset[ir.Ref], asked: Question) -> tuple[list[Read], frozenset[ir.Ref]]:
    """The references, and what has been given back behind the block. ``given``: before it, in this turn of all loops
    around."""
    found: list[Read] = []
    for stmt in block:
        call = stack_call(stmt)
        if call is not None:
            given = _popped(stmt, call, given, asked)
            continue
        reads = list(_read(stmt, asked.read))
        if asked.beside is None or any(path(one) == asked.beside for one in reads):
            found += [Read(stmt, one) for one in reads if alike(path(one), asked.name) and not _covered(one, given)]
        inside = _written(given, stmt.var) if isinstance(stmt, ir.Do) else given
        ways = [_run(inner, inside, asked) for inner in blocks(stmt)]
        found += [read for reads, _ in ways for read in reads]
        both = isinstance(stmt, ir.If) and bool(stmt.orelse)
        given = frozenset.intersection(*(end for _, end in ways)) if both else _behind(stmt, given)
    return found, given


def _popped(stmt: ir.Stmt, call: StackCall, given: frozenset[ir.Ref], asked: Question) -> frozenset[ir.Ref]:
    place = saved_place(stmt) if isinstance(stmt, ir.Call) and call.role.startswith("pop") else None
    counts = place is not None and (asked.pops is None or stmt.id in asked.pops)
    return _written(given, place) if place is not None and counts else given


def _behind(stmt: ir.Stmt, given: frozenset[ir.Ref]) -> frozenset[ir.Ref]:
    if isinstance(stmt, ir.Assign):
        return _written(given, stmt.target)
    for inner in (one for block in blocks(stmt) for one in statements(block)):
        if isinstance(inner, ir.Assign | ir.Do):
            given = _moved(given, inner.target.name if isinstance(inner, ir.Assign) else inner.var.name)
    return given | _given_by(stmt) if isinstance(stmt, ir.Do) else given


def _given_by(loop: ir.Do) -> frozenset[ir.Ref]:
    """``DO k=n,1,-1; POP(line(k)); END DO``: what is popped in a loop of nothing else, element by element, is taken to
    be all that is read of it behind."""
    places = [saved_place(one) if isinstance(one, ir.Call) and (call := stack_call(one)) is not None
              and call.role == "pop" else None for one in loop.body]
    if None in places:
        return frozenset()
    return frozenset(replace(one, parts=(*one.parts[:-1], ir.PartRef(one.parts[-1].name, None)))
                     for one in places if one is not None)


def _written(given: frozenset[ir.Ref], place: ir.Ref) -> frozenset[ir.Ref]:
    return _moved(given, place.name) | {place}


def _moved(given: frozenset[ir.Ref], name: str) -> frozenset[ir.Ref]:
    """Without what is another element once that variable has another value."""
    return frozenset(one for one in given if all(inner.name != name for inner in subscripts(one)))


def _covered(ref: ir.Ref, given: frozenset[ir.Ref]) -> bool:
    return any(path(one) == path(ref)[:len(one.parts)] and all(
        mine.subscripts is None or mine.subscripts == its.subscripts
        for mine, its in zip(one.parts, ref.parts, strict=False)) for one in given)


def _read(stmt: ir.Stmt, read: Passed) -> Iterator[ir.Ref]:
    match stmt:
        case ir.Assign(target=target, value=value):
            yield from _refs(value)
            yield from subscripts(target)
        case ir.Call():
            yield from read(stmt)
            for one in stmt.args:
                yield from (subscripts(one.value) if isinstance(one.value, ir.Ref) else _refs(one.value))
        case ir.If(cond=cond):
            yield from _refs(cond)
        case ir.Select(selector=selector):
            yield from _refs(selector)
        case ir.Do(start=start, stop=stop, step=step):
            for bound in (start, stop, step):
                yield from _refs(bound) if bound is not None else ()
        case ir.While(cond=cond) if cond is not None:
            yield from _refs(cond)
        case ir.Where(mask=mask):
            yield from _refs(mask)
        case _:
            pass


def _refs(value: ir.Expr) -> Iterator[ir.Ref]:
    return (one for one in walk(value) if isinstance(one, ir.Ref))


def subscripts(ref: ir.Ref) -> Iterator[ir.Ref]:
    """Behind the reference itself, which comes first."""
    found = _refs(ref)
    next(found, None)
    return found

def plain_subscripts(place: ir.Ref) -> frozenset[str]:
    """The variables that are subscripts by themselves, k of v(k, n + 1)."""
    return frozenset(one.name for part in place.parts for one in part.subscripts or () if isinstance(one, ir.Ref))

"""Who reads a scalar behind the adjoint of a statement that overwrote it, and finds what that statement made of it.

    DO j=1,n                            DO j=n,1,-1
      CALL PUSHREAL8(h)                   h = d(j)               computed again: the h of this turn
      h = d(j)                            ab(j) = ab(j) + h*sb
      s = s + a(j)*h                      db(j) = db(j) + hb     the adjoint of h = d(j) begins here
    END DO                                CALL POPREAL8(h)
                                        END DO
                                        cb = cb + h*yb           the h from before the loop

Without that POP the last line reads d(1). What the backward sweep computes again in a loop by the statement's own text
is the value the statement made, and nothing else. Any other assignment, and any POP, may be what is read behind it.
Behind the adjoint's beginning, in its own block, Tapenade may have statements of other adjoints among its own, ``pb =
beta*pb`` behind ``tempb = betab/rho``; so that what is read there is not looked at.
"""

from __future__ import annotations

from collections.abc import Sequence

from snapset.analysis.comparison.stack_calls import saved_place, stack_call
from snapset.analysis.comparison.verdicts.backward_reads import Passed, Path, path, read_refs
from snapset.frontend import ir
from snapset.frontend.base.deep_recursion import deep
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.statement_walk import blocks, statements


@frozen
class _Asked:
    """For a variable, after ``text``, the statement that overwrote it."""

    name: Path
    text: object
    read: Passed


@frozen
class _Seen:
    """Of a stretch of statements: ``read``: what reads the variable first; ``given``: has it a value of its own behind
    it?"""

    read: ir.Stmt | None = None
    given: bool = False


def stale_read(backward: ir.Block, begins: int, place: ir.Ref, stmt: ir.Stmt, read: Passed) -> ir.Stmt | None:
    """``begins``: the id of the first derivative statement of the adjoint of ``stmt``, which overwrote ``place``; of a
    call that of the first call that may be its adjoint, which reads what it is passed, too."""
    asked = _Asked(path(place), _text(stmt) if isinstance(stmt, ir.Assign) else None, read)
    seen = _behind(backward, begins, isinstance(stmt, ir.Call), asked)
    return None if seen is None else seen.read


@deep
def _behind(block: ir.Block, begins: int, itself: bool, asked: _Asked) -> _Seen | None:
    """From behind a statement, or from the statement ``itself``, to the end of a block, through the next turns of the
    loops around it; None: it is not there."""
    for at, stmt in enumerate(block):
        if stmt.id == begins:
            rest = block[at if itself else at + 1:]
            return _stretch(rest, asked) if itself else _Seen(given=any(
                _gives(one, asked, False) for one in statements(rest)))
        for inner in blocks(stmt):
            seen = _behind(inner, begins, itself, asked)
            if seen is None:
                continue
            if seen.read is None and not seen.given and isinstance(stmt, ir.Do | ir.While):
                turn = _stretch(inner, asked)
                seen = _Seen(turn.read)  # there may be no other turn
            return seen if seen.read is not None or seen.given else _stretch(block[at + 1:], asked)
    return None


@deep
def _stretch(block: Sequence[ir.Stmt], asked: _Asked) -> _Seen:
    for stmt in block:
        place = _popped(stmt)
        if place is not None:
            if path(place) == asked.name:
                return _Seen(given=True)
            continue
        if any(path(one) == asked.name for one in read_refs(stmt, asked.read)):
            return _Seen(stmt)
        if isinstance(stmt, ir.Assign) and path(stmt.target) == asked.name:
            return _Seen(given=True)
        for inner in blocks(stmt):
            seen = _stretch(inner, asked)
            if seen.read is not None:
                return seen
        if any(_gives(one, asked, isinstance(stmt, ir.Do)) for inner in blocks(stmt) for one in statements(inner)):
            return _Seen(given=True)
    return _Seen()


def _gives(stmt: ir.Stmt, asked: _Asked, in_loop: bool) -> bool:
    """Has it another value than the statement made, after this one inside a loop or a branch?"""
    place = _popped(stmt)
    if place is not None:
        return path(place) == asked.name
    return isinstance(stmt, ir.Assign) and path(stmt.target) == asked.name and not (
        in_loop and _text(stmt) == asked.text)


def _popped(stmt: ir.Stmt) -> ir.Ref | None:
    call = stack_call(stmt)
    return saved_place(stmt) if call is not None and call.role.startswith("pop") and isinstance(stmt, ir.Call) else None


def _text(stmt: ir.Assign) -> object:
    return stmt.target, stmt.value

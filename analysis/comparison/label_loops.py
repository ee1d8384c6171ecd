"""Loops that are written with labels, as loops; jumps of other kinds, as branches that jump.

    10 IF (hi - lo .GT. 1) THEN            a loop without end, of       IF (hi - lo .GT. 1) THEN
         A                                 two ways through a turn        A; the next turn
         GOTO 10                                                        END IF
       END IF                                                           behind the loop

A loop that is entered at another label than its first is turned, so that it begins there ::

       IF (c) GOTO 140                     IF (.NOT. c) B
    120 B                                  a loop without end, of
    140 C                                    C
       IF (d) GOTO 120                       IF (.NOT. d) behind the loop
                                             B
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from snapset.frontend import ir
from snapset.frontend.base.deep_recursion import deep
from snapset.frontend.ir.statement_walk import blocks, statements, with_blocks

_MADE: Final = 1_000_000_000
"""Statements that are made here have ids from there on."""


def jump_to_end(number: int) -> int:
    """The label of what stands behind the statement with an id."""
    return -2 * number - 2


def jump_to_next(number: int) -> int:
    """The label of the next turn of the loop with an id."""
    return -2 * number - 3


def branching_jumps(stmt: ir.Stmt) -> ir.Block:
    """GOTO (10, 20) k, IF (x) 10, 20, 30 and what else jumps in several ways, as a SELECT of jumps."""
    match stmt:
        case ir.ComputedGoto(labels=labels, selector=selector, assigned=False):
            return _select(stmt, selector, labels)
        case ir.ArithmeticIf(cond=cond):
            return _select(stmt, cond, (stmt.negative, stmt.zero, stmt.positive))
        case ir.Call(alternates=labels) if labels:
            return (replace(stmt, alternates=()), *_select(stmt, _untold(stmt), labels))
        case _:
            return (stmt,)


def _select(stmt: ir.Stmt, selector: ir.Expr, labels: Sequence[int]) -> ir.Block:
    """A branch for each label, and one that goes on; which one runs is told by nothing but the selector."""
    cases = tuple(ir.Case(span=stmt.span, values=(ir.Literal_(place, ir.INTEGER),), body=(
        ir.Goto(span=stmt.span, id=stmt.id, to=label),)) for place, label in enumerate(labels, 1))
    label = None if isinstance(stmt, ir.Call) else stmt.label
    return (ir.Select(span=stmt.span, label=label, id=stmt.id + 2*_MADE, selector=selector,
                      cases=(*cases, ir.Case(span=stmt.span, values=None, body=()))),)


def _untold(stmt: ir.Stmt) -> ir.Expr:
    return ir.Literal_(f"what {stmt.id} returns to", ir.INTEGER)


@dataclass(frozen=True)
class LabelLoops:
    """``moving``: the ids of what has something to do with the stack; loops that are made are added."""

    moving: set[int]

    @deep
    def made(self, block: ir.Block) -> ir.Block:
        """A block, and those in it, with a loop for each label that something behind it jumps to."""
        result: list[ir.Stmt] = []
        at = 0
        while at < len(block):
            last = _last_jump(block, at)
            ways = None if last is None else self._turned(block, at, last)
            if last is None or ways is None:
                result.append(self._inside(block[at]))
                at += 1
            else:
                result += ways
                at = last + 1
        return tuple(result)

    def _inside(self, stmt: ir.Stmt) -> ir.Stmt:
        return with_blocks(stmt, self.made) if any(isinstance(one, ir.Goto) for one in statements((stmt,))) else stmt

    def _turned(self, block: ir.Block, first: int, last: int) -> ir.Block | None:
        """The loop of these statements; None where what stands before it jumps into it in several ways."""
        outside = {one.to for one in _gotos(block[:first])}
        entries = [place for place in range(first + 1, last + 1) if block[place].label in outside]
        if len(entries) > 1 or (entries and block[first].label in {one.to for one in _gotos(block[first:entries[0]])}):
            return None
        start = entries[0] if entries else first
        loop = _MADE + block[start].id
        begin, before = block[start], block[first:start]
        head = () if begin.label is None else (begin.label,)
        behind = ir.Goto(span=begin.span, id=begin.id, to=jump_to_end(loop))
        turn = (replace(begin, label=None), *block[start + 1:last + 1], behind, *before)
        turn = self.made(_redirected(turn, dict.fromkeys(head, jump_to_next(loop))))
        if any(one.id in self.moving for one in statements(turn)):
            self.moving.add(loop)
        return (*self.made(before), ir.While(span=begin.span, end=block[last].span, label=begin.label, id=loop,
                                             cond=None, body=turn))


def _last_jump(block: ir.Block, at: int) -> int | None:
    """The last statement that jumps back to the one at a place, or into what lies between; None: there is none."""
    last = _last_to(block, at, {block[at].label})
    while last is not None:
        more = _last_to(block, last + 1, {one.label for one in block[at:last + 1]})
        if more is None:
            return last
        last = more
    return None


def _last_to(block: ir.Block, start: int, labels: set[int | None]) -> int | None:
    """From a place on, the last statement with a jump to one of these labels."""
    wanted = labels - {None}
    return next((place for place in range(len(block) - 1, start - 1, -1)
                 if any(one.to in wanted for one in _gotos((block[place],)))), None) if wanted else None


def _gotos(block: ir.Block) -> Iterator[ir.Goto]:
    return (one for one in statements(block) if isinstance(one, ir.Goto))


@deep
def _redirected(block: ir.Block, ways: Mapping[int, int]) -> ir.Block:
    """Jumps to these labels lead elsewhere."""
    return tuple(
        replace(one, to=ways[one.to]) if isinstance(one, ir.Goto) and one.to in ways
        else with_blocks(one, partial(_redirected, ways=ways)) if blocks(one) else one for one in block)

"""A generated adjoint's statements without jumps, for the walk beside its stack.

    DO i=1,n                          a loop of A; B that ends by itself,
      A                               then one of two ways:
      IF (c) THEN
        GOTO 100                          CALL PUSHCONTROL1B(0)
      ELSE
        B                             or
      END IF
    END DO                                A
    CALL PUSHCONTROL1B(0)                 CALL PUSHCONTROL1B(1)
    GOTO 110
100 CALL PUSHCONTROL1B(1)             and D behind both
110 D

A jump forward is a choice of what runs up to the place where all come together, so that stands in the alternatives
(twice, if need be: statements keep their ids). A loop that is left is one of whole turns, and what the last turn did
stands behind it. Jumps back make loops first (:mod:`snapset.analysis.comparison.label_loops`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from snapset.analysis.comparison.label_loops import LabelLoops, branching_jumps, jump_to_end, jump_to_next
from snapset.analysis.comparison.stack_contents import UnpairedError
from snapset.frontend import ir
from snapset.frontend.base.deep_recursion import deep
from snapset.frontend.ir.statement_walk import blocks, statements, with_blocks

_MOST: Final = 20_000
_RETURN: Final = -1
"""Where RETURN jumps to; -2, -4 ... is behind a statement, -3, -5 ... the next turn of a loop."""


def leaves(stmt: ir.Stmt) -> bool:
    """May control leave a statement other than at its end? (STOP ends the run, so nothing comes after it.)"""
    return bool(_leaving((stmt,), {})) or any(_is_other(one, stmt) for one in statements((stmt,)))


def without_jumps(body: ir.Block, moving: frozenset[int]) -> ir.Block:
    """``moving``: what has something to do with the stack, by id; all else that control does not leave stays as it is.
    Raises UnpairedError where a jump is not followed."""
    found = set(moving)
    straight = _Straight(found)
    result = straight.block(LabelLoops(found).made(straight.labelled(body, {})), frozenset({_RETURN}))
    for one in _tails(result):
        raise UnpairedError(one, "a jump back, or into another block, among PUSHes and POPs")
    return result


@dataclass
class _Straight:
    moving: set[int]
    count: int = field(default=0)

    @deep
    def labelled(self, block: ir.Block, names: Mapping[str | None, int]) -> ir.Block:
        """EXIT, CYCLE and RETURN as jumps to numbers. ``names``: the ids of the constructs around."""
        result: list[ir.Stmt] = []
        for stmt in block:
            to = _target(stmt, names)
            if to is not None:
                result.append(ir.Goto(span=stmt.span, label=stmt.label, id=stmt.id, to=to))
            elif self._stays(stmt):
                result.append(stmt)
            else:
                result += branching_jumps(with_blocks(stmt, partial(self.labelled, names=_named(stmt, names))))
        return tuple(result)

    def _stays(self, stmt: ir.Stmt) -> bool:
        return stmt.id not in self.moving and not leaves(stmt)

    @deep
    def block(self, block: ir.Block, ends: frozenset[int]) -> ir.Block:
        """Jumps to ``ends`` come to the block's end. Those that leave it stand last, or last in an alternative of its
        last statement."""
        result: list[ir.Stmt] = []
        at = 0
        while at < len(block):
            stmt = block[at]
            self.count += 1
            if self.count > _MOST:
                raise UnpairedError(stmt, "too many ways lead through its jumps")
            if isinstance(stmt, ir.Goto):
                behind = _behind(block, at, stmt.to)
                if behind is None:
                    return tuple(result) if stmt.to in ends else (*result, stmt)
                at = behind
            elif self._stays(stmt):
                result.append(stmt)
                at += 1
            else:
                at = self._inside(block, at, ends, result)
        return tuple(result)

    def _inside(self, block: ir.Block, at: int, ends: frozenset[int], result: list[ir.Stmt]) -> int:
        """A statement with blocks of its own, and what belongs into its alternatives. The place behind."""
        stmt = block[at]
        join, joined = _join(block, at, ends)
        rest = block[at + 1:join]
        match stmt:
            case ir.Do() | ir.While():
                return self._loop(block, at, ends, result)
            case ir.If() | ir.Select() if join > at + 1 or _leaving((stmt,), {}):
                if jump_to_end(stmt.id) in {one.to for one in statements((stmt,)) if isinstance(one, ir.Goto)}:
                    raise UnpairedError(stmt, "EXIT out of a branch that other jumps leave")
                if isinstance(stmt, ir.Select) and not any(case.values is None for case in stmt.cases):
                    stmt = replace(stmt, cases=(*stmt.cases, ir.Case(span=stmt.span, values=None, body=())))
                result.append(with_blocks(stmt, lambda inner: self.block((*inner, *rest), joined)))
            case ir.If() | ir.Select() | ir.ScopeBlock() | ir.Marked() if not _leaving((stmt,), {}):
                result.append(with_blocks(stmt, lambda inner: self.block(inner, frozenset({jump_to_end(stmt.id)}))))
            case ir.Where():
                result.append(stmt)  # a part's mark may stand in it, a PUSH may not
            case _ if blocks(stmt) or leaves(stmt):
                raise UnpairedError(stmt, "a jump among PUSHes and POPs")
            case _:
                result.append(stmt)
        return join

    def _loop(self, block: ir.Block, at: int, ends: frozenset[int], result: list[ir.Stmt]) -> int:
        stmt = block[at]
        body = self.block(stmt.body if isinstance(stmt, ir.Do | ir.While) else (), frozenset({jump_to_next(stmt.id)}))
        targets = dict.fromkeys(one.to for one in _tails(body))
        whole = _kept(body, None)
        result.append(replace(stmt, body=whole or ()) if isinstance(stmt, ir.Do | ir.While) else stmt)
        if not targets:
            return at + 1
        join, joined = _join(block, at, ends)
        ways = [] if isinstance(stmt, ir.While) and stmt.cond is None else [
            self.block(block[at + 1:join], joined)]
        for to in targets:
            last = _kept(body, to) or ()
            behind = at + 1 if to == jump_to_end(stmt.id) else _behind(block, at, to)
            if behind is not None:
                ways.append((*last, *self.block(block[behind:join], joined)))
            else:
                ways.append(last if to in joined else (*last, ir.Goto(span=stmt.span, id=stmt.id, to=to)))
        result += _choice(stmt, ways)
        return join


def _target(stmt: ir.Stmt, names: Mapping[str | None, int]) -> int | None:
    match stmt:
        case ir.Goto(to=to):
            return to
        case ir.Return(alternate=None):
            return _RETURN
        case ir.Exit(name=name) if name in names:
            return jump_to_end(names[name])
        case ir.Cycle(name=name) if name in names:
            return jump_to_next(names[name])
        case _:
            return None


def _named(stmt: ir.Stmt, names: Mapping[str | None, int]) -> Mapping[str | None, int]:
    """With this construct; EXIT and CYCLE without a name mean the innermost loop."""
    own: list[str | None] = [None] if isinstance(stmt, ir.Do | ir.While) else []
    name = getattr(stmt, "name", None)
    if blocks(stmt) and isinstance(name, str):
        own.append(name)
    return {**names, **dict.fromkeys(own, stmt.id)} if own else names


def _is_other(stmt: ir.Stmt, around: ir.Stmt) -> bool:
    """A statement that jumps in a way that is not followed, out of the statement around it."""
    match stmt:
        case ir.ComputedGoto(labels=to) | ir.IO(labels=to) | ir.Opaque(labels=to) | ir.Call(alternates=to):
            wanted = set(to)
        case ir.ArithmeticIf():
            wanted = {stmt.negative, stmt.zero, stmt.positive}
        case ir.Return(alternate=alternate):
            return alternate is not None
        case _:
            return False
    return bool(wanted) and not {one.label for one in statements((around,))}.issuperset(wanted)


def _leaving(block: ir.Block, names: Mapping[str | None, int]) -> set[int]:
    """Where the jumps that leave some statements lead to, without recursion."""
    inside = {one.label for one in statements(block)}
    found: set[int] = set()
    pending = [(stmt, names) for stmt in block]
    own: set[int] = set()
    while pending:
        stmt, around = pending.pop()
        to = _target(stmt, around)
        if to is not None and to not in inside:
            found.add(to)
        elif isinstance(stmt, ir.Exit | ir.Cycle) and to is None:
            found.add(_RETURN)  # of a construct that is not seen from here: it leaves all of this
        own |= {jump_to_end(stmt.id), jump_to_next(stmt.id)} if blocks(stmt) else set()
        within = _named(stmt, around)
        pending += [(one, within) for inner in blocks(stmt) for one in inner]
    return found - own


def _behind(block: ir.Block, at: int, label: int) -> int | None:
    return next((place for place in range(at + 1, len(block)) if block[place].label == label), None)


def _join(block: ir.Block, at: int, ends: frozenset[int]) -> tuple[int, frozenset[int]]:
    """Where all that leaves a statement has come together again, and the jumps that lead there: the next statement
    that no jump over it is for, or the block's end."""
    join = at + 1
    while True:
        places = [_behind(block, at, to) for to in _leaving(block[at:join], {})]
        if any(place is None for place in places):
            return len(block), ends
        furthest = max((place for place in places if place is not None), default=join)
        if furthest <= join:
            label = block[join].label if join < len(block) else None
            return (join, ends) if join == len(block) else (join, frozenset(() if label is None else (label,)))
        join = furthest


def _tails(block: ir.Block) -> Iterator[ir.Goto]:
    """The jumps that leave a block that has been made straight."""
    pending = [block]
    while pending:
        one = pending.pop()
        if one and isinstance(one[-1], ir.Goto):
            yield one[-1]
        elif one and isinstance(one[-1], ir.If | ir.Select):
            pending += blocks(one[-1])


@deep
def _kept(block: ir.Block, to: int | None) -> ir.Block | None:
    """Only the ways that end with this jump (None: that come to the end), without it. None: there is none."""
    if not block:
        return block if to is None else None
    last = block[-1]
    if isinstance(last, ir.Goto):
        return block[:-1] if last.to == to else None
    if not isinstance(last, ir.If | ir.Select) or not any(True for _ in _tails((last,))):
        return block if to is None else None
    ways = [_kept(way, to) for way in blocks(last)]
    found = [way for way in ways if way is not None]
    if len(found) == len(ways):
        each = iter(found)
        return (*block[:-1], with_blocks(last, lambda _: next(each)))
    return (*block[:-1], *_choice(last, found)) if found else None


def _choice(stmt: ir.Stmt, ways: list[ir.Block]) -> ir.Block:
    """One of these runs; which one is told by nothing that the statement says."""
    if len(ways) == 1:
        return ways[0]
    selector = ir.Literal_(f"what of {stmt.id} runs", ir.INTEGER)
    cases = [ir.Case(span=stmt.span, values=(), body=way) for way in ways]
    return (ir.Select(span=stmt.span, id=stmt.id, selector=selector,
                      cases=(*cases[:-1], replace(cases[-1], values=None))),)

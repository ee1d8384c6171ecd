"""Going through a statement tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Span
from snapset.frontend.base.frozen_records import replace


def blocks(stmt: ir.Stmt) -> tuple[ir.Block, ...]:
    """The blocks directly inside a statement, in source order."""
    match stmt:
        case ir.If():
            return (stmt.then, stmt.orelse)
        case ir.Select():
            return tuple(case.body for case in stmt.cases)
        case ir.While():
            return (stmt.before, stmt.body)
        case ir.Where():
            return (stmt.body, stmt.elsewhere)
        case ir.Do() | ir.ScopeBlock() | ir.Marked():
            return (stmt.body,)
        case _:
            return ()


def statements(block: ir.Block) -> Iterator[ir.Stmt]:
    """Every statement of a block, those inside it after it, in source order; without recursion."""
    pending = list(reversed(block))
    while pending:
        stmt = pending.pop()
        yield stmt
        for inner in reversed(blocks(stmt)):
            pending.extend(reversed(inner))


def with_ids(body: ir.Block) -> ir.Block:
    """A procedure's body, its statements numbered as :func:`statements` gives them; without recursion."""
    done: list[ir.Stmt] = []
    for number, stmt in reversed(list(enumerate(statements(body)))):
        inner = with_blocks(stmt, lambda block: tuple(done.pop() for _ in block))
        done.append(replace(inner, id=number))
    return tuple(reversed(done))


def with_blocks(stmt: ir.Stmt, change: Callable[[ir.Block], ir.Block]) -> ir.Stmt:
    """``stmt`` with ``change`` applied to each block directly inside it."""
    match stmt:
        case ir.If():
            return replace(stmt, then=change(stmt.then), orelse=change(stmt.orelse))
        case ir.Select():
            return replace(stmt, cases=tuple(replace(case, body=change(case.body)) for case in stmt.cases))
        case ir.While():
            return replace(stmt, before=change(stmt.before), body=change(stmt.body))
        case ir.Where():
            return replace(stmt, body=change(stmt.body), elsewhere=change(stmt.elsewhere))
        case ir.Do() | ir.ScopeBlock() | ir.Marked():
            return replace(stmt, body=change(stmt.body))
        case _:
            return stmt


def beginning(stmt: ir.Stmt) -> Span:
    """Where a statement begins; a part inside a part begins with its own first statement, not its pragma."""
    if isinstance(stmt, ir.Marked) and stmt.body:
        return beginning(stmt.body[0])
    return stmt.span


def last_line(stmt: ir.Stmt) -> int:
    """The line on which a statement ends."""
    match stmt:
        case ir.Marked(body=body) if body:
            return last_line(body[-1])
        case ir.Do() | ir.While():
            return stmt.end.end_line
        case ir.If() | ir.Select() | ir.Where() | ir.ScopeBlock():
            inner = blocks(stmt)
            last = max((last_line(b[-1]) for b in inner if b), default=stmt.span.end_line)
            return stmt.end.end_line if stmt.end is not None else last
        case _:
            return stmt.span.end_line


def values_made(stmt: ir.Stmt) -> Iterator[ir.Expr]:
    """The expressions in which something may be constructed or its address taken."""
    match stmt:
        case ir.Assign():
            yield stmt.value
        case ir.PointerAssign():
            yield stmt.value
        case ir.Call():
            yield from (argument.value for argument in stmt.args)
        case ir.Allocate() if stmt.source is not None:
            yield stmt.source
        case _:
            pass

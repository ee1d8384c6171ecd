"""Where statements begin and end in the source."""

from __future__ import annotations

from dataclasses import replace

from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Span


def place(model: ProcedureModel, node: int) -> Span:
    """Where a node stands; the exit at the last statement."""
    span, body = model.flow.nodes[node].span, model.procedure.body
    if node != model.flow.exit or not body:
        return span
    last = max(map(last_line, body))
    return replace(span, line=last, end_line=last)


def first(stmt: ir.Stmt) -> Span:
    """Where a statement begins; a part inside a part begins with its own first statement, not its pragma."""
    if isinstance(stmt, ir.Marked) and stmt.body:
        return first(stmt.body[0])
    return stmt.span


def last_line(stmt: ir.Stmt) -> int:
    match stmt:
        case ir.Marked(body=body) if body:
            return last_line(body[-1])
        case ir.Do() | ir.While():
            return stmt.end.end_line
        case ir.If() | ir.Select() | ir.Where() | ir.ScopeBlock():
            inner = _inner_blocks(stmt)
            last = max((last_line(b[-1]) for b in inner if b), default=stmt.span.end_line)
            return stmt.end.end_line if stmt.end is not None else last
        case _:
            return stmt.span.end_line


def _inner_blocks(stmt: ir.If | ir.Select | ir.Where | ir.ScopeBlock) -> list[ir.Block]:
    match stmt:
        case ir.If():
            return [stmt.then, stmt.orelse]
        case ir.Select():
            return [case.body for case in stmt.cases]
        case ir.Where():
            return [stmt.body, stmt.elsewhere]
        case ir.ScopeBlock():
            return [stmt.body]

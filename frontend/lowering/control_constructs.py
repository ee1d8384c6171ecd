"""Branches and loops: IF, DO in its forms, SELECT CASE."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TypeVar

from snapset.frontend import ir
from snapset.frontend.base.diagnostics import InputError, Span
from snapset.frontend.base.source_model import Line
from snapset.frontend.lowering.block_cursor import BlockOpening, ClosedBlock, Cursor, labelled_end
from snapset.frontend.parsing.statement_classifier import Statement
from snapset.frontend.resolution.lowering_context import Context
from snapset.frontend.resolution.statement_operands import bounds, condition, expression, reference

Stmts = tuple[ir.Stmt, ...]
S = TypeVar("S", bound=ir.Stmt)
_ONE = ir.Literal_(1, ir.INTEGER)


def opening(construct: str, line: Line) -> BlockOpening:
    return BlockOpening(construct, line.text, line.span, line.construct)


# ---------------------------------------------------------------- IF


def lower_if(cursor: Cursor, line: Line, statement: Statement) -> Stmts:
    """IF / ELSE IF / ELSE / END IF; arms are nested from the last to the first."""
    opened = opening("if", line)
    arms: list[tuple[Stmts, ir.Expr, Span, ir.Block]] = []
    otherwise: ir.Block = ()
    at, head = line, statement
    closed: ClosedBlock | None = None
    while closed is None or closed.statement.kind != "end":
        if head.kind == "else":
            closed = cursor.block(opened, last=True)
            otherwise = closed.body
        else:
            before, cond = condition(cursor.ctx, head.parts[0], at.span)
            closed = cursor.block(opened)
            arms.append((before, cond, at.span, closed.body))
        at, head = closed.line, closed.statement
    for place, (before, cond, span, body) in reversed(list(enumerate(arms))):
        name = None if place else line.construct
        branch = ir.If(span=span, cond=cond, then=body, orelse=otherwise, name=name, end=at.span)
        otherwise = (*before, branch)
    return (*otherwise, *labelled_end(at))


def lower_if_statement(cursor: Cursor, line: Line, statement: Statement) -> Stmts:
    """``if (cond) statement``"""
    before, cond = condition(cursor.ctx, statement.parts[0], line.span)
    then = cursor.inner(line, statement.parts[1])
    return (*before, ir.If(span=line.span, cond=cond, then=then, end=line.span))


# ---------------------------------------------------------------- DO


def lower_do(cursor: Cursor, line: Line, statement: Statement) -> Stmts:
    """``do var = start, stop, step``"""
    ctx = cursor.ctx
    ctx.before, ctx.inlined = [], 0
    independent, ctx.independent = ctx.independent is not None, None
    binomial = _binomial(ctx)
    limits = [expression(ctx, part) for part in statement.parts[1:]]
    var = reference(ctx, statement.parts[0])
    before = tuple(ctx.before)
    closed, body = _loop_body(cursor, line)
    step = limits[2] if len(limits) > 2 else None
    loop = ir.Do(
        span=line.span, var=var, start=limits[0], stop=limits[1], step=step, body=body, end=closed.line.span,
        name=line.construct, independent=independent, binomial=binomial,
    )  # fmt: skip
    return (*before, *(_counted(ctx, loop) if var.type.kind == "real" else (loop,)))


def lower_while(cursor: Cursor, line: Line, statement: Statement) -> Stmts:
    """``do while (cond)`` and ``do``"""
    before: Stmts = ()
    cond: ir.Expr | None = None
    binomial = _binomial(cursor.ctx)
    if statement.kind == "do while":
        before, cond = condition(cursor.ctx, statement.parts[0], line.span)
    closed, body = _loop_body(cursor, line)
    return (ir.While(span=line.span, cond=cond, body=body, end=closed.line.span, before=before, name=line.construct,
                     binomial=binomial),)


def _binomial(ctx: Context) -> str:
    """What a BINOMIAL-CKP before the loop says, its name included; empty without one."""
    pragma, ctx.binomial = ctx.binomial, None
    return "" if pragma is None else pragma.kind


def _loop_body(cursor: Cursor, line: Line) -> tuple[ClosedBlock, ir.Block]:
    """A loop's statements; a jump to the label of END DO goes to the end of the body."""
    closed = cursor.block(opening("do", line))
    return closed, (*closed.body, *labelled_end(closed.line))


# ---------------------------------------------------------------- DO over reals


def _counted(ctx: Context, loop: ir.Do) -> tuple[ir.Stmt, ...]:
    """The statements that a DO over a real variable stands for, which Fortran 95 deleted and old codes have.

    ``do t = a, b, h`` runs INT((b - a + h)/h) times, however t is rounded on the way (Fortran 77, 11.10.3), and t keeps
    its last value. So it is an integer loop that adds h to t at the end of each iteration, and t is a real variable as
    any other, which carries derivatives from a and h.

    With q = (b - a)/h it runs INT(q) + 1 times, or not at all where q is negative, as gfortran evaluates it: that is
    INT((b - a + h)/h) but for rounding.
    """
    ctx.note("SN214", f"DO over the real variable `{'%'.join(part.name for part in loop.var.parts)}`: Fortran 95 "
             "deleted this; the rounded step decides how often it runs", loop.span)
    before: list[ir.Stmt] = []
    var, type_, span = loop.var, loop.var.type, loop.span

    def fixed(expr: ir.Expr, name: str) -> ir.Expr:
        if isinstance(expr, ir.Literal_) and (expr.type == type_ or expr.type.kind == "integer"):
            return expr
        kept = ctx.fresh(name, type_)
        before.append(ir.Assign(span=span, target=kept, value=expr))
        return kept

    name = var.parts[-1].name
    last, by = fixed(loop.stop, f"{name}@last"), _ONE if loop.step is None else fixed(loop.step, f"{name}@step")
    before.append(ir.Assign(span=span, target=var, value=loop.start))
    q = ir.Binary("/", ir.Binary("-", last, var, type_), by, type_)
    trips = ctx.fresh(f"{name}@trips", ir.INTEGER)
    whole = ir.Binary("+", ir.Intrinsic("int", (ir.Argument(q),), ir.INTEGER), _ONE, ir.INTEGER)
    none = ir.Literal_(0, ir.INTEGER)
    some = ir.Binary(">=", q, none, ir.LOGICAL)
    times = ir.Intrinsic("merge", (ir.Argument(whole), ir.Argument(none), ir.Argument(some)), ir.INTEGER)
    before.append(ir.Assign(span=span, target=trips, value=times))
    around = f"{name}@{span.line}"
    body = _without_cycle(loop.body, loop.name, around, inside=False)
    if body != loop.body:
        body = (ir.ScopeBlock(span=span, body=body, name=around, end=loop.end),)
    step = ir.Assign(span=loop.end, target=var, value=ir.Binary("+", var, by, type_))
    count = ctx.fresh(f"{name}@count", ir.INTEGER)
    return (*before, replace(loop, var=count, start=_ONE, stop=trips, step=None, body=(*body, step)))


def _without_cycle(body: ir.Block, name: str | None, around: str, inside: bool) -> ir.Block:
    """``body`` with every CYCLE of the loop called ``name`` as an EXIT of the block ``around`` it. ``inside``: in
    another loop, whose own CYCLEs have no name."""
    return tuple(_one(stmt, name, around, inside) for stmt in body)


def _one(stmt: S, name: str | None, around: str, inside: bool) -> S | ir.Exit:
    if isinstance(stmt, ir.Cycle):
        own = stmt.name == name if stmt.name is not None else not inside
        return ir.Exit(span=stmt.span, label=stmt.label, name=around) if own else stmt
    inside = inside or isinstance(stmt, ir.Do | ir.While)
    changed: dict[str, object] = {}
    for field in fields(stmt):
        value = getattr(stmt, field.name)
        if isinstance(stmt, ir.Select) and field.name == "cases":
            changed["cases"] = tuple(
                replace(case, body=_without_cycle(case.body, name, around, inside)) for case in stmt.cases)
        elif isinstance(value, tuple) and any(isinstance(one, ir.Stmt) for one in value):
            changed[field.name] = _without_cycle(value, name, around, inside)
    return replace(stmt, **changed) if changed else stmt  # type: ignore[arg-type]


# ---------------------------------------------------------------- SELECT CASE


def lower_select(cursor: Cursor, line: Line, statement: Statement) -> Stmts:
    """SELECT CASE / CASE / END SELECT"""
    before, selector = condition(cursor.ctx, statement.parts[0], line.span)
    opened = opening("select", line)
    cases: list[ir.Case] = []
    closed = first_case(cursor, opened)
    while closed.statement.kind != "end":
        at, head = closed.line, closed.statement
        values = bounds(cursor.ctx, head.parts[1]) if head.parts[0] == "values" else None
        closed = cursor.block(opened)
        cases.append(ir.Case(span=at.span, values=values, body=closed.body))
    select = ir.Select(
        span=line.span, selector=selector, cases=tuple(cases), name=line.construct, end=closed.line.span,
        exhaustive=any(case.values is None for case in cases),
    )  # fmt: skip
    return (*before, select, *labelled_end(closed.line))


def first_case(cursor: Cursor, opened: BlockOpening) -> ClosedBlock:
    """The first CASE or guard. Raises InputError where statements stand before it."""
    closed = cursor.block(opened)
    if closed.body:
        raise InputError(f"statement between `{opened.text}` and its first CASE", closed.body[0].span)
    return closed

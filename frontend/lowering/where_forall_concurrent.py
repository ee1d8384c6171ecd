"""WHERE, FORALL and DO CONCURRENT: masked and order-free assignments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Span
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.source_model import Line
from snapset.frontend.base.text_scan import closing, masked, split_top, top_equals
from snapset.frontend.lowering.block_cursor import ClosedBlock, Cursor, labelled_end
from snapset.frontend.lowering.control_constructs import Stmts, opening
from snapset.frontend.lowering.forall_phases import ForallPhases, LoopIndex, loops
from snapset.frontend.lowering.masked_calls import masked_calls
from snapset.frontend.parsing.statement_classifier import Statement
from snapset.frontend.resolution.lowering_context import Context, NotUnderstoodError
from snapset.frontend.resolution.private_copies import allocated_like, original, own_copy
from snapset.frontend.resolution.statement_operands import condition, expression

_COLON = pattern_of(r"[()\[\]:]")
_LOCALITY = pattern_of(r"\s*(local_init|local|shared|reduce|default)\s*\(")


def lower_where(cursor: Cursor, line: Line, statement: Statement) -> Stmts:
    """``where (mask) a = b``"""
    before, mask = condition(cursor.ctx, statement.parts[0], line.span)
    cursor.ctx.masked += 1
    body = cursor.inner(line, statement.parts[1])
    cursor.ctx.masked -= 1
    where = ir.Where(span=line.span, mask=mask, body=body, end=line.span)
    return (*before, *masked_calls(cursor.ctx, line, where))


def lower_where_construct(cursor: Cursor, line: Line, statement: Statement) -> Stmts:
    """WHERE / ELSEWHERE (mask) / ELSEWHERE / END WHERE; a masked ELSEWHERE is a Where in ``elsewhere``."""
    opened = opening("where", line)
    arms: list[tuple[Stmts, ir.Expr, Span, ir.Block]] = []
    otherwise: ir.Block = ()
    at, text = line, statement.parts[0]
    while True:
        cursor.ctx.masked += bool(arms)  # for some elements only
        before, mask = condition(cursor.ctx, text, at.span)
        cursor.ctx.masked += not arms
        closed = cursor.block(opened)
        cursor.ctx.masked -= 1
        arms.append((before, mask, at.span, closed.body))
        if closed.statement.kind == "end" or not closed.statement.parts:
            break
        at, text = closed.line, closed.statement.parts[0]
    if closed.statement.kind != "end":
        cursor.ctx.masked += 1
        closed = cursor.block(opened, last=True)
        cursor.ctx.masked -= 1
        otherwise = closed.body
    for before, mask, span, body in reversed(arms):
        where = ir.Where(span=span, mask=mask, body=body, elsewhere=otherwise, end=closed.line.span)
        otherwise = (*before, where)
    return (*before, *masked_calls(cursor.ctx, line, where), *labelled_end(closed.line))


# ---------------------------------------------------------------- index loops


def lower_forall(cursor: Cursor, line: Line, statement: Statement) -> Stmts:
    """``forall (header) a(i) = b`` and the construct."""
    if statement.kind == "forall":
        text = statement.parts[1]
        return _index_loops(cursor, line, statement.parts, "forall", lambda: (cursor.inner(line, text), None))
    return _index_loops(cursor, line, statement.parts, "forall", lambda: _closed(cursor, line, "forall"))


def lower_concurrent(cursor: Cursor, line: Line, statement: Statement) -> Stmts:
    """``do concurrent (header) locality``"""
    return _index_loops(cursor, line, statement.parts, "concurrent", lambda: _closed(cursor, line, "do"))


def _closed(cursor: Cursor, line: Line, construct: str) -> tuple[ir.Block, ClosedBlock | None]:
    closed = cursor.block(opening(construct, line), last=True)
    if construct == "do":
        return (*closed.body, *labelled_end(closed.line)), closed
    return closed.body, closed


def _index_loops(
    cursor: Cursor,
    line: Line,
    parts: tuple[str, ...],
    kind: Literal["concurrent", "forall"],
    read_body: Callable[[], tuple[ir.Block, ClosedBlock | None]],
) -> Stmts:
    """One loop per index, the first outermost, a mask as an If; indices are the construct's own variables."""
    ctx = cursor.ctx
    outer_names = ctx.names
    ctx.before, ctx.inlined = [], 0
    indices, mask_text = _header(ctx, parts[0])
    before, first = tuple(ctx.before), _localities(ctx, parts[1] if kind == "concurrent" else "")
    mask_calls: Stmts = ()
    mask: ir.Expr | None = None
    if mask_text is not None:
        mask_calls, mask = condition(ctx, mask_text, line.span)
    body, closed = read_body()
    ctx.names = outer_names
    end = line.span if closed is None else closed.line.span
    after = () if closed is None or kind == "concurrent" else labelled_end(closed.line)
    inside = ForallPhases(ctx, indices, line.span, end).phases(mask_calls, mask, body) if kind == "forall" else None
    if inside is not None:
        return (*before, *inside, *after)
    body = (*first, *body)
    if mask is not None:
        body = (*mask_calls, ir.If(span=line.span, cond=mask, then=body, end=end))
    return (*before, *loops(indices, body, kind, line.span, end, line.construct), *after)


def _header(ctx: Context, text: str) -> tuple[list[LoopIndex], str | None]:
    """``i = 1:n, j = 1:m:2, mask``, with an optional type before the first index."""
    indices: list[LoopIndex] = []
    mask: str | None = None
    names: dict[str, ir.Expr] = {}
    head, colons, rest = text.partition("::")
    for spec in split_top(rest if colons and head.split("(")[0].strip() == "integer" else text):
        at = top_equals(masked(spec))
        if at < 0:
            mask = spec
            continue
        name = spec[:at].strip()
        limits = [expression(ctx, part) for part in _triplet(spec[at + 1 :])]
        if not name.isidentifier() or len(limits) not in (2, 3):
            raise NotUnderstoodError(f"index `{spec}`")
        declared = ctx.variables.get(name)
        type_ = declared.type if declared is not None and declared.type.kind == "integer" else ir.INTEGER
        names[name] = var = ctx.fresh(name, type_)
        indices.append(LoopIndex(var, limits[0], limits[1], limits[2] if len(limits) > 2 else None))
    ctx.names = {**ctx.names, **names}
    return indices, mask


def _triplet(text: str) -> tuple[str, ...]:
    depth = begin = 0
    parts: list[str] = []
    for found in _COLON.finditer(masked(text)):
        char = found.group()
        depth += (char in "([") - (char in ")]")
        if char == ":" and depth == 0:
            parts.append(text[begin : found.start()].strip())
            begin = found.end()
    return (*parts, text[begin:].strip())


def _declared(ctx: Context, name: str) -> ir.Ref:
    """A variable that gets a copy though none of OpenMP's would: a pointer."""
    variable = ctx.variable(name)
    return ir.Ref((ir.PartRef(name),), variable.type, variable.shape.rank)


def _localities(ctx: Context, text: str) -> Stmts:
    """LOCAL and LOCAL_INIT variables are each iteration's own; LOCAL_INIT ones start with the outer value."""
    first: list[ir.Stmt] = []
    while found := _LOCALITY.match(text):
        close = closing(masked(text), found.end() - 1)
        if found.group(1).startswith("local"):
            for name in split_top(text[found.end() : close]):
                model = original(ctx, name) or _declared(ctx, name)
                own = own_copy(ctx, name, ctx.variables[model.name])
                first += allocated_like(own, model, ctx.variables[model.name], ctx.span)
                if found.group(1) == "local_init":
                    first.append(ir.Assign(span=ctx.span, target=own, value=model))
                ctx.names = {**ctx.names, name: own}
        text = text[close + 1 :]
    return tuple(first)

"""WHERE, FORALL and DO CONCURRENT: masked and order-free assignments."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Literal

from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Span
from snapset.frontend.base.source_model import Line
from snapset.frontend.base.text_scan import closing, masked, split_top, top_equals
from snapset.frontend.ir.constant_folding import value_of
from snapset.frontend.ir.expression_queries import names_in, rank_of
from snapset.frontend.ir.intrinsics import intrinsic
from snapset.frontend.lowering.block_cursor import ClosedBlock, Cursor, labelled_end
from snapset.frontend.lowering.control_constructs import Stmts, opening
from snapset.frontend.lowering.private_copies import allocated_like, original, own_copy
from snapset.frontend.parsing.statement_classifier import Statement
from snapset.frontend.resolution.data_references import declaration
from snapset.frontend.resolution.lowering_context import Context, NotUnderstoodError
from snapset.frontend.resolution.statement_operands import condition, expression

_COLON = re.compile(r"[()\[\]:]")
_LOCALITY = re.compile(r"\s*(local_init|local|shared|reduce|default)\s*\(")


def lower_where(cursor: Cursor, line: Line, statement: Statement) -> Stmts:
    """``where (mask) a = b``"""
    before, mask = condition(cursor.ctx, statement.parts[0], line.span)
    body = cursor.inner(line, statement.parts[1])
    return (*before, ir.Where(span=line.span, mask=mask, body=body, end=line.span))


def lower_where_construct(cursor: Cursor, line: Line, statement: Statement) -> Stmts:
    """WHERE / ELSEWHERE (mask) / ELSEWHERE / END WHERE; a masked ELSEWHERE is a Where in ``elsewhere``."""
    opened = opening("where", line)
    arms: list[tuple[Stmts, ir.Expr, Span, ir.Block]] = []
    otherwise: ir.Block = ()
    at, text = line, statement.parts[0]
    while True:
        before, mask = condition(cursor.ctx, text, at.span)
        closed = cursor.block(opened)
        arms.append((before, mask, at.span, closed.body))
        if closed.statement.kind == "end" or not closed.statement.parts:
            break
        at, text = closed.line, closed.statement.parts[0]
    if closed.statement.kind != "end":
        closed = cursor.block(opened, last=True)
        otherwise = closed.body
    for before, mask, span, body in reversed(arms):
        where = ir.Where(span=span, mask=mask, body=body, elsewhere=otherwise, end=closed.line.span)
        otherwise = (*before, where)
    return (*otherwise, *labelled_end(closed.line))


# ---------------------------------------------------------------- index loops


@dataclass(frozen=True, slots=True)
class _Index:
    var: ir.Ref
    start: ir.Expr
    stop: ir.Expr
    step: ir.Expr | None


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
    inside = _Forall(ctx, indices, line.span, end).phases(mask_calls, mask, body) if kind == "forall" else None
    if inside is not None:
        return (*before, *inside, *after)
    body = (*first, *body)
    if mask is not None:
        body = (*mask_calls, ir.If(span=line.span, cond=mask, then=body, end=end))
    return (*before, *_loops(indices, body, kind, line.span, end, line.construct), *after)


def _loops(indices: list[_Index], body: ir.Block, kind: Literal["do", "concurrent", "forall"], span: Span, end: Span,
           name: str | None = None) -> ir.Block:
    """A loop for each index, the first outermost."""
    for outside, index in reversed(list(enumerate(indices))):
        loop = ir.Do(
            span=span, var=index.var, start=index.start, stop=index.stop, step=index.step, body=body, end=end,
            name=None if outside else name, kind=kind,
        )  # fmt: skip
        body = (loop,)
    return body


def _inside(ref: ir.Ref) -> frozenset[str]:
    """The variables that a reference's subscripts name."""
    subs = (sub for part in ref.parts for sub in part.subscripts or ())
    ends = (end for sub in subs for end in ((sub.lower, sub.upper, sub.step) if isinstance(sub, ir.Range) else (sub,)))
    return frozenset(name for end in ends if end is not None for name in names_in(end))


@dataclass(frozen=True, slots=True)
class _Forall:
    """A FORALL that calls functions, or whose statements use what others assign.

    ``forall (i = 1:n) a(i) = f(a(i + 1))`` is

        allocate (v(1:n));  do i = 1, n; v(i) = f(a(i + 1)); end do;  do i = 1, n; a(i) = v(i); end do

    and so is each of its assignments in turn. A mask is computed for all indices first. As loops these are what they
    say to every analysis: nothing runs in another order than it stands in.
    """

    ctx: Context
    indices: list[_Index]
    span: Span
    end: Span

    def phases(self, mask_calls: ir.Block, mask: ir.Expr | None, body: ir.Block) -> ir.Block | None:
        """None where nothing is called or read that another statement assigns, and where something else than
        assignments stands inside."""
        groups = [(*found,) for _, found in groupby(body, key=lambda one: one.span)]
        if not any(isinstance(one, ir.Call) for one in (*mask_calls, *body)) and not self._meet(body):
            return None
        assigned = {one.target.name for one in body if isinstance(one, ir.Assign)}
        ends = {name for one in self.indices for end in (one.start, one.stop, one.step) if end is not None
                for name in names_in(end)}
        if not all(map(self._is_plain, groups)) or not assigned.isdisjoint(ends):
            return None
        self.ctx.span = self.span
        found: list[ir.Stmt] = []
        if mask is not None:
            kept = self._made(found, ir.LOGICAL, ())
            found += self._turns((*mask_calls, ir.Assign(span=self.span, target=kept, value=mask)), None)
            mask = kept
        for *before, assign in groups:
            assert isinstance(assign, ir.Assign)
            lines: list[ir.Stmt] = []
            inside = [one.result for one in before if isinstance(one, ir.Call) and one.result is not None and
                      one.result.name in names_in(assign.target)]
            value = self._made(lines, assign.target.type, self._sections(assign) or ())
            held = [(one, self._made(lines, one.type, ())) for one in inside]
            first = (*before, ir.Assign(span=assign.span, target=value, value=assign.value),
                     *(ir.Assign(span=assign.span, target=to, value=one) for one, to in held))
            then = (*(ir.Assign(span=assign.span, target=one, value=to) for one, to in held),
                    replace(assign, value=value))
            found += (*lines, *self._turns(first, mask), *self._turns(then, mask))
        return (*found,)

    def _meet(self, body: ir.Block) -> bool:
        """Does a statement use what another one assigns?"""
        stmts = [one for one in body if isinstance(one, ir.Assign)]
        known = self.ctx.variables
        used = [{known[name].area for name in names_in(one.target) | names_in(one.value) if name in known}
                for one in stmts]
        return any(known[one.target.name].area in other for at, one in enumerate(stmts) if one.target.name in known
                   for place, other in enumerate(used) if place != at)

    def _is_plain(self, group: ir.Block) -> bool:
        """Calls and an assignment of numbers to what its own subscripts do not name."""
        *before, last = group
        if not isinstance(last, ir.Assign) or not all(isinstance(one, ir.Call) for one in before):
            return False
        subscripts = _inside(last.target)
        return (last.target.type.kind in ("real", "integer", "logical", "complex") and self._sections(last) is not None
                and last.target.name not in subscripts
                and all(isinstance(one, ir.Call) and (one.result is None or not one.result.rank or
                                                      one.result.name not in names_in(last.target)) for one in before))

    def _sections(self, assign: ir.Assign) -> tuple[tuple[ir.Range, ir.Range], ...] | None:
        """The sections that an array is assigned to, each with the bounds of its dimension; None where there are
        vectors of subscripts, or arrays above the last part."""
        if not rank_of(assign.value):
            return ()
        *way, last = assign.target.parts
        declared = [declaration(self.ctx, assign.target.parts[:place + 1]) for place, _ in enumerate(way, 1)]
        if None in declared or any(
                isinstance(sub, ir.Range) or rank_of(sub) for part in way for sub in part.subscripts or ()) or any(
                part.subscripts is None and one is not None and one.shape.rank
                for part, one in zip(way, declared, strict=True)):
            return None
        subs = last.subscripts or (ir.Range(),)*assign.target.rank
        shape = self._shape(assign.target, len(subs))
        if shape is None or any(rank_of(sub) for sub in subs if not isinstance(sub, ir.Range)):
            return None
        return tuple((sub, size) for sub, size in zip(subs, shape, strict=True) if isinstance(sub, ir.Range))

    def _shape(self, target: ir.Ref, rank: int) -> tuple[ir.Range, ...] | None:
        """The bounds of an array that is assigned to, the same for all indices; None where they may be others."""
        found = declaration(self.ctx, target.parts)
        if found is not None and found.shape.kind == "explicit" and all(
                isinstance(end, ir.Literal_) for dim in found.shape.dims for end in (dim.lower, dim.upper) if end):
            return tuple(ir.Range(dim.lower or ir.Literal_(1, ir.INTEGER), dim.upper) for dim in found.shape.dims)
        whole = replace(target, parts=(*target.parts[:-1], ir.PartRef(target.parts[-1].name)), rank=rank)
        if any(index.var.name in names_in(whole) for index in self.indices):
            return None
        ends = ((ir.Argument(whole), ir.Argument(ir.Literal_(dim, ir.INTEGER))) for dim in range(1, rank + 1))
        return tuple(ir.Range(intrinsic("lbound", one, self.ctx.world.kinds),
                              intrinsic("ubound", one, self.ctx.world.kinds)) for one in ends)

    def _made(self, lines: list[ir.Stmt], type_: ir.Type, sections: tuple[tuple[ir.Range, ir.Range], ...]) -> ir.Ref:
        """An element, or section, of a new array with a place for each turn; ``lines`` make it."""
        ctx, rank = self.ctx, len(self.indices) + len(sections)
        array = ctx.fresh("forall", type_, rank)
        ctx.variables[array.name] = replace(ctx.variables[array.name], allocatable=True, automatic=True)
        sizes = (*(self._range(index) for index in self.indices), *(size for _, size in sections))
        lines += (ir.Deallocate(span=self.span, objects=(array,), automatic=True),
                  ir.Allocate(span=self.span, automatic=True,
                              objects=(replace(array, parts=(ir.PartRef(array.name, sizes),)),)))
        places: list[ir.Subscript] = [index.var for index in self.indices]
        places += (section for section, _ in sections)
        return ir.Ref((ir.PartRef(array.name, (*places,)),), type_, len(sections))

    def _range(self, index: _Index) -> ir.Range:
        """The bounds of a dimension with a place for each value of an index."""
        step = 1 if index.step is None else value_of(index.step)
        if step is None:
            ends = (ir.Argument(index.start), ir.Argument(index.stop))
            return ir.Range(*(intrinsic(name, ends, self.ctx.world.kinds) for name in ("min", "max")))
        return ir.Range(index.start, index.stop) if step > 0 else ir.Range(index.stop, index.start)

    def _turns(self, body: ir.Block, mask: ir.Expr | None) -> ir.Block:
        if mask is not None:
            body = (ir.If(span=self.span, cond=mask, then=body, end=self.end),)
        return _loops(self.indices, body, "do", self.span, self.end)


def _header(ctx: Context, text: str) -> tuple[list[_Index], str | None]:
    """``i = 1:n, j = 1:m:2, mask``, with an optional type before the first index."""
    indices: list[_Index] = []
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
        indices.append(_Index(var, limits[0], limits[1], limits[2] if len(limits) > 2 else None))
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

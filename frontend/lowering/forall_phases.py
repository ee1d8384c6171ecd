"""FORALL as loops that run in the order they stand in: everything computed first, then assigned."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import Literal

from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Span
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.constant_folding import value_of
from snapset.frontend.ir.expression_queries import names_in, rank_of
from snapset.frontend.ir.intrinsics import intrinsic
from snapset.frontend.ir.statement_walk import statements
from snapset.frontend.resolution.data_references import declaration
from snapset.frontend.resolution.lowering_context import Context


@frozen
class LoopIndex:
    """One index of a FORALL or DO CONCURRENT: ``i = start:stop:step``."""

    var: ir.Ref
    start: ir.Expr
    stop: ir.Expr
    step: ir.Expr | None


def loops(indices: list[LoopIndex], body: ir.Block, kind: Literal["do", "concurrent", "forall"], span: Span, end: Span,
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


def _groups(block: ir.Block) -> tuple[ir.Block, ...]:
    """Each assignment or WHERE with the calls before it."""
    return tuple((*found,) for _, found in groupby(block, key=lambda one: one.span))


@frozen
class ForallPhases:
    """A FORALL that calls functions, whose statements use what others assign, or that has a WHERE inside.

    ``forall (i = 1:n) a(i) = f(a(i + 1))`` is

        allocate (v(1:n));  do i = 1, n; v(i) = f(a(i + 1)); end do;  do i = 1, n; a(i) = v(i); end do

    and so is each of its assignments in turn. A mask is computed for all indices first: that of the FORALL, and then
    that of each WHERE, which is an array with a place for each index. As loops these are what they say to every
    analysis: nothing runs in another order than it stands in.
    """

    ctx: Context
    indices: list[LoopIndex]
    span: Span
    end: Span

    def phases(self, mask_calls: ir.Block, mask: ir.Expr | None, body: ir.Block) -> ir.Block | None:
        """None where nothing is called, masked or read that another statement assigns, and where something else than
        assignments and WHERE stands inside."""
        inside = tuple(statements((*mask_calls, *body)))
        if not any(isinstance(one, ir.Call | ir.Where) for one in inside) and not self._meet(body):
            return None
        assigned = {one.target.name for one in inside if isinstance(one, ir.Assign)}
        ends = {name for one in self.indices for end in (one.start, one.stop, one.step) if end is not None
                for name in names_in(end)}
        if not all(map(self._is_plain, _groups(body))) or not assigned.isdisjoint(ends):
            return None
        self.ctx.span = self.span
        found: list[ir.Stmt] = []
        if mask is not None:
            kept = self._made(found, ir.LOGICAL, ())
            found += self._turns((*mask_calls, ir.Assign(span=self.span, target=kept, value=mask)), None)
            mask = kept
        for group in _groups(body):
            found += self._where(group, mask, None) if isinstance(group[-1], ir.Where) else self._assign(group, mask)
        return (*found,)

    def _assign(self, group: ir.Block, mask: ir.Expr | None) -> list[ir.Stmt]:
        """An assignment for all indices: the values first, and the subscripts that functions give."""
        *before, assign = group
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
        return [*lines, *self._turns(first, mask), *self._turns(then, mask)]

    def _where(self, group: ir.Block, mask: ir.Expr | None, control: ir.Ref | None) -> list[ir.Stmt]:
        """A WHERE for all indices: its mask first, then each of its assignments. ``control``: where the WHERE or
        ELSEWHERE around it lets it do anything."""
        *before, where = group
        assert isinstance(where, ir.Where)
        sections = next(filter(None, (self._masked(one) for one in statements((where,)))))
        lines: list[ir.Stmt] = []
        kept = self._made(lines, ir.LOGICAL, sections)
        value = where.mask if control is None else ir.Binary(".and.", control, where.mask, ir.LOGICAL)
        lines += self._turns((*before, ir.Assign(span=where.span, target=kept, value=value)), mask)
        for inner in _groups(where.body):
            lines += self._controlled(inner, mask, kept)
        if where.elsewhere:
            other = self._made(lines, ir.LOGICAL, sections)
            left: ir.Expr = ir.Unary(".not.", kept, ir.LOGICAL)
            left = left if control is None else ir.Binary(".and.", control, left, ir.LOGICAL)
            lines += self._turns((ir.Assign(span=where.span, target=other, value=left),), mask)
            for inner in _groups(where.elsewhere):
                lines += self._controlled(inner, mask, other)
        return lines

    def _controlled(self, group: ir.Block, mask: ir.Expr | None, control: ir.Ref) -> list[ir.Stmt]:
        """What stands in a WHERE, where its mask has been found true."""
        *before, last = group
        if isinstance(last, ir.Where):
            return self._where(group, mask, control)
        assert isinstance(last, ir.Assign)
        lines: list[ir.Stmt] = []
        value = self._made(lines, last.target.type, self._masked(last) or ())
        for calls, assign in ((before, replace(last, target=value)), ((), replace(last, value=value))):
            lines += self._turns((*calls, ir.Where(span=last.span, mask=control, body=(assign,), end=last.span)), mask)
        return lines

    def _masked(self, stmt: ir.Stmt) -> tuple[tuple[ir.Range, ir.Range], ...] | None:
        """The sections of an assignment in WHERE, whose value may be a scalar."""
        return self._sections(replace(stmt, value=stmt.target)) if isinstance(stmt, ir.Assign) else None

    def _meet(self, body: ir.Block) -> bool:
        """Does a statement use what another one assigns?"""
        stmts = [one for one in body if isinstance(one, ir.Assign)]
        known = self.ctx.variables
        used = [{known[name].area for name in names_in(one.target) | names_in(one.value) if name in known}
                for one in stmts]
        return any(known[one.target.name].area in other for at, one in enumerate(stmts) if one.target.name in known
                   for place, other in enumerate(used) if place != at)

    def _is_plain(self, group: ir.Block) -> bool:
        """Calls and an assignment of numbers to what its own subscripts do not name, or a WHERE of such ones."""
        *before, last = group
        if isinstance(last, ir.Where):
            return all(isinstance(one, ir.Call) for one in before) and any(
                self._masked(one) for one in statements((last,))) and all(
                self._is_plain(inner) and (isinstance(inner[-1], ir.Where) or bool(self._masked(inner[-1])))
                for block in (last.body, last.elsewhere) for inner in _groups(block))
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

    def _range(self, index: LoopIndex) -> ir.Range:
        """The bounds of a dimension with a place for each value of an index."""
        step = 1 if index.step is None else value_of(index.step)
        if step is None:
            ends = (ir.Argument(index.start), ir.Argument(index.stop))
            return ir.Range(*(intrinsic(name, ends, self.ctx.world.kinds) for name in ("min", "max")))
        return ir.Range(index.start, index.stop) if step > 0 else ir.Range(index.stop, index.start)

    def _turns(self, body: ir.Block, mask: ir.Expr | None) -> ir.Block:
        if mask is not None:
            body = (ir.If(span=self.span, cond=mask, then=body, end=self.end),)
        return loops(self.indices, body, "do", self.span, self.end)

"""Calls in WHERE: elemental procedures that do more than give a value, for the elements that the mask chooses."""

from __future__ import annotations

from dataclasses import replace

from snapset.frontend import ir
from snapset.frontend.base.source_model import Line
from snapset.frontend.ir.expression_queries import names_in, rank_of
from snapset.frontend.ir.statement_walk import statements, with_blocks
from snapset.frontend.resolution.data_references import keeping_memory
from snapset.frontend.resolution.elemental_loops import held, in_elements, is_impure_elemental
from snapset.frontend.resolution.lowering_context import Context, NotUnderstoodError
from snapset.frontend.resolution.statement_operands import opaque


def masked_calls(ctx: Context, line: Line, where: ir.Where) -> ir.Block:
    """A WHERE that no other one is around, in which nothing but assignments and pure functions is left.

    A pure function may run for elements that the mask leaves out: nobody sees it. A defined assignment assigns to a
    copy, from which the elements that the mask chooses are taken:

        where (m) a = b        copy = a;  where (m);  copy = a;  call set(copy, b);  a = copy;  end where

    What an impure procedure does may be done for no other elements: with one, the masks are evaluated first, each
    statement is a WHERE of its own, and the procedure runs in a loop over the elements that its mask chooses:

        where (a > 0) a = f(a)     mask = a > 0
                                   do e = 1, size(a);  if (mask(e)) r(e) = f(a(e));  end do
                                   where (mask) a = r

    The mask of an ELSEWHERE, or of a WHERE in it, would be asked for some elements only (Fortran 2018, 10.2.3.2), and
    gfortran asks it for all: with an impure procedure such a WHERE is not understood.
    """
    inside = [one for block in (where.body, where.elsewhere) for one in statements(block) if isinstance(one, ir.Call)]
    if ctx.masked or not inside:
        return (where,)
    impure = [one for one in inside if _runs_by_element(ctx, one)]
    results = {one.result.name for one in impure if one.result is not None}
    if any(not results.isdisjoint(names_in(one.mask)) for block in (where.body, where.elsewhere)
           for one in statements(block) if isinstance(one, ir.Where)):
        ctx.span = where.span
        return (opaque(ctx, line.text, "WHERE with an impure elemental procedure in an inner mask"),)
    copied = _copied(ctx, where)
    if not impure:
        return copied
    *before, whole = copied
    assert isinstance(whole, ir.Where)
    return (*before, *_apart(ctx, whole, None))


def _runs_by_element(ctx: Context, stmt: ir.Stmt) -> bool:
    return isinstance(stmt, ir.Call) and any(is_impure_elemental(ctx, key) for key in stmt.targets) and any(
        rank_of(one.value) for one in stmt.args)


def _apart(ctx: Context, where: ir.Where, outer: ir.Ref | None) -> ir.Block:
    """The statements of a WHERE, each under its own mask, a variable. ``outer``: the mask around the WHERE."""
    found: list[ir.Stmt] = []

    def kept(mask: ir.Expr) -> ir.Ref:
        ctx.span = where.span
        both = mask if outer is None else ir.Binary(".and.", outer, mask, ir.LOGICAL)
        return held(ctx, "mask", both, found)

    def under(block: ir.Block, mask: ir.Ref) -> None:
        for stmt in block:
            ctx.span = stmt.span
            if isinstance(stmt, ir.Where):
                found.extend(_apart(ctx, stmt, mask))
            elif isinstance(stmt, ir.Call) and _runs_by_element(ctx, stmt):
                found.extend(in_elements(ctx, stmt, mask))
            else:
                found.append(ir.Where(span=stmt.span, mask=mask, body=(stmt,), end=stmt.span))

    chosen = kept(where.mask)
    others = kept(ir.Unary(".not.", chosen, ir.LOGICAL)) if where.elsewhere else chosen
    under(where.body, chosen)
    under(where.elsewhere, others)
    return tuple(found)


def _copied(ctx: Context, where: ir.Where) -> ir.Block:
    """The WHERE with its defined assignments to copies, behind what gives the copies their shapes."""
    before: list[ir.Stmt] = []

    def block(stmts: ir.Block) -> ir.Block:
        found: list[ir.Stmt] = []
        for stmt in stmts:
            if isinstance(stmt, ir.Call) and stmt.result is None:
                found += assigned(stmt)
            else:
                found.append(with_blocks(stmt, block))
        return (*found,)

    def assigned(call: ir.Call) -> ir.Block:
        target, *rest = call.args
        if not isinstance(target.value, ir.Ref):
            raise NotUnderstoodError("a defined assignment")
        ctx.span = call.span
        copy = ctx.fresh("copy", target.value.type, target.value.rank)
        ctx.variables[copy.name] = replace(ctx.variables[copy.name], allocatable=True)
        first = ir.Assign(span=call.span, target=copy, value=target.value)
        before.append(first)
        return first, replace(call, args=(replace(target, value=copy), *rest)), replace(
            first, target=keeping_memory(ctx, target.value), value=copy)

    done = with_blocks(where, block)
    return (*before, done)

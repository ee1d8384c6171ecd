"""Calls in WHERE: elemental procedures that do more than give a value, for the elements that the mask chooses."""

from __future__ import annotations

from dataclasses import replace

from snapset.frontend import ir
from snapset.frontend.base.source_model import Line
from snapset.frontend.ir.expression_queries import rank_of
from snapset.frontend.ir.statement_walk import statements, with_blocks
from snapset.frontend.resolution.elemental_loops import is_impure_elemental
from snapset.frontend.resolution.lowering_context import Context, NotUnderstoodError
from snapset.frontend.resolution.statement_operands import opaque


def masked_calls(ctx: Context, line: Line, where: ir.Where) -> ir.Block:
    """A WHERE that no other one is around, in which nothing but assignments and pure functions is left.

    A pure function may run for elements that the mask leaves out: nobody sees it. A defined assignment assigns to a
    copy, from which the elements that the mask chooses are taken:

        where (m) a = b        copy = a;  where (m);  copy = a;  call set(copy, b);  a = copy;  end where

    What an impure procedure does may be done for no other elements: such a WHERE is not understood.
    """
    inside = [one for block in (where.body, where.elsewhere) for one in statements(block) if isinstance(one, ir.Call)]
    if ctx.masked or not inside:
        return (where,)
    if any(is_impure_elemental(ctx, key) and any(rank_of(arg.value) for arg in one.args) for one in inside
           for key in one.targets):
        ctx.span = where.span
        return (opaque(ctx, line.text, "WHERE with an impure elemental procedure"),)
    return _copied(ctx, where)


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
            first, target=target.value, value=copy)

    done = with_blocks(where, block)
    return (*before, done)

"""Statements that ask ALLOCATED, and may get another answer when a part runs again.

``if (.not. allocated(w)) then; allocate (w(n)); w = 0; end if``: the first run allocates w, so the second one leaves
``w = 0`` out, and w is what was made of it since. ``if (.not. allocated(w)) allocate (w(n))`` alone is harmless: what
is left out is what need not be done again. PRESENT asks too: what is not allocated counts as not passed to an optional
dummy argument that is no allocatable one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import get_args

from snapset.analysis.dataflow.bitsets import EMPTY, May, union
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.frontend import ir
from snapset.frontend.ir.expression_queries import walk
from snapset.frontend.ir.statement_walk import blocks, statements


def asked(model: ProcedureModel, node: int) -> int:
    """The locations whose allocation a node asks for, but where only (de)allocations hang on the answer."""
    at = model.flow.nodes[node]
    if at.stmt is None or (at.kind == "test" and _only_allocates(at.stmt)):
        return 0
    found: May = EMPTY
    for expr in (*at.test, *(mask.expr for mask in at.masks), *_expressions(at.stmt)):
        for one in walk(expr):
            if isinstance(one, ir.Intrinsic) and one.name in ("allocated", "present"):
                refs = [argument.value for argument in one.args if isinstance(argument.value, ir.Ref)]
                found |= union(model.refs.touch(ref).bits for ref in refs
                               if one.name == "allocated" or not _allocatable(model, ref))
    return model.space.with_aliases(found)


def _allocatable(model: ProcedureModel, dummy: ir.Ref) -> bool:
    """Is PRESENT asked of an allocatable dummy argument, which is passed whether it is allocated or not?"""
    variable = model.refs.variables.get(dummy.name)
    return variable is not None and (variable.allocatable or variable.pointer)


def _only_allocates(stmt: ir.Stmt) -> bool:
    """Is it an IF whose branches do nothing but allocate and deallocate, giving no values (SOURCE=, STAT=)?"""
    if not isinstance(stmt, ir.If):
        return False
    return all(_gives_nothing(one) for block in blocks(stmt) for one in statements(block))


def _gives_nothing(stmt: ir.Stmt) -> bool:
    match stmt:
        case ir.Allocate():
            return stmt.source is None and stmt.stat is None
        case ir.Deallocate():
            return stmt.stat is None
        case _:
            return isinstance(stmt, ir.Continue | ir.If)


def _expressions(stmt: ir.Stmt) -> Iterator[ir.Expr]:
    """What a statement evaluates itself, without the blocks in it and the conditions they stand under."""
    if blocks(stmt):
        return
    for field in fields(stmt):
        value = getattr(stmt, field.name)
        for one in value if isinstance(value, tuple) else (value,):
            expr = one.value if isinstance(one, ir.Argument) else one
            if isinstance(expr, get_args(ir.Expr)):
                yield expr

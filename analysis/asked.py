"""Statements that ask ALLOCATED and get another answer when a part runs again.

``if (.not. allocated(w)) then; allocate (w(n)); w = 0; end if``: the first run allocates w, so the second one leaves
``w = 0`` out, and w is what was made of it since. ``if (.not. allocated(w)) allocate (w(n))`` alone is harmless: what
is left out is what need not be done again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import get_args

from snapset.analysis.model import Model
from snapset.frontend import ir
from snapset.frontend.exprs import walk
from snapset.frontend.walk import blocks, statements


def asked(model: Model, node: int) -> int:
    """The locations whose allocation a node asks for, but where only (de)allocations hang on the answer."""
    at = model.flow.nodes[node]
    if at.stmt is None or (at.kind == "test" and _only_allocates(at.stmt)):
        return 0
    found = 0
    for expr in (*at.test, *(mask.expr for mask in at.masks), *_expressions(at.stmt)):
        for one in walk(expr):
            if isinstance(one, ir.Intrinsic) and one.name == "allocated":
                for argument in one.args:
                    if isinstance(argument.value, ir.Ref):
                        found |= model.refs.touch(argument.value).bits
    return found


def _only_allocates(stmt: ir.Stmt) -> bool:
    """Is it an IF whose branches do nothing but allocate and deallocate?"""
    if not isinstance(stmt, ir.If):
        return False
    inner = [one for block in blocks(stmt) for one in statements(block)]
    return all(isinstance(one, ir.Allocate | ir.Deallocate | ir.Continue | ir.If) for one in inner)


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

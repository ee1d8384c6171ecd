"""Conditions on a control that has been popped: ``branch .EQ. 0``, ``branch .LT. 2``, decided for a value of it."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Final

from snapset.frontend import ir
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.ir.statement_walk import statements

_COMPARING: Final[Mapping[str, Callable[[int, int], bool]]] = {
    "==": operator.eq, "/=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}


_COUNT: Final = pattern_of(r"ad_count\d*")
"""Tapenade's names for how many turns a loop began."""


def decided(cond: ir.Expr, values: Mapping[str, int]) -> bool | None:
    """A condition's value where these variables have these values; None where that does not decide it."""
    match cond:
        case ir.Binary(op=op, left=left, right=right) if op in _COMPARING:
            a, b = _number(left, values), _number(right, values)
            return None if a is None or b is None else _COMPARING[op](a, b)
        case ir.Binary(op=".and." | ".or." as op, left=left, right=right):
            ways = decided(left, values), decided(right, values)
            deciding = op == ".or."
            if deciding in ways:
                return deciding
            return None if None in ways else not deciding
        case ir.Unary(op=".not.", operand=operand):
            inner = decided(operand, values)
            return None if inner is None else not inner
        case _:
            return None


def peeled(loop: ir.Do | ir.While) -> tuple[Mapping[str, int], Mapping[str, int]] | None:
    """What is known in the first turn of the adjoint of a loop that EXIT may leave, and in the others: it undoes a last
    turn that was not a whole one, or never began. ::

        DO i0=1,ad_count
          IF (i0 .EQ. 1) THEN
            CALL POPCONTROL1B(branch)
    """
    if not isinstance(loop, ir.Do) or not counts_turns(loop):
        return None
    first, others = {loop.var.name: 1}, {loop.var.name: 2}
    asked = any({decided(one.cond, first), decided(one.cond, others)} == {True, False}
                for one in statements(loop.body) if isinstance(one, ir.If))
    return (first, others) if asked else None


def counts_turns(loop: ir.Do | ir.While) -> bool:
    """Is it DO i0=1,ad_count?"""
    if not isinstance(loop, ir.Do) or loop.step not in (None, ir.Literal_(1, ir.INTEGER)) or len(loop.var.parts) > 1:
        return False
    return isinstance(loop.stop, ir.Ref) and _COUNT.fullmatch(loop.stop.name) is not None \
        and _number(loop.start, {}) == 1


def begins_count(stmt: ir.Stmt) -> bool:
    """Is it ``ad_count = 1``?"""
    return isinstance(stmt, ir.Assign) and bool(_COUNT.fullmatch(stmt.target.name)) and _number(stmt.value, {}) == 1


def _number(expr: ir.Expr, values: Mapping[str, int]) -> int | None:
    if isinstance(expr, ir.Literal_) and isinstance(expr.value, int):
        return expr.value
    if isinstance(expr, ir.Ref) and len(expr.parts) == 1 and expr.parts[0].subscripts is None:
        return values.get(expr.name)
    return None

"""Conditions on a control that has been popped: ``branch .EQ. 0``, ``branch .LT. 2``, decided for a value of it."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Final

from snapset.frontend import ir

_COMPARING: Final[Mapping[str, Callable[[int, int], bool]]] = {
    "==": operator.eq, "/=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}


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


def _number(expr: ir.Expr, values: Mapping[str, int]) -> int | None:
    if isinstance(expr, ir.Literal_) and isinstance(expr.value, int):
        return expr.value
    if isinstance(expr, ir.Ref) and len(expr.parts) == 1 and expr.parts[0].subscripts is None:
        return values.get(expr.name)
    return None

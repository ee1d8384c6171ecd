"""The values of REAL PARAMETERs: IEEE arithmetic of kinds 4 and 8, each operation rounded to its kind.

``real(8), parameter :: a = 0.1`` is 0.100000001490116..., for 0.1 is of kind 4. Where each of a hundred constants is
computed from the one before twice, the values are what can be kept: their expressions have 2**100 terms. Sums,
differences, products and quotients are rounded right in kind 4 too when they are computed in kind 8 (Figueroa 1995);
other functions are as good as the machine's. Kinds 10 and 16 and COMPLEX stay expressions, unless these are too large.
"""

from __future__ import annotations

import math
import operator
import struct
import sys
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from snapset.frontend import ir
from snapset.frontend.base.deep_recursion import deep
from snapset.frontend.ir.expression_queries import type_of, walk

LARGEST = 2_000  # operations in a constant's expression
_OPERATIONS: Final[Mapping[str, Callable[[float, float], float]]] = MappingProxyType({
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "**": math.pow,
})  # fmt: skip
_FUNCTIONS: Final[Mapping[str, Callable[[float], float]]] = MappingProxyType({
    name: getattr(math, name) for name in (
        "sqrt", "exp", "log", "log10", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh")
} | {"abs": abs, "real": float, "dble": float})
_OF_KINDS: Final[Mapping[tuple[str, int | None], float]] = MappingProxyType({
    ("huge", 8): sys.float_info.max, ("tiny", 8): sys.float_info.min, ("epsilon", 8): sys.float_info.epsilon,
    ("huge", 4): (2 - 2.0**-23)*2.0**127, ("tiny", 4): 2.0**-126, ("epsilon", 4): 2.0**-23,
})  # fmt: skip


def folded_real(value: ir.Expr, type_: ir.Type) -> ir.Expr:
    """The value of a scalar REAL PARAMETER of that type as a number where it is one, opaque where it is too large."""
    found = _value(value)
    if found is not None:
        found = _rounded(found, type_.bytes)
    if found is not None:
        return ir.Literal_(found, type_)
    return ir.OpaqueExpr("a constant", (), type_) if is_too_large(value) else value


def is_too_large(value: ir.Expr) -> bool:
    """Has an expression so many operations that it cannot stand wherever the constant is named?"""
    operations = (one for one in walk(value) if isinstance(one, ir.Unary | ir.Binary | ir.Intrinsic))
    return any(place >= LARGEST for place, _ in enumerate(operations))


@deep
def _value(expr: ir.Expr) -> float | None:
    """The number an expression of kind 4 or 8, or an integer in one, is."""
    match expr:
        case ir.Literal_(value=bool()):
            return None
        case ir.Literal_(value=int() | float() as value):
            return _rounded(value, 8 if expr.type.kind == "integer" else expr.type.bytes)
        case ir.Unary(op="-" | "+" as op):
            inner = _value(expr.operand)
            return -inner if inner is not None and op == "-" else inner
        case ir.Binary() if expr.op in _OPERATIONS and expr.type.kind == "real":
            left, right = _value(expr.left), _value(expr.right)
            if left is None or right is None:
                return None
            kind = expr.type.bytes
            if expr.op != "**" or type_of(expr.right).kind != "integer":
                left, right = _rounded(left, kind), _rounded(right, kind)
            return None if left is None or right is None else _applied(_OPERATIONS[expr.op], kind, left, right)
        case ir.Intrinsic() if expr.name in _FUNCTIONS and expr.type.kind == "real" and expr.args:
            argument = _value(expr.args[0].value)
            return None if argument is None else _applied(_FUNCTIONS[expr.name], expr.type.bytes, argument)
        case ir.Intrinsic() if expr.type.kind == "real" and expr.args:
            asked = type_of(expr.args[0].value)
            return _OF_KINDS.get((expr.name, asked.bytes)) if asked.kind == "real" else None
        case _:
            return None


def _applied(function: Callable[..., float], kind: int | None, *values: float) -> float | None:
    try:
        return _rounded(function(*values), kind)
    except (ArithmeticError, ValueError):
        return None


def _rounded(value: float, kind: int | None) -> float | None:
    """The nearest number of a kind; None of a kind that Python has not, and where there is none."""
    try:
        if kind == 4:
            value = struct.unpack("f", struct.pack("f", value))[0]
        return float(value) if kind in (4, 8) and math.isfinite(value) else None
    except OverflowError:
        return None

"""Folding constant expressions: integer arithmetic, kinds and the numbers compilers know about them.

Kind numbers are sizes in bytes, as in gfortran, ifort and nvfortran (real(10) occupies 16).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from snapset.frontend import ir
from snapset.frontend.ir.expression_queries import type_of

_LARGEST = 2**256  # integers beyond are not folded
_PRECISION: Final = MappingProxyType({4: 6, 8: 15, 10: 18, 16: 33})
_RANGE: Final = MappingProxyType({4: 37, 8: 307, 10: 4931, 16: 4931})


def integer(value: int) -> ir.Literal_:
    return ir.Literal_(value, ir.INTEGER)


def value_of(expr: ir.Expr | None) -> int | None:
    """The integer an expression is, None where it is not a known one."""
    if isinstance(expr, ir.Literal_) and isinstance(expr.value, int) and not isinstance(expr.value, bool):
        return expr.value
    return None


def fold_unary(op: str, operand: ir.Expr) -> ir.Expr:
    """``op operand``, a literal where that is one."""
    if isinstance(operand, ir.Literal_) and op in ("-", "+"):
        value = operand.value
        if isinstance(value, (int, float, complex)) and not isinstance(value, bool):
            return ir.Literal_(-value if op == "-" else value, operand.type)
    if isinstance(operand, ir.Literal_) and op == ".not." and isinstance(operand.value, bool):
        return ir.Literal_(not operand.value, operand.type)
    return ir.Unary(op, operand, ir.LOGICAL if op == ".not." else type_of(operand))


def fold_binary(op: str, left: ir.Expr, right: ir.Expr, type_: ir.Type) -> ir.Expr:
    """``left op right``, a literal where both are integers and the result is one."""
    one, two = value_of(left), value_of(right)
    if one is not None and two is not None:
        found = _arithmetic(op, one, two)
        if found is not None and abs(found) < _LARGEST:
            return ir.Literal_(found, type_)
    return ir.Binary(op, left, right, type_)


def _arithmetic(op: str, left: int, right: int) -> int | None:
    if op == "+":
        return left + right
    if op == "-":
        return left - right
    if op == "*":
        return left * right
    if op == "/" and right:
        return _quotient(left, right)
    if op == "**" and abs(left) <= 1 and right >= 0:
        return 1 if right == 0 else left ** (2 - right % 2)
    if op == "**" and 0 <= right <= 256 and abs(left) < 2**32:
        return int(left**right)
    return None


def _quotient(left: int, right: int) -> int:
    """Integer division truncates toward zero."""
    return abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)


def selected_real_kind(digits: int, exponent: int) -> int:
    for kind in (4, 8, 10, 16):
        if digits <= _PRECISION[kind] and exponent <= _RANGE[kind]:
            return kind
    return -1


def selected_int_kind(digits: int) -> int:
    return next((kind for kind, most in ((1, 2), (2, 4), (4, 9), (8, 18), (16, 38)) if digits <= most), -1)


def fold_intrinsic(reference: ir.Intrinsic) -> ir.Expr:
    """The constant an intrinsic reference is, or the reference."""
    inquiry = _INQUIRIES.get(reference.name)
    if inquiry is not None and reference.args:
        found = inquiry(reference.args[0].value)
        return reference if found is None else integer(found)
    if reference.name in ("selected_real_kind", "selected_int_kind"):
        return _selected(reference)
    values = [value_of(argument.value) for argument in reference.args]
    numbers = [value for value in values if value is not None]
    if not numbers or len(numbers) != len(values):
        return reference
    found = _numeric(reference.name, numbers)
    return reference if found is None else ir.Literal_(found, reference.type)


def _numeric(name: str, values: list[int]) -> int | None:
    if name in ("max", "max0", "min", "min0"):
        return max(values) if name.startswith("max") else min(values)
    if name in ("abs", "iabs"):
        return abs(values[0])
    if name in ("int", "nint", "floor", "ceiling"):
        return values[0]
    if len(values) == 2 and values[1] and name in ("mod", "modulo"):
        whole = values[0] // values[1] if name == "modulo" else _quotient(values[0], values[1])
        return values[0] - values[1] * whole
    if len(values) == 2 and name == "ishft" and 0 <= values[1] < 64:
        return values[0] << values[1]
    return None


def _selected(reference: ir.Intrinsic) -> ir.Expr:
    given = {"p": 0, "r": 0}
    order = ("r",) if reference.name == "selected_int_kind" else ("p", "r", "radix")
    for place, argument in enumerate(reference.args):
        value = value_of(argument.value)
        if value is None or place >= len(order):
            return reference
        given[argument.keyword or order[place]] = value
    if reference.name == "selected_int_kind":
        return integer(selected_int_kind(given["r"]))
    return integer(selected_real_kind(given["p"], given["r"]))


def _kind(expr: ir.Expr) -> int | None:
    type_ = type_of(expr)
    if type_.bytes is None or type_.kind not in ("real", "complex", "integer", "logical", "character"):
        return None
    return 1 if type_.kind == "character" else type_.bytes // (2 if type_.kind == "complex" else 1)


def _huge(expr: ir.Expr) -> int | None:
    type_ = type_of(expr)
    return 2 ** (8 * type_.bytes - 1) - 1 if type_.kind == "integer" and type_.bytes else None


def _length(expr: ir.Expr) -> int | None:
    type_ = type_of(expr)
    return type_.bytes if type_.kind == "character" else None


def _bits(expr: ir.Expr) -> int | None:
    type_ = type_of(expr)
    return 8 * type_.bytes if type_.bytes and type_.kind in ("integer", "logical") else None


def _digits(expr: ir.Expr) -> int | None:
    return _PRECISION.get(_kind(expr) or 0) if type_of(expr).kind in ("real", "complex") else None


def _exponents(expr: ir.Expr) -> int | None:
    type_ = type_of(expr)
    if type_.kind == "integer":
        return {1: 2, 2: 4, 4: 9, 8: 18}.get(type_.bytes or 0)
    return _RANGE.get(_kind(expr) or 0) if type_.kind in ("real", "complex") else None


def _limit(of_kind: Mapping[int, int]) -> Callable[[ir.Expr], int | None]:
    """What a limit of real numbers is, by their kind."""
    return lambda expr: of_kind.get(_kind(expr) or 0) if type_of(expr).kind == "real" else None


def _significant(expr: ir.Expr) -> int | None:
    type_ = type_of(expr)
    return 8*type_.bytes - 1 if type_.kind == "integer" and type_.bytes else _MANTISSA(expr)


def _radix(expr: ir.Expr) -> int | None:
    return 2 if type_of(expr).kind in ("integer", "real") else None


def _stored(expr: ir.Expr) -> int | None:
    type_ = type_of(expr)
    return 8*type_.bytes if type_.bytes and type_.kind in ("integer", "logical", "real", "complex") else None


_MANTISSA: Final = _limit({4: 24, 8: 53, 10: 64, 16: 113})
_INQUIRIES: Final[Mapping[str, Callable[[ir.Expr], int | None]]] = MappingProxyType({
    "kind": _kind, "huge": _huge, "len": _length, "bit_size": _bits, "precision": _digits, "range": _exponents,
    "digits": _significant, "radix": _radix, "storage_size": _stored,
    "maxexponent": _limit({4: 128, 8: 1024, 10: 16384, 16: 16384}),
    "minexponent": _limit({4: -125, 8: -1021, 10: -16381, 16: -16381}),
})  # fmt: skip

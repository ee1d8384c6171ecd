"""Conditions that are constant: literals, PARAMETERs, and what the operators make of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias, TypeGuard

from snapset.frontend import ir
from snapset.frontend.ir.constant_folding import fold_binary, value_of

Variables: TypeAlias = Mapping[str, ir.Variable]
_ORDERS = {"==": (0,), "/=": (-1, 1), "<": (-1,), "<=": (-1, 0), ">": (1,), ">=": (0, 1)}


def truth(expr: ir.Expr, variables: Variables) -> bool | None:
    """What a logical expression always is; None where that is not known."""
    value = _value(expr, variables)
    return value if isinstance(value, bool) else None


def chosen(stmt: ir.Select, variables: Variables) -> tuple[bool, int | None]:
    """Is it known which case a SELECT takes, and its place (None: none of them)?"""
    selector = _value(stmt.selector, variables)
    if selector is None:
        return False, None
    default = None
    for place, case in enumerate(stmt.cases):
        if case.values is None:
            default = place
            continue
        found = [_matches(selector, value, variables) for value in case.values]
        if True in found:
            return True, place
        if None in found or not found:
            return False, None
    return True, default


def _matches(selector: bool | int | str, value: ir.Subscript, variables: Variables) -> bool | None:
    if not isinstance(value, ir.Range):
        return _compared("==", selector, _value(value, variables))
    low = True if value.lower is None else _compared(">=", selector, _value(value.lower, variables))
    high = True if value.upper is None else _compared("<=", selector, _value(value.upper, variables))
    return False if False in (low, high) else None if None in (low, high) else True


def _value(expr: ir.Expr, variables: Variables) -> bool | int | str | None:
    match expr:
        case ir.Literal_(value=bool() | int() | str() as value):
            return value
        case ir.Ref() if len(expr.parts) == 1 and expr.parts[0].subscripts is None and expr.substring is None:
            variable = variables.get(expr.name)
            constant = variable is not None and variable.value is not None and not variable.shape.rank
            return _value(variable.value, variables) if constant and variable and variable.value else None
        case ir.Unary(op=op, operand=operand):
            inner = _value(operand, variables)
            if op == ".not.":
                return not inner if isinstance(inner, bool) else None
            return None if not _is_integer(inner) else -inner if op == "-" else inner
        case ir.Binary(op=op, left=left, right=right):
            return _binary(op, _value(left, variables), _value(right, variables))
        case _:
            return None


def _binary(op: str, a: bool | int | str | None, b: bool | int | str | None) -> bool | int | None:
    if op in (".and.", ".or."):
        decides = op == ".or."
        if decides in (x for x in (a, b) if isinstance(x, bool)):
            return decides
        return None if a is None or b is None else not decides
    if op in (".eqv.", ".neqv."):
        return (a == b) == (op == ".eqv.") if isinstance(a, bool) and isinstance(b, bool) else None
    if op in _ORDERS:
        return _compared(op, a, b)
    if _is_integer(a) and _is_integer(b):
        return value_of(fold_binary(op, ir.Literal_(a, ir.INTEGER), ir.Literal_(b, ir.INTEGER), ir.INTEGER))
    return None


def _compared(op: str, a: bool | int | str | None, b: bool | int | str | None) -> bool | None:
    """Of integers; of texts, which blanks at the end do not tell apart, only whether they are equal."""
    if isinstance(a, bool) and isinstance(b, bool) and op == "==":
        return a == b
    if isinstance(a, str) and isinstance(b, str) and op in ("==", "/="):
        return (a.rstrip(" ") == b.rstrip(" ")) == (op == "==")
    if not _is_integer(a) or not _is_integer(b):
        return None
    return (a > b) - (a < b) in _ORDERS[op]


def _is_integer(value: bool | int | str | None) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)

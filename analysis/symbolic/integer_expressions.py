"""Integer expressions of a declaration as quantities, every name standing under its own text."""

from __future__ import annotations

from snapset.analysis.symbolic.extrema import extreme, power, quotient
from snapset.analysis.symbolic.fortran_text import source
from snapset.analysis.symbolic.polynomials import Quantity, named, number
from snapset.frontend.ir import Binary, Expr, Intrinsic, Literal_, Ref, Unary


def quantity_of(expr: Expr) -> Quantity | None:
    """``n*(m + 1)`` as a quantity; None for what is no integer formula."""
    match expr:
        case Literal_(value=bool()):
            return None
        case Literal_(value=int(value)):
            return number(value)
        case Intrinsic(name="max" | "min" | "max0" | "min0" | "abs" | "iabs" as name, args=args):
            values = [quantity_of(argument.value) for argument in args]
            known = [value for value in values if value is not None]
            return _function(name, known) if len(known) == len(values) else None
        case Ref() | Intrinsic():
            text = source(expr)
            return None if text is None else named(text)
        case Unary(op="+" | "-" as op, operand=operand):
            inner = quantity_of(operand)
            return inner if inner is None or op == "+" else -inner
        case Binary(op=op, left=left, right=right):
            return _binary(op, quantity_of(left), quantity_of(right))
        case _:
            return None


def _function(name: str, values: list[Quantity]) -> Quantity:
    if name in ("abs", "iabs"):
        return extreme("max", [values[0], -values[0]])
    return extreme("max" if name.startswith("max") else "min", values)


def _binary(op: str, left: Quantity | None, right: Quantity | None) -> Quantity | None:
    if left is None or right is None:
        return None
    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return quotient(left, right)
        case "**":
            return power(left, right)
        case _:
            return None

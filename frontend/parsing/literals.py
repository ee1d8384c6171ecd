"""Constants: their kinds and values."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from snapset.frontend import ir
from snapset.frontend.base.default_kinds import DefaultKinds
from snapset.frontend.parsing.syntax_tree import Number

KindFinder: TypeAlias = Callable[[str], ir.Expr | None]


def literal(number: Number, kind_of: KindFinder, kinds: DefaultKinds) -> ir.Literal_:
    """A constant with its type. ``kind_of``: the value of the constant that names a kind, None where there is none."""
    value = number.value
    if value is None:
        return ir.Literal_(None, ir.INTEGER)
    if isinstance(value, bool):
        return ir.Literal_(value, _kinded("logical", kinds.integer, number.kind, kind_of))
    if isinstance(value, str):
        return ir.Literal_(value, ir.Type("character", len(value)))
    if isinstance(value, int):
        return ir.Literal_(value, _kinded("integer", kinds.integer, number.kind, kind_of))
    return ir.Literal_(value, _kinded("real", 8 if number.double else kinds.real, number.kind, kind_of))


def complex_literal(real: ir.Expr, imag: ir.Expr, kinds: DefaultKinds) -> ir.Expr:
    """``(real, imag)`` as one constant, or as CMPLX where a part is not a number."""
    values = [_number(part) for part in (real, imag)]
    parts = [part for part in (real, imag) if isinstance(part, (ir.Literal_, ir.Ref, ir.Unary))]
    sizes = [part.type.bytes for part in parts if part.type.kind == "real"]
    bytes_ = 2 * max([size for size in sizes if size is not None], default=kinds.real)
    type_ = ir.Type("complex", bytes_)
    if values[0] is None or values[1] is None:
        return ir.Intrinsic("cmplx", (ir.Argument(real), ir.Argument(imag)), type_)
    return ir.Literal_(complex(values[0], values[1]), type_)


def _number(expr: ir.Expr) -> float | None:
    if isinstance(expr, ir.Unary) and expr.op in ("-", "+"):
        inner = _number(expr.operand)
        return None if inner is None else -inner if expr.op == "-" else inner
    if isinstance(expr, ir.Literal_) and isinstance(expr.value, (int, float)):
        return float(expr.value)
    return None


def _kinded(kind: ir.Kind, default: int, text: str | None, kind_of: KindFinder) -> ir.Type:
    """The type with kind parameter ``text``: a byte size, or the name of a constant."""
    if text is None:
        return ir.Type(kind, default)
    if text.isdecimal():
        return ir.Type(kind, int(text))
    value = kind_of(text)
    if isinstance(value, ir.Literal_) and isinstance(value.value, int):
        return ir.Type(kind, value.value)
    return ir.Type(kind)

"""Integer expressions as sums of names with integer factors, just enough to prove that sections cover arrays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from snapset.frontend import ir


@dataclass(frozen=True, slots=True)
class Affine:
    """``const`` plus the sum of factor * name; ``terms`` is sorted and holds no zero factor."""

    const: int
    terms: tuple[tuple[str, int], ...] = ()

    def __add__(self, other: Affine) -> Affine:
        total = dict(self.terms)
        for name, factor in other.terms:
            total[name] = total.get(name, 0) + factor
        return Affine(self.const + other.const, tuple(sorted((n, f) for n, f in total.items() if f)))

    def scaled(self, factor: int) -> Affine:
        return Affine(self.const * factor, tuple((n, f * factor) for n, f in self.terms) if factor else ())

    def __sub__(self, other: Affine) -> Affine:
        return self + other.scaled(-1)

    def factor(self, name: str) -> int:
        return dict(self.terms).get(name, 0)

    def replaced(self, name: str, value: Affine) -> Affine:
        """The expression with ``name`` replaced by ``value``."""
        factor = self.factor(name)
        rest = Affine(self.const, tuple(t for t in self.terms if t[0] != name))
        return rest + value.scaled(factor)

    def at_most(self, other: Affine) -> bool:
        """Certainly <= other (their difference is a constant)."""
        if self.terms == other.terms:
            return self.const <= other.const
        gap = other - self
        return not gap.terms and gap.const >= 0


Named = Callable[[ir.Ref], bool]


def affine(expr: ir.Expr | None, usable: Named) -> Affine | None:
    """The affine form of an expression, or None. ``usable(ref)`` says which scalar names may stand in it."""
    match expr:
        case ir.Literal_(value=int() as value) if not isinstance(value, bool):
            return Affine(value)
        case ir.Ref() if all(p.subscripts is None for p in expr.parts) and expr.rank == 0 and usable(expr):
            return Affine(0, (("%".join(p.name for p in expr.parts), 1),))
        case ir.Unary(op="-" | "+" as sign, operand=operand):
            inner = affine(operand, usable)
            return inner.scaled(-1 if sign == "-" else 1) if inner else None
        case ir.Binary(op="+" | "-" | "*" as op, left=left, right=right):
            return _combined(op, affine(left, usable), affine(right, usable))
        case ir.Intrinsic(name="size" | "ubound"):
            return _extent(expr)
        case _:
            return None


def _combined(op: str, a: Affine | None, b: Affine | None) -> Affine | None:
    if a is None or b is None:
        return None
    if op == "+":
        return a + b
    if op == "-":
        return a - b
    if not a.terms:
        return b.scaled(a.const)
    return a.scaled(b.const) if not b.terms else None


def _extent(expr: ir.Intrinsic) -> Affine | None:
    """``size(x, d)`` and ``ubound(x, d)`` of a plain array whose lower bounds are 1: :func:`upper_name`."""
    args = [a.value for a in expr.args]
    if not args or not isinstance(args[0], ir.Ref) or len(args[0].parts) > 1 or args[0].parts[0].subscripts:
        return None
    if len(args) == 1:
        return Affine(0, ((upper_name(args[0].name, 1), 1),)) if args[0].rank == 1 else None
    dim = args[1]
    if isinstance(dim, ir.Literal_) and isinstance(dim.value, int):
        return Affine(0, ((upper_name(args[0].name, dim.value), 1),))
    return None


def upper_name(variable: str, dim: int) -> str:
    """The name under which the extent of a dimension stands in an affine form."""
    return f"size({variable},{dim})"


def gap(low: ir.Expr | None, high: ir.Expr | None) -> int | None:
    """``high - low`` where that is the same number whatever the names hold: 2 of ``k`` and ``k + 2``."""
    a, b = affine(low, lambda _: True), affine(high, lambda _: True)
    if a is None or b is None or any(name.startswith("size(") for name, _ in (*a.terms, *b.terms)):
        return None
    between = b - a
    return None if between.terms else between.const

"""Integer expressions as linear forms of names, just enough to prove that sections cover arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from snapset.analysis.symbolic.polynomials import Quantity, named, number
from snapset.frontend import ir
from snapset.frontend.base.deep_recursion import deep
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.memo import Memo

Named = Callable[[ir.Ref], bool]


def _no_array(_: ir.Ref) -> bool:
    return False


def affine(expr: ir.Expr | None, usable: Named, measured: Named = _no_array) -> Quantity | None:
    """The affine form of an expression, or None. ``usable(ref)`` says which scalar names may stand in it; ``measured``
    of which arrays the extents may (:func:`of_fixed_extents`)."""
    if expr is None:
        return None
    found = _FOUND.get(expr, _form)
    if found is None or not all(map(usable, found.scalars)) or not all(map(measured, found.arrays)):
        return None
    return found.form


@frozen(quick=True)
class _Form:
    """The affine form of an expression if these scalars may stand in it, and the extents of these arrays."""

    form: Quantity
    scalars: tuple[ir.Ref, ...] = ()
    arrays: tuple[ir.Ref, ...] = ()


_FOUND: Memo[ir.Expr, _Form | None] = Memo(1 << 16)  # each expression is asked for by a dozen analyses


@deep
def _form(expr: ir.Expr) -> _Form | None:
    match expr:
        case ir.Literal_(value=int() as value) if not isinstance(value, bool):
            return _Form(number(value))
        case ir.Ref() if expr.rank == 0 and all(p.subscripts is None for p in expr.parts):
            return _Form(named("%".join(p.name for p in expr.parts)), (expr,))
        case ir.Unary(op="-" | "+" as sign, operand=operand):
            inner = _FOUND.get(operand, _form)
            return inner and _Form(inner.form.scaled(-1 if sign == "-" else 1), inner.scalars, inner.arrays)
        case ir.Binary(op="+" | "-" | "*" as op):
            left, right = _FOUND.get(expr.left, _form), _FOUND.get(expr.right, _form)
            both = None if left is None or right is None else _combined(op, left.form, right.form)
            if left is None or right is None or both is None:
                return None
            return _Form(both, left.scalars + right.scalars, left.arrays + right.arrays)
        case ir.Intrinsic(name="size" | "ubound"):
            extent = _extent(expr)
            return None if extent is None else _Form(extent[1], (), (extent[0],))
        case _:
            return None


def _combined(op: str, a: Quantity, b: Quantity) -> Quantity | None:
    if op == "+":
        return a + b
    if op == "-":
        return a - b
    return None if a.constant is None and b.constant is None else a * b


def _extent(expr: ir.Intrinsic) -> tuple[ir.Ref, Quantity] | None:
    """``size(x, d)`` and ``ubound(x, d)`` of a plain array whose extents are the same all through, and whose lower
    bounds are 1: the array, and :func:`upper_name`."""
    args = [a.value for a in expr.args]
    if not args or not isinstance(args[0], ir.Ref) or len(args[0].parts) > 1 or args[0].parts[0].subscripts:
        return None
    if any(a.keyword == "kind" for a in expr.args):
        return None
    if len(args) == 1:
        return (args[0], named(upper_name(args[0].name, 1))) if args[0].rank == 1 else None
    dim = args[1]
    if isinstance(dim, ir.Literal_) and isinstance(dim.value, int):
        return args[0], named(upper_name(args[0].name, dim.value))
    return None


def of_fixed_extents(variables: Mapping[str, ir.Variable]) -> Named:
    """Which arrays of a procedure are one and the same size whenever it asks, from 1 on in every dimension: not what is
    allocated or associated on the way, nor arrays of a BLOCK."""
    def measured(ref: ir.Ref) -> bool:
        variable = variables.get(ref.name)
        return (variable is not None and variable.shape.kind in ("explicit", "assumed-shape")
                and not (variable.automatic or variable.allocatable or variable.pointer)
                and all(_is_one(dim.lower) for dim in variable.shape.dims))

    return measured


def _is_one(lower: ir.Expr | None) -> bool:
    return lower is None or (isinstance(lower, ir.Literal_) and lower.value == 1)


def upper_name(variable: str, dim: int) -> str:
    """The name under which the extent of a dimension stands in an affine form."""
    return f"size({variable},{dim})"


def gap(low: ir.Expr | None, high: ir.Expr | None) -> int | None:
    """``high - low`` where that is the same number whatever the names hold: 2 of ``k`` and ``k + 2``."""
    a, b = affine(low, lambda _: True), affine(high, lambda _: True)
    if a is None or b is None or any(name.startswith("size(") for name, _ in (*a.factors, *b.factors)):
        return None
    between = b.apart(a)
    return None if between is None else int(between)

"""Bytes of locations by their declarations, in the program's own names."""

from __future__ import annotations

from collections.abc import Iterable

from snapset.analysis.memory.locations import Info
from snapset.analysis.symbolic.extrema import clamp, extreme, power, quotient
from snapset.analysis.symbolic.fortran_text import source
from snapset.analysis.symbolic.polynomials import Quantity, add, named, number, product
from snapset.frontend import ir

ONE = ir.Literal_(1, ir.INTEGER)


def location_bytes(info: Info) -> Quantity | None:
    """The size of a location: element size times every extent on the way to it; None where it has no size.

    An extent that the declaration does not give stands as ``size(name)``.
    """
    if info.bytes is not None:
        return number(info.bytes)
    if info.type.bytes is None:
        return None
    dims = info.dims()
    if any(_extent(dim) is None for dim in dims) or not _nameable(info):
        return _product(info.type.bytes, (size_of(_array(info)),))
    return _product(info.type.bytes, [e for d in dims if (e := _extent(d)) is not None])


def _array(info: Info) -> str:
    """The name of the array whose elements a location is of: an allocation is one for each."""
    return "%".join(info.name.split("%")[:info.depths[-1] + 1]) if info.type.kind == "allocation" else info.name


def piece_bytes(info: Info, piece: Iterable[ir.Ref]) -> Quantity | None:
    """The size of the elements of a location that some references select, each others; None where it is not known."""
    return total(_selected_bytes(info, ref) for ref in piece)


def _selected_bytes(info: Info, ref: ir.Ref) -> Quantity | None:
    dims = info.dims()
    shapes = [info.shape_at(depth) for depth in range(len(ref.parts))]
    subscripts = [s for part, shape in zip(ref.parts, shapes, strict=True) if shape is not None
                  for s in part.subscripts or (ir.Range(),) * shape.rank]
    if info.type.bytes is None or len(dims) != len(subscripts):
        return location_bytes(info)
    lengths = [_selected(sub, dim) for sub, dim in zip(subscripts, dims, strict=True)]
    known = [length for length in lengths if length is not None]
    if len(known) == len(lengths):
        return _product(info.type.bytes, known)
    return _of_open_size(info, subscripts, dims, known) or location_bytes(info)


def _of_open_size(info: Info, subscripts: list[ir.Subscript], dims: tuple[ir.Dim, ...],
                  known: list[ir.Expr]) -> Quantity | None:
    """The size of ``a(:, j:)`` where a's last extent is not declared: ``size(a)`` less the columns before j. ``known``:
    what is selected in all other dimensions. None where more than one extent is not known."""
    extents = [extent for dim in dims if (extent := _extent(dim)) is not None]
    if len(extents) + 1 != len(dims) or len(known) != len(extents) or not _nameable(info) or info.type.bytes is None:
        return None
    (at,) = (place for place, dim in enumerate(dims) if dim.upper is None)
    first, column = subscripts[at], _product(1, extents)
    if not isinstance(first, ir.Range):
        return None
    begins = dims[at].lower or ONE
    skipped = quantity_of(ir.Binary("-", first.lower or begins, begins, ir.INTEGER))
    selected, every = _product(1, known), quantity_of(size_of(_array(info)))
    if skipped is None or column is None or selected is None or every is None:
        return None
    if selected == column:
        return clamp(every - skipped*column).scaled(info.type.bytes)
    columns = quotient(every, column)
    return None if columns is None else (clamp(columns - skipped)*selected).scaled(info.type.bytes)


def _selected(subscript: ir.Subscript, dim: ir.Dim) -> ir.Expr | None:
    if not isinstance(subscript, ir.Range):
        return ONE
    if subscript.step is not None:
        return _every(subscript.lower, subscript.upper, subscript.step, dim)
    lower, upper = subscript.lower or dim.lower or ONE, subscript.upper or dim.upper
    return None if upper is None else _length(lower, upper)


def _every(first: ir.Expr | None, last: ir.Expr | None, step: ir.Expr, dim: ir.Dim) -> ir.Expr | None:
    """How many elements a subscript triplet selects."""
    back = (_constant(step) or 0) < 0
    low, high = dim.lower or ONE, dim.upper
    first, last = first or (high if back else low), last or (low if back else high)
    if first is None or last is None:
        return None
    apart = ir.Binary("+", ir.Binary("-", last, first, ir.INTEGER), step, ir.INTEGER)
    return ir.Binary("/", apart, step, ir.INTEGER)


def constant_bytes(info: Info, extent: int) -> int:
    """A location's bytes as a number, ``extent`` standing for every extent that is not known."""
    if info.bytes is not None:
        return info.bytes
    size = info.type.bytes or 1
    for dim in info.dims():
        found = _extent(dim)
        value = None if found is None else _constant(found)
        size *= extent if value is None else max(0, value)
    return size


def total(amounts: Iterable[Quantity | None]) -> Quantity | None:
    """The sum; None as soon as one is not known."""
    every = list(amounts)
    known = [one for one in every if one is not None]
    return add(*known) if len(known) == len(every) else None


def size_of(name: str) -> ir.Expr:
    """``size(name)`` as an expression."""
    parts = tuple(ir.PartRef(p) for p in name.split("%"))
    return ir.Intrinsic("size", (ir.Argument(ir.Ref(parts, ir.UNKNOWN)),), ir.INTEGER)


def _product(element: int, factors: Iterable[ir.Expr]) -> Quantity | None:
    """So many elements; an empty array counts nothing, not less than nothing."""
    lengths = [quantity_of(factor) for factor in factors]
    known = [clamp(length) for length in lengths if length is not None]
    return product(known).scaled(element) if len(known) == len(lengths) else None


def _extent(dim: ir.Dim) -> ir.Expr | None:
    return None if dim.upper is None else _length(dim.lower or ONE, dim.upper)


def _length(low: ir.Expr, high: ir.Expr) -> ir.Expr:
    a, b = _constant(low), _constant(high)
    if a is not None and b is not None:
        return ir.Literal_(b - a + 1, ir.INTEGER)
    if a == 1:
        return high
    return ir.Binary("+", ir.Binary("-", high, low, ir.INTEGER), ONE, ir.INTEGER)


def _constant(expr: ir.Expr) -> int | None:
    match expr:
        case ir.Literal_(value=int() as value):
            return int(value)
        case ir.Unary(op="-", operand=operand):
            inner = _constant(operand)
            return None if inner is None else -inner
        case _:
            return None


def _nameable(info: Info) -> bool:
    """Are the bounds constants, or names of the procedure at hand (not of a callee or another module)?"""
    foreign = "::" in info.name or info.name.startswith("/")
    return not foreign or all(_constant(e) is not None for s in info.shapes for d in s.dims
                              if (e := _extent(d)) is not None)


# ---------------------------------------------------------------- integer expressions of declarations


def quantity_of(expr: ir.Expr) -> Quantity | None:
    """``n*(m + 1)`` as a quantity; None for what is no integer formula."""
    match expr:
        case ir.Literal_(value=bool()):
            return None
        case ir.Literal_(value=int(value)):
            return number(value)
        case ir.Intrinsic(name="max" | "min" | "max0" | "min0" | "abs" | "iabs" as name, args=args):
            values = [quantity_of(argument.value) for argument in args]
            known = [value for value in values if value is not None]
            return _function(name, known) if len(known) == len(values) else None
        case ir.Ref() | ir.Intrinsic():
            text = source(expr)
            return None if text is None else named(text)
        case ir.Unary(op="+" | "-" as op, operand=operand):
            inner = quantity_of(operand)
            return inner if inner is None or op == "+" else -inner
        case ir.Binary(op=op, left=left, right=right):
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

"""How many elements a vector has, where that is a constant: the rank of ``reshape(x, v)`` is the length of v.

``reshape(x, shape(m))`` has the rank of m, ``reshape(x, [shape(m), 3])`` one more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from snapset.frontend import ir
from snapset.frontend.ir.expression_queries import rank_of

Declared: TypeAlias = Callable[[ir.Ref], "ir.Shape | None"]


def length(vector: ir.Expr, declared: Declared) -> int | None:
    """How many elements a vector has. ``declared``: the bounds that a reference's last part is declared with."""
    match vector:
        case ir.ArrayConstructor():
            found = [_items(item, declared) for item in vector.items]
            return None if None in found else sum(one or 0 for one in found)
        case ir.Intrinsic(name="shape") | ir.Intrinsic(name="lbound") | ir.Intrinsic(name="ubound"):
            return rank_of(vector.args[0].value)
        case ir.Ref() if vector.rank == 1:
            return _elements(vector, declared)
        case ir.Unary():
            return length(vector.operand, declared)
        case ir.Binary():
            return length(vector.left if rank_of(vector.left) else vector.right, declared)
        case ir.Intrinsic() if rank_of(vector) == 1:  # elemental ones, CSHIFT: as long as their first array
            first = next((one.value for one in vector.args if rank_of(one.value)), None)
            return None if first is None or vector.name in _OTHER else length(first, declared)
        case _:
            return None


_ONE = ir.Literal_(1, ir.INTEGER)
_OTHER = frozenset({"pack", "reshape", "spread", "matmul", "unpack", "transfer", "sum", "product", "maxval", "minval"})


def _number(expr: ir.Expr | None) -> int | None:
    return expr.value if isinstance(expr, ir.Literal_) and isinstance(expr.value, int) else None


def _items(item: ir.Expr, declared: Declared) -> int | None:
    if not isinstance(item, ir.ImpliedDo):
        return length(item, declared) if rank_of(item) else 1
    start, stop = _number(item.start), _number(item.stop)
    step = 1 if item.step is None else _number(item.step)
    found = [_items(one, declared) for one in item.items]
    if start is None or stop is None or not step or None in found:
        return None
    return max(0, (stop - start + step) // step) * sum(one or 0 for one in found)


def _elements(ref: ir.Ref, declared: Declared) -> int | None:
    """Of a whole vector, or of a section of one."""
    shape = declared(ref)
    if shape is None or len(shape.dims) != 1:
        return None
    sub = ref.parts[-1].subscripts[0] if ref.parts[-1].subscripts else ir.Range()
    if not isinstance(sub, ir.Range):
        return length(sub, declared)
    low = _number(sub.lower or shape.dims[0].lower or _ONE)
    high = _number(sub.upper or shape.dims[0].upper)
    step = 1 if sub.step is None else _number(sub.step)
    if low is None or high is None or not step or (step < 0 and (sub.lower is None or sub.upper is None)):
        return None
    return max(0, (high - low + step) // step)

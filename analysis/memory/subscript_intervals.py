"""What subscripts select, as intervals of numbers: 2 to 5 of ``a(2:5)``, and to the end of ``a(2:n)``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from snapset.analysis.memory.locations import EVERY, HIGHEST, LOWEST, Band, Interval
from snapset.frontend import ir

Constant: TypeAlias = Callable[[ir.Expr | None], int | None]


def constants(variables: Mapping[str, ir.Variable]) -> Constant:
    """What gives the number that an expression of literals and PARAMETERs is."""

    def constant(expr: ir.Expr | None) -> int | None:
        match expr:
            case ir.Literal_(value=int() as value) if not isinstance(value, bool):
                return value
            case ir.Ref() if len(expr.parts) == 1 and expr.parts[0].subscripts is None and expr.rank == 0:
                variable = variables.get(expr.name)
                value_ = None if variable is None else variable.value
                return None if isinstance(value_, ir.Ref) else constant(value_)
            case ir.Unary(op="-", operand=operand):
                inner = constant(operand)
                return None if inner is None else -inner
            case ir.Binary(op="+" | "-" | "*" as op, left=left, right=right):
                a, b = constant(left), constant(right)
                if a is None or b is None:
                    return None
                return a + b if op == "+" else a - b if op == "-" else a * b
            case _:
                return None

    return constant


def interval(subscript: ir.Subscript, constant: Constant) -> Interval | None:
    """What a subscript selects, at most; None where no constant says it."""
    if not isinstance(subscript, ir.Range):
        only = constant(subscript)
        return None if only is None else (only, only)
    if subscript == ir.Range():
        return EVERY
    step = 1 if subscript.step is None else constant(subscript.step)
    first, last = constant(subscript.lower), constant(subscript.upper)
    if not step:
        return None
    low, high = (first, last) if step > 0 else (last, first)
    if low is None and high is None:
        return None
    return LOWEST if low is None else low, HIGHEST if high is None else high


def run_of(first: Interval | None, count: int | None) -> Interval | None:
    """So many elements from one on, which is between these numbers; without a count all from there on."""
    if first is None:
        return None
    return first[0], HIGHEST if count is None or first[1] == HIGHEST else first[1] + max(count, 1) - 1


def declared(dim: ir.Dim, constant: Constant) -> Interval:
    """The bounds of a dimension, as far as they are constants."""
    low = 1 if dim.lower is None else constant(dim.lower)
    high = constant(dim.upper)
    return LOWEST if low is None else low, HIGHEST if high is None else high


def meets(band: Band, selected: Iterable[Interval | None]) -> bool:
    """May what is selected be in the band? (None: anything may be selected.)"""
    return all(one is None or (one[0] <= high and low <= one[1])
               for (low, high), one in zip(band, selected, strict=True))


def holds(band: Band, selected: Iterable[Interval | None], bounds: Iterable[Interval]) -> bool:
    """Is all of the band certainly selected? ``bounds``: the array's."""
    return all(one is not None and one[0] <= max(low, least) and min(high, most) <= one[1]
               for (low, high), one, (least, most) in zip(band, selected, bounds, strict=True))

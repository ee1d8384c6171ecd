"""How much a PUSH saves: bytes as a formula, and whether that is all of its place."""

from __future__ import annotations

from snapset.analysis.comparison.stack_calls import StackCall, saved_place, stack_call
from snapset.analysis.dataflow.bitsets import members
from snapset.analysis.memory.byte_sizes import location_bytes, quantity_of
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.symbolic.atoms import Clamp
from snapset.analysis.symbolic.extrema import clamp
from snapset.analysis.symbolic.polynomials import Quantity, add, number, of, product
from snapset.frontend import ir
from snapset.frontend.ir.expression_queries import walk


def pushed_bytes(stmt: ir.Call, call: StackCall) -> Quantity | None:
    """Of ``PUSHREAL8ARRAY(u, n)`` 8*n; None where the count is no formula."""
    if not call.array:
        return number(call.bytes)
    count = quantity_of(stmt.args[1].value)
    return None if count is None else clamp(count).scaled(call.bytes)


def is_whole(stmt: ir.Call, call: StackCall, place: ir.Ref, model: ProcedureModel) -> bool:
    """Is all of a place saved? Of ``u``, declared ``u(n)``, as many elements as n says, and n is what it was."""
    touched = model.refs.touch(place)
    if not touched.whole:
        return False
    if not call.array:
        return place.rank == 0
    count = stmt.args[1].value
    if model.written & model.refs.values(count):
        return False
    return place.rank > 0 and (_asks_all(count, place) or _declared(stmt, call, touched.bits, model))


def is_short(stmt: ir.Call, model: ProcedureModel) -> bool:
    """Are fewer elements saved than the variable has? ``PUSHREAL8ARRAY(u, n-1)`` of ``u(n)``."""
    call, place = stack_call(stmt), saved_place(stmt)
    if call is None or place is None or not call.array or not model.refs.touch(place).whole or any(
            part.subscripts for part in place.parts):
        return False
    infos = [model.space.infos[one] for one in members(model.refs.touch(place).bits)]
    pushed, whole = quantity_of(stmt.args[1].value), location_bytes(infos[0]) if len(infos) == 1 else None
    left = None if pushed is None or whole is None else _plain(whole).apart(pushed.scaled(call.bytes))
    return left is not None and left > 0


def _plain(size: Quantity) -> Quantity:
    """``8*n`` of ``8*max(0, n)``: where there are elements at all."""
    return add(*(product([number(factor), *(one.of if isinstance(one, Clamp) else of(one)
                                            for one, power in monomial for _ in range(power))])
                 for monomial, factor in size.terms.items()))


def _declared(stmt: ir.Call, call: StackCall, bits: int, model: ProcedureModel) -> bool:
    """Is the count that of the declaration?"""
    infos = [model.space.infos[one] for one in members(bits)]
    if len(infos) != 1:
        return False
    pushed, whole = pushed_bytes(stmt, call), location_bytes(infos[0])
    return pushed is not None and pushed == whole


def _asks_all(count: ir.Expr, place: ir.Ref) -> bool:
    """Is it ``size(u)``, or ``size(u, 1)*size(u, 2)``, of the place itself?"""
    asked: list[int | None] = []
    for factor in _factors(count):
        if not isinstance(factor, ir.Intrinsic) or factor.name != "size" or factor.args[0].value != place:
            return False
        asked.append(_dimension(factor))
    return asked == [None] or sorted(one or 0 for one in asked) == list(range(1, place.rank + 1))


def _dimension(factor: ir.Intrinsic) -> int | None:
    given = factor.args[1].value if len(factor.args) > 1 else None
    return given.value if isinstance(given, ir.Literal_) and isinstance(given.value, int) else None


def _factors(expr: ir.Expr) -> list[ir.Expr]:
    if isinstance(expr, ir.Binary) and expr.op == "*":
        return [*_factors(expr.left), *_factors(expr.right)]
    return [expr]


def names_in(expr: ir.Expr) -> frozenset[str]:
    """The variables that an expression names."""
    return frozenset(one.name for one in walk(expr) if isinstance(one, ir.Ref))

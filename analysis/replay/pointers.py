"""Pointers: a pointer's slot takes its target's memory, values and adjoints alike.

What a pointer is associated with is part of no snapshot and no tape: each sweep restores the associations it changed,
and what a part changes is changed when it runs again (SN105).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from snapset.analysis.replay.layout import refuse
from snapset.analysis.replay.runtime import Index, ReplayError, Slot
from snapset.frontend import ir

if TYPE_CHECKING:
    from snapset.analysis.replay.expressions import Values


def associate(slot: Slot, target: Slot, index: Index) -> None:
    """``p => target``, or a part of it. A whole target keeps its lower bounds.

    Raises:
        ReplayError: a vector subscript.
    """
    if target.a is None:
        dissociate(slot)
        return
    if any(isinstance(one, np.ndarray) for one in index):
        raise ReplayError("a pointer to elements chosen by a vector subscript")
    slot.lo = target.lo if not index else (1,) * target.a[(*index, Ellipsis)].ndim
    slot.b = None if target.b is None else target.b[(*index, Ellipsis)]
    slot.a = target.a[(*index, Ellipsis)]


def dissociate(slot: Slot) -> None:
    """``nullify (p)``"""
    slot.a = slot.b = None


def associated(slot: Slot, target: Slot, index: Index) -> bool:
    """ASSOCIATED with a target."""
    if slot.a is None or target.a is None:
        return False
    a, b = slot.a, target.a[(*index, Ellipsis)]
    same: bool = a.__array_interface__["data"] == b.__array_interface__["data"]
    return same and a.shape == b.shape and a.strides == b.strides


def has_pointer(stmt: ir.Stmt | None) -> bool:
    """A statement that changes an association."""
    return isinstance(stmt, ir.PointerAssign | ir.Nullify)


def changed(stmt: ir.Stmt | None) -> tuple[ir.Ref, ...]:
    """The pointers whose association a statement changes."""
    if isinstance(stmt, ir.PointerAssign):
        return (stmt.target,)
    return stmt.objects if isinstance(stmt, ir.Nullify) else ()


def lines(stmt: ir.PointerAssign | ir.Nullify, values: Values) -> Iterator[str]:
    """The statements of ``p => a`` and NULLIFY.

    Raises:
        InputError: bounds given to the pointer, a function or procedure pointed to.
    """
    if isinstance(stmt, ir.PointerAssign) and stmt.bounded:
        raise refuse("a pointer assignment that gives bounds", stmt.span)
    for ref in changed(stmt):
        if not values.layout.variable(ref.name, stmt.span).pointer:
            raise refuse(f"the pointer `{'%'.join(part.name for part in ref.parts)}`", stmt.span)
        to = f"s[{values.slot(ref).number}]"
        value = stmt.value if isinstance(stmt, ir.PointerAssign) else None
        if isinstance(value, ir.Ref):
            place = values.slot(value)
            yield f"associate({to}, s[{place.number}], {values.index(value, place)})"
        elif value is None or (isinstance(value, ir.Intrinsic) and value.name == "null"):
            yield f"dissociate({to})"
        else:
            raise refuse("a pointer to what is no variable", stmt.span)


def spots(stmt: ir.Stmt, values: Values) -> str:
    """Code of what such a statement changes."""
    return f"return [{', '.join(f'(s[{values.slot(ref).number}], ASSOCIATION)' for ref in changed(stmt))}]"


def inquiry(expr: ir.Intrinsic, values: Values) -> str:
    """Code of ASSOCIATED. Raises InputError for what is no variable."""
    refs = [arg.value for arg in expr.args]
    if not all(isinstance(ref, ir.Ref) for ref in refs):
        raise refuse("this form of the intrinsic associated", values.span)
    places = [values.slot(ref) for ref in refs if isinstance(ref, ir.Ref)]
    if len(refs) == 1:
        return f"(s[{places[0].number}].a is not None)"
    assert isinstance(refs[1], ir.Ref)
    return f"associated(s[{places[0].number}], s[{places[1].number}], {values.index(refs[1], places[1])})"

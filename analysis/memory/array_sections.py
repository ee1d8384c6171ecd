"""Which part of an array a reference selects, as affine sections."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from snapset.analysis.memory.locations import Info
from snapset.analysis.symbolic.polynomials import Quantity
from snapset.frontend import ir

Section: TypeAlias = tuple[Quantity, Quantity] | None  # None: the whole extent
Form = Callable[[ir.Expr | None], Quantity | None]


def sections(ref: ir.Ref, info: Info, form: Form) -> tuple[Section, ...] | None:
    """One section per dimension of the location, or None where a subscript is not understood.

    ``form`` gives the affine form of a subscript in terms that hold wherever the result is used.
    """
    if not info.is_of(ref) or is_half(ref, info):
        return None  # storage that names with other bounds overlay, or less than elements
    given = [s for part in ref.parts for s in part.subscripts or ()]
    missing = rank(info) - len(given)
    if missing < 0 or ref.substring is not None or (missing and given and not _subscripts_lead(ref)):
        return None
    found: list[Section] = []
    for subscript in given:
        understood, section = selected(subscript, form)
        if not understood:
            return None
        found.append(section)
    return (*found, *(None for _ in range(missing)))


def is_half(ref: ir.Ref, info: Info) -> bool:
    """Does it select the real or imaginary parts of complex elements? ``z%re = 0`` leaves half of z as it was."""
    return info.type.kind == "complex" and ref.type.kind == "real"


def rank(info: Info) -> int:
    shapes = info.shapes
    return shapes[0].rank if len(shapes) == 1 else sum([shape.rank for shape in shapes])


def selected(subscript: ir.Subscript, form: Form) -> tuple[bool, Section]:
    """Whether it is understood, and the section (None for ``:``)."""
    if isinstance(subscript, ir.Range):
        if subscript.step is not None:
            return False, None
        if subscript.lower is None and subscript.upper is None:
            return True, None
        low, high = form(subscript.lower), form(subscript.upper)
    else:
        low = high = form(subscript)
    if low is None or high is None:
        return False, None
    return True, (low, high)


def _subscripts_lead(ref: ir.Ref) -> bool:
    """Does no part with subscripts follow one without? Then the dimensions not given are the last ones."""
    flags = [part.subscripts is not None for part in ref.parts]
    return flags == sorted(flags, reverse=True)

"""Which memory a reference is: a scalar, or an element by its subscripts, of which two can be told apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from snapset.analysis.memory.affine_forms import affine
from snapset.analysis.symbolic.polynomials import Quantity, named
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen

Relation = Literal["same", "distinct", "unknown"]


@frozen
class Cell:
    """A scalar location, or an element: ``subscripts`` in order, over vertices (equal ones have the same value).

    ``bits``: the location. ``name``: of the variable whose bounds the subscripts count from.
    """

    bits: int
    name: str = ""
    subscripts: tuple[Quantity, ...] = ()

    @property
    def element(self) -> bool:
        return bool(self.subscripts)

    @property
    def constants(self) -> tuple[int, ...] | None:
        """The subscripts, where all are numbers."""
        return None if any(s.factors for s in self.subscripts) else tuple(s.offset for s in self.subscripts)

    def relation(self, other: Cell) -> Relation:
        """To another cell of the same location: certainly the same memory, certainly not, or who knows."""
        if self == other:
            return "same"
        if self.name != other.name or len(self.subscripts) != len(other.subscripts):
            return "unknown"
        pairs = zip(self.subscripts, other.subscripts, strict=True)
        return "distinct" if any(a.factors == b.factors and a.offset != b.offset for a, b in pairs) else "unknown"


def cell(bits: int, whole: bool, ref: ir.Ref) -> Cell:
    """The cell of a reference over vertices. ``whole``: it is all of its location."""
    if whole:
        return Cell(bits)
    subscripts = tuple(_subscript(s) for part in ref.parts for s in part.subscripts or ())
    return Cell(bits, "%".join(part.name for part in ref.parts), subscripts)


def _subscript(subscript: ir.Subscript) -> Quantity:
    found = None if isinstance(subscript, ir.Range) else affine(subscript, _any)
    return found if found is not None else named(repr(subscript))


_any: Callable[[ir.Ref], bool] = lambda ref: True  # noqa: E731

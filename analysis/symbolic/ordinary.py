"""What quantities are when every loop runs and no array is empty: that is what reports write."""

from __future__ import annotations

from snapset.analysis.symbolic.atoms import Atom, Clamp, Extreme, Runs, SharedPart
from snapset.analysis.symbolic.comparison import covers, is_plain, order_of
from snapset.analysis.symbolic.extrema import extreme, height
from snapset.analysis.symbolic.polynomials import ONE, Quantity, of
from snapset.analysis.symbolic.substitution import Rewriting, rebuilt
from snapset.frontend.base.deep_recursion import deep

FEW = 16
"""A shared part that turns out to have no more terms than these is written where it stands."""


def ordinary(quantity: Quantity) -> Quantity:
    """What the quantity is when every loop runs and no array is empty: clamps off."""
    return Ordinary().quantity(quantity)


class Ordinary(Rewriting):
    """Takes clamps off, and what a maximum never is. ``bound``: within a shared part whose names are bound, to what may
    be less than 1; there maxima stay."""

    def __init__(self, bound: bool = False) -> None:
        super().__init__()
        self.inner: Ordinary | None = None if bound else Ordinary(bound=True)

    @deep
    def anew(self, atom: Atom) -> Quantity:
        match atom:
            case Clamp(of=inner):
                return self.quantity(inner)
            case Runs():
                return ONE
            case Extreme(op="max", of=those) if self.inner is not None:
                return largest_of([self.quantity(one) for one in those])
            case SharedPart():
                return self.shared(atom)
            case _:
                return rebuilt(atom, self.quantity)

    def shared(self, atom: SharedPart) -> Quantity:
        if not atom.given:
            plain = self.quantity(atom.body)
            return plain if plain.weight <= FEW else of(SharedPart(plain))
        body = (self.inner or self).quantity(atom.body)
        return of(SharedPart(body, tuple((name, self.quantity(value)) for name, value in atom.given
                                     if name in body.names)))


def largest_of(quantities: list[Quantity]) -> Quantity:
    """The maximum when every name stands for 1 or more."""
    distinct = list(dict.fromkeys(quantities))
    if len(distinct) > 1:
        distinct.sort(key=order_of)  # which of two equals is kept must be the same in every run
    heights = [height(one) if is_plain(one) else None for one in distinct]  # of others nothing is known

    def above(j: int, i: int) -> bool:
        one, other = heights[j], heights[i]
        return one is not None and other is not None and one >= other and covers(distinct[j], distinct[i])

    everyone = range(len(distinct))
    kept = [distinct[i] for i in everyone if not any(
        above(j, i) and (j < i or not above(i, j)) for j in everyone if j != i)]
    return extreme("max", kept)

"""What is known of a time loop's steps as numbers: given, or counted by a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from snapset.analysis.symbolic.atoms import Counter, Sym
from snapset.analysis.symbolic.numeric_value import value
from snapset.analysis.symbolic.polynomials import Quantity
from snapset.frontend.base.frozen_records import frozen


def known_value(quantity: Quantity, given: Callable[[Sym], int | None]) -> int | None:
    """The number a quantity is; None where a name has none, or it depends on the iteration of a loop around."""
    return None if any(isinstance(name, Counter) for name in quantity.names) else value(quantity, given)


@frozen
class StepNumbers:
    """What formulas are evaluated with.

    ``given``: of the names in formulas. ``steps``: how many a run had. ``trips``: what it counted of each loop inside,
    by the name that formulas have for that, ``trips(f:14)``: its iterations in each iteration of the time loop.
    """

    given: Callable[[Sym], int | None]
    steps: int | None = None
    trips: Mapping[str, Sequence[int]] = field(default_factory=dict)

    def at(self, k: int) -> Callable[[Sym], int | None]:
        """The numbers of one iteration."""
        def number(sym: Sym) -> int | None:
            each = self.trips.get(sym.name, ())
            return each[k] if k < len(each) else self.given(sym)

        return number

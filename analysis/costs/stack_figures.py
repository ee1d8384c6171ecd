"""The three figures of a stretch of adjoint code, and how they add up along it.

Sequences add them, branches take the worse side of each, loops repeat them (the part of the last iteration sits on
the tape of all others).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from snapset.analysis.symbolic.atoms import Counter
from snapset.analysis.symbolic.extrema import maximum
from snapset.analysis.symbolic.loop_sums import at, largest, total
from snapset.analysis.symbolic.polynomials import ZERO, Quantity, of
from snapset.frontend.base.frozen_records import frozen


@frozen(quick=True)
class Cost:
    """Bytes: ``left`` on the stack by the forward sweep; ``inside``: the highest point while adjoints of parts
    run (0 without parts); ``traffic``: all that is pushed."""

    left: Quantity = ZERO
    inside: Quantity = ZERO
    traffic: Quantity = ZERO

    @property
    def peak(self) -> Quantity:
        return maximum((self.left, self.inside))

    @property
    def is_nothing(self) -> bool:
        """Not a byte."""
        return not (self.traffic.mark or self.left.mark or self.inside.mark)

    def then(self, other: Cost) -> Cost:
        """This, and what runs after it on top of what this leaves."""
        if self.is_nothing or other.is_nothing:
            return other if self.is_nothing else self
        inside = other.inside if not other.inside.terms else self.left + other.inside
        return Cost(self.left + other.left, maximum((self.inside, inside)), self.traffic + other.traffic)

    def changed(self, change: Callable[[Quantity], Quantity]) -> Cost:
        return self if self.is_nothing else Cost(change(self.left), change(self.inside), change(self.traffic))


NOTHING = Cost()


def worst(costs: Iterable[Cost]) -> Cost:
    """Of several ways the run can go."""
    found = list(dict.fromkeys(costs))
    if len(found) == 1:
        return found[0]
    return Cost(maximum(c.left for c in found), maximum(c.inside for c in found), maximum(c.traffic for c in found))


def repeated(body: Cost, counter: Counter, count: Quantity) -> Cost:
    """A body run ``count`` times; it may depend on the counter."""
    if body.is_nothing:
        return NOTHING
    inside = body.inside
    if inside.terms:
        before = at(body.left, counter, of(_earlier(counter)))
        inside = inside + total(_earlier(counter), of(counter), before)
    return Cost(total(counter, count, body.left), largest(counter, count, inside),
                total(counter, count, body.traffic))


def _earlier(counter: Counter) -> Counter:
    return Counter(counter.name, counter.loop + "'")

"""When is one cost below another? The condition on sizes where it depends."""

from __future__ import annotations

from typing import Literal, TypeAlias

from snapset.analysis.symbolic.comparison import never_below
from snapset.analysis.symbolic.extrema import alternatives, maximum
from snapset.analysis.symbolic.ordinary import ordinary
from snapset.analysis.symbolic.polynomials import Quantity, from_terms
from snapset.analysis.symbolic.rendering import Factor, factor_of, over_factor
from snapset.frontend.base.frozen_records import frozen


@frozen
class Condition:
    """The first cost is the smaller one where ``low`` < ``high``."""

    low: Quantity
    high: Quantity


Verdict: TypeAlias = "Condition | Literal['same', 'below', 'above']"


def condition(one: Quantity, other: Quantity) -> Verdict:
    """How ``one`` compares with ``other`` when every loop runs and no array is empty."""
    one, other = ordinary(one), ordinary(other)
    if one == other:
        return "same"
    left, right = list(alternatives(one)), list(alternatives(other))
    if _covered(left, right):
        return "below"
    if _covered(right, left):
        return "above"
    # What one side never exceeds the other in does not decide.
    left = [a for a in left if not any(never_below(b, a) for b in right)] or left
    right = [b for b in right if not any(never_below(a, b) for a in left)] or right
    return _reduced(maximum(left), maximum(right))


def _covered(low: list[Quantity], high: list[Quantity]) -> bool:
    return all(any(never_below(b, a) for b in high) for a in low)


def _reduced(low: Quantity, high: Quantity) -> Condition:
    """Terms both have taken off, then common factors."""
    terms, others = dict(low.terms), dict(high.terms)
    for monomial in set(terms) & set(others):
        least = min(terms[monomial], others[monomial])
        terms[monomial] -= least
        others[monomial] -= least
    low, high = from_terms(terms), from_terms(others)
    both = [*low.terms.items(), *high.terms.items()]
    if not both:
        return Condition(low, high)
    factor: Factor = factor_of(both)
    return Condition(over_factor(low, factor), over_factor(high, factor))

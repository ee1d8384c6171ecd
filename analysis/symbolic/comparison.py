"""When is one cost below another? Formulas compared, and the condition on sizes where it depends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from snapset.analysis.symbolic.polynomials import Formula, Monomial, alternatives, maximum
from snapset.analysis.symbolic.rendering import factor_of, never_below, ordinary, over_factor


@dataclass(frozen=True, slots=True)
class Condition:
    """The first cost is the smaller one where ``low`` < ``high``."""

    low: Formula
    high: Formula


Verdict: TypeAlias = "Condition | Literal['same', 'below', 'above']"


def condition(one: Formula, other: Formula) -> Verdict:
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


def _covered(low: list[Formula], high: list[Formula]) -> bool:
    return all(any(never_below(b, a) for b in high) for a in low)


def _reduced(low: Formula, high: Formula) -> Condition:
    """Terms both have taken off, then common factors."""
    terms, others = dict(low.terms), dict(high.terms)
    for monomial in set(terms) & set(others):
        least = min(terms[monomial], others[monomial])
        terms[monomial] -= least
        others[monomial] -= least
    low = Formula(frozenset((m, a) for m, a in terms.items() if a))
    high = Formula(frozenset((m, a) for m, a in others.items() if a))
    both = Formula(low.terms | high.terms)
    if not both.terms:
        return Condition(low, high)
    factor: tuple[Monomial, int, int] = factor_of(both)
    return Condition(over_factor(low, factor), over_factor(high, factor))

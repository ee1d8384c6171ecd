"""What all terms of a quantity share, and the quantity without it: ``8*n*m - 16*n`` as ``8*n*(m - 2)``."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm

from snapset.analysis.symbolic.atoms import Atom
from snapset.analysis.symbolic.polynomials import Monomial, Number, Quantity, from_terms

Factor = tuple[Monomial, int, int]


def factor_of(terms: Sequence[tuple[Monomial, Number]]) -> Factor:
    """What all terms share: atoms, the greatest common factor, the common denominator."""
    below = lcm(*(a.denominator for _, a in terms))
    scale = gcd(*(int(a * below) for _, a in terms))
    common = gcd(scale, below)
    tables = [dict(m) for m, _ in terms]
    shared: dict[Atom, int] = {a: min(t[a] for t in tables) for a in tables[0] if all(a in t for t in tables)}
    return frozenset(shared.items()), scale // common, below // common


def over_factor(quantity: Quantity, factor: Factor) -> Quantity:
    """A quantity divided by what its terms share."""
    shared, scale, below = factor
    return from_terms({_without(m, shared): _divided(a, scale, below) for m, a in quantity.terms.items()})


def _divided(a: Number, scale: int, below: int) -> Number:
    if below == 1 and isinstance(a, int):
        return a // scale
    found = Fraction(a) * below / scale
    return found.numerator if found.denominator == 1 else found


def _without(monomial: Monomial, shared: Monomial) -> Monomial:
    powers = dict(monomial)
    for atom, power in shared:
        powers[atom] -= power
    return frozenset((a, p) for a, p in powers.items() if p)

"""Maxima, minima, counts that stop at zero, Fortran's division: what is made an atom where it is no polynomial."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from typing import Final, Literal

from snapset.analysis.symbolic.atoms import (
    REMEMBERED,
    Clamp,
    Extreme,
    Monomial,
    Power,
    Quotient,
    Runs,
    never_negative,
)
from snapset.analysis.symbolic.polynomials import (
    ONE,
    ZERO,
    Number,
    Quantity,
    folded,
    from_terms,
    number,
    of,
    product,
)

OPENED: Final = 64  # alternatives of a maximum, each of which is compared with what comes
HEAVY: Final = 1 << 12
"""A maximum that is written with more terms than these goes on as a shared part."""
LARGEST_POWER: Final = 9


def clamp(quantity: Quantity) -> Quantity:
    """max(0, quantity)."""
    value = quantity.constant
    if value is not None:
        return number(max(0, value))
    return quantity if quantity.never_negative else of(Clamp(quantity))


def runs(count: Quantity) -> Quantity:
    """1 where ``count`` > 0, else 0."""
    value = count.constant
    if value is not None:
        return ONE if value > 0 else ZERO
    if len(count.terms) == 1:  # a clamped count, perhaps with a factor: it runs when what is clamped does
        ((monomial, factor),) = count.terms.items()
        only = next(iter(monomial))[0]
        if len(monomial) == 1 and isinstance(only, Clamp) and factor > 0:
            return of(Runs(only.of))
    return of(Runs(count))


def quotient(top: Quantity, bottom: Quantity) -> Quantity | None:
    """Fortran's integer division, towards zero; None by zero."""
    below = bottom.constant
    if below == 0:
        return None
    above = top.constant
    if below is None:
        return of(Quotient(top, bottom))
    if above is not None:
        return number(truncated(int(above), int(below)))
    if all(factor % below == 0 for factor in top.terms.values()):  # nothing is cut off
        return top.scaled(Fraction(1) / below)
    return of(Quotient(top, bottom))


def truncated(a: int, b: int) -> int:
    """Fortran's a/b."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def power(base: Quantity, exponent: Quantity) -> Quantity | None:
    """Fortran's integer power; None for zero to a negative power."""
    times, value = exponent.constant, base.constant
    if times is None:
        return of(Power(base, exponent))
    if times < 0:
        return None if value == 0 else quotient(ONE, product([base] * -int(times)))
    return product([base] * int(times)) if value is not None or times <= LARGEST_POWER else of(Power(base, exponent))


def extreme(op: Literal["max", "min"], values: Iterable[Quantity]) -> Quantity:
    """MAX or MIN of integers of any sign."""
    distinct = frozenset(values)
    constants = [one.constant for one in distinct]
    if all(c is not None for c in constants):
        return number((max if op == "max" else min)(c for c in constants if c is not None))
    return next(iter(distinct)) if len(distinct) == 1 else of(Extreme(op, distinct))


# ---------------------------------------------------------------- the largest of byte counts


def maximum(quantities: Iterable[Quantity]) -> Quantity:
    """The largest of several byte counts (0 of none); what is certainly not above another is dropped."""
    flat: dict[Quantity, None] = {}
    for quantity in quantities:
        flat.update(dict.fromkeys(alternatives(quantity)))
    if len(flat) == 1:
        return next(iter(flat))
    kept: list[Quantity] = []
    holding: dict[Monomial, list[Quantity]] = {}
    for one in sorted(flat, key=height, reverse=True):  # only what weighs more can be certainly above
        positive = [holding.get(monomial, []) for monomial, factor in one.terms.items() if factor > 0]
        above = min(positive, key=len, default=kept)  # what is above it has all that it has
        if not any(at_least(other, one) for other in above):
            kept.append(one)
            for monomial in one.terms:
                holding.setdefault(monomial, []).append(one)
    return largest_of_all(kept if len(kept) <= OPENED else _gathered(kept))


def height(quantity: Quantity) -> Number:
    """The sum of all factors, its value where each atom is 1. What is certainly above another has at least as much."""
    return sum(quantity.terms.values())


def at_least(high: Quantity, low: Quantity) -> bool:
    """Certainly high >= low, term by term? (False: not known.)"""
    if high is low:
        return True
    above, below = high.terms, low.terms
    for monomial, factor in below.items():
        room = above.get(monomial, 0)
        if room < factor or (room > factor and not never_negative(monomial)):
            return False
    return all(m in below or (factor > 0 and never_negative(m)) for m, factor in above.items())


def largest_of_all(quantities: list[Quantity]) -> Quantity:
    """The maximum as one atom, what all share beside it."""
    if len(quantities) < 2:
        return quantities[0] if quantities else ZERO
    common = _common(quantities)
    found = common + of(Extreme("max", frozenset(one - common for one in quantities)))
    return found if found.weight <= HEAVY else folded(found)


def _gathered(quantities: list[Quantity]) -> list[Quantity]:
    """Too many to be compared with what comes as one, every time: those that hold no maximum yet become one, or those
    that do, whichever are more. So maxima are nested as deep as the logarithm of their number."""
    deep: list[Quantity] = []
    plain: list[Quantity] = []
    for quantity in quantities:
        (deep if any(isinstance(atom, Extreme) for atom in quantity.atoms()) else plain).append(quantity)
    most, others = (deep, plain) if len(deep) > len(plain) else (plain, deep)
    return [largest_of_all(most), *others] if others else [largest_of_all(most[1:]), most[0]]


@lru_cache(maxsize=REMEMBERED)
def has_maximum(monomial: Monomial) -> bool:
    """Is there a maximum in a product of atoms?"""
    return any(isinstance(atom, Extreme) and atom.op == "max" for atom, _ in monomial)


def alternatives(quantity: Quantity) -> tuple[Quantity, ...]:
    """``c + max(a, b)`` as c + a, c + b."""
    whole: Extreme | None = None
    for monomial in quantity.terms:
        if has_maximum(monomial):
            (atom, _), *others = monomial
            if others or not isinstance(atom, Extreme) or (whole is not None and atom != whole):
                return (quantity,)
            whole = atom
    if whole is None:
        return (quantity,)
    inner = of(whole)
    rest = quantity - inner
    if whole in rest.atoms():
        return (quantity,)
    return tuple(rest + one for one in whole.of)


def _common(quantities: list[Quantity]) -> Quantity:
    """The terms all share, with the least factor each."""
    tables = [one.terms for one in quantities]
    shared = set(tables[0]).intersection(*tables[1:])
    return from_terms({m: least for m in shared if (least := min(t[m] for t in tables)) > 0})



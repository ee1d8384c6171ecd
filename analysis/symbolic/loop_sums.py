"""Sums and maxima over the iterations of a loop, in closed form where there is one (triangular nests: exactly)."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb
from typing import Literal

from snapset.analysis.symbolic.atoms import Clamp, Counter, Monomial, Over, counters_of
from snapset.analysis.symbolic.extrema import clamp, maximum, runs
from snapset.analysis.symbolic.polynomials import (
    ONE,
    ZERO,
    Number,
    Quantity,
    add,
    from_terms,
    number,
    of,
    product,
)


def over(op: Literal["sum", "max"], counter: Counter, count: Quantity, body: Quantity) -> Quantity:
    return total(counter, count, body) if op == "sum" else largest(counter, count, body)


def summed(quantity: Quantity, over_: str, count: Quantity) -> Quantity:
    """The sum for a name = 0 .. count - 1."""
    from snapset.analysis.symbolic.substitution import replaced_names

    counter = Counter(over_, over_)
    return total(counter, clamp(count), replaced_names(quantity, {over_: of(counter)}))


def depends(quantity: Quantity, counter: Counter) -> bool:
    """Does the counter stand in it, also inside atoms?"""
    return any(counter in counters_of(monomial) for monomial in quantity.terms)


def at(quantity: Quantity, counter: Counter, value: Quantity) -> Quantity:
    """The quantity with the counter given a value."""
    if not depends(quantity, counter):
        return quantity
    from snapset.analysis.symbolic.substitution import with_counter

    return with_counter(quantity, counter, value)


# ---------------------------------------------------------------- sums


def total(counter: Counter, count: Quantity, body: Quantity) -> Quantity:
    """The sum of ``body`` over counter = 0 .. count - 1, ``count`` being certainly >= 0."""
    moving = {m: a for m, a in body.terms.items() if counter in counters_of(m)}
    if not moving:
        return body * count
    steady = from_terms({m: a for m, a in body.terms.items() if m not in moving})
    return add(steady * count, *(_sum_of_term(counter, count, m, a) for m, a in moving.items()))


def _sum_of_term(counter: Counter, count: Quantity, monomial: Monomial, factor: Number) -> Quantity:
    free = [(a, p) for a, p in monomial if counter not in a.counters]
    bound = [(a, p) for a, p in monomial if counter in a.counters]
    outside = product(of(a) for a, p in free for _ in range(p)).scaled(factor)
    inside = product(of(a) for a, p in bound for _ in range(p))
    if all(a == counter for a, _ in bound):
        ((_, power),) = bound
        return outside * power_sum(power, count)
    clamps = [a for a, _ in bound if isinstance(a, Clamp)]
    if len(clamps) == 1 and all(a == counter or a in clamps for a, _ in bound):
        opened = _opened(counter, count, clamps[0], inside)
        if opened is not None:
            return outside * opened
    return outside * of(Over("sum", counter, count, inside))


def _opened(counter: Counter, count: Quantity, atom: Clamp, inside: Quantity) -> Quantity | None:
    """The sum with the clamp taken off, over the iterations where what it clamps is not negative."""
    slope = _slope(atom.of, counter)
    if slope is None:
        return None
    start = atom.of - of(counter).scaled(slope)
    plain = unclamped(inside, atom)
    if slope > 0:
        if start.never_negative:
            return total(counter, count, plain)
        first = start.constant
        if first is None or slope != 1:
            return None
        moved = at(plain, counter, of(counter) + number(-first))
        return total(counter, clamp(count + number(first)), moved)
    last = start + (unclamped(count) - ONE).scaled(slope)  # in the last iteration, the loop running
    missing = last.constant
    if last.never_negative:
        return total(counter, count, plain)
    if missing is None or slope != -1:
        return None
    return total(counter, clamp(count + number(missing)), plain)


def unclamped(quantity: Quantity, only: Clamp | None = None) -> Quantity:
    """A count as what it is where it is not zero, its clamps taken off; ``only`` this one."""
    return add(*(product((atom.of if isinstance(atom, Clamp) and only in (None, atom) else of(atom))
                         for atom, power in monomial for _ in range(power)).scaled(factor)
                 for monomial, factor in quantity.terms.items()))


def _slope(quantity: Quantity, counter: Counter) -> Number | None:
    """The factor of the counter where the quantity is linear in it."""
    slope: Number = 0
    for monomial, factor in quantity.terms.items():
        if monomial == frozenset(((counter, 1),)):
            slope = factor
        elif counter in counters_of(monomial):
            return None
    return slope or None


def power_sum(power: int, count: Quantity) -> Quantity:
    """0**p + 1**p + ... + (count - 1)**p as a polynomial in count (Faulhaber)."""
    powers = [ONE]
    for _ in range(power + 1):
        powers.append(powers[-1] * count)
    return add(*(powers[k].scaled(c) for k, c in _faulhaber(power)))


def _faulhaber(power: int) -> list[tuple[int, Number]]:
    found = []
    for j in range(power + 1):
        c = Fraction(comb(power + 1, j), power + 1) * _bernoulli(j)
        if c:
            found.append((power + 1 - j, c.numerator if c.denominator == 1 else c))
    return found


@cache
def _bernoulli(index: int) -> Fraction:
    if index == 0:
        return Fraction(1)
    return -sum((comb(index + 1, k) * _bernoulli(k) for k in range(index)), Fraction(0)) / (index + 1)


# ---------------------------------------------------------------- maxima


def largest(counter: Counter, count: Quantity, body: Quantity) -> Quantity:
    """The maximum of ``body`` (>= 0) over counter = 0 .. count - 1; 0 where the loop does not run."""
    running = runs(count)
    if not body.terms or not running.terms:
        return ZERO
    if not depends(body, counter):
        return running * body
    if all(a == counter or counter not in a.counters for m in body.terms for a, _ in m):
        last = at(body, counter, count - ONE)
        step = at(body, counter, of(counter) + ONE) - body
        if step.never_negative:
            return running * last
        if (-step).never_negative:
            return running * at(body, counter, ZERO)
        if (at(step, counter, of(counter) + ONE) - step).never_negative:  # convex: one of the ends
            return running * maximum((at(body, counter, ZERO), last))
    return of(Over("max", counter, count, body))

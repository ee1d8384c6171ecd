"""Sums and maxima over the iterations of a loop, in closed form where there is one (triangular nests: exactly)."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb
from typing import Literal

from snapset.analysis.symbolic.polynomials import (
    ONE,
    ZERO,
    Atom,
    Clamp,
    Counter,
    Extreme,
    Formula,
    Monomial,
    Number,
    Over,
    Quotient,
    Sym,
    add,
    clamp,
    maximum,
    not_negative,
    number,
    of,
    product,
    runs,
    substitute,
)


def over(op: Literal["sum", "max"], counter: Counter, count: Formula, body: Formula) -> Formula:
    return total(counter, count, body) if op == "sum" else largest(counter, count, body)


def depends(formula: Formula, counter: Counter) -> bool:
    """Does the counter stand in it, also inside atoms?"""
    return any(_mentions(atom, counter) for monomial, _ in formula.terms for atom, _ in monomial)


def _mentions(atom: Atom, counter: Counter) -> bool:
    match atom:
        case Counter():
            return atom == counter
        case Sym():
            return False
        case Extreme(of=those):
            return any(depends(x, counter) for x in those)
        case Quotient(top=top, bottom=bottom):
            return depends(top, counter) or depends(bottom, counter)
        case Over(count=count, body=body):
            return depends(count, counter) or depends(body, counter)
        case _:
            return depends(atom.of, counter)


def at(formula: Formula, counter: Counter, value: Formula) -> Formula:
    """The formula with the counter given a value."""
    if not depends(formula, counter):
        return formula
    return substitute(formula, lambda atom: value if atom == counter else None)


# ---------------------------------------------------------------- sums


def total(counter: Counter, count: Formula, body: Formula) -> Formula:
    """The sum of ``body`` over counter = 0 .. count - 1, ``count`` being certainly >= 0."""
    return add(*(_sum_of_term(counter, count, monomial, factor) for monomial, factor in body.terms))


def _sum_of_term(counter: Counter, count: Formula, monomial: Monomial, factor: Number) -> Formula:
    free = [(a, p) for a, p in monomial if not _mentions(a, counter)]
    bound = [(a, p) for a, p in monomial if _mentions(a, counter)]
    outside = product(of(a) for a, p in free for _ in range(p)).scaled(factor)
    if not bound:
        return outside * count
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


def _opened(counter: Counter, count: Formula, atom: Clamp, inside: Formula) -> Formula | None:
    """The sum with the clamp taken off, over the iterations where what it clamps is not negative."""
    slope = _slope(atom.of, counter)
    if slope is None:
        return None
    start = atom.of - of(counter).scaled(slope)
    plain = substitute(inside, lambda a: atom.of if a == atom else None)
    if slope > 0:
        if not_negative(start):
            return total(counter, count, plain)
        first = start.constant
        if first is None or slope != 1:
            return None
        moved = at(plain, counter, of(counter) + number(-first))
        return total(counter, clamp(count + number(first)), moved)
    last = start + (_running(count) - ONE).scaled(slope)  # in the last iteration, the loop running
    missing = last.constant
    if not_negative(last):
        return total(counter, count, plain)
    if missing is None or slope != -1:
        return None
    return total(counter, clamp(count + number(missing)), plain)


def _running(count: Formula) -> Formula:
    """What a count is when it is not zero."""
    return substitute(count, lambda a: a.of if isinstance(a, Clamp) else None)


def _slope(formula: Formula, counter: Counter) -> Number | None:
    """The factor of the counter where the formula is linear in it."""
    slope: Number = 0
    for monomial, factor in formula.terms:
        if monomial == frozenset(((counter, 1),)):
            slope = factor
        elif any(_mentions(a, counter) for a, _ in monomial):
            return None
    return slope or None


def power_sum(power: int, count: Formula) -> Formula:
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


def largest(counter: Counter, count: Formula, body: Formula) -> Formula:
    """The maximum of ``body`` (>= 0) over counter = 0 .. count - 1; 0 where the loop does not run."""
    running = runs(count)
    if not body.terms or not running.terms:
        return ZERO
    if not depends(body, counter):
        return running * body
    if all(a == counter or not _mentions(a, counter) for m, _ in body.terms for a, _ in m):
        last = at(body, counter, count - ONE)
        step = at(body, counter, of(counter) + ONE) - body
        if not_negative(step):
            return running * last
        if not_negative(ZERO - step):
            return running * at(body, counter, ZERO)
        if not_negative(at(step, counter, of(counter) + ONE) - step):  # convex: one of the ends
            return running * maximum((at(body, counter, ZERO), last))
    return of(Over("max", counter, count, body))

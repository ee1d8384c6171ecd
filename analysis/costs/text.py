"""Formulas as text and as numbers.

Text counts loops that run and arrays that are not empty (``8*n`` for a loop to n, ``8*nsteps*(n - 2)``);
:func:`value` is exact for all numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import gcd, lcm

from snapset.analysis.costs.formula import (
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
    Runs,
    Sym,
    add,
    extreme,
    number,
    of,
    substitute,
    truncated,
)


def value(formula: Formula, given: Callable[[Sym], int | None]) -> int | None:
    """The number a formula has for the names' values; None where one is not known."""
    found = _value(formula, given, {})
    return None if found is None else int(found)


def _value(formula: Formula, given: Callable[[Sym], int | None], counters: dict[Counter, int]) -> Number | None:
    total: Number = 0
    for monomial, factor in formula.terms:
        term: Number = factor
        for atom, power in monomial:
            one = _atom_value(atom, given, counters)
            if one is None:
                return None
            term *= one**power
        total += term
    return total


def _atom_value(atom: Atom, given: Callable[[Sym], int | None], counters: dict[Counter, int]) -> Number | None:
    match atom:
        case Sym():
            return given(atom)
        case Counter():
            return counters[atom]
        case Clamp(of=inner) | Runs(of=inner):
            x = _value(inner, given, counters)
            if x is None:
                return None
            return max(0, x) if isinstance(atom, Clamp) else int(x > 0)
        case Quotient(top=top, bottom=bottom):
            a, b = _value(top, given, counters), _value(bottom, given, counters)
            return None if a is None or not b else truncated(int(a), int(b))
        case Extreme(op=op, of=those):
            values = [_value(x, given, counters) for x in those]
            known = [v for v in values if v is not None]
            return (max if op == "max" else min)(known) if len(known) == len(values) else None
        case Over():
            return _over_value(atom, given, counters)


def _over_value(atom: Over, given: Callable[[Sym], int | None], counters: dict[Counter, int]) -> Number | None:
    count = _value(atom.count, given, counters)
    if count is None:
        return None
    values: list[Number] = []
    for k in range(int(count)):
        one = _value(atom.body, given, {**counters, atom.counter: k})
        if one is None:
            return None
        values.append(one)
    return sum(values) if atom.op == "sum" else max(values, default=0)


# ---------------------------------------------------------------- text


def ordinary(formula: Formula) -> Formula:
    """What the formula is when every loop runs and no array is empty: clamps off."""

    def change(atom: Atom) -> Formula | None:
        match atom:
            case Clamp(of=inner):
                return substitute(inner, change)
            case Runs():
                return ONE
            case Extreme(op="max", of=those):
                return largest_of([substitute(one, change) for one in those])
            case _:
                return None

    return substitute(formula, change)


def largest_of(formulas: list[Formula]) -> Formula:
    """The maximum when every name stands for 1 or more."""
    distinct = list(dict.fromkeys(formulas))
    kept = [one for i, one in enumerate(distinct)
            if not any(never_below(other, one) and (j < i or not never_below(one, other))
                       for j, other in enumerate(distinct) if j != i)]
    return extreme("max", kept)


def never_below(high: Formula, low: Formula) -> bool:
    """high >= low for all names that are 1 or more? (False: not known.)"""
    shifted = substitute(high - low, lambda a: of(a) + ONE if isinstance(a, Sym) else None)
    return all(factor > 0 for _, factor in shifted.terms)


def text(formula: Formula) -> str:
    """``8*n``, ``8*nsteps*(n - 2)``, ``max(8*n, 16*m) + 4``."""
    return _sum(ordinary(formula))


def _sum(formula: Formula) -> str:
    if not formula.terms:
        return "0"
    plain = _terms(formula)
    shared, scale, below = _factor(formula)
    if len(formula.terms) > 1 and (shared or scale != 1 or below != 1):
        rest = Formula(frozenset((m - shared if shared <= m else _without(m, shared), _divided(a, scale, below))
                                 for m, a in formula.terms))
        head = _product(shared, scale)
        factored = f"{head}*({_terms(rest)})" if head != "1" else f"({_terms(rest)})"
        factored += "" if below == 1 else f"/{below}"
        return min(plain, factored, key=len) if below == 1 else factored
    return plain


def _factor(formula: Formula) -> tuple[Monomial, int, int]:
    """What all terms share: atoms, the greatest common factor, the common denominator."""
    below = lcm(*(Fraction(a).denominator for _, a in formula.terms))
    scale = gcd(*(int(a * below) for _, a in formula.terms))
    common = gcd(scale, below)
    tables = [dict(m) for m, _ in formula.terms]
    shared: dict[Atom, int] = {a: min(t[a] for t in tables) for a in tables[0] if all(a in t for t in tables)}
    return frozenset(shared.items()), scale // common, below // common


def _divided(a: Number, scale: int, below: int) -> Number:
    found = Fraction(a) * below / scale
    return found.numerator if found.denominator == 1 else found


def _without(monomial: Monomial, shared: Monomial) -> Monomial:
    powers = dict(monomial)
    for atom, power in shared:
        powers[atom] -= power
    return frozenset((a, p) for a, p in powers.items() if p)


def _terms(formula: Formula) -> str:
    """By falling degree, then by name; the first positive one leads."""
    ordered = sorted(formula.terms, key=lambda t: (-sum(p for _, p in t[0]), _product(t[0], 1)))
    ordered.sort(key=lambda t: t[1] < 0 and bool(ordered) and ordered[0] is t)
    out = ""
    for monomial, factor in ordered:
        piece = _product(monomial, abs(factor))
        out += (" - " if factor < 0 else " + ") + piece if out else ("-" if factor < 0 else "") + piece
    return out


def _product(monomial: Monomial, factor: Number) -> str:
    pieces = sorted(_power(atom, power) for atom, power in monomial)
    if factor != 1 or not pieces:
        pieces.insert(0, str(factor) if isinstance(factor, int) else f"({factor})")
    return "*".join(pieces)


def _power(atom: Atom, power: int) -> str:
    return _atom(atom) if power == 1 else f"{_atom(atom)}**{power}"


def _atom(atom: Atom) -> str:
    match atom:
        case Sym(name=name) | Counter(name=name):
            return name
        case Quotient(top=top, bottom=bottom):
            return f"floor({_wrapped(top)}/{_wrapped(bottom)})"
        case Extreme(op=op, of=those):
            return f"{op}({', '.join(sorted(map(_sum, those), key=lambda t: (len(t), t)))})"
        case Over(op=op, counter=counter, count=count, body=body):
            return f"{op}({_sum(body)}, {counter.name}=0..{_sum(count - ONE)})"
        case Clamp(of=inner) | Runs(of=inner):
            return f"({_sum(inner)})"


def _wrapped(formula: Formula) -> str:
    found = _sum(formula)
    return f"({found})" if len(formula.terms) > 1 else found


def known(formula: Formula, given: Callable[[Sym], int | None]) -> Formula:
    """The formula with the names that have a value replaced by it."""

    def change(atom: Atom) -> Formula | None:
        if isinstance(atom, Sym):
            number_ = given(atom)
            return None if number_ is None else number(number_)
        return None

    return substitute(formula, change)


def sum_of(formulas: Iterable[Formula | None]) -> Formula | None:
    """The sum; None as soon as one is not known."""
    found = list(formulas)
    return None if any(f is None for f in found) else add(ZERO, *(f for f in found if f is not None))

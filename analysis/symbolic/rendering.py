"""Formulas as text and as numbers.

Text counts loops that run and arrays that are not empty (``8*n`` for a loop to n, ``8*nsteps*(n - 2)``);
:func:`value` is exact for all numbers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm

from snapset.analysis.symbolic.polynomials import (
    ONE,
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
    Substitution,
    Sym,
    extreme,
    number,
    substitute,
    truncated,
)


def value(formula: Formula, given: Callable[[Sym], int | None], first: bool = False) -> int | None:
    """The number a formula has for the names' values; None where one is not known.

    ``first``: of what depends on the iteration of loops around it, in the first one.
    """
    found = _value(formula, given, defaultdict(int) if first else {})
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
        one = _value(atom.body, given, counters | {atom.counter: k})
        if one is None:
            return None
        values.append(one)
    return sum(values) if atom.op == "sum" else max(values, default=0)


# ---------------------------------------------------------------- text


@dataclass(frozen=True, slots=True)
class RenderingMemo:
    """What was worked out for earlier formulas, by atom: without clamps, and as text."""

    plain: dict[Atom, Formula] = field(default_factory=dict)
    texts: dict[Atom, str] = field(default_factory=dict)


def ordinary(formula: Formula, memory: RenderingMemo | None = None) -> Formula:
    """What the formula is when every loop runs and no array is empty: clamps off."""

    def change(atom: Atom) -> Formula | None:
        match atom:
            case Clamp(of=inner):
                return plain.formula(inner)
            case Runs():
                return ONE
            case Extreme(op="max", of=those):
                return largest_of([plain.formula(one) for one in those])
            case _:
                return None

    plain = Substitution(change, {} if memory is None else memory.plain)
    return plain.formula(formula)


def largest_of(formulas: list[Formula]) -> Formula:
    """The maximum when every name stands for 1 or more."""
    distinct = list(dict.fromkeys(formulas))
    if len(distinct) > 1:
        distinct.sort(key=_order_of)  # which of two equals is kept must be the same in every run
    kept = [one for i, one in enumerate(distinct)
            if not any(never_below(other, one) and (j < i or not never_below(one, other))
                       for j, other in enumerate(distinct) if j != i)]
    return extreme("max", kept)


def never_below(high: Formula, low: Formula) -> bool:
    """high >= low for all names that are 1 or more? (False: not known.)

    Each term of ``low`` must find its factor in terms of ``high`` that are multiples of it.
    """
    difference = high - low
    if sum(factor for _, factor in difference.terms) < 0:
        return False
    room = {monomial: factor for monomial, factor in difference.terms if factor > 0}
    wanting = {monomial: -factor for monomial, factor in difference.terms if factor < 0}
    multiples = {monomial: [m for m in room if _divides(monomial, m)] for monomial in wanting}
    order: Iterable[Monomial] = wanting
    if any(len(found) > 1 for found in multiples.values()):  # who takes from whom must be the same in every run
        order = sorted(wanting, key=_rank)
        for found in multiples.values():
            found.sort(key=_rank)
    for monomial in order:
        missing = wanting[monomial]
        for larger in multiples[monomial]:
            taken = min(missing, room[larger])
            room[larger] -= taken
            missing -= taken
            if not missing:
                break
        if missing:
            return False
    return True


def _order_of(formula: Formula) -> list[tuple[str, Number]]:
    """Formulas in an order that no run changes."""
    return sorted((_rank(monomial), factor) for monomial, factor in formula.terms)


def _rank(monomial: Monomial) -> str:
    """Monomials in an order that no run changes."""
    return "*".join(sorted(f"{_atom_rank(atom)}^{power}" for atom, power in monomial))


@lru_cache(maxsize=1 << 14)
def _atom_rank(atom: Atom) -> str:
    match atom:
        case Sym(name=name, area=area, path=path, what=what):
            return f"{name}|{what}|{area}|{path}"
        case Counter(name=name, loop=loop):
            return f"{name}@{loop}"
        case Clamp(of=inner) | Runs(of=inner):
            return f"{type(atom).__name__}{_order_of(inner)}"
        case Quotient(top=top, bottom=bottom):
            return f"{_order_of(top)}/{_order_of(bottom)}"
        case Extreme(op=op, of=those):
            return f"{op}{sorted(map(_order_of, those))}"
        case Over(op=op, counter=counter, count=count, body=body):
            return f"{op}{_atom_rank(counter)}{_order_of(count)}{_order_of(body)}"


def _divides(small: Monomial, large: Monomial) -> bool:
    if small <= large:
        return True
    if len(small) > len(large) or all(power == 1 for _, power in large):
        return False
    powers = dict(large)
    return all(powers.get(atom, 0) >= power for atom, power in small)


def text(formula: Formula, memory: RenderingMemo | None = None) -> str:
    """``8*n``, ``8*nsteps*(n - 2)``, ``max(8*n, 16*m) + 4``."""
    return _Writer({} if memory is None else memory.texts).sum(ordinary(formula, memory))


@dataclass(frozen=True, slots=True)
class _Writer:
    """``known``: the texts of atoms already written."""

    known: dict[Atom, str]

    def sum(self, formula: Formula) -> str:
        if not formula.terms:
            return "0"
        if len(formula.terms) == 1:
            return self.terms(formula)
        shared, scale, below = factor_of(formula)
        if not shared and scale == below == 1:
            return self.terms(formula)
        rest = over_factor(formula, (shared, scale, below))
        head = self.product(shared, scale)
        factored = f"{head}*({self.terms(rest)})" if head != "1" else f"({self.terms(rest)})"
        return f"{factored}/{below}" if below != 1 else min(self.terms(formula), factored, key=len)

    def terms(self, formula: Formula) -> str:
        """By falling degree, then by name; a positive one leads."""
        ordered = sorted(self.term(*term) for term in formula.terms)
        first = next((i for i, one in enumerate(ordered) if not one[3]), 0)
        ordered.insert(0, ordered.pop(first))
        out = ""
        for _, _, piece, negative in ordered:
            out += (" - " if negative else " + ") + piece if out else ("-" if negative else "") + piece
        return out

    def term(self, monomial: Monomial, factor: Number) -> tuple[int, str, str, bool]:
        """What it is sorted by, its text without sign, and whether it is negative."""
        size = -factor if factor < 0 else factor
        return -sum(p for _, p in monomial), self.product(monomial, 1), self.product(monomial, size), factor < 0

    def product(self, monomial: Monomial, factor: Number) -> str:
        pieces = sorted((self.power(atom, power) for atom, power in monomial), key=lambda t: ("(" in t, t))
        if factor != 1 or not pieces:
            pieces.insert(0, str(factor) if isinstance(factor, int) else f"({factor})")
        return "*".join(pieces)

    def power(self, atom: Atom, power: int) -> str:
        if atom not in self.known:
            self.known[atom] = self.atom(atom)
        return self.known[atom] if power == 1 else f"{self.known[atom]}**{power}"

    def atom(self, atom: Atom) -> str:
        match atom:
            case Sym(name=name) | Counter(name=name):
                return name
            case Quotient(top=top, bottom=bottom):
                return f"floor({self.wrapped(top)}/{self.wrapped(bottom)})"
            case Extreme(op=op, of=those):
                return f"{op}({', '.join(sorted(map(self.sum, those), key=lambda t: (len(t), t)))})"
            case Over(op=op, counter=counter, count=count, body=body):
                return f"{op}({self.sum(body)}, {counter.name}=0..{self.sum(count - ONE)})"
            case Clamp(of=inner) | Runs(of=inner):
                return f"({self.sum(inner)})"

    def wrapped(self, formula: Formula) -> str:
        found = self.sum(formula)
        return f"({found})" if len(formula.terms) > 1 else found


def factor_of(formula: Formula) -> tuple[Monomial, int, int]:
    """What all terms share: atoms, the greatest common factor, the common denominator."""
    below = lcm(*(a.denominator for _, a in formula.terms))
    scale = gcd(*(int(a * below) for _, a in formula.terms))
    common = gcd(scale, below)
    tables = [dict(m) for m, _ in formula.terms]
    shared: dict[Atom, int] = {a: min(t[a] for t in tables) for a in tables[0] if all(a in t for t in tables)}
    return frozenset(shared.items()), scale // common, below // common


def over_factor(formula: Formula, factor: tuple[Monomial, int, int]) -> Formula:
    """A formula divided by what its terms share."""
    shared, scale, below = factor
    return Formula(frozenset((_without(m, shared), _divided(a, scale, below)) for m, a in formula.terms))


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


def known(formula: Formula, given: Callable[[Sym], int | None]) -> Formula:
    """The formula with the names that have a value replaced by it."""

    def change(atom: Atom) -> Formula | None:
        if isinstance(atom, Sym):
            number_ = given(atom)
            return None if number_ is None else number(number_)
        return None

    return substitute(formula, change)

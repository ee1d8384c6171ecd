"""Quantities as text, the way reports write them.

Text counts loops that run and arrays that are not empty (``8*n`` for a loop to n, ``8*nsteps*(n - 2)``);
:func:`~snapset.analysis.symbolic.numeric_value.value` is exact for all numbers. What is shared is named, ``P1``, and
written once, behind: ``2*P1 + 8*n; P1 = ...``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field
from fractions import Fraction
from math import gcd, lcm
from typing import Final

from snapset.analysis.symbolic.atoms import (
    Atom,
    Clamp,
    Counter,
    Extreme,
    Monomial,
    Over,
    Power,
    Quotient,
    Runs,
    SharedPart,
    Sym,
)
from snapset.analysis.symbolic.extrema import HEAVY
from snapset.analysis.symbolic.ordinary import Ordinary
from snapset.analysis.symbolic.polynomials import ONE, Number, Quantity, add, from_terms
from snapset.frontend.base.deep_recursion import deep
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.lazy_patterns import pattern_of

LONGEST: Final = 1 << 14
"""Characters of a text behind which no shared part is written any more."""
_PART: Final = pattern_of("\x01[0-9a-f]+\x01")


@frozen
class RenderingMemo:
    """What was worked out for earlier quantities: atoms without clamps, these and products of them as text, shared
    parts, what these are."""

    plain: Ordinary = field(default_factory=Ordinary)
    texts: dict[Atom, str] = field(default_factory=dict)
    products: dict[Monomial, str] = field(default_factory=dict)
    parts: dict[str, Quantity] = field(default_factory=dict)
    definitions: dict[str, str] = field(default_factory=dict)


def text(quantity: Quantity, memo: RenderingMemo | None = None) -> str:
    """``8*n``, ``8*nsteps*(n - 2)``, ``max(8*n, 16*m) + 4``."""
    memo = memo or RenderingMemo()
    writer = _Writer(memo)
    found = writer.sum(memo.plain.quantity(quantity))
    return _named(found, writer) if "\x01" in found else found


def _named(written: str, writer: _Writer) -> str:
    """A text with its shared parts by name, in the order they are met, and behind it what they are."""
    names: dict[str, str] = {}

    def name(part: re.Match[str]) -> str:
        return names.setdefault(part[0], f"P{len(names) + 1}")

    out, written_of = _PART.sub(name, written), 0
    while written_of < len(names):
        part = list(names)[written_of]
        written_of += 1
        if len(out) > LONGEST:
            return f"{out}; P{written_of} and what follows is left out"
        out += f"; P{written_of} = {_PART.sub(name, writer.definition(part))}"
    return out


@frozen
class _Writer:
    """``memo.texts``: of atoms already written. A shared part stands as its mark, and gets its name last."""

    memo: RenderingMemo

    def sum(self, quantity: Quantity) -> str:
        if not quantity.terms:
            return "0"
        if len(quantity.terms) == 1:
            return self.terms(quantity)
        shared, scale, below = factor_of(list(quantity.terms.items()))
        if not shared and scale == below == 1:
            return self.terms(quantity)
        rest = over_factor(quantity, (shared, scale, below))
        head = self.product(shared, scale)
        factored = f"{head}*({self.terms(rest)})" if head != "1" else f"({self.terms(rest)})"
        return f"{factored}/{below}" if below != 1 else min(self.terms(quantity), factored, key=len)

    def terms(self, quantity: Quantity) -> str:
        """By falling degree, then by name; a positive one leads."""
        ordered = sorted(self.term(*term) for term in quantity.terms.items())
        first = next((i for i, one in enumerate(ordered) if not one[3]), 0)
        ordered.insert(0, ordered.pop(first))
        out = ""
        for _, _, piece, negative in ordered:
            out += (" - " if negative else " + ") + piece if out else ("-" if negative else "") + piece
        return out

    def term(self, monomial: Monomial, factor: Number) -> tuple[int, str, str, bool]:
        """What it is sorted by, its text without sign, and whether it is negative."""
        size = -factor if factor < 0 else factor
        plain = self.memo.products.get(monomial)
        if plain is None:
            plain = self.memo.products[monomial] = self.product(monomial, 1)
        whole = plain if size == 1 else f"{_number(size)}*{plain}" if monomial else _number(size)
        return -sum([power for _, power in monomial]), plain, whole, factor < 0

    def product(self, monomial: Monomial, factor: Number) -> str:
        pieces = sorted((self.power(atom, power) for atom, power in monomial), key=lambda t: ("(" in t, t))
        if factor != 1 or not pieces:
            pieces.insert(0, _number(factor))
        return "*".join(pieces)

    def power(self, atom: Atom, power: int) -> str:
        known = self.memo.texts.get(atom)
        if known is None:
            known = self.memo.texts[atom] = self.atom(atom)
        if power == 1:
            return known
        return f"({known})**{power}" if isinstance(atom, Power) else f"{known}**{power}"

    @deep
    def atom(self, atom: Atom) -> str:
        match atom:
            case Sym(name=name) | Counter(name=name):
                return name
            case Quotient(top=top, bottom=bottom):
                return f"floor({self.wrapped(top)}/{self.wrapped(bottom)})"
            case Extreme(op=op, of=those):
                texts = sorted(map(self.sum, those), key=lambda t: (len(t), t))
                opposite = op == "max" and len(those) == 2 and not add(*those).terms
                return f"abs({texts[0]})" if opposite else f"{op}({', '.join(texts)})"
            case Power(base=base, exponent=exponent):
                return f"{self.wrapped(base)}**{self.wrapped(exponent)}"
            case Over(op=op, counter=counter, count=count, body=body):
                return f"{op}({self.sum(body)}, {counter.name}=0..{self.sum(count - ONE)})"
            case Clamp(of=inner) | Runs(of=inner):
                return f"({self.sum(inner)})"
            case SharedPart():
                return self.shared(atom)
            case _:
                raise AssertionError(atom)

    def shared(self, atom: SharedPart) -> str:
        """``P1``, or ``P1(n=m - 2)`` where a name in it stands for something else."""
        mark = f"{atom.body.mark:x}"
        while self.memo.parts.setdefault(part := f"\x01{mark}\x01", atom.body).names != atom.body.names:
            mark += "0"  # equal, and written with other names
        given = sorted(f"{name.name}={self.sum(value)}" for name, value in atom.given)
        return f"{part}({', '.join(given)})" if given else part

    def definition(self, part: str) -> str:
        """What a shared part is."""
        if part not in self.memo.definitions:
            body = self.memo.parts[part]
            self.memo.definitions[part] = (
                self.sum(body) if body.weight <= HEAVY else f"a sum of {len(body.terms):,} terms")
        return self.memo.definitions[part]

    def wrapped(self, quantity: Quantity) -> str:
        found = self.sum(quantity)
        return f"({found})" if len(quantity.terms) > 1 else found


# ---------------------------------------------------------------- what all terms share

Factor = tuple[Monomial, int, int]


def _number(value: Number) -> str:
    """A number as a factor: a fraction in parentheses."""
    return str(value) if isinstance(value, int) else f"({value})"


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

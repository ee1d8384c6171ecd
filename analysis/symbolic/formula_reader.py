"""Quantities read back from their text, to be compared by value: ``8*nt*(3*n - 1)`` is ``24*n*nt - 8*nt``.

What is read is what :func:`snapset.analysis.symbolic.rendering.text` writes. It counts loops that run and
arrays that are not empty, so that every name stands for 1 or more. A text is held as the alternatives of one maximum,
each a sum of products: ``8*max(n, m) + 4`` as 8*n + 4 and 8*m + 4.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeAlias

from snapset.analysis.symbolic.atoms import Counter, Power, Quotient, Sym
from snapset.analysis.symbolic.comparison import never_below
from snapset.analysis.symbolic.extrema import extreme
from snapset.analysis.symbolic.loop_sums import over
from snapset.analysis.symbolic.polynomials import ONE, ZERO, Number, Quantity, number, of
from snapset.analysis.symbolic.substitution import substitute
from snapset.frontend.base.lazy_patterns import pattern_of

Alternatives: TypeAlias = tuple[Quantity, ...]
_LONGEST = 20_000  # characters, more are compared as text
_DEEPEST = 60
_MOST = 64  # alternatives, and terms of a product
_MOST_TERMS = 4_000
_DIGITS = 40  # of a number in the text
_BITS = 2_000  # of a coefficient: powers of powers of 9 have more than fit into memory
_DEGREE = 2_000
_TOKEN = pattern_of(r"\s*(\d+|\*\*|\.\.|[-+*(),=]|/[a-z_]\w*/[a-z_]\w*(?:%\w+)*|/|[a-z_]\w*(?:(?:::|%)[a-z_]\w*)*)",
                    re.IGNORECASE)  # fmt: skip
_FUNCTIONS = frozenset(("max", "min", "floor", "abs", "sum"))


class _UnreadableError(Exception):
    """The text is none of ours, or too large to be worth it."""


def alternatives_of(text: str) -> Alternatives | None:
    """The formula; None where it cannot be read."""
    if len(text) > _LONGEST:
        return None
    try:
        reader = _Reader(text)
        found = reader.sum(0)
        return found if reader.at_end() else None
    except _UnreadableError:
        return None


def read(text: str) -> Quantity:
    """The quantity that a text is. Raises ValueError for what is none, or too long."""
    found = alternatives_of(text)
    if found is None:
        raise ValueError(f"{text[:60]}: no formula that snapset writes")
    return _only(found)


def equal(one: str, other: str) -> bool:
    """Are two texts certainly the same for all names of 1 and more? (False: not known.)"""
    return one == other or (certainly_at_most(one, other) and certainly_at_most(other, one))


def certainly_at_most(one: str, other: str) -> bool:
    """Is the first text's formula never above the second's? (False: not known.)"""
    low, high = alternatives_of(one), alternatives_of(other)
    if low is None or high is None:
        return False
    return all(any(never_below(large, small) for large in high) for small in low)


class _Reader:
    """Recursive descent over one text, no deeper than ``_DEEPEST``."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0

    # ------------------------------------------------------------ tokens

    def peek(self) -> str:
        found = _TOKEN.match(self.text, self.place)
        return found[1] if found else ""

    def take(self, wanted: str = "") -> str:
        found = _TOKEN.match(self.text, self.place)
        if found is None or (wanted and found[1] != wanted):
            raise _UnreadableError
        self.place = found.end()
        return found[1]

    def at_end(self) -> bool:
        return not self.text[self.place:].strip()

    # ------------------------------------------------------------ grammar

    def sum(self, depth: int) -> Alternatives:
        if depth > _DEEPEST:
            raise _UnreadableError
        negative = self.peek() == "-"
        if negative:
            self.take()
        found = self.product(depth)
        found = _negated(found) if negative else found
        while self.peek() in ("+", "-"):
            sign = self.take()
            term = self.product(depth)
            found = _pairs(found, _negated(term) if sign == "-" else term, Quantity.__add__)
        return found

    def product(self, depth: int) -> Alternatives:
        found = self.factors(depth)
        while self.peek() == "/":
            self.take()
            below = _constant(self.factors(depth))
            found = tuple(one.scaled(Fraction(1) / below) for one in found)
        return found

    def factors(self, depth: int) -> Alternatives:
        found = self.power(depth)
        while self.peek() == "*":
            self.take()
            found = _times(found, self.power(depth))
        return found

    def power(self, depth: int) -> Alternatives:
        base = self.primary(depth)
        if self.peek() != "**":
            return base
        self.take()
        if not self.peek().isdecimal():
            return (of(Power(_only(base), _only(self.primary(depth)))),)
        found: Alternatives = (ONE,)
        for _ in range(_small(self.take())):
            found = _times(found, base)
        return found

    def primary(self, depth: int) -> Alternatives:
        token = self.take()
        if token.isdecimal() and len(token) <= _DIGITS:
            return (number(int(token)),)
        if token == "(":
            found = self.sum(depth + 1)
            self.take(")")
            return found
        if not (token[0].isalpha() or token[0] in "_/") or token == "/":
            raise _UnreadableError
        if self.text[self.place:self.place + 1] != "(":
            return (of(Sym(token.lower())),)
        return self.function(token, depth + 1) if token in _FUNCTIONS else (of(Sym(token.lower() + self.raw())),)

    def raw(self) -> str:
        """What stands in parentheses behind a name, as it is: ``(x, 1)`` of ``size(x, 1)``."""
        start, open_ = self.place, 0
        for at in range(start, len(self.text)):
            open_ += {"(": 1, ")": -1}.get(self.text[at], 0)
            if not open_:
                self.place = at + 1
                return "".join(self.text[start:at + 1].split()).lower()
        raise _UnreadableError

    def function(self, name: str, depth: int) -> Alternatives:
        self.take("(")
        if name == "floor":
            top = _only(self.factors(depth))
            self.take("/")
            bottom = _only(self.factors(depth))  # floor(n/2*m) is written for n/(2*m)
            self.take(")")
            return (of(Quotient(top, bottom)),)
        given = [self.sum(depth)]
        while self.peek() == ",":
            self.take()
            if re.match(r"\s*\w+=", self.text[self.place:]):
                return self.over(name, _only(given[0]), depth)
            given.append(self.sum(depth))
        self.take(")")
        if name == "abs":
            return (extreme("max", [_only(given[0]), _only(given[0]).scaled(-1)]),)
        if name == "max":
            return _kept([one for each in given for one in each])
        if name == "min":
            return (extreme("min", [_only(each) for each in given]),)
        raise _UnreadableError

    def over(self, name: str, body: Quantity, depth: int) -> Alternatives:
        """``sum(8*k, k=0..n - 1)``"""
        counter = self.take()
        for sign in ("=", "0", ".."):
            self.take(sign)
        last = _only(self.sum(depth))
        self.take(")")
        if name not in ("sum", "max"):
            raise _UnreadableError
        loop = Counter(counter, counter)
        inside = substitute(body, lambda atom: of(loop) if atom == Sym(counter) else None)
        return (over("sum" if name == "sum" else "max", loop, last + ONE, inside),)


# ---------------------------------------------------------------- arithmetic


def _only(found: Alternatives) -> Quantity:
    """One formula: a maximum that stands where its alternatives cannot be taken apart is an atom."""
    return found[0] if len(found) == 1 else extreme("max", list(found))


def _constant(found: Alternatives) -> Number:
    value = _only(found).constant
    if value is None or value <= 0:
        raise _UnreadableError
    return value


def _small(text: str) -> int:
    if not text.isdecimal() or len(text) > 2 or int(text) > 16:
        raise _UnreadableError
    return int(text)


def _negated(found: Alternatives) -> Alternatives:
    return (_only(found).scaled(-1),)


def _times(one: Alternatives, other: Alternatives) -> Alternatives:
    """A maximum times what is certainly not negative is the maximum of the products."""
    if len(one) > 1 and len(other) > 1:
        other = (_only(other),)
    factor, several = (one, other) if len(one) == 1 else (other, one)
    if not never_below(factor[0], ZERO):
        several = (_only(several),)
    return _pairs(factor, several, Quantity.__mul__)


def _pairs(one: Alternatives, other: Alternatives, make: Callable[[Quantity, Quantity], Quantity]) -> Alternatives:
    if make is Quantity.__mul__ and _terms(one) * _terms(other) > _MOST_TERMS:
        raise _UnreadableError
    if len(one) * len(other) > _MOST:
        one, other = (_only(one),), (_only(other),)
    return _kept([_bounded(make(left, right)) for left in one for right in other])


def _bounded(found: Quantity) -> Quantity:
    for monomial, factor in found.terms.items():
        if factor.numerator.bit_length() > _BITS or sum(power for _, power in monomial) > _DEGREE:
            raise _UnreadableError
    return found


def _terms(found: Alternatives) -> int:
    return max(len(one.terms) for one in found) or 1


def _kept(found: Sequence[Quantity]) -> Alternatives:
    """Without those that another one is never below."""
    kept: list[Quantity] = []
    for one in dict.fromkeys(found):
        if not any(never_below(other, one) for other in kept):
            kept = [other for other in kept if not never_below(one, other)]
            kept.append(one)
    return tuple(kept)

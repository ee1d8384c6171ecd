"""Set formulas in the paper's notation, read into sympy's logic over one location.

    Opt₃ = out(D̄) ∩ (use(C̄) ∪ Req) \\ out(C)      becomes      out_dbar & (use_cbar | req) & ~out_c

``∩`` and ``\\`` bind alike, from left to right, and tighter than ``∪``; relations are ``=``, ``⊆`` and ``⊇``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from unicodedata import normalize

from snapset.frontend.base.lazy_patterns import pattern_of
from sympy import Symbol
from sympy.logic.boolalg import And, Boolean, Equivalent, Implies, Not, Or, false

_TOKEN = pattern_of(r"\s*([A-Za-z_]+[₀-₉]*[⁺⁻]?′*(?:\([A-Z]\u0304?[₀-₉]*\))?|[∪∩\\()=⊆⊇∅])")
_PLAIN = str.maketrans("₀₁₂₃₄₅₆₇₈₉⁺⁻", "0123456789+-")
_JSON_NAME = pattern_of("([a-z]+)(?:_([a-z])(bar)?)?([0-9]*)(['′]*)")
_LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
BAR = "\u0304"
_RELATIONS: dict[str, Callable[[Boolean, Boolean], Boolean]] = {
    "=": Equivalent,
    "⊆": Implies,
    "⊇": lambda left, right: Implies(right, left),
}

Names = Callable[[str], Boolean]


def plain(name: str) -> str:
    """The name in JSON and Python: ``out(C̄₁)`` is ``out_cbar1``, ``Req_D`` is ``req_d``."""
    name = normalize("NFD", name).replace("\u0304", "bar")
    inner = re.fullmatch(r"([^(]+)\(([^)]+)\)", name)
    if inner is not None:
        name = f"{inner[1]}_{inner[2]}"
    return name.translate(_PLAIN).lower()


def symbol(name: str) -> Symbol:
    """What "the location is in this set" is in sympy."""
    return Symbol(plain(name))


def paper(name: str) -> str:
    """The other way: ``out_cbar1`` is ``out(C̄₁)``."""
    match = _JSON_NAME.fullmatch(name)
    if match is None:
        return name
    base, piece, bar, number, prime = match.groups("")
    number = number.translate(_LOWERED)
    if base in ("use", "out", "kill"):
        return f"{base}({piece.upper()}{BAR if bar else ''}{number}){prime}"
    return f"{base.capitalize()}{'_' + piece.upper() if piece else ''}{number}{prime}"


def shown(formula: Boolean) -> str:
    """A formula in disjunctive normal form, in the paper's notation."""
    if isinstance(formula, Or):
        return " ∪ ".join(sorted(f"({shown(one)})" for one in formula.args))
    args = formula.args if isinstance(formula, And) else (formula,)
    every = sorted(args, key=lambda one: (not str(one).startswith("req"), str(one)))
    inside = [paper(str(one)) for one in every if not isinstance(one, Not)]
    outside = [paper(str(one.args[0])) for one in every if isinstance(one, Not)]
    return " \\ ".join([" ∩ ".join(inside), *outside])


def read(text: str, names: Names = symbol) -> Boolean:
    """A formula, or a relation between two; ``names`` gives the meaning of each name.

    Raises:
        ValueError: the text is not in the notation.
    """
    reader = _Reader(tuple(_tokens(normalize("NFD", text))), names, text)
    left = reader.union()
    relation = reader.next()
    if relation is None:
        return left
    if relation not in _RELATIONS:
        raise ValueError(f"{relation!r} is out of place in {text!r}")
    found = _RELATIONS[relation](left, reader.union())
    if reader.next() is not None:
        raise ValueError(f"too much after the relation in {text!r}")
    return found


def _tokens(text: str) -> list[str]:
    found, place = [], 0
    while text[place:].strip():
        match = _TOKEN.match(text, place)
        if match is None:
            raise ValueError(f"cannot read {text[place:].strip()!r} in {text!r}")
        found.append(match[1])
        place = match.end()
    return found


@dataclass(slots=True)
class _Reader:
    """Recursive descent over the tokens; ``place`` is the next one."""

    tokens: tuple[str, ...]
    names: Names
    text: str
    place: int = 0

    def peek(self) -> str | None:
        return self.tokens[self.place] if self.place < len(self.tokens) else None

    def next(self) -> str | None:
        token = self.peek()
        self.place += 1
        return token

    def union(self) -> Boolean:
        found = self.term()
        while self.peek() == "∪":
            self.next()
            found = Or(found, self.term())
        return found

    def term(self) -> Boolean:
        found = self.one()
        while self.peek() in ("∩", "\\"):
            takes = self.next() == "\\"
            other = self.one()
            found = And(found, Not(other) if takes else other)
        return found

    def one(self) -> Boolean:
        token = self.next()
        if token == "∅":
            return false
        if token == "(":
            found = self.union()
            if self.next() != ")":
                raise ValueError(f"a parenthesis is not closed in {self.text!r}")
            return found
        if token is None or not token[0].isalpha():
            raise ValueError(f"a set is missing in {self.text!r}")
        return self.names(token)

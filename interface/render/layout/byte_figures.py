"""Bytes as numbers or as formulas in the program's own names.

A formula is written as one would in a paper: ``8*n``, ``8*m*n + 16``, ``8*nsteps*(n - 2)``, ``4*size(x)``.
It counts loops that run and arrays that are not empty; with numbers put in, an empty one counts zero.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import field

from snapset.analysis.results import Bytes
from snapset.analysis.symbolic.atoms import Sym, squeezed
from snapset.analysis.symbolic.numeric_value import Estimates
from snapset.analysis.symbolic.polynomials import add
from snapset.analysis.symbolic.rendering import RenderingMemo, text
from snapset.analysis.symbolic.substitution import defined, known
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.lazy_patterns import pattern_of

_ASSUMPTION = pattern_of(r"\s*([a-z]\w*(?:(?:%|::)[a-z]\w*)*(?:\([\w\s,%:/]*\))?)\s*=\s*(\d{1,400})\s*", re.IGNORECASE)


def parse_assumption(text: str) -> tuple[str, int]:
    """``n=1000`` or ``size(x)=50`` as (name, value).

    Raises InputError unless it is a name, an equals sign and a number that is not negative.
    """
    match = _ASSUMPTION.fullmatch(text)
    if match is None:
        raise InputError(f"--assume {text}: not NAME=NUMBER with a whole number, 0 or more; write for instance n=1000 "
                         "or 'size(x)=50'")
    return squeezed(match[1]), int(match[2])


def total(amounts: Iterable[Bytes | None]) -> Bytes | None:
    """The sum of figures; None as soon as one of them is not known."""
    every = list(amounts)
    known_ = [one for one in every if one is not None]
    return add(*known_) if len(known_) == len(every) else None


@frozen
class Figures:
    """Turns bytes into figures, with ``assume`` giving values to sizes and trip counts by name.

    ``used`` collects the assumed names that a formula did contain, ``contained`` all names in formulas, once there is
    something to assume.
    """

    assume: Mapping[str, int] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    contained: set[str] = field(default_factory=set)
    _known: dict[object, int | str | None] = field(default_factory=dict)
    _memo: RenderingMemo = field(default_factory=RenderingMemo)
    _estimates: dict[int, Estimates] = field(default_factory=dict)

    def __call__(self, amount: Bytes | None) -> int | str | None:
        """A number where everything is known, else a formula; None where the amount is not known."""
        if amount is None:
            return None
        if amount.key not in self._known:
            self._known[amount.key] = self._figure(amount)
        return self._known[amount.key]

    def known(self, amount: Bytes, figure: int | str | None) -> None:
        """Take a figure that was made before."""
        self._known[amount.key] = figure

    def estimated(self, amount: Bytes, typical: int) -> float:
        """A number to compare a figure by, with ``typical`` for each name without one."""
        if typical not in self._estimates:
            self._estimates[typical] = Estimates(typical, self.assume)
        return self._estimates[typical](amount)

    def again(self) -> Figures:
        """The same with nothing used yet; what was written of formulas is not lost."""
        return Figures(self.assume, _memo=self._memo, _estimates=self._estimates)

    def value(self, name: Sym) -> int | None:
        """The number assumed for a name."""
        key = squeezed(name.name)
        self.contained.add(key)
        if key in self.assume:
            self.used.add(key)
        return self.assume.get(key)

    def _figure(self, amount: Bytes) -> int | str | None:
        if self.assume:
            amount = known(amount, self.value)
            if not defined(amount):
                return None
        value = amount.constant
        return text(amount, self._memo) if value is None else int(value)

    def text(self, amount: Bytes | None) -> str:
        """The same for people: digits grouped, ``unknown`` spelt out."""
        figure = self(amount)
        if figure is None:
            return "unknown"
        return f"{figure:,}" if isinstance(figure, int) else figure

"""Does a declared section hold what is needed of an array? ``u(1:n)`` holds ``u(2:n-1)``, ``u(:, k)`` does not hold
``u(1:n, 1:m)``, and of ``u(:, k)`` and ``u(:, j)`` it is not known.

Both are texts: bounds are compared where their difference is a number. Steps count as "not known", unless both texts
are the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from snapset.analysis.symbolic.polynomials import Quantity
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.text_scan import closing, split_top

Cover: TypeAlias = Literal["yes", "no", "not known"]

_PART = pattern_of(r"(?:[a-z_]\w*::|/[a-z_]\w*/)?[a-z_]\w*(?:\[\]|=>)?", re.IGNORECASE)

_NAME = pattern_of(r"(?<![\w.])[a-z_]\w*", re.IGNORECASE)


@frozen
class Selection:
    """A variable, or some elements of it: ``c%p(1:n)`` is ``name`` c%p and ``dims`` (1:n); ``inner``: subscripts stand
    before the last name."""

    text: str
    name: str
    dims: tuple[str, ...]
    inner: bool = False

    @property
    def whole(self) -> bool:
        """Is it all of the variable?"""
        return not self.inner and all(one == ":" for one in self.dims)


def selection_of(text: str) -> Selection | None:
    """A reference without blanks taken apart; None for what is none."""
    names: list[str] = []
    dims: tuple[str, ...] = ()
    inner, rest = False, text
    while (found := _PART.match(rest)) is not None:
        inner |= bool(dims)
        dims, rest = (), rest[found.end():]
        names.append(found[0])
        if rest.startswith("("):
            end = closing(rest, 0)
            if end < 0:
                return None
            dims, rest = split_top(rest[1:end]), rest[end + 1:]
        if not rest:
            return Selection(text, "%".join(names), dims, inner)
        if not rest.startswith("%"):
            return None
        rest = rest[1:]
    return None


def with_numbers(selection: Selection, numbers: Mapping[str, int],
                 bounds: Sequence[tuple[int | None, int | None]]) -> Selection:
    """Its bounds with constants for their names: ``theta(1-OLx:sNx+OLx, k)`` is ``theta(-1:8, k)``, and ``theta(:, k)``
    where these are the ``bounds`` of the array's first dimension."""
    plain = not selection.inner and len(bounds) == len(selection.dims)
    limits = bounds if plain else [(None, None)]*len(selection.dims)
    return replace(selection, dims=tuple(
        _whole_or_numbers(one, numbers, limit) for one, limit in zip(selection.dims, limits, strict=True)))


def _whole_or_numbers(text: str, numbers: Mapping[str, int], bounds: tuple[int | None, int | None]) -> str:
    ends = text.split(":")
    if len(ends) > 2 or "(" in text:
        return text
    found = [_number(_NAME.sub(lambda one: str(numbers.get(one[0], one[0])), end)) for end in ends]
    if len(ends) == 2 and _holds(found[0], bounds[0]) and _holds(bounds[1], found[1]):
        return ":"
    return ":".join(end if one is None else str(one) for end, one in zip(ends, found, strict=True))


def _holds(small: int | None, large: int | None) -> bool:
    return small is not None and large is not None and small <= large


def _number(text: str) -> int | None:
    try:
        value = Quantity.read(text).constant if text else None
    except ValueError:
        return None
    return int(value) if value is not None and value == int(value) else None


def covers(declared: Selection, needed: Selection) -> Cover:
    """Does the declared one, of the same variable, hold all of the other?"""
    if declared.whole or declared.text == needed.text:
        return "yes"
    if declared.inner or needed.inner or len(declared.dims) != len(needed.dims):
        return "not known"
    found = {_dimension(one, other) for one, other in zip(declared.dims, needed.dims, strict=True)}
    return "no" if "no" in found else "not known" if "not known" in found else "yes"


def _dimension(declared: str, needed: str) -> Cover:
    if declared in (":", needed):
        return "yes"
    (low, high), (least, most) = _ends(declared), _ends(needed)
    if low == "step" or least == "step":
        return "not known"
    below, above = _at_most(low, least), _at_most(most, high)
    if below == above == "yes":
        return "yes"
    return "no" if "no" in (below, above) else "not known"


def _ends(text: str) -> tuple[str, str]:
    """``2:n-1`` is 2 and n-1, ``k`` is k and k; "" for what is not said."""
    ends = text.split(":")
    if len(ends) > 2 or "(" in text:
        return "step", "step"
    return (ends[0], ends[-1])


def _at_most(small: str, large: str) -> Cover:
    """Is one bound certainly at most the other? A bound that is not said is the array's."""
    if small == large:
        return "yes"
    if not small or not large:
        return "not known"
    try:
        apart = (Quantity.read(large) - Quantity.read(small)).constant
    except ValueError:
        return "not known"
    return "not known" if apart is None else "yes" if apart >= 0 else "no"

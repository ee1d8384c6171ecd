"""Formats: ``(i3, 2(1x, f6.2))`` as edit descriptors in a row, and where a format begins again."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.lazy_patterns import pattern_of

_EDIT: Final = pattern_of(r"""(\*|[+-]?\d*)\s*(?:'((?:[^']|'')*)'|"((?:[^"]|"")*)"|(x|sp|ss|s|bn|bz|p|/|:)|
    (tl|tr|t|en|es|i|b|o|z|f|e|d|g|a|l)\s*(\d*)\s*(?:\.\s*(\d+))?\s*(?:e\s*(\d+))?|(\())""", re.I | re.X)
_DATA: Final = frozenset(("i", "b", "o", "z", "f", "e", "en", "es", "d", "g", "a", "l"))
_LONGEST = 100_000  # descriptors, repeated as the format says


@frozen
class Edit:
    """One edit descriptor: ``i5.3`` transfers an item, ``x``, ``t``, ``/`` ... control, ``text`` is a literal.

    ``width``: what follows the letters, of ``x``, ``p`` and ``/`` what stands before.
    """

    kind: str
    width: int = 0
    digits: int | None = None
    exponent: int | None = None
    text: str = ""

    @property
    def is_data(self) -> bool:
        """Does it transfer an item?"""
        return self.kind in _DATA


class UnknownFormatError(Exception):
    """A format with descriptors that are not executed."""


@frozen
class Format:
    """Descriptors in a row. Where items are left at the end, ``again`` is the first of those that serve them: in a
    new record, or in the same one (``endless``: the last group is repeated by ``*``)."""

    edits: tuple[Edit, ...]
    again: int = 0
    endless: bool = False


def edits(form: str) -> Format:
    """The descriptors of a format, repeated as it says.

    Raises:
        UnknownFormatError: what has others: RN, DC, DT, Hollerith.
    """
    form = form.strip()
    if not form.startswith("("):
        raise UnknownFormatError
    groups = _Groups(form)
    end = groups.group(1, groups.found)
    if form[end:].strip():
        raise UnknownFormatError
    return Format(tuple(groups.found), groups.again, groups.endless)


@dataclass(slots=True)
class _Groups:
    """Reads groups within groups. ``again``: where the last group that stands in no other one begins."""

    form: str
    found: list[Edit] = field(default_factory=list)
    again: int = 0
    endless: bool = False

    def group(self, at: int, found: list[Edit]) -> int:
        """Read up to the closing parenthesis; the place behind it."""
        while True:
            at += len(self.form[at:]) - len(self.form[at:].lstrip(" ,"))
            if self.form[at:at + 1] == ")":
                return at + 1
            match = _EDIT.match(self.form, at)
            if match is None or (match[1] == "*" and not match[9]) or self.endless:
                raise UnknownFormatError
            at = self._inner(match, found) if match[9] else match.end()
            if not match[9]:
                found += _several(match)
            if len(found) > _LONGEST:
                raise UnknownFormatError

    def _inner(self, match: re.Match[str], found: list[Edit]) -> int:
        inner: list[Edit] = []
        end = self.group(match.end(), inner)
        if found is self.found:
            self.again = len(found)
        if match[1] == "*":
            if found is not self.found or not any(edit.is_data for edit in inner):
                raise UnknownFormatError
            self.endless = True
            found += inner
        else:
            found += inner * min(_times(match), 1 + _LONGEST // max(1, len(inner)))
        return end


def _times(match: re.Match[str]) -> int:
    if match[1][:1] in ("+", "-"):
        raise UnknownFormatError
    return int(match[1] or 1)


def _several(match: re.Match[str]) -> list[Edit]:
    if match[4] is not None:
        return [_control(match)]
    if match[5] is None:
        quoted = match[2].replace("''", "'") if match[2] is not None else match[3].replace('""', '"')
        return [Edit("text", text=quoted)] * _times(match)
    kind = match[5].lower()
    digits, exponent = (None if match[k] is None else int(match[k]) for k in (7, 8))
    width = int(match[6] or 0)
    missing = (not match[6] and kind not in ("a", "l")) or (kind in ("es", "en") and width == 0)
    if missing or (digits is None and kind in ("f", "e", "en", "es", "d")):
        raise UnknownFormatError
    return [Edit(kind, width, digits, exponent)] * min(_times(match), _LONGEST + 1)


def _control(match: re.Match[str]) -> Edit:
    """Descriptors behind which nothing stands."""
    kind = match[4].lower()
    if kind == "p":
        if not match[1]:
            raise UnknownFormatError
        return Edit(kind, int(match[1]))
    return Edit(kind, _times(match))

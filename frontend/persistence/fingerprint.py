"""What stands for a program unit's text, its places in the files included, in the keys of the cache."""

from __future__ import annotations

import hashlib
import marshal
from collections.abc import Iterable, Iterator
from typing import Any, Literal

from snapset.frontend.base.diagnostics import Span
from snapset.frontend.base.frozen_records import replace
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.memo import Memo
from snapset.frontend.base.source_model import Item, ItemHashes, Line, Pragma, Unit
from snapset.frontend.parsing.statement_classifier import assignment

SIZE = 20

_REAL = pattern_of(r"(?<![\w.])(?:\d+\.\d+|\d+\.(?![a-z0-9.])|\d+(?=[ed][+-]?\d)|\d+\.(?=[ed][+-]?\d)|\.\d+)"
                   r"(?:([ed])[+-]?\d+)?(?![\d.])")  # fmt: skip
_ROUNDING = pattern_of(r"\b(?:int|nint|floor|ceiling|transfer|i?f?ix|aint|anint|idint|idnint|kind)\b")


def digest(*pieces: str | bytes) -> bytes:
    """A hash of the pieces; other pieces have another one, also where their texts joined would be the same."""
    found = hashlib.blake2b(digest_size=SIZE)
    for piece in pieces:
        data = piece.encode("utf-8", "surrogatepass") if isinstance(piece, str) else piece
        found.update(b"%d:" % len(data))
        found.update(data)
    return found.digest()


def spelled(value: Any) -> bytes:
    """Numbers, texts, and tuples or lists of these, told apart from all others. Unlike their ``repr`` it may hold a set
    of 20,000 locations: Python writes no number of more than 4,300 digits."""
    return marshal.dumps(value, 2)


def home_of(unit: Unit) -> Span:
    """Where a unit begins: places in it may be seen from there."""
    return (unit.header or next((item for item in unit.items if isinstance(item, Line)), unit.end)).span


def item_hashes(unit: Unit) -> ItemHashes:
    """The hashes of a unit's statements and pragmas, which may be known."""
    home, known = home_of(unit), unit.hashes
    if known is not None and known.items is unit.items and known.home == home:
        return known
    lines = [_item(item, home) for item in unit.items]
    return ItemHashes(unit.items, home, digest("\n".join(lines)), digest("\n".join(map(without_values, lines))))


def with_hashes(unit: Unit) -> Unit:
    """The unit with its hashes known, and those of what it contains."""
    return replace(unit, hashes=item_hashes(unit), contains=tuple(map(with_hashes, unit.contains)))


def own_digest(unit: Unit) -> bytes:
    """Of all that is in a unit but not in what it contains, places as seen from where it begins."""
    found = item_hashes(unit)
    return _around(unit, found.home, found.exact)


def placed_digest(unit: Unit) -> bytes:
    """Of all that is in a unit and in what it contains, and of where it stands."""
    return digest(repr(unit.problem), *Texts().each((unit,), 1))


def text_digest(units: Iterable[Unit]) -> bytes:
    """Of the statements of several units, without what they contain and without places."""
    return digest(*("\n".join(item.text for item in unit.items if isinstance(item, Line)) for unit in units))


class Texts:
    """Hashes of units, every statement of which is looked at once, however often it is asked for."""

    def __init__(self) -> None:
        self._known: Memo[Unit, tuple[bytes, bytes]] = Memo()

    def exact(self, units: Iterable[Unit]) -> bytes:
        """Of several units, in order: of text and places."""
        return digest(*self.each(units, 1))

    def results(self, units: Iterable[Unit]) -> bytes:
        """Of all that results depend on in several units: text and places, but for the values of real constants.

        No analysis looks at what a real constant in an assignment is, as long as it is no exponent and is not made an
        integer: `x = 0.5 * y` and `x = 0.6 * y` have the same derivative statements.
        """
        return digest(*self.each(units, 0))

    def each(self, units: Iterable[Unit], which: Literal[0, 1]) -> Iterator[bytes]:
        """The hashes of units and of what they contain: as :meth:`results` (0), as :meth:`exact` (1)."""
        for unit in units:
            yield self._known.get(unit, _both)[which]
            yield b"%d" % len(unit.contains)
            yield from self.each(unit.contains, which)


def _both(unit: Unit) -> tuple[bytes, bytes]:
    """Of a unit's own statements and their places: without the values of real constants, and exactly."""
    found = item_hashes(unit)
    at = f"{found.home.line} {found.home.file}"
    return (digest(_around(unit, found.home, found.masked), at), digest(_around(unit, found.home, found.exact), at))


def without_values(text: str) -> str:
    """An assignment with the values of its real constants masked, as far as they cannot matter."""
    statement, tab, places = text.partition("\t")
    if "." not in statement or "=" not in statement or "'" in statement or '"' in statement:
        return text
    found = assignment(statement)
    if found is None or found.kind != "assign" or _ROUNDING.search(statement):
        return text
    plain, power, rest = statement.partition("**")
    return _REAL.sub(lambda found: f"#{found[1] or '.'}", plain) + power + rest + tab + places


def _around(unit: Unit, home: Span, items: bytes) -> bytes:
    """With what a unit is besides its statements."""
    return digest(f"{unit.kind} {unit.name}", "" if unit.problem is None else f"{unit.problem.found}",
                  "" if unit.header is None else _item(unit.header, home), f"{len(unit.items)}", items,
                  _item(unit.end, home))


def _item(item: Item, home: Span) -> str:
    at = _place(item.span, home)
    if isinstance(item, Pragma):
        return f"$ {item.kind}\t{at}"
    cut = None if item.cut is None else _place(item.cut, home)
    return f"{item.text}\t{item.label}\t{item.construct}\t{cut}\t{at}"


def _place(span: Span, home: Span) -> str:
    if span.file == home.file:
        return f"{span.line - home.line} {span.end_line - home.line} {span.column}"
    return f"{span.line} {span.end_line} {span.column} {span.file}"

"""What stands for a program unit's text, its places in the files included, in the keys of the cache."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

from snapset.frontend.statement import Item, Line, Pragma, Unit

SIZE = 20


def digest(*pieces: str | bytes) -> bytes:
    """A hash of the pieces; other pieces have another one, also where their texts joined would be the same."""
    found = hashlib.blake2b(digest_size=SIZE)
    for piece in pieces:
        data = piece.encode("utf-8", "surrogatepass") if isinstance(piece, str) else piece
        found.update(b"%d:" % len(data))
        found.update(data)
    return found.digest()


def unit_digest(unit: Unit, inner: bool = True) -> bytes:
    """Of all that is in a unit, ``inner``: and in what it contains."""
    return digest("\n".join(_unit(unit, inner)))


def text_digest(units: Iterable[Unit]) -> bytes:
    """Of the statements of several units, without what they contain and without places."""
    return digest(*("\n".join(item.text for item in unit.items if isinstance(item, Line)) for unit in units))


def units_digest(units: Iterable[Unit]) -> bytes:
    """Of several units, in order."""
    return digest(*map(unit_digest, units))


def _unit(unit: Unit, inner: bool = True) -> Iterator[str]:
    yield f"{unit.kind} {unit.name}"
    if unit.header is not None:
        yield _item(unit.header)
    yield f"{len(unit.items)}"
    yield from map(_item, unit.items)
    yield _item(unit.end)
    for one in unit.contains if inner else ():
        yield from _unit(one)
    yield "."


def _item(item: Item) -> str:
    span = item.span
    at = f"{span.line} {span.end_line} {span.column} {span.file}"
    if isinstance(item, Pragma):
        return f"$ {item.kind}\t{at}"
    return f"{item.text}\t{item.label}\t{item.construct}\t{item.cut}\t{at}"

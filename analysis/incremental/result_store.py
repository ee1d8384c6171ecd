"""What earlier runs found about a head, piece by piece: small values read in one go, large ones one by one.

Every key is a hash of all that its value was computed from. A value's own key tells it from others, and where a new
value turns out to equal the last one of its name, it keeps that one's key (:meth:`Shelf.same`): then nothing that was
made from it has to be made again.
"""

from __future__ import annotations

from typing import Any, Protocol

from snapset.frontend.base.diagnostics import Diagnostic, Span
from snapset.frontend.persistence.fingerprint import digest

RUNS = 6
"""A small value that so many runs did not use is forgotten."""


class Store(Protocol):
    """Values by key, kept between runs."""

    def get(self, key: bytes) -> Any | None:
        """The value, None where there is none."""

    def put(self, key: bytes, value: Any) -> None:
        """Keep a value of snapset's own classes and plain data."""


class Shelf:
    """The values of one head under one choice of options."""

    def __init__(self, store: Store, name: bytes) -> None:
        self.store = store
        self.name = name
        old = store.get(name)
        self._old: dict[bytes, tuple[int, Any]] = old if isinstance(old, dict) else {}
        self._used: dict[bytes, Any] = {}
        self._changed = False

    def small(self, key: bytes) -> Any | None:
        """A small value; None where there is none."""
        if key not in self._used:
            if key not in self._old:
                return None
            self._used[key] = self._old[key][1]
        return self._used[key]

    def keep(self, key: bytes, value: Any) -> None:
        """Keep a small value."""
        self._used[key] = value
        self._changed = True

    def same(self, name: bytes, key: bytes, value: Any) -> bytes:
        """The key under which the large ``value`` is kept: the last one's of this name where that is equal."""
        last = self.small(name)
        if last is not None and last != key and self.store.get(last) == value:
            return bytes(last)
        self.keep(name, key)
        self.store.put(key, value)
        return key

    def save(self) -> None:
        """Hand the small values to the store, those that were not used lately left out."""
        if not self._changed:
            return
        kept: dict[bytes, tuple[int, Any]] = {
            key: (age + 1, value) for key, (age, value) in self._old.items() if age + 1 < RUNS}
        kept.update((key, (0, value)) for key, value in self._used.items())
        self.store.put(self.name, kept)


def key_of(*pieces: object) -> bytes:
    """A hash of numbers, texts, hashes and None, in tuples as deep as one likes."""
    return digest(repr(pieces))


Relative = tuple[str, str, str, str | None, int, int, int]


def relative(found: Diagnostic, home: Span) -> Relative:
    """A diagnostic as seen from the line its procedure begins in."""
    span = found.span
    if span.file != home.file:
        return found.code, found.severity, found.message, span.file, span.line, span.end_line, span.column
    return (found.code, found.severity, found.message, None, span.line - home.line, span.end_line - home.line,
            span.column)


def absolute(found: Relative, home: Span) -> Diagnostic:
    """The diagnostic again, where its procedure is now."""
    code, severity, message, file, line, end, column = found
    if file is None:
        return Diagnostic(code, severity, message, Span(home.file, home.line + line, home.line + end, column))  # type: ignore[arg-type]
    return Diagnostic(code, severity, message, Span(file, line, end, column))  # type: ignore[arg-type]

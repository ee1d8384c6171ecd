"""Values as bytes and back, for the cache and for other processes: quick to read, and nothing but data.

What is read makes snapset's own dataclasses and plain containers, and calls nothing else, whatever the bytes say. A
frozen dataclass with slots is packed as its class and its fields' values and made again through its slots: eight times
as fast as pickle does it by itself.

Places may be packed as seen from the line a procedure begins in (``home``), to be unpacked where it is then.
"""

from __future__ import annotations

import gc
import io
import pickle
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from functools import cache
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from snapset.frontend.base.diagnostics import Span

_OURS = ("snapset.frontend.", "snapset.analysis.")
_PLAIN = frozenset({("builtins", "set"), ("builtins", "frozenset"), ("builtins", "complex"),
                    ("fractions", "Fraction")})  # fmt: skip
_HERE = "\0"  # the file of places that are seen from somewhere


class DamagedError(Exception):
    """These bytes are none that :func:`pack` has made."""


def pack(value: Any, home: Span | None = None) -> bytes:
    """A value as bytes, compressed. Raises RecursionError for what is nested too deeply."""
    return zlib.compress(dumps(value, home), 1)


def unpack(packed: bytes, home: Span | None = None) -> Any:
    """The value. Raises DamagedError."""
    try:
        return loads(zlib.decompress(packed), home)
    except (pickle.UnpicklingError, zlib.error, EOFError, AttributeError, ImportError, TypeError, ValueError) as error:
        raise DamagedError(str(error)) from None


def dumps(value: Any, home: Span | None = None) -> bytes:
    """A value as bytes. Raises RecursionError for what is nested too deeply."""
    buffer = io.BytesIO()
    _Pickler(buffer, pickle.HIGHEST_PROTOCOL, home).dump(value)
    return buffer.getvalue()


def loads(data: bytes, home: Span | None = None) -> Any:
    """The value that :func:`dumps` was given. Raises pickle.UnpicklingError for anything but data."""
    with _no_collection():
        return _Unpickler(io.BytesIO(data), home).load()


@contextmanager
def _no_collection() -> Iterator[None]:
    """Garbage collection finds none among objects that are being made, and would look at all of them often."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


class _Pickler(pickle.Pickler):
    def __init__(self, buffer: io.BytesIO, protocol: int, home: Span | None) -> None:
        super().__init__(buffer, protocol)
        self._home = home

    def reducer_override(self, value: Any) -> Any:
        kind = type(value)
        if kind not in _VALUES:
            _VALUES[kind] = _values_of(kind)
        values = _VALUES[kind]
        if values is None:
            return (read_only, (dict(value),)) if kind is MappingProxyType else NotImplemented
        if kind is Span and (home := self._home) is not None and value.file == home.file:
            return Span, (_HERE, value.line - home.line, value.end_line - home.line, value.column)
        return kind, values(value)


_VALUES: dict[type, Callable[[Any], tuple[Any, ...]] | None] = {}


def _values_of(kind: type) -> Callable[[Any], tuple[Any, ...]] | None:
    """Gives the values of an object's fields; None for what is no dataclass with slots."""
    if not (is_dataclass(kind) and hasattr(kind, "__slots__")):
        return None
    names = tuple(one.name for one in fields(kind))
    get = attrgetter(*names) if names else None
    if get is None:
        return lambda value: ()
    return get if len(names) > 1 else lambda value: (get(value),)


class _Unpickler(pickle.Unpickler):
    def __init__(self, buffer: io.BytesIO, home: Span | None) -> None:
        super().__init__(buffer)
        self._home = home

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _PLAIN:
            return super().find_class(module, name)
        if module.startswith(_OURS) and "." not in name:
            found = super().find_class(module, name)
            if found is read_only:
                return found
            if found is Span and self._home is not None:
                return _placer(self._home)
            if isinstance(found, type) and found.__module__ == module:
                if is_dataclass(found):
                    return _maker(found) if hasattr(found, "__slots__") else found
                if issubclass(found, tuple) and hasattr(found, "_fields"):
                    return found
        raise pickle.UnpicklingError(f"{module}.{name} is no data of snapset's")


@cache
def _maker(kind: type) -> Callable[..., Any]:
    """Makes an object from the values of its fields."""
    setters = [getattr(kind, one.name).__set__ for one in fields(kind)]
    new = object.__new__

    def make(*values: Any) -> Any:
        made: Any = new(kind)
        for put, value in zip(setters, values, strict=True):
            put(made, value)
        return made

    return make


def _placer(home: Span) -> Callable[[str, int, int, int], Span]:
    """Makes a place that was packed as seen from where a procedure begins."""

    def make(file: str, line: int, end_line: int, column: int) -> Span:
        if file == _HERE:
            return Span(home.file, home.line + line, home.line + end_line, column)
        return Span(file, line, end_line, column)

    return make


def read_only(values: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    """MappingProxyType itself has no name that pickle could find it by."""
    return MappingProxyType(values)

"""Values as bytes and back, for the cache and for other processes: quick to read, and nothing but data.

What is read makes snapset's own dataclasses and plain containers, and calls nothing else, whatever the bytes say. A
frozen dataclass with slots is packed as its class and its fields' values and made again through its slots, or by a call
of its class where that does nothing else: eight times as fast as pickle does it by itself.

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
from typing import Any, Final, TypeAlias

from snapset.frontend.base.diagnostics import Span
from snapset.frontend.base.frozen_records import VALUES, is_quick, takes_values

_OURS = ("snapset.frontend.", "snapset.analysis.")
_PLAIN = frozenset({("builtins", "set"), ("builtins", "frozenset"), ("builtins", "complex"),
                    ("fractions", "Fraction")})  # fmt: skip
SHORT: Final = 1 << 12
"""Bytes that are kept as they are: to begin with a compression takes longer than to pack so much."""
_COMPRESSED = b"\x78"  # what zlib begins with; pickle begins with 0x80
_HERE = "\0"  # the file of places that are seen from somewhere


class DamagedError(Exception):
    """These bytes are none that :func:`pack` has made."""


def pack(value: Any, home: Span | None = None) -> bytes:
    """A value as bytes, compressed unless it is short. Raises RecursionError for what is nested too deeply."""
    data = dumps(value, home)
    return data if len(data) <= SHORT else zlib.compress(data, 1)


def unpack(packed: bytes, home: Span | None = None) -> Any:
    """The value. Raises DamagedError."""
    try:
        return loads(zlib.decompress(packed) if packed.startswith(_COMPRESSED) else packed, home)
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
        self.dispatch_table = _REDUCERS if home is None else _Reducers({**_REDUCERS, Span: _seen_from(home)})


Reducer: TypeAlias = "Callable[[Any], tuple[Callable[..., Any], tuple[Any, ...]]]"


class _Reducers(dict[type, "Reducer"]):
    """What pickle asks for an object's class and its fields' values, by class, each found when it is first met.

    A cold run packs some hundred thousand small objects: pickle looks a class up here, and calls what it finds, without
    a line of Python being run for each object.
    """

    def __missing__(self, kind: type) -> Reducer:
        """Raises KeyError for what pickle does by itself."""
        found = self[kind] = _REDUCERS[kind] = _reducer(kind)
        return found


def _reducer(kind: type) -> Reducer:
    """Gives an object's class and its fields' values. Raises KeyError for other classes than snapset's records."""
    if kind is MappingProxyType:
        return lambda value: (read_only, (dict(value),))
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return lambda value: (kind, tuple(value))
    if not (is_dataclass(kind) and hasattr(kind, "__slots__")):
        raise KeyError(kind)
    names = [one.name for one in fields(kind)]
    if VALUES in kind.__dict__:  # one of ours
        return attrgetter("__class__", VALUES)
    return lambda value: (kind, tuple([getattr(value, name) for name in names]))


def _seen_from(home: Span) -> Reducer:
    """As for every class, but a place in the file of ``home`` counts from there."""

    def reduce(value: Span) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        if value.file != home.file:
            return Span, (value.file, value.line, value.end_line, value.column)
        return Span, (_HERE, value.line - home.line, value.end_line - home.line, value.column)

    return reduce


_REDUCERS: Final = _Reducers()


class _Unpickler(pickle.Unpickler):
    def __init__(self, buffer: io.BytesIO, home: Span | None) -> None:
        super().__init__(buffer)
        self._home = home

    def find_class(self, module: str, name: str) -> Any:
        found = _found_class(module, name)
        return _placer(self._home) if found is Span and self._home is not None else found


@cache
def _found_class(module: str, name: str) -> Any:
    """What makes an object of this class; a value of the cache names each of its classes, and most name the same.
    Raises pickle.UnpicklingError for what is no data of snapset's."""
    if (module, name) in _PLAIN:
        return _BY_PICKLE.find_class(module, name)
    if module.startswith(_OURS) and "." not in name:
        found = _BY_PICKLE.find_class(module, name)
        if found is read_only or found is Span:
            return found
        if isinstance(found, type) and found.__module__ == module:
            if is_dataclass(found):
                return _maker(found) if hasattr(found, "__slots__") else found
            if issubclass(found, tuple) and hasattr(found, "_fields"):
                return found
    raise pickle.UnpicklingError(f"{module}.{name} is no data of snapset's")


_BY_PICKLE: Final = pickle.Unpickler(io.BytesIO())


@cache
def _maker(kind: type) -> Callable[..., Any]:
    """Makes an object from the values of its fields."""
    if is_quick(kind):
        names = [one.name for one in fields(kind)]
        by_name = any(one.kw_only for one in fields(kind))
        return (lambda *values: kind(**dict(zip(names, values, strict=True)))) if by_name else kind
    if takes_values(kind):
        return kind
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

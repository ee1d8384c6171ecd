"""Values as bytes and back, for the cache and for other processes: quick to read, and nothing but data.

What is read makes snapset's own dataclasses and plain containers, and calls nothing else, whatever the bytes say. A
frozen dataclass with slots is packed as its class and its fields' values and made again through its slots: eight times
as fast as pickle does it by itself.
"""

from __future__ import annotations

import gc
import hashlib
import io
import pickle
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from types import MappingProxyType
from typing import Any

_OURS = ("snapset.frontend.", "snapset.analysis.")
_PLAIN = frozenset({("builtins", "set"), ("builtins", "frozenset"), ("builtins", "complex"),
                    ("fractions", "Fraction")})  # fmt: skip
_CHECK = 16


class DamagedError(Exception):
    """These bytes are none that :func:`pack` has made."""


def pack(value: Any) -> bytes:
    """A value as bytes, compressed, with a checksum. Raises RecursionError for what is nested too deeply."""
    data = zlib.compress(dumps(value), 1)
    return hashlib.blake2b(data, digest_size=_CHECK).digest() + data


def unpack(packed: bytes) -> Any:
    """The value. Raises DamagedError."""
    data = packed[_CHECK:]
    if hashlib.blake2b(data, digest_size=_CHECK).digest() != packed[:_CHECK]:
        raise DamagedError("a checksum is wrong")
    try:
        return loads(zlib.decompress(data))
    except (pickle.UnpicklingError, zlib.error, EOFError, AttributeError, ImportError, TypeError, ValueError) as error:
        raise DamagedError(str(error)) from None


def dumps(value: Any) -> bytes:
    """A value as bytes. Raises RecursionError for what is nested too deeply."""
    buffer = io.BytesIO()
    _Pickler(buffer, pickle.HIGHEST_PROTOCOL).dump(value)
    return buffer.getvalue()


def loads(data: bytes) -> Any:
    """The value that :func:`dumps` was given. Raises pickle.UnpicklingError for anything but data."""
    with _no_collection():
        return _Unpickler(io.BytesIO(data)).load()


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
    def __init__(self, buffer: io.BytesIO, protocol: int) -> None:
        super().__init__(buffer, protocol)
        self._names: dict[type, tuple[str, ...] | None] = {}

    def reducer_override(self, value: Any) -> Any:
        kind = type(value)
        if kind is MappingProxyType:
            return read_only, (dict(value),)
        if kind not in self._names:
            own = is_dataclass(kind) and hasattr(kind, "__slots__")
            self._names[kind] = tuple(one.name for one in fields(kind)) if own else None
        names = self._names[kind]
        return NotImplemented if names is None else (kind, tuple([getattr(value, name) for name in names]))


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _PLAIN:
            return super().find_class(module, name)
        if module.startswith(_OURS) and "." not in name:
            found = super().find_class(module, name)
            if found is read_only:
                return found
            if isinstance(found, type) and found.__module__ == module and is_dataclass(found):
                return _maker(found) if hasattr(found, "__slots__") else found
        raise pickle.UnpicklingError(f"{module}.{name} is no data of snapset's")


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


def read_only(values: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    """MappingProxyType itself has no name that pickle could find it by."""
    return MappingProxyType(values)

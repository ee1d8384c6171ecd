"""A shortcut for pure functions of large frozen objects: what was found for an object is found at once for it again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Memo(Generic[K, V]):
    """Values of a pure function, by the object itself.

    Looking a tree up by its value costs a walk through it. This costs nothing, and is a shortcut only: an equal object
    elsewhere gets an equal value, worked out again. Never a place for what holds of one object and not of its equal:
    that needs an id (:class:`snapset.frontend.ir.Stmt`) or a place. No other module asks for an object's identity.
    """

    __slots__ = ("_found",)

    def __init__(self) -> None:
        self._found: dict[int, tuple[K, V]] = {}  # the object is kept, so that no other one gets its identity

    def put(self, key: K, value: V) -> None:
        """What the function gives is known already."""
        self._found[id(key)] = key, value

    def get(self, key: K, work: Callable[[K], V]) -> V:
        known = self._found.get(id(key))
        if known is None:
            known = self._found[id(key)] = key, work(key)
        return known[1]

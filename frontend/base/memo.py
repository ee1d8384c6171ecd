"""A shortcut for pure functions of large frozen objects: what was found for an object is found at once for it again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Memo(Generic[K, V]):
    """Values of a pure function, by the object itself.

    Looking a tree up by its value costs a walk through it. This costs nothing, and is a shortcut only: an equal object
    elsewhere gets an equal value, worked out again. Never a place for what holds of one object and not of its equal:
    that needs an id (:class:`snapset.frontend.ir.Stmt`) or a place. No other module asks for an object's identity.
    """

    __slots__ = ("_found", "_most")

    def __init__(self, most: int | None = None) -> None:
        """``most``: so many values are kept, then all are forgotten; for what outlives a run."""
        self._found: dict[int, tuple[K, V]] = {}  # the object is kept, so that no other one gets its identity
        self._most = most

    def put(self, key: K, value: V) -> None:
        """What the function gives is known already."""
        self._found[id(key)] = key, value

    def get(self, key: K, work: Callable[[K], V]) -> V:
        known = self._found.get(id(key))
        if known is None:
            if self._most is not None and len(self._found) >= self._most:
                self._found.clear()
            known = self._found[id(key)] = key, work(key)
        return known[1]


def each_once(objects: Iterable[V]) -> Iterable[V]:
    """Each of these once, where many of them are the same object: a module's variables, seen in many procedures. Equal
    objects may stay, so this is for what is the same with them or without. ``objects``: somebody keeps them."""
    return {id(one): one for one in objects}.values()

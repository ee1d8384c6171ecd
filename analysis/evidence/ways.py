"""The nearest statement that does something, and the way to it: a search over the nodes where a set holds a location.

A location is in use(C̄) because on some way through C a statement reads it before anything overwrites it. On that way
it is in use(D̄) at every node. So the search goes from node to node as long as the set that was solved there holds the
location, and ends at the first that reads it by itself.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")


def nearest_way(start: Iterable[int], following: Callable[[int], Iterable[int]], held: Callable[[int], bool],
                found: Callable[[int], T | None]) -> tuple[T, tuple[int, ...]] | None:
    """What ``found`` says of the nearest node it says something of, and the nodes up to there, ``start``'s first; None
    where no way leads to one. ``held``: is the set's location there, so that the way goes on?"""
    before: dict[int, int | None] = {node: None for node in start if held(node)}
    work = deque(before)
    while work:
        node = work.popleft()
        answer = found(node)
        if answer is not None:
            return answer, _back(before, node)
        for one in following(node):
            if one not in before and held(one):
                before[one] = node
                work.append(one)
    return None


def _back(before: dict[int, int | None], node: int) -> tuple[int, ...]:
    way: list[int] = []
    at: int | None = node
    while at is not None:
        way.append(at)
        at = before[at]
    return tuple(reversed(way))


def lines_of(way: Sequence[int], line: Callable[[int], int]) -> tuple[int, ...]:
    """The lines of a way, each once where it stands several times in a row."""
    found: list[int] = []
    for one in map(line, way):
        if not found or found[-1] != one:
            found.append(one)
    return tuple(found)

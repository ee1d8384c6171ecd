"""Sets as bit sets: Python ints over a numbering of one procedure's locations.

``May`` may hold too much, ``Must`` may hold too little: a may-set is safe when it grows, a must-set
(what is certainly written whole) is safe when it shrinks. The two never mix without saying so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

May: TypeAlias = int
Must: TypeAlias = int
Exact: TypeAlias = int

EMPTY = Exact(0)
EVERYTHING = Exact(-1)


def exactly(bits: int) -> Exact:
    """The set, of which the caller knows that it holds neither too much nor too little."""
    return Exact(bits)


def members(bits: int) -> Iterator[int]:
    """The indices in a bit set, ascending."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def union(sets: Iterable[int]) -> int:
    """The union of bit sets."""
    total = 0
    for bits in sets:
        total |= bits
    return total

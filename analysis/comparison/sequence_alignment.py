"""Two sequences in the same order, one with gaps: which element of one is which of the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
U = TypeVar("U")


def align(left: Sequence[T], right: Sequence[U], score: Callable[[T, U], float]) -> dict[int, int]:
    """The monotone pairing of indices with the highest total of positive scores; of equal ones, the earliest right."""
    rows = [[0.0] * (len(right) + 1) for _ in range(len(left) + 1)]
    values = [[score(a, b) for b in right] for a in left]
    for i in range(len(left) - 1, -1, -1):
        for j in range(len(right) - 1, -1, -1):
            met = values[i][j] + rows[i + 1][j + 1] if values[i][j] > 0 else 0.0
            rows[i][j] = max(met, rows[i + 1][j], rows[i][j + 1])
    found: dict[int, int] = {}
    i = j = 0
    while i < len(left) and j < len(right):
        if values[i][j] > 0 and rows[i][j] == values[i][j] + rows[i + 1][j + 1]:
            found[i] = j
            i, j = i + 1, j + 1
        elif rows[i][j] == rows[i + 1][j]:
            i += 1
        else:
            j += 1
    return found


def agreement(a: frozenset[str], b: frozenset[str]) -> float:
    """How much two sets of words have in common, from 0 to 1."""
    return len(a & b) / len(a | b) if a | b else 1.0

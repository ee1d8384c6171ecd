"""What callers and callees both see, in two numberings: sets go from one to the other by runs.

    callee   m::a m::b m::c  x         1 run of 3 locations: 0, 1, 2 are 5, 6, 7
    caller   u v w k l m::a m::b m::c

A procedure may reach tens of thousands of locations of modules, and so do all that call it. What one of them is to a
caller is the same location; a procedure numbers those of its callee as it meets them, one after the other. So they are
few runs, and a set is carried over by shifts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from itertools import pairwise
from typing import TypeAlias

from snapset.analysis.dataflow.bitsets import EMPTY, Exact, exactly, members, set_of
from snapset.frontend.base.frozen_records import frozen

_FEW = 16
_Runs: TypeAlias = tuple[tuple[int, int, int], ...]  # first here, mask, first there


@frozen(eq=False)
class Renumbering:
    """Which location of a caller each of some locations of a callee is; no two are the same.

    ``numbers``: the caller's number by the callee's. ``inside``, ``outside``: the locations, as the callee and as the
    caller number them.
    """

    numbers: dict[int, int]
    inside: Exact = field(init=False, repr=False)
    outside: Exact = field(init=False, repr=False)
    _runs: _Runs = field(init=False, repr=False)
    _back: dict[int, int] = field(init=False, repr=False)
    _runs_back: _Runs = field(init=False, repr=False)

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "inside", set_of(self.numbers))
        put(self, "outside", set_of(self.numbers.values()))
        put(self, "_runs", tuple(_runs(sorted(self.numbers.items()))))
        put(self, "_runs_back", tuple((outer, mask, inner) for inner, mask, outer in self._runs))
        put(self, "_back", {outer: inner for inner, outer in self.numbers.items()})

    def outward(self, bits: int) -> Exact:
        """The callee's locations as the caller numbers them."""
        return _carried(bits & self.inside, self.numbers, self._runs)

    def inward(self, bits: int) -> Exact:
        """The caller's locations as the callee numbers them."""
        return _carried(bits & self.outside, self._back, self._runs_back)


def _carried(bits: int, numbers: dict[int, int], runs: _Runs) -> Exact:
    """A set in the other numbering: one by one where it is small, else by runs."""
    if not bits:
        return EMPTY
    if bits.bit_count() < _FEW:
        return set_of([numbers[i] for i in members(bits)])
    total = 0
    for first, mask, other in runs:
        total |= (bits >> first & mask) << other
    return exactly(total)


def _runs(numbers: list[tuple[int, int]]) -> Iterable[tuple[int, int, int]]:
    """Where both numberings go on together."""
    breaks = [at for at, ((i, j), after) in enumerate(pairwise(numbers), 1) if after != (i + 1, j + 1)]
    for start, end in pairwise([0, *breaks, len(numbers)] if numbers else []):
        first, outer = numbers[start]
        yield first, (1 << (end - start)) - 1, outer

"""Some elements of each of some arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from snapset.analysis.replay.memory.runtime_support import Array

Elements: TypeAlias = "Array | bool"
"""Some elements of an array: a mask; True: all, False: none."""
Live: TypeAlias = dict[int, Elements]
"""By array."""
Box: TypeAlias = tuple[slice, ...]


def added(now: Elements, box: Box, without: Sequence[Box], extents: tuple[int, ...]) -> Elements:
    """With what lies in one box and in none of some others."""
    if now is True:
        return True
    if not without and is_all(box, extents):
        return True
    more = np.zeros(extents, bool, "F") if without or now is False else now.copy("F")
    more[box] = True
    for other in without:
        more[other] = False
    return np.logical_or(now, more) if without and now is not False else more


def is_all(box: Box, extents: tuple[int, ...]) -> bool:
    """Is it all of the array? Said without a mask, what is added to it then need not be looked at."""
    return all(one.start <= 0 and one.stop >= extent and one.step == 1
               for one, extent in zip(box, extents, strict=True))


def subtracted(now: Elements, box: Box, extents: tuple[int, ...]) -> Elements:
    """Without what lies in a box."""
    if now is False or is_all(box, extents):
        return False
    left = np.ones(extents, bool, "F") if now is True else now.copy("F")
    left[box] = False
    return left


def united(every: Sequence[Live]) -> Live:
    """What is in one of them at least; each tells of the same arrays."""
    found = every[0] if every else {}
    for other in every[1:]:
        if other is not found:
            found = {array: _both(one, other[array]) for array, one in found.items()}
    return found


def bounded(arrays: int, found: Live) -> Live:
    """Only of these arrays, nothing of the others."""
    if all(one is False or arrays >> array & 1 for array, one in found.items()):
        return found
    return {array: one if arrays >> array & 1 else False for array, one in found.items()}


def _both(one: Elements, other: Elements) -> Elements:
    if one is True or other is True:
        return True
    if one is False or other is False:
        return other if one is False else one
    return one if one is other else np.logical_or(one, other)

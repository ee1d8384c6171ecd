"""What a plan's run holds on its stack: copies of slots, or of some of their elements."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from snapset.analysis.locations import Location
from snapset.analysis.replay.memory import Frame
from snapset.analysis.replay.runtime import Array, Slot

Saved: TypeAlias = list[tuple[Slot, Any, "Array | None"]]  # with the index of what was copied
Pieces: TypeAlias = Mapping[Location, tuple[Slot, Any]]
WHOLE = (Ellipsis,)
NO_PIECES: Pieces = MappingProxyType({})


def restore(saved: Saved) -> None:
    """Put the copies back."""
    for slot, index, old in saved:
        if old is not None and slot.a is not None:
            slot.a[index] = old


def forget(frame: Frame, locations: tuple[Location, ...]) -> None:
    """Adjoints of what does not vary are zero."""
    for location in locations:
        slot = frame.cells(location)
        if slot is not None and slot.b is not None:
            slot.b[...] = 0

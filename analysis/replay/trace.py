"""What an adjoint keeps to go back: overwritten values, and a stack whose bytes are counted."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from snapset.analysis.replay.memory import undefined
from snapset.analysis.replay.runtime import Array, Index, Slot


@dataclass(slots=True)
class Undo:
    """What a node overwrote. ``values`` come back before its derivative runs, ``states`` after it."""

    values: list[tuple[Slot, Index, Any]] = field(default_factory=list)
    states: list[tuple[Slot, Array | None, Array | None, tuple[int, ...], Array | None]] = field(default_factory=list)

    def save(self, slot: Slot, index: Index | None, wanted: bool = True) -> int:
        """Remember what a write is about to overwrite; the bytes of it.

        ``index`` None: the whole allocatable with its allocation, which is remembered even if its values
        are not ``wanted``.
        """
        if index is None:
            old = slot.a.copy(order="F") if slot.a is not None and wanted else None
            self.states.append((slot, slot.a, slot.b, slot.lo, old))
            return 0 if old is None else int(old.nbytes)
        if not wanted:
            return 0
        old = slot.values[index]
        old = old.copy()
        self.values.append((slot, index, old))
        return int(old.nbytes)

    def restore_values(self) -> None:
        for slot, index, old in reversed(self.values):
            slot.values[index] = old
        for slot, a, _, _, old in self.states:
            if a is not None and slot.a is a and old is not None:
                a[...] = old

    def restore_states(self) -> None:
        for slot, a, b, lo, old in reversed(self.states):
            if a is slot.a:
                continue
            slot.a, slot.b, slot.lo = a, b, lo
            if a is not None:
                if old is None:
                    undefined(a)
                else:
                    a[...] = old
            if b is not None:
                b[...] = 0


@dataclass(slots=True)
class Stack:
    """Bytes on the adjoint's stack. ``control`` is the part of ``traffic`` that records control."""

    height: int = 0
    peak: int = 0
    traffic: int = 0
    pushes: int = 0
    control: int = 0

    def push(self, count: int) -> None:
        if count:
            self.height += count
            self.peak = max(self.peak, self.height)
            self.traffic += count
            self.pushes += 1

    def push_control(self, count: int) -> None:
        self.control += count
        self.push(count)

    def pop(self, count: int) -> None:
        self.height -= count

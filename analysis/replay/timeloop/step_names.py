"""The names of a formula as numbers, where the program is."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from snapset.analysis.loops.step_bytes import StepBytes
from snapset.analysis.replay.memory.associations import PointerCell
from snapset.analysis.replay.memory.frames import Frame
from snapset.analysis.symbolic.atoms import Sym


def names_in(frame: Frame, figures: StepBytes) -> Callable[[Sym], int | None]:
    """What the names of a step's formulas are where the frame's procedure is, at the loop."""
    def number(sym: Sym) -> int | None:
        if figures.resizes(sym):  # has another size in the next step
            return None
        if sym.area is None or (sym.what not in ("", "view") and not sym.what.startswith("size")):
            return None
        slot = frame.slot_of(sym.area, sym.path)
        if slot is None or isinstance(slot, PointerCell):  # which leads elsewhere in the next step
            return None
        if sym.what.startswith("size"):
            if slot.a is None:
                return 0
            return slot.a.shape[int(sym.what[5:]) - 1] if ":" in sym.what else prod(slot.a.shape)
        return int(slot.values[()]) if slot.a is not None and slot.a.ndim == 0 and slot.a.dtype.kind in "iu" else None

    return number

"""What a leaf would tape, counted without taping it."""

from __future__ import annotations

import numpy as np
from snapset.analysis.replay.memory.frames import Bound, Frame


class TapeCounter:
    """Counts what a store-all adjoint would push, and keeps none of it."""

    def __init__(self) -> None:
        self.bytes = 0

    def statement(self, frame: Frame, node: int) -> None:
        if node in frame.code.single:
            self.bytes += frame.code.single[node]
        elif node in frame.code.spots:
            for slot, index in frame.code.spots[node](frame.s, frame):
                if index is not None:
                    self.bytes += int(np.asarray(slot.values[index]).nbytes)
                elif slot.a is not None and slot.a.dtype.kind != "O":
                    self.bytes += int(slot.a.nbytes)

    def call(self, frame: Frame, node: int) -> Bound:
        found: Bound = frame.code.binds[node](frame.s, frame)
        return found

"""Who is shown what a walker runs: a store-all adjoint, which records a leaf, or one that counts what that would
tape."""

from __future__ import annotations

from snapset.analysis.replay.machine.stack import to_keep
from snapset.analysis.replay.machine.store_all import StoreAll
from snapset.analysis.replay.memory.frames import Bound, Frame


class TapeCounter:
    """Counts what a store-all adjoint would push, and keeps none of it."""

    def __init__(self) -> None:
        self.bytes = 0

    @property
    def recorder(self) -> TapeCounter:
        return self

    def statement(self, frame: Frame, node: int) -> None:
        if node in frame.code.single:
            self.bytes += frame.code.single[node]
        elif node in frame.code.spots:
            for slot, index in frame.code.spots[node](frame.s, frame):
                self.bytes += to_keep(slot, index)

    def call(self, frame: Frame, node: int) -> Bound:
        found: Bound = frame.code.binds[node](frame.s, frame)
        return found


class Recording:
    """Lets a store-all adjoint record what a walker runs."""

    def __init__(self, store: StoreAll) -> None:
        self.store = store

    @property
    def recorder(self) -> Recording:
        return self

    @property
    def bytes(self) -> int:
        return self.store.stack.height

    def take_all_back(self) -> int:
        """The backward sweep; the statement adjoints that it runs."""
        self.store.backward()
        return self.store.derivatives_run

    def statement(self, frame: Frame, node: int) -> None:
        self.store.record(frame, node)

    def call(self, frame: Frame, node: int) -> Bound:
        return self.store.record_call(frame, node)

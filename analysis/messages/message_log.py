"""What the second runs of a rank read instead of receiving: first in, first out (mpi-adjoint-checkpointing.txt, 3).

Each part has a queue of its own. Of nested parts the outer one's second run reads an entry and hands it to the inner
one's: under ``again`` it is logged anew and freed at the outer level, under ``keep`` the outer one's storage serves
both and is freed at the outer one's end.
"""

from __future__ import annotations

from collections import defaultdict, deque
from typing import Any, Literal, TypeAlias

from snapset.frontend.base.frozen_records import frozen

NestedLog: TypeAlias = Literal["again", "keep"]


@frozen
class LogEntry:
    """A received value. ``owner``: the part at whose end its storage is freed, under ``keep``."""

    value: Any
    bytes: int
    owner: str


class MessageLog:
    """The log of one rank. ``written``: bytes in all; ``peak``: at most at once."""

    def __init__(self, policy: NestedLog = "again") -> None:
        self.policy = policy
        self.queues: defaultdict[str, deque[LogEntry]] = defaultdict(deque)
        self.kept: defaultdict[str, int] = defaultdict(int)
        self.height = 0
        self.peak = 0
        self.written = 0

    def push(self, part: str, value: Any, count: int) -> None:
        """Log a value for a part's second run."""
        self.queues[part].append(LogEntry(value, count, part))
        self.height += count
        self.written += count
        self.peak = max(self.peak, self.height)

    def read(self, part: str, inner: str | None) -> Any:
        """The next entry of a part, in its second run; ``inner``: the part in it that will want the value too.

        Raises IndexError where the second run receives more than the first.
        """
        entry = self.queues[part].popleft()
        if self.policy == "again" or (entry.owner == part and inner is None):
            self.height -= entry.bytes
            if inner is not None:
                self.push(inner, entry.value, entry.bytes)
        elif inner is not None:
            self.queues[inner].append(entry)
            self.kept[entry.owner] += entry.bytes if entry.owner == part else 0
        return entry.value

    def end(self, part: str) -> None:
        """The part's adjoint is over: what it kept for inner ones is freed. Raises ValueError where entries are left:
        the second run did not receive what the first did."""
        self.height -= self.kept.pop(part, 0)
        if self.queues.pop(part, None):
            raise ValueError(f"{part}: its second run received less than its first")

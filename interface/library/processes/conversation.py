"""How the processes of one head talk: who asks what of whom, and what each is told besides.

    "work"     tasks             do these when nothing else is to be done
    "ask"      a question        answer this now
    "answer"   a question        here it is, or it failed
    "done"     tasks             these are done

With each message goes what its sender has found since the last one. A process that waits for an answer answers
meanwhile what it is asked itself: so two that wait for each other come to an end. An answer comes from the process that
has the model of the procedure it is about; where that fails or is lost, whoever asked finds it by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from snapset.analysis.incremental.query_engine import Answer, Engine, Keep, Node, Stamp, Trace
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.persistence.serialization import dumps, loads
from snapset.library.processes.head_tasks import LAST

Kind: TypeAlias = Literal["work", "ask", "answer", "done"]


@frozen
class Message:
    """``news``: answers, packed, that every process may want; ``last``: those only for who writes the report;
    ``traces``: how they were found."""

    kind: Kind
    what: tuple[Any, ...]
    news: tuple[bytes, ...] = ()
    last: bytes = b""
    traces: bytes = b""

    def packed(self) -> bytes:
        """For a line."""
        return dumps((self.kind, self.what, self.news, self.last, self.traces))

    @staticmethod
    def unpacked(data: bytes) -> Message:
        """The message again."""
        return Message(*loads(data))


@dataclass(slots=True)
class SeatMemory:
    """What a process writes down for the one that began."""

    new: list[tuple[Node, Keep, Trace]] = field(default_factory=list)
    keeps: Callable[[Node], Keep] = lambda node: "stamp"

    def traces(self, node: Node) -> tuple[Trace, ...]:
        return ()

    def keep(self, node: Node, trace: Trace) -> None:
        self.new.append((node, self.keeps(node), Trace(trace.reads, trace.stamp, None)))

    def large(self, stamp: Stamp) -> None:
        return None

    def keep_large(self, stamp: Stamp, value: Any) -> None:
        """The answer is sent with its stamp: who gets it keeps it."""


def answered(engine: Engine, node: Node) -> bool:
    """Find an answer for another process; False where that fails."""
    with engine.interrupted():
        try:
            engine.ask(node)
        except (RecursionError, MemoryError):
            raise
        except Exception:
            return False
    return True


def told(engine: Engine, message: Message) -> None:
    """Take over what came with a message."""
    for one in (*message.news, *((message.last,) if message.last else ())):
        engine.told(loads(one))
    if engine.memory is not None and message.traces:
        engine.remembered(loads(message.traces))


def parted(news: Iterable[Answer]) -> tuple[list[Answer], list[Answer]]:
    """What all may want to know, and what only who writes the report."""
    every: list[Answer] = []
    last: list[Answer] = []
    for one in news:
        (last if one[0][0] in LAST else every).append(one)
    return every, last


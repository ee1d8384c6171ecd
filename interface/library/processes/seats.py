"""Processes that sit beside this one: forks of it, which have all that it has read, and do what they are told."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from snapset.analysis.incremental.query_engine import Node
from snapset.frontend.persistence.serialization import dumps
from snapset.library.processes.conversation import Kind, Message, SeatMemory, answered, parted, told
from snapset.library.processes.forked_seat import ForkedSeat
from snapset.library.processes.head_tasks import HeadTasks, Task
from snapset.library.processes.message_line import MessageLine

CAN_FORK = hasattr(os, "fork")
REPORT = 0.02
"""Seconds of work after which a process says what it has done."""


class Seat(ForkedSeat):
    """One process beside this one, seen from here. ``given``: what it has been told to do and has not said to be done;
    ``untold``: what it has not been told, packed."""

    def __init__(self, tasks: HeadTasks, owners: Mapping[str, int], number: int, others: Iterable[Seat]) -> None:
        """``owners``: by procedure, which process has it; this is the one of that ``number``. Raises OSError where no
        process is to be had."""
        self.number = number
        self.given: set[Task] = set()
        self.untold: list[bytes] = []
        super().__init__(lambda line: _sit(_Sitting(line, tasks, owners, number)), others)

    def send(self, kind: Kind, what: tuple[object, ...]) -> None:
        """Raises LostProcessError."""
        news, self.untold = tuple(self.untold), []
        self.line.send(Message(kind, what, news).packed())


def _sit(sitting: _Sitting) -> None:
    """The life of a seat. It ends with the process that asks, and says nothing of its own."""
    try:
        sitting.begin()
        while True:
            sitting.goes_on()
    except BaseException:
        os._exit(1)


@dataclass
class _Sitting:
    """A seat seen from inside: the line to the process that began, what is to be done and what is not said yet."""

    line: MessageLine
    tasks: HeadTasks
    owners: Mapping[str, int]
    number: int
    work: list[Task] = field(default_factory=list)
    done: list[Task] = field(default_factory=list)
    failed: set[Node] = field(default_factory=set)
    last_report: float = 0.0

    def begin(self) -> None:
        """From here on what is found is written down to be sent."""
        engine = self.tasks.found.engine
        self.engine = engine
        self.memory = None if engine.memory is None else SeatMemory(keeps=engine.keeps)
        engine.memory = self.memory
        engine.news()
        engine.elsewhere = self.elsewhere

    def goes_on(self) -> None:
        """Hear what there is to hear, do one task, wait if there is none."""
        while (message := self.line.received()) is not None:
            self.hear(message)
        if not self.work:
            self.report()
            self.hear(self.line.receive())
            return
        task = self.work.pop(0)
        self.tasks.ask(task)
        self.done.append(task)
        if time.monotonic() - self.last_report > REPORT:
            self.report()

    def report(self) -> None:
        """Say what is done."""
        if self.done:
            self.send("done", tuple(one.plain for one in self.done))
            self.done.clear()
        self.last_report = time.monotonic()

    def send(self, kind: Kind, what: tuple[object, ...]) -> None:
        """A message, with what was found since the last."""
        news, last = parted(self.engine.news())
        traces = self.memory.new if self.memory is not None else []
        packed = [dumps(tuple(one)) if one else b"" for one in (news, last, traces)]
        traces.clear()
        self.line.send(Message(kind, what, (packed[0],) if packed[0] else (), packed[1], packed[2]).packed())

    def hear(self, data: bytes) -> None:
        """Take over what came, and do what is asked."""
        message = Message.unpacked(data)
        told(self.engine, message)
        if message.kind == "work":
            self.work += (Task(*one) for one in message.what)
            self.work.sort(key=Task.rank)
        elif message.kind == "ask":
            (node,) = message.what
            self.send("answer", (node, answered(self.engine, node)))
        elif message.kind == "answer":
            node, _ = message.what
            if not self.engine.knows(node):
                self.failed.add(node)

    def elsewhere(self, node: Node) -> bool:
        """Ask who has what a question is about."""
        procedure = self.tasks.procedure(node)
        if procedure is None or self.owners[procedure] == self.number or node in self.failed:
            return False
        self.send("ask", (node,))
        while not self.engine.knows(node) and node not in self.failed:
            self.hear(self.line.receive())
        return bool(self.engine.knows(node))

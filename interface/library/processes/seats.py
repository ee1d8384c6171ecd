"""Processes that sit beside this one: forks of it, which have all that it has read, and answer what they are asked.

A seat is sent which groups to ask of, with the answers that the others have made meanwhile, and sends back those that
it has made. Answers are data (:mod:`snapset.frontend.persistence.serialization`).
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any

from snapset.analysis.incremental.query_engine import Engine, Keep, Node, Stamp, Trace
from snapset.frontend.persistence.serialization import dumps, loads
from snapset.library.processes.code_waves import CodeWaves, Group, Step

CAN_FORK = hasattr(os, "fork")


class LostSeatError(Exception):
    """A process is no more."""


@dataclass(slots=True)
class SeatMemory:
    """What a seat writes down, for the process that asked it."""

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


class Seat:
    """One process beside this one, seen from here."""

    def __init__(self, waves: CodeWaves, others: Iterable[Seat]) -> None:
        """Raises OSError where no process is to be had."""
        self._pipe, there = Pipe()
        try:
            self.process = os.fork()
        except OSError:
            self._pipe.close()
            there.close()
            raise
        if self.process == 0:
            for one in (self, *others):
                one._pipe.close()
            _sit(there, waves)
        there.close()

    def ask(self, step: Step, groups: Sequence[Group], news: Sequence[bytes]) -> None:
        """Send what is to be asked. Raises LostSeatError."""
        try:
            self._pipe.send_bytes(dumps((step, tuple(groups), tuple(news))))
        except OSError as why:
            raise LostSeatError from why

    def answers(self) -> tuple[bytes, bytes]:
        """What it has made, and the traces of that. Raises LostSeatError."""
        try:
            return self._pipe.recv_bytes(), self._pipe.recv_bytes()
        except (EOFError, OSError) as why:
            raise LostSeatError from why

    def leave(self) -> None:
        """End the process, whatever it does."""
        self._pipe.close()
        with suppress(OSError):
            os.kill(self.process, signal.SIGKILL)
            os.waitpid(self.process, 0)


def _sit(pipe: Connection, waves: CodeWaves) -> None:
    """The life of a seat. It ends with the process that asks, and says nothing of its own."""
    try:
        engine = waves.found.engine
        memory = None if engine.memory is None else SeatMemory(keeps=engine.keeps)
        engine.memory = memory
        engine.news()
        while True:
            step, groups, news = loads(pipe.recv_bytes())
            answer(engine, waves, step, groups, news)
            pipe.send_bytes(dumps(engine.news()))
            pipe.send_bytes(dumps(tuple(memory.new if memory is not None else ())))
            if memory is not None:
                memory.new.clear()
    except BaseException:
        os._exit(1)


def answer(engine: Engine, waves: CodeWaves, step: Step, groups: Iterable[Group], news: Iterable[bytes]) -> None:
    """Take over what others have found, and ask what is this process's share."""
    for one in news:
        engine.told(loads(one))
    for group in groups:
        waves.ask(step, group)

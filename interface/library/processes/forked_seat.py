"""A process beside this one: a fork of it, which has all that it has read, at the other end of a line."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable
from contextlib import suppress

from snapset.library.processes.message_line import MessageLine


class ForkedSeat:
    """One such process, seen from here: the ``line`` to it, and its number as the system has it (``process``)."""

    def __init__(self, sit: Callable[[MessageLine], None], others: Iterable[ForkedSeat]) -> None:
        """``sit``: its life, from which it does not come back; ``others``: those that sit already, whose lines are not
        its own. Raises OSError where no process is to be had."""
        self.line, there = MessageLine.pair()
        try:
            self.process = os.fork()
        except OSError:
            self.line.close()
            there.close()
            raise
        if self.process == 0:
            for one in (self, *others):
                one.line.close()
            sit(there)
        there.close()

    def leave(self) -> None:
        """End the process, whatever it does."""
        self.line.close()
        with suppress(OSError):
            os.kill(self.process, signal.SIGKILL)
            os.waitpid(self.process, 0)

"""Divide and conquer with fork(): a capsule is a process that stands at a step and waits, and holds all its memory.

    python docs/fork_capsules.py

The program knows nothing of capsules. Each process takes orders: run on (a copy of it does, and becomes the capsule
there), go back (the adjoint at its step from a later one's), end.
"""

from __future__ import annotations

import math
import os
import signal
from collections.abc import Callable
from multiprocessing.connection import Client, Connection, Listener
from typing import Any

import snapset

Step = Callable[[float], float]


class Forked:
    """A program of steps ``x = step(x)``, with ``slope``, the derivative of a step. A capsule is the way to a process;
    as a watcher it ends those that are not needed any more."""

    def __init__(self, step: Step, slope: Step) -> None:
        self.step, self.slope = step, slope
        self.listener = Listener(family="AF_UNIX")

    def started(self, x: float) -> Connection:
        """The capsule at the beginning."""
        return self.forked(x, 0)

    def interrupt(self, capsule: Connection, steps: int, most: int) -> tuple[Connection, int]:
        capsule.send(("run", steps))
        return self.listener.accept(), steps

    def resume(self, capsule: Connection) -> None:
        raise NotImplementedError("no driver runs to the end")

    def adjoint(self, capsule: Connection, steps: int, adjoint: float) -> float:
        capsule.send(("back", steps, adjoint))
        return float(capsule.recv())

    def forked(self, x: float, steps: int) -> Connection:
        if os.fork() == 0:
            self.serve(x, steps)
        return self.listener.accept()

    def serve(self, x: float, steps: int) -> None:
        """What a process does: run, tell that it is there, take orders."""
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        for _ in range(steps):
            x = self.step(x)
        orders = Client(self.listener.address, "AF_UNIX")
        while True:
            what, *given = orders.recv()
            if what == "run":
                if os.fork() == 0:
                    self.serve(x, *given)
            elif what == "back":
                orders.send(self.back(x, *given))
            else:
                os._exit(0)

    def back(self, x: float, steps: int, adjoint: float) -> float:
        seen = [x]
        for _ in range(steps - 1):
            seen.append(self.step(seen[-1]))
        for one in reversed(seen):
            adjoint *= self.slope(one)
        return adjoint

    # a watcher of snapset.divide

    def split(self, whole: Any, kappa: int, right: Any) -> None:
        pass

    def leaf(self, interval: Any) -> None:
        pass

    def released(self, interval: Any) -> None:
        interval.capsule.send(("end",))


def gradient(x: float, steps: int, leaf: int) -> float:
    """Of ``steps`` times x = sin(x), with leaves of so many steps, by processes."""
    program = Forked(math.sin, math.cos)
    start = program.started(x)
    try:
        return snapset.divide(program, start, steps, 1.0, leaf=leaf, log=True, mid="optimal", watcher=program)
    finally:
        start.send(("end",))
        os.wait()
        program.listener.close()


if __name__ == "__main__":
    print(gradient(1.0, 1000, 10))
    print(Forked(math.sin, math.cos).back(1.0, 1000, 1.0))

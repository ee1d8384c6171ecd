"""Signs of life on stderr for runs that take longer than two seconds."""

from __future__ import annotations

import sys
import threading
import time
from contextlib import suppress
from types import TracebackType
from typing import TextIO

from snapset.crash import DURING

PATIENCE = 2.0
EVERY = 5.0
PIPED = 10.0


class Progress:
    """Tells on stderr what a long command is doing.

    ``with Progress(quiet) as progress: progress.stage("reading 3 files")``

    It shows nothing for two seconds, then what is being done, and every five seconds that it still is, how much of all
    is done and when the rest may be. A terminal alone is told, but ``piped``: then a log gets a line after ten seconds,
    and each time twice as many have passed. An exception that passes is given a note of it.
    """

    def __init__(self, quiet: bool, stream: TextIO | None = None, *, piped: bool = False) -> None:
        stream = stream or sys.stderr
        self._sparse = stream is not None and not stream.isatty()
        told = not quiet and stream is not None and (piped or not self._sparse)
        self._stream = stream if told else None
        self._done = 0.0
        self._what = ""
        self._start = time.monotonic()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Progress:
        if self._stream is not None:
            with suppress(RuntimeError, MemoryError):  # no thread to be had: it goes without
                self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None and self._what:
            error.add_note(f"{DURING}{self._what}")
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    def stage(self, what: str) -> None:
        """What is done from now on."""
        self._what = what

    def share(self, done: float) -> None:
        """How much of all is done, from 0 to 1."""
        self._done = done

    def _line(self, seconds: float) -> str:
        """``snapset: 3 of 12 heads analysed (25 %, 12 s, about 36 s more)``"""
        done = self._done
        rest = f", about {seconds*(1 - done)/done:.0f} s more" if 0 < done < 1 else ""
        return f"snapset: {self._what} ({f'{100*done:.0f} %, ' if done else ''}{seconds:.0f} s{rest})"

    def _watch(self) -> None:
        wait = PIPED if self._sparse else PATIENCE
        while not self._stop.wait(wait):
            seconds = time.monotonic() - self._start
            try:
                print(self._line(seconds), file=self._stream, flush=True)
            except (OSError, ValueError):
                return  # nobody listens: progress is not worth an error
            wait = seconds if self._sparse else EVERY

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


class Progress:
    """Tells on stderr what a long command is doing.

    ``with Progress(quiet) as progress: progress.stage("reading 3 files")``

    It shows nothing for two seconds, then what is being done, and every five seconds that it still is. An exception
    that passes is given a note of it.
    """

    def __init__(self, quiet: bool, stream: TextIO | None = None) -> None:
        self._stream = None if quiet else stream or sys.stderr
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

    def _watch(self) -> None:
        wait = PATIENCE
        while not self._stop.wait(wait):
            seconds = time.monotonic() - self._start
            try:
                print(f"snapset: {self._what} ({seconds:.0f} s)", file=self._stream, flush=True)
            except (OSError, ValueError):
                return  # nobody listens: progress is not worth an error
            wait = EVERY

"""Each rank runs in a thread of its own, and only one of them at a time: it has the baton.

A rank that waits hands the baton back with what it waits for (:mod:`snapset.analysis.messages.strands`); which rank is
next is decided there, so that threads change nothing in what happens.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from snapset.analysis.messages.exchange import MessageTransfer


class _AbandonedError(BaseException):
    """The others are stuck: this rank's run ends where it is."""


class RankThread:
    """One rank's run as a strand."""

    def __init__(self, work: Callable[[], None]) -> None:
        self.work = work
        self.mine, self.theirs = threading.Semaphore(0), threading.Semaphore(0)
        self.needs: Sequence[MessageTransfer] | None = ()
        self.failed: BaseException | None = None
        self.abandoned = False
        self.thread: threading.Thread | None = None

    def resume(self) -> Sequence[MessageTransfer] | None:
        """Go on until something must be waited for; None at the end. Raises what the rank raised."""
        if self.thread is None:
            self.thread = threading.Thread(target=self._run, daemon=True)
            self.thread.start()
        else:
            self.mine.release()
        self.theirs.acquire()
        if self.failed is not None:
            raise self.failed
        return self.needs

    def _run(self) -> None:
        try:
            self.work()
        except _AbandonedError:
            pass
        except BaseException as error:
            self.failed = error
        self.needs = None
        self.theirs.release()

    def wait(self, *transfers: MessageTransfer) -> None:
        """Called by the rank: come back when one of these is done; without any, when the others had their turn."""
        while True:
            self.needs = transfers
            if transfers and any(one.done for one in transfers):
                return
            self.theirs.release()
            self.mine.acquire()
            if self.abandoned:
                raise _AbandonedError
            if not transfers:
                return

    def abandon(self) -> None:
        """End a run that waits."""
        if self.thread is not None and self.thread.is_alive():
            self.abandoned = True
            self.mine.release()
            self.thread.join()

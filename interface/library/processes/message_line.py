"""Messages between two processes, whole or not at all; who sends reads meanwhile, so that two who send do not wait for
each other for ever."""

from __future__ import annotations

import select
import socket
import struct
from collections.abc import Sequence

_LENGTH = struct.Struct("!Q")
_CHUNK = 1 << 20


class LostProcessError(Exception):
    """The process at the other end is no more."""


class MessageLine:
    """One end of a line."""

    def __init__(self, end: socket.socket) -> None:
        end.setblocking(False)
        self._end = end
        self._ready = select.poll()
        self._ready.register(end, select.POLLIN)
        self._read = bytearray()

    @staticmethod
    def pair() -> tuple[MessageLine, MessageLine]:
        """Both ends. Raises OSError where there are no sockets."""
        here, there = socket.socketpair()
        return MessageLine(here), MessageLine(there)

    def fileno(self) -> int:
        """The end as the system knows it."""
        return self._end.fileno()

    def close(self) -> None:
        """Whoever reads at the other end is told that nothing comes any more."""
        self._end.close()

    def send(self, message: bytes) -> None:
        """Raises LostProcessError."""
        left = memoryview(_LENGTH.pack(len(message)) + message)
        ready = select.poll()
        ready.register(self._end, select.POLLIN | select.POLLOUT)
        try:
            while left:
                for _, events in ready.poll():
                    if events & ~select.POLLOUT:
                        self._fill()
                    if events & select.POLLOUT:
                        left = left[self._end.send(left):]
        except BlockingIOError:
            raise AssertionError("a socket that was ready is not") from None
        except OSError as why:
            raise LostProcessError from why

    def received(self) -> bytes | None:
        """The next message that is here; None: there is none yet. Raises LostProcessError."""
        if (found := self._next()) is None and self._ready.poll(0):
            self._fill()
            found = self._next()
        return found

    def receive(self) -> bytes:
        """The next message. Raises LostProcessError."""
        while (found := self.received()) is None:
            arrived([self], None)
        return found

    def _fill(self) -> None:
        try:
            found = self._end.recv(_CHUNK)
        except OSError as why:
            raise LostProcessError from why
        if not found:
            raise LostProcessError
        self._read += found

    def is_whole(self) -> bool:
        """Has a message been read that nobody has taken?"""
        start = _LENGTH.size
        return len(self._read) >= start and len(self._read) >= start + _LENGTH.unpack_from(self._read)[0]

    def _next(self) -> bytes | None:
        if not self.is_whole():
            return None
        start = _LENGTH.size
        end = start + _LENGTH.unpack_from(self._read)[0]
        found = bytes(memoryview(self._read)[start:end])
        del self._read[:end]
        return found


def arrived(lines: Sequence[MessageLine], wait: float | None) -> bool:
    """Is there something to read at one of some lines, at most so many seconds from now (None: whenever)? A message may
    have come while one was sent."""
    if any(one.is_whole() for one in lines):
        return True
    ready = select.poll()
    for one in lines:
        ready.register(one.fileno(), select.POLLIN)
    return bool(ready.poll(None if wait is None else wait*1000))

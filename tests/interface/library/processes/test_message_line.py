"""Messages come whole, also where both ends send, and where the other is gone."""

from __future__ import annotations

from threading import Thread

import pytest
from snapset.library.processes.message_line import LostProcessError, MessageLine, arrived

LONG = bytes(range(256))*(1 << 14)


def exchanged(line: MessageLine) -> list[bytes]:
    """What comes while, and after, three long messages are sent."""
    for _ in range(3):
        line.send(LONG)
    return [line.receive() for _ in range(3)]


def test_both_send_at_once() -> None:
    here, there = MessageLine.pair()
    got: list[bytes] = []
    other = Thread(target=lambda: got.extend(exchanged(there)))
    other.start()
    assert exchanged(here) == [LONG]*3
    other.join()
    assert got == [LONG]*3
    assert here.received() is None


def test_what_came_while_something_was_sent_has_arrived() -> None:
    here, there = MessageLine.pair()
    there.send(b"first")
    here.send(b"second")  # reads what is there
    assert arrived([here], 0)
    assert here.received() == b"first"
    assert not arrived([here], 0)
    assert there.receive() == b"second"


def test_nobody_is_there_any_more() -> None:
    here, there = MessageLine.pair()
    there.send(b"last words")
    there.close()
    assert here.received() == b"last words"
    with pytest.raises(LostProcessError):
        here.receive()
    with pytest.raises(LostProcessError):
        here.send(LONG)

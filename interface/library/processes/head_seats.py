"""Several heads in several processes: forks of this one, which have all that it has read, and do one head after the
other. Each process takes the next that nobody has; so none waits for another, however long single heads take."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol

from snapset.frontend.persistence.serialization import dumps, loads
from snapset.library.processes.forked_seat import ForkedSeat
from snapset.library.processes.message_line import LostProcessError, MessageLine, arrived

AHEAD = 2
"""So many heads a process is given at a time: it need not wait for this one to end its own."""


class Common(Protocol):
    """What several heads need: of one program, whichever head it has."""

    def plain(self) -> Mapping[Any, Any]:
        """What has been found, as plain data."""

    def told(self, found: Mapping[Any, Any]) -> None:
        """Take over what another process has found."""


class HeadSeat(ForkedSeat):
    """One process beside this one. ``given``: which heads it has been given and has not sent back; ``knows``: what it
    knows of what heads share."""

    def __init__(self, work: Callable[[int], Any], common: Common, others: list[HeadSeat]) -> None:
        """Raises OSError where no process is to be had."""
        self.given: list[int] = []
        self.knows = set(common.plain())
        super().__init__(lambda line: _sit(line, work, common, self.knows), others)


def _unknown(common: Common, knows: set[Any]) -> dict[Any, Any]:
    """What heads share and another process does not know. From now on it does."""
    new = {one: found for one, found in common.plain().items() if one not in knows}
    knows.update(new)
    return new


def _sit(line: MessageLine, work: Callable[[int], Any], common: Common, told: set[Any]) -> None:
    """The life of a seat. What fails there is done by the process that asks, which fails as it should."""
    try:
        while True:
            number, found = loads(line.receive())
            common.told(found)
            told.update(found)
            answer = _tried(work, number)
            line.send(dumps((number, *answer, _unknown(common, told))))
    except BaseException:
        os._exit(1)


def shared_out(number: int, work: Callable[[int], Any], processes: int, common: Common) -> Iterator[Any]:
    """What ``work`` gives of 0, 1, ..., in order, found by so many processes. Its answers are plain data; what several
    of them need, ``common``, they tell each other. Raises what it raises, where it would if there were one process."""
    found: dict[int, tuple[bool, Any]] = {}
    pending = list(range(number))
    with _seats(work, common, min(processes, number) - 1) as seats:
        for wanted in range(number):
            while wanted not in found:
                for seat in tuple(seats):
                    _talk(seat, seats, common, found, pending)
                if wanted in found:
                    break
                if pending:
                    mine = pending.pop(0)
                    found[mine] = _tried(work, mine)
                else:
                    arrived([seat.line for seat in seats], None)
            succeeded, answer = found.pop(wanted)
            yield answer if succeeded else work(wanted)


def _tried(work: Callable[[int], Any], number: int) -> tuple[bool, Any]:
    """An answer, if there is one; what fails is asked again when its turn comes."""
    try:
        return True, work(number)
    except Exception:
        return False, None


def _talk(seat: HeadSeat, seats: list[HeadSeat], common: Common, found: dict[int, tuple[bool, Any]],
          pending: list[int]) -> None:
    """Take what a process has found, and give it more to do. What one that is no more had is to be done again."""
    try:
        while (message := seat.line.received()) is not None:
            number, succeeded, answer, new = loads(message)
            common.told(new)
            seat.knows.update(new)
            seat.given.remove(number)
            found[number] = succeeded, answer
        while pending and len(seat.given) < AHEAD:
            seat.given.append(pending.pop(0))
            seat.line.send(dumps((seat.given[-1], _unknown(common, seat.knows))))
    except LostProcessError:
        pending[:] = sorted([*seat.given, *pending])
        seats.remove(seat)
        seat.leave()


@contextmanager
def _seats(work: Callable[[int], Any], common: Common, number: int) -> Iterator[list[HeadSeat]]:
    seats: list[HeadSeat] = []
    try:
        for _ in range(number):
            try:
                seats.append(HeadSeat(work, common, seats))
            except OSError:
                break
        yield seats
    finally:
        for seat in seats:
            seat.leave()

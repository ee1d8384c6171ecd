"""Several heads in several processes: the answers of one process, in order, whatever becomes of the others."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.load import load_program
from snapset.frontend.persistence.disk_cache import open_cache
from snapset.library.analysis import Choices, head_run, parse_heads
from snapset.library.head_runs import NewEntries
from snapset.library.processes import head_seats
from snapset.library.processes.head_seats import HeadSeat, shared_out
from snapset.library.processes.message_line import arrived
from snapset.render.pages.head_report import OutputForm, Writing, head_written, page

TEXT = OutputForm(False, (100, False, False), {})
SOURCE = """\
module m
  implicit none
  real :: w = 2
contains
  subroutine inner(x, y)
    real :: x(9), y
    !$ad checkpoint-start
    y = y + sum(x*x)*w
    x = sin(x)*y
    !$ad checkpoint-end
    w = w*y
  end subroutine inner
  subroutine first(x, y)
    real :: x(9), y
    call inner(x, y)
    call inner(x, y)
  end subroutine first
  subroutine second(x, y)
    real :: x(9), y
    integer :: i
    do i = 1, 3
      call inner(x, y)
    end do
    y = y*w
  end subroutine second
end module m
"""
HEADS = ["inner(x)>(y)", "first(x)>(y)", "second(x)>(y)", "second(y)>(y)", "first(y)>(x)"]


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "m.f90"
    path.write_text(SOURCE)
    return str(path)


@pytest.fixture
def seats(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[HeadSeat]]:
    """The processes that were started; all of them are gone in the end."""
    started: list[HeadSeat] = []

    class Watched(HeadSeat):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            started.append(self)

    monkeypatch.setattr(head_seats, "HeadSeat", Watched)
    yield started
    for seat in started:
        with pytest.raises(ChildProcessError):
            os.waitpid(seat.process, os.WNOHANG)


def written(file: str, processes: int, entries: NewEntries | None = None) -> str:
    heads = parse_heads(HEADS)
    found = head_run(Choices(), "tests").each(load_program([file]), heads, Writing(TEXT), entries, processes=processes)
    return page([head_written(TEXT, plain) for plain in found], False, TEXT.look)


@pytest.mark.parametrize("processes", [2, 3, 9])
def test_the_answers_are_those_of_one_process(processes: int, file: str, seats: list[HeadSeat]) -> None:
    assert written(file, processes) == written(file, 1)
    assert len(seats) == min(processes, len(HEADS)) - 1


def test_what_they_remember_is_what_one_process_remembers(file: str, tmp_path: Path, seats: list[HeadSeat]) -> None:
    stores = []
    for processes in (1, 2):
        cache, entries = open_cache(tmp_path / f"cache{processes}"), NewEntries()
        loaded = load_program([file], cache=cache)
        run, heads = head_run(Choices(), "tests"), parse_heads(HEADS)
        tuple(run.each(loaded, heads, Writing(TEXT), entries, processes=processes))
        stores.append([entries.values[run.trace_key(head, 0)] for head in heads])
    assert stores[0] == stores[1]
    assert len(seats) == 1
    again = written(file, 2, entries)
    assert again == written(file, 1)
    assert len(seats) == 1  # all is remembered


@dataclass
class Shared:
    """Squares that were found once."""

    known: dict[int, int] = field(default_factory=dict)
    made: list[int] = field(default_factory=list)

    def plain(self) -> dict[int, int]:
        return self.known

    def told(self, found: Mapping[int, int]) -> None:
        for one, value in found.items():
            self.known.setdefault(one, value)

    def square(self, number: int) -> int:
        if number not in self.known:
            self.made.append(number)
            self.known[number] = number*number
        return self.known[number]


def test_what_heads_share_is_told_both_ways(seats: list[HeadSeat]) -> None:
    shared = Shared()

    def work(number: int) -> tuple[int, list[int]]:
        return shared.square(number), shared.made

    seat = head_seats.HeadSeat(work, shared, [])
    shared.square(5)
    found: dict[int, tuple[bool, Any]] = {}
    pending = [5, 6]
    while len(found) < 2:
        head_seats._talk(seat, [seat], shared, found, pending)
        arrived([seat.line], None) if len(found) < 2 else seat.leave()
    assert found == {5: (True, (25, [])), 6: (True, (36, [6]))}
    assert shared == Shared({5: 25, 6: 36}, [5])


def pids(number: int) -> tuple[int, int]:
    return number, os.getpid()


def test_each_takes_what_nobody_has(seats: list[HeadSeat]) -> None:
    found = list(shared_out(20, pids, 3, Shared()))
    assert [number for number, _ in found] == list(range(20))
    assert os.getpid() in {pid for _, pid in found}


@pytest.mark.parametrize("at", [0, 3])
def test_a_process_that_is_killed_costs_time(at: int, seats: list[HeadSeat]) -> None:
    here = os.getpid()

    def work(number: int) -> int:
        if os.getpid() == here and number >= at:
            with suppress(ProcessLookupError):  # it may be gone from the time before
                os.kill(seats[0].process, signal.SIGKILL)
        return number*number

    assert list(shared_out(12, work, 3, Shared())) == [number*number for number in range(12)]
    assert len(seats) == 2


def test_a_process_that_ends_by_itself(seats: list[HeadSeat]) -> None:
    here = os.getpid()

    def work(number: int) -> int:
        if os.getpid() != here:
            os._exit(3)
        return number

    assert list(shared_out(12, work, 3, Shared())) == list(range(12))


def test_what_fails_fails_in_its_turn(seats: list[HeadSeat]) -> None:
    def work(number: int) -> int:
        if number == 7:
            raise InputError("no seventh")
        return number

    found = shared_out(12, work, 2, Shared())
    assert [next(found) for _ in range(7)] == list(range(7))
    with pytest.raises(InputError, match="no seventh"):
        next(found)


def test_no_process_to_be_had(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = written(file, 1)

    def refused() -> int:
        raise OSError("no more processes")

    monkeypatch.setattr(os, "fork", refused)
    assert written(file, 3) == alone


def test_answers_of_any_length(seats: list[HeadSeat]) -> None:
    """More than a line between processes holds, both ways at once."""
    assert [len(one) for one in shared_out(8, lambda number: bytes(number*(1 << 20)), 3, Shared())] == [
        number << 20 for number in range(8)]

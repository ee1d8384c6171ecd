"""Which test runs which statement, and how long it takes: a line for each test, kept for another time.

    3f2a... tests/analysis/test_corpus.py::test_bytes[burgers]  1  0.042  snapset.analysis.equations snp 31|...

Before it stands what the file of the test was, at the head of all what each source was: run again are tests of changed
files, and those that ran statements of changed sources.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

from benchmarks.mutants.changes import mutants_of
from benchmarks.mutants.live_code import observe
from benchmarks.mutants.processes import forked, run_tests
from benchmarks.mutants.rooms import Room, digest


class Survey:
    """What is known of tests, by number: seconds; by place the tests that run it, by module how many places each
    runs."""

    def __init__(self, session: pytest.Session, rooms: Sequence[Room], file: Path | None) -> None:
        self.took: dict[int, float] = {}
        self.by_place: dict[str, set[int]] = defaultdict(set)
        self.of_module: dict[str, Counter[int]] = defaultdict(Counter)
        sources = {module: digest([path]) for room in rooms for module, path in room.modules}
        known: list[str] = []
        if file is not None and file.exists():
            head, *lines = file.read_text().splitlines(keepends=True)
            before = dict(one.split("=") for one in head.split())
            same = {module for module, what in sources.items() if before.get(module) == what}
            known = [line for line in lines if {place.split()[0] for place in places_of(line)} <= same]
        names = [f"{of_file(item.path)} {item.nodeid}" for item in session.items]
        told: dict[str, str] = {line.partition("\t")[0]: line for line in known}
        try:
            for line in survey(session, rooms, [at for at, name in enumerate(names) if name not in told]):
                number, _, rest = line.partition("\t")
                told[names[int(number)]] = f"{names[int(number)]}\t{rest}"
        finally:  # interrupted: the others are run next time
            if file is not None:
                head = " ".join(f"{module}={what}" for module, what in sources.items())
                file.write_text("".join((f"{head}\n", *told.values())))
        for at, name in enumerate(names):
            _, good, seconds, _ = told[name].split("\t")
            if good == "0":
                print(f"fails without any change: {session.items[at].nodeid}", flush=True)
                continue
            self.took[at] = float(seconds)
            for place in places_of(told[name]):
                self.by_place[place].add(at)
                self.of_module[place.split()[0]][at] += 1


def places_of(line: str) -> list[str]:
    """The statements that a test ran."""
    places = line.rstrip("\n").rpartition("\t")[2]
    return places.split("|") if places else []


@cache
def of_file(path: Path) -> str:
    return digest([path])


def survey(session: pytest.Session, rooms: Sequence[Room], numbers: list[int]) -> Iterator[str]:
    """The lines of these tests: number, whether it passes, seconds, places."""
    if not numbers:
        return
    every = [one for room in rooms for one in mutants_of(room)]

    def child(tell: int) -> int:
        hits: set[str] = set()
        changed: dict[str, dict[str, None]] = defaultdict(dict)
        for one in every:
            changed[one.module][one.function] = None
        for module, names in changed.items():
            observe(module, names, hits)
        wanted = {one.place for one in every}
        with open(tell, "w", buffering=1, closefd=False) as out:
            for number, good, seconds in run_tests(session, numbers, {}, before=lambda _: hits.clear()):
                out.write(f"{number}\t{int(good)}\t{seconds:.3f}\t{'|'.join(sorted(hits & wanted))}\n")
        return 0

    started = forked(child)
    try:
        with open(started.reader, closefd=False) as found:
            yield from found
    finally:
        started.end()

"""Which test runs which statement, and how long it takes: a line for each test, kept for another time.

    3f2a... tests/analysis/test_corpus.py::test_bytes[burgers]  1  0.042  snapset.analysis.equations snp 31|...

Before it stands what the file of the test was, at the head of all what each source was: run again are tests of changed
files, and those that ran statements of changed sources. Nothing is known of sources that no run has observed.
"""

from __future__ import annotations

import os
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import IO

import pytest

from benchmarks.mutants.changes import mutants_of
from benchmarks.mutants.live_code import observe
from benchmarks.mutants.processes import forked, run_tests
from benchmarks.mutants.rooms import Room, digest


class Survey:
    """What is known of tests, by number: seconds; by place the tests that run it, by module how many places each
    runs."""

    def __init__(self, session: pytest.Session, rooms: Sequence[Room], file: Path | None, jobs: int = 1) -> None:
        self.session, self.rooms, self.file, self.jobs = session, rooms, file, jobs
        self.took: dict[int, float] = {}
        self.by_place: dict[str, set[int]] = defaultdict(set)
        self.of_module: dict[str, Counter[int]] = defaultdict(Counter)
        self.sources = {module: digest([path]) for room in rooms for module, path in room.modules}
        self.names = [f"{of_file(item.path)} {item.nodeid}" for item in session.items]
        self.told: dict[str, str] = {}
        if file is not None and file.exists():
            head, *lines = file.read_text().splitlines(keepends=True)
            before = dict(one.split("=") for one in head.split())
            same = {module for module, what in self.sources.items() if before.get(module) == what}
            if before.keys() >= self.sources.keys():
                self.told = {line.partition("\t")[0]: line for line in lines
                             if {place.split()[0] for place in places_of(line)} <= same}

    def ask(self, numbers: Iterable[int]) -> None:
        """Runs those of the tests of which nothing is known yet."""
        asked = [at for at in numbers if at not in self.took]
        try:
            self.run([at for at in asked if self.names[at] not in self.told])
        finally:  # interrupted: the others are run next time
            if self.file is not None:
                head = " ".join(f"{module}={what}" for module, what in self.sources.items())
                self.file.write_text("".join((f"{head}\n", *self.told.values())))
        for at in asked:
            _, good, seconds, _ = self.told[self.names[at]].split("\t")
            if good == "0":
                print(f"fails without any change: {self.session.items[at].nodeid}", flush=True)
                continue
            self.took[at] = float(seconds)
            for place in places_of(self.told[self.names[at]]):
                self.by_place[place].add(at)
                self.of_module[place.split()[0]][at] += 1

    def run(self, numbers: Sequence[int]) -> None:
        """The lines of these tests: name, whether it passes, seconds, places. Each process has files of its own."""
        paths = list(dict.fromkeys(self.session.items[at].path for at in numbers))
        shares = [[at for at in numbers if paths.index(self.session.items[at].path) % self.jobs == share]
                  for share in range(self.jobs)]
        with ExitStack() as files:
            outs = [files.enter_context(tempfile.TemporaryFile("w+")) for _ in shares]
            started = [forked(lambda _, share=share, out=out: self.observed(share, out))  # type: ignore[misc]
                       for share, out in zip(shares, outs, strict=True) if share]
            try:
                crashes = [Path(f"/dev/fd/{one.reader}").read_text() for one in started]
            finally:
                for one in started:
                    one.end()
                for out in outs:
                    out.seek(0)
                    for line in out:
                        number, _, rest = line.partition("\t")
                        if line.endswith("\n"):
                            self.told[self.names[int(number)]] = f"{self.names[int(number)]}\t{rest}"
        if any(crashes):
            raise RuntimeError("".join(crashes))

    def observed(self, numbers: Sequence[int], out: IO[str]) -> int:
        """Runs tests in this process, each statement saying that it runs."""
        hits: set[str] = set()
        changed: dict[str, dict[str, None]] = defaultdict(dict)
        every = [one for room in self.rooms for one in mutants_of(room)]
        for one in every:
            changed[one.module][one.function] = None
        for module, names in changed.items():
            observe(module, names, hits)
        wanted = {one.place for one in every}
        for number, good, seconds in run_tests(self.session, numbers, {}, before=lambda _: hits.clear()):
            places = "|".join(sorted(hits & wanted))
            os.write(out.fileno(), f"{number}\t{int(good)}\t{seconds:.3f}\t{places}\n".encode())
        return 0


def places_of(line: str) -> list[str]:
    """The statements that a test ran."""
    places = line.rstrip("\n").rpartition("\t")[2]
    return places.split("|") if places else []


@cache
def of_file(path: Path) -> str:
    return digest([path])

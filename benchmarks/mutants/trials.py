"""A pytest plugin: instead of the tests it tries the mutants, each in a fork with the tests that run its place."""

from __future__ import annotations

import gc
import importlib
import os
import signal
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from benchmarks.mutants.changes import Mutant
from benchmarks.mutants.live_code import find_functions, mutate
from benchmarks.mutants.nearest_tests import nearest
from benchmarks.mutants.processes import CRASHED, Started, forked, limit_of, run_tests
from benchmarks.mutants.rooms import FIRST, Room
from benchmarks.mutants.survey import Survey

PASSED, FAILED, NOTHING = 0, 1, 3
NOT_LIVE = "no live function has it"  # not tried, and not counted
TIME = (-signal.SIGPROF, -signal.SIGALRM)


def is_first(item: pytest.Item) -> bool:
    return item.nodeid.startswith(FIRST)


@dataclass(frozen=True)
class Trial:
    """A mutant, the tests in the order they are run, and the process."""

    mutant: Mutant
    numbers: tuple[int, ...]
    started: Started


class Trials:
    """What the plugin knows: tests' times and places, who killed, and each mutant's end."""

    def __init__(self, mutants: Sequence[Mutant], rooms: Sequence[Room], *, jobs: int, budget: float,
                 survey: Path | None, cases: int = 0, wide: bool = True, kept: Path | None = None,
                 every: bool = True) -> None:
        """``cases``: at most so many of a test function are asked (0: all). ``wide``: those of make test-wide, too.
        ``every``: all tests of the rooms are asked, not those of the nearest files alone.
        ``kept``: what was killed in a run before, and is not tried again; what is killed now is written there."""
        self.cases, self.wide = cases, wide
        self.mutants, self.rooms = mutants, rooms
        self.jobs, self.budget, self.file = jobs, budget, survey
        self.kills: dict[tuple[str, int], int] = defaultdict(int)  # by module and test
        self.ends: dict[Mutant, str] = {}
        self.early: set[Mutant] = set()  # killed by tests that are asked first
        self.kept, self.every = kept, every
        before = set(kept.read_text().splitlines()) if kept is not None and kept.exists() else set()
        self.ends |= {one: "killed" for one in mutants if str(one) in before}
        self.tried: dict[Mutant, set[int]] = defaultdict(set)
        self.running: dict[int, Trial] = {}
        self.controls: dict[tuple[int, ...], bool] = {}  # did these tests pass without a change?

    @pytest.hookimpl(trylast=True)  # behind those that ``-m`` takes out
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if not self.wide:
            items[:] = [item for item in items if is_first(item) or not item.get_closest_marker("wide")]
        if self.cases:
            of_one: dict[str, list[pytest.Item]] = defaultdict(list)
            for item in items:
                of_one[item.nodeid.partition("[")[0]].append(item)
            items[:] = [every[at*len(every)//most] for every in of_one.values()
                        for most in (min(self.cases, len(every)),) for at in range(most)]

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        for room in self.rooms:
            for module, _ in room.modules:
                importlib.import_module(module)
        gc.unfreeze()  # what is frozen is not found among the live functions
        find_functions([module for room in self.rooms for module, _ in room.modules])
        gc.freeze()  # nor does a child go over all of it, which would copy it
        self.survey = Survey(session, self.rooms, self.file, self.jobs)
        first = [at for at, item in enumerate(session.items) if is_first(item)]
        before = set(self.ends)
        self.attempt(session, [mutant for mutant in self.mutants if mutant not in self.ends], first)
        self.early = {mutant for mutant, end in self.ends.items() if end == "killed"} - before
        left = [mutant for mutant in self.mutants if mutant not in self.ends]
        if left:
            files = {item.path for item in session.items}
            near = files if self.every else {path for mutant in left for path in nearest(mutant, files)}
            self.attempt(session, left, [at for at, item in enumerate(session.items) if item.path in near])
        for mutant in left:
            if mutant not in self.ends:
                self.note(mutant, "survives" if self.tried[mutant] else "no test runs it")
        return True

    def attempt(self, session: pytest.Session, mutants: Sequence[Mutant], numbers: Sequence[int]) -> None:
        """Tries mutants with those of these tests that they have not been tried with."""
        self.survey.ask(numbers)
        print(f"{len(numbers)} tests, {sum(self.survey.took.values()):.0f} s; {len(mutants)} mutants", flush=True)
        try:
            for mutant in mutants:
                if len(self.running) >= self.jobs:
                    self.wait(session)
                self.start(session, mutant)
            while self.running:
                self.wait(session)
        finally:
            for trial in self.running.values():
                trial.started.end()

    def chosen(self, session: pytest.Session, mutant: Mutant) -> tuple[int, ...]:
        """The tests to be run, within the budget: those that killed before, then those that run much of the module in
        little time, few of each test function."""
        took = self.survey.took
        quickest = sorted(self.survey.by_place[mutant.place] - self.tried[mutant], key=lambda one: took[one])
        rank: dict[int, int] = {}
        seen: dict[str, int] = defaultdict(int)
        for number in quickest:
            function = session.items[number].nodeid.partition("[")[0]
            rank[number] = seen[function]
            seen[function] += 1
        budget, numbers = self.budget, list[int]()
        runs = self.survey.of_module[mutant.module]
        for number in sorted(quickest, key=lambda one: (-self.kills[mutant.module, one],
                                                        took[one]*(1 + rank[one])/runs[one])):
            if took[number] <= budget:
                budget -= took[number]
                numbers.append(number)
        return tuple(numbers)

    def start(self, session: pytest.Session, mutant: Mutant) -> None:
        numbers = self.chosen(session, mutant)
        if not numbers:
            return
        started = self.process(session, numbers, mutant)
        self.running[started.child] = Trial(mutant, numbers, started)

    def process(self, session: pytest.Session, numbers: tuple[int, ...], mutant: Mutant | None) -> Started:
        """Run tests with a mutant, or with none, until one fails; each is told before it starts."""
        def child(tell: int) -> int:
            if mutant is not None and not mutate(mutant):
                return NOTHING
            for _, good, _ in run_tests(session, numbers, self.survey.took,
                                        before=lambda number: os.write(tell, f"{number}\n".encode())):
                if not good:
                    return FAILED
            return PASSED

        return forked(child)

    def wait(self, session: pytest.Session) -> None:
        """Take one child's answer; a kill only where the same tests pass without the change, else once more."""
        child, status = os.wait()
        trial = self.running.pop(child)
        answer, code = trial.started.answer(), os.waitstatus_to_exitcode(status)
        trial.started.end()
        if code == CRASHED:
            raise RuntimeError(f"{trial.mutant}: {answer}")
        if code == PASSED:
            self.tried[trial.mutant].update(trial.numbers)
            return
        if code == NOTHING:
            self.note(trial.mutant, NOT_LIVE)
            return
        last = int(answer.split()[-1])
        ran = trial.numbers[:trial.numbers.index(last) + 1]
        if not self.passes(session, ran):
            self.start(session, trial.mutant)
            return
        self.kills[trial.mutant.module, last] += 1
        why = {FAILED: "", **dict.fromkeys(TIME, " (limit of time)")}.get(code, f" (ends with {code})")
        self.note(trial.mutant, "killed", f"by {session.items[last].nodeid}{why}")

    def passes(self, session: pytest.Session, numbers: tuple[int, ...]) -> bool:
        """Do these tests pass without a change? A fixture may be dearer in the first test that asks for it, and a test
        may rely on another: such a one gets more time, or is left out from now on."""
        if numbers not in self.controls:
            started = self.process(session, numbers, None)
            _, status = os.waitpid(started.child, 0)
            answer, code = started.answer(), os.waitstatus_to_exitcode(status)
            started.end()
            if code != PASSED:
                last = int(answer.split()[-1])
                if code in TIME:
                    self.survey.took[last] = limit_of(self.survey.took[last])
                else:
                    print(f"fails without any change: {session.items[last].nodeid}", flush=True)
                    for tests in self.survey.by_place.values():
                        tests.discard(last)
                return False
            self.controls[numbers] = True
        return self.controls[numbers]

    def note(self, mutant: Mutant, end: str, by: str = "") -> None:
        self.ends[mutant] = end
        print(f"{end}: {mutant} {by}".rstrip(), flush=True)
        if end == "killed" and self.kept is not None:
            with self.kept.open("a") as file:
                file.write(f"{mutant}\n")

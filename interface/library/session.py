"""One run: files read once, the program and the results made when they are asked for, through the cache."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import repeat
from typing import TYPE_CHECKING, Any

from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.source_model import ReadOptions, Unit
from snapset.frontend.interprocedural.name_scan import allocates
from snapset.frontend.interprocedural.unit_reachability import ReachedUnits, reached
from snapset.frontend.persistence.disk_cache import Cache, no_cache
from snapset.frontend.persistence.fingerprint import Texts, digest
from snapset.library.analysis import (
    Choices,
    Region,
    head_run,
    known,
    read_files,
    roots,
    whole_result,
)
from snapset.library.head_runs import HeadRun, Use

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from snapset.analysis.activity.differentiation_head import Head
    from snapset.analysis.results import HeadResult
    from snapset.frontend.ir import Program


_REAL = pattern_of(r"\d\.|\.\d|\d[ed][+-]?\d")


READ = 0.3
"""How much of a run is reading, where what follows is one analysis of each head."""


def _silent(what: str) -> None:
    """A stage that shows nothing: what a session calls when no progress is to be shown."""


def _unheard(done: float) -> None:
    """The same for how much is done."""


@dataclass(slots=True)
class Session:
    """What a run of a command needs of the files. ``stage`` hears what is being done, ``share`` how much of it.

    Without ``heads`` everything is read, with them what they reach. ``processes``: how many one head is analysed by.
    """

    files: tuple[str, ...]
    heads: tuple[Head, ...]
    read: ReadOptions = field(default_factory=ReadOptions)
    regions: tuple[Region, ...] = ()
    cache: Cache = field(default_factory=no_cache)
    stage: Callable[[str], None] = _silent
    jobs: int = 1
    effects: Mapping[str, str] = field(default_factory=dict)
    share: Callable[[float], None] = _unheard
    processes: int = 1
    _units: tuple[Unit, ...] | None = None
    _near: ReachedUnits | None = None
    _texts: tuple[bytes, ...] | None = None
    _allocates: bool = False
    _program: Program | None = None
    _statements: int | None = None

    def units(self) -> tuple[Unit, ...]:
        """The units of all files. Raises InputError for files that cannot be cut into units."""
        assert self._program is None, "the text has served"
        if self._units is None:
            self.stage(f"reading {_count(len(self.files), 'file')}")
            self._units = read_files(self.files, self.read, self.jobs, self.cache)
        return self._units

    def near(self) -> tuple[Unit, ...]:
        """Of these the ones that the heads reach. Raises InputError for one of these that could not be read."""
        if self._near is None:
            units = self.units()
            self._near = reached(units, roots(self.heads, self.regions)) if self.heads else ReachedUnits(units)
        return self._near.units

    def _reached(self) -> tuple[Unit, ...]:
        """What the report may speak of: these, and what could not be read."""
        near = self.near()
        return near if self._near is None else (*near, *self._near.unread)

    def program(self) -> Program:
        """What is read of the files. Raises InputError for what is not Fortran."""
        if self._program is None:
            from snapset.frontend.load import load_units, mark_lines

            units = self.units()
            self.stage("reading statements")
            wanted = roots(self.heads, self.regions) if self.heads else None
            program = load_units(
                units, self.files, wanted, self.cache, known(self.effects), self._near, self.read.kinds)
            for file, first, last in self.regions:
                program = mark_lines(program, file, first, last)
            self.statements()
            if self.cache.path is not None:
                self.keys("")
            self._program, self._units, self._near = program, None, None  # the text takes much room
        return self._program

    # ------------------------------------------------------------ results

    def keys(self, what: str) -> tuple[bytes, ...]:
        """What results may be stored under: the hash of what the heads reach, where nothing else can matter; of all;
        and the same of the text with all its constants, where the results quote some. Whether there is any ALLOCATE in
        all always matters: if there is none, none tells the shape of a module's array."""
        if self._texts is None:
            near, every, texts = self._reached(), self.units(), Texts()
            self._allocates = allocates(every)
            self._texts = (texts.results(near), texts.results(every), texts.exact(near), texts.exact(every))
        heads, effects = [head.text for head in self.heads], sorted(self.effects.items())
        given = (what, self.files, self.read.kinds, self.regions, heads, effects, self._allocates)
        return tuple(digest(str(place), repr(given), text) for place, text in enumerate(self._texts))

    def stored(self, what: str) -> object | None:
        """What an earlier run stored under ``what`` for the same text."""
        if self.cache.path is None:
            return None
        found = (self.cache.get(key) for key in self.keys(what))
        return next((value for value in found if value is not None), None)

    def store(self, what: str, value: object, results: Iterable[HeadResult]) -> None:
        """For the next run on the same text; ``results`` are what ``value`` is made from."""
        if self.cache.path is not None:
            from snapset.frontend.load import is_closed, names_module_allocatables

            wanted = roots(self.heads, self.regions) if self.heads else None
            program = self.program()
            elsewhere = self._allocates and names_module_allocatables(program)
            near = is_closed(program, known(self.effects), wanted) and not elsewhere
            quoting = any(_REAL.search(text) for result in results for text in _quoted(result))
            self.cache.put(self.keys(what)[2 * quoting + (not near)], value)

    def after_reading(self, read: float = READ) -> Callable[[float], None]:
        """What hears how much is done of all that follows, when the share ``read`` was reading."""
        def told(done: float) -> None:
            self.share(read + (1 - read)*done)

        told(0)
        return told

    def statements(self) -> int:
        """How many there are in what the heads reach."""
        if self._statements is None:
            self._statements = sum(len(one.items) for unit in self.near() for one in (unit, *unit.contains))
        return self._statements

    def stored_results(self, choices: Choices) -> tuple[HeadResult, ...] | None:
        """What an earlier run found for the same text and choices."""
        stored = self.stored(f"results {choices!r}")
        return stored if isinstance(stored, tuple) else None

    def results(self, choices: Choices, executor: Executor | None = None) -> tuple[HeadResult, ...]:
        """The results of all heads, in order."""
        found = tuple(self.each(choices, whole_result, executor))
        self.store(f"results {choices!r}", found, found)
        return found

    def afresh(self, choices: Choices, use: Use) -> tuple[Any, ...] | None:
        """What ``use`` makes of each head, in order, in this process; None where earlier runs remember one of them.
        What it makes must have the head's ``result``, which is stored."""
        if self.stored_results(choices) is not None or any(map(self._run(choices).remembered, self.heads,
                                                               repeat(self._entries()))):
            return None
        self.processes = 1
        found = tuple(self.each(choices, use))
        results = tuple(one.result for one in found)
        self.store(f"results {choices!r}", results, results)
        return found

    def _run(self, choices: Choices) -> HeadRun:
        return head_run(choices, repr((self.files, self.regions, self.read.kinds, choices)))

    def _entries(self) -> Cache | None:
        return None if self.cache.path is None else self.cache

    def each(self, choices: Choices, use: Use, executor: Executor | None = None) -> Iterator[Any]:
        """What ``use`` makes of each head, in order, with what earlier runs remember of them."""
        program, number = self.program(), _count(len(self.heads), "head")
        self.stage(f"analysing {self.heads[0].text}, 1 of {number}" if len(self.heads) > 1 else
                   f"analysing {self.heads[0].text}")  # fmt: skip
        answers = self._run(choices).each(program, self.heads, use, self._entries(), executor, self.processes)
        for done, answer in enumerate(answers, 1):
            self.stage(f"{done} of {number} analysed")
            self.share(done/len(self.heads))
            yield answer


def _quoted(result: HeadResult) -> Iterator[str]:
    """The texts in a result that may quote the source."""
    for part in result.parts:
        yield from (said.message for said in part.diagnostics)
        for solution in part.solutions.values():
            yield from (entry.text for entry in getattr(solution, "again", ()))
    yield from (said.message for said in result.diagnostics)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"

"""The analysis of heads with what earlier runs remember of them, one after the other or side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from threading import local
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.persistence.fingerprint import digest

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from snapset.analysis.activity.differentiation_head import Head
    from snapset.analysis.head_answers import HeadAnswer
    from snapset.analysis.incremental.query_engine import TraceMemory
    from snapset.analysis.incremental.result_store import TraceStore
    from snapset.analysis.pipeline import AnalysisOptions, HeadAnalysis
    from snapset.analysis.procedures.model_builder import Models
    from snapset.analysis.procedures.program_facts import SharedFacts
    from snapset.analysis.recording.strategies import Strategy
    from snapset.frontend.base.diagnostics import Diagnostic
    from snapset.frontend.interprocedural.lazy_procedures import SourceHashes
    from snapset.frontend.ir import Program

Use: TypeAlias = "Callable[[HeadAnalysis], Any]"
"""What is wanted of a head: plain data. Others than a process's own function must be picklable."""


TASKS = 16
"""Into how many tasks heads are cut, at most: each is sent the program."""


class Entries(Protocol):
    """A cache, or what takes its place in another process."""

    def get(self, key: bytes) -> Any | None:
        """The value, None where there is none."""

    def put(self, key: bytes, value: Any) -> None:
        """Keep a value."""


@dataclass(slots=True)
class NewEntries:
    """What a process without a cache would put into one."""

    values: dict[bytes, Any] = field(default_factory=dict)

    def get(self, key: bytes) -> Any | None:
        return self.values.get(key)

    def put(self, key: bytes, value: Any) -> None:
        self.values[key] = value


@frozen
class _Forgetful:
    """A cache in which nothing is found."""

    entries: Entries

    def get(self, key: bytes) -> None:
        return None

    def put(self, key: bytes, value: Any) -> None:
        self.entries.put(key, value)


class Modelled:
    """The models that heads found of a program, for further heads of the same procedure: `solve(x)>(y)` and
    `solve(a)>(y)` differ in what varies and is useful, not in what statements read and write. They are kept for as long
    as there is one to come."""

    def __init__(self, heads: Iterable[Head]) -> None:
        self._left = Counter(map(_procedure, heads))
        self._known: dict[tuple[str | None, str], Models] = {}

    def get(self, head: Head) -> Models | None:
        """Those that an earlier head of the procedure found."""
        return self._known.get(_procedure(head))

    def done(self, head: Head, found: Models | None = None) -> None:
        """There is one to come less; ``found``: what it was done with."""
        name = _procedure(head)
        self._left[name] -= 1
        if self._left[name] <= 0:
            self._known.pop(name, None)
        elif found is not None:
            self._known.setdefault(name, found)


def _procedure(head: Head) -> tuple[str | None, str]:
    return head.module, head.procedure


@frozen
class HeadRun:
    """How to analyse heads. ``name``: of what they are, options and all, under which they are remembered."""

    strategies: tuple[Strategy, ...]
    options: AnalysisOptions
    name: str = ""

    def trace_key(self, head: Head, phase: int) -> bytes:
        """The key under which the traces of a head are stored."""
        return digest("shelf", self.name, head.text, repr(head), f"{phase}")

    def one_of_many(self, program: Program, head: Head, use: Use, entries: Entries | None, shared: SharedFacts,
                    modelled: Modelled) -> Any:
        """As :meth:`analysis` for one of several heads: what was made of it is kept whole, and found at one look where
        the program says what it said. ``use``: with a ``key`` of all that it depends on itself, else nothing is."""
        wanted: str | None = getattr(use, "key", None)
        key = digest("answer", self.trace_key(head, 0), wanted or "")
        known: HeadAnswer | None = None if entries is None or wanted is None else entries.get(key)
        if known is not None and known.holds(program, head, self.options, shared):
            modelled.done(head)
            return known.made

        def kept(analysis: HeadAnalysis) -> Any:
            made = use(analysis)
            modelled.done(head, analysis.models)
            if entries is not None and wanted is not None:
                from snapset.analysis.head_answers import head_answer

                answer = head_answer(program, analysis.models, analysis.adjoints.messages, self.options, made)
                if answer is not None:
                    entries.put(key, answer)
            return made

        return self.analysis(program, head, kept, entries, shared=shared, models=modelled.get(head))

    def analysis(self, program: Program, head: Head, use: Use, entries: Entries | None, processes: int = 1,
                 shared: SharedFacts | None = None, models: Models | None = None) -> Any:
        """What ``use`` makes of a head, with so many processes where that pays; ``shared``: what all heads of the
        program share; ``models``: those of another head of the same procedure. Raises InputError as
        :class:`HeadAnalysis` does."""
        from snapset.analysis.incremental.query_engine import StaleError

        try:
            return self._once(program, head, use, entries, processes, shared, models)
        except StaleError:
            assert entries is not None
            return self._once(program, head, use, _Forgetful(entries))

    def _once(self, program: Program, head: Head, use: Use, entries: Entries | None, processes: int = 1,
              shared: SharedFacts | None = None, models: Models | None = None) -> Any:
        from snapset.analysis.incremental.result_store import TraceStore
        from snapset.analysis.pipeline import HeadAnalysis

        stores: dict[int, TraceStore] = {}

        def traces(phase: int) -> TraceStore | None:
            if entries is None:
                return None
            return stores.setdefault(phase, TraceStore(entries, self.trace_key(head, phase)))

        analysis = HeadAnalysis(program, head, self.strategies, self.options, traces, models, shared)
        if program.declared and self.strategies:
            analysis.remarks = partial(self._declared, program, head)
        if processes > 1:
            from snapset.library.processes.side_by_side import asked_ahead

            with asked_ahead(analysis, use, processes):
                answer = use(analysis)
        else:
            answer = use(analysis)
        for one in stores.values():
            one.save()
        return answer

    def _declared(self, program: Program, head: Head) -> tuple[Diagnostic, ...]:
        """What is to be said of the lists that the source declares, under the first strategy."""
        from snapset.analysis.declared.judged_lists import remarks
        from snapset.analysis.declared.list_places import Beginning
        from snapset.analysis.evidence.search import Search
        from snapset.analysis.evidence.watched_levels import levels_watched
        from snapset.analysis.part_places import extent, part_ids, places
        from snapset.analysis.pipeline import HeadAnalysis
        from snapset.analysis.recording.program_recording import record_program

        with levels_watched() as solved:
            analysis = HeadAnalysis(program, head, self.strategies[:1], self.options)
            analysis.result()
            order = analysis.planning.order()
            solved.required.clear()
            records = record_program(analysis.adjoints, order, analysis.strategy(self.strategies[0].name))
        codes, ids = analysis.adjoints.by_key, part_ids(analysis.adjoints, order)
        parts = {}
        for key, code in ((key, codes[key]) for key in order):
            for level, node in places(code):
                inner = code.levels[level].graph.parts.get(node)
                parts[key, level, node] = Beginning(ids[key, node], extent(code, node, inner)[0], inner is None)
        return remarks(Search(analysis.adjoints, records, solved), order, parts, program.declared)

    def each(self, program: Program, heads: Sequence[Head], use: Use, entries: Entries | None,
             executor: Executor | None = None, processes: int = 1) -> Iterator[Any]:
        """What ``use`` makes of each head, in order; those of which nothing is remembered side by side: with an
        executor there, else several by so many ``processes``, one head by all of them."""
        many = executor is not None or processes > 1
        far = [head for head in heads if many and not self.remembered(head, entries)]
        memory = None if entries is None else self._shared_traces(entries)
        shared = None if executor is not None and len(far) == len(heads) else _shared_facts(program, memory)
        modelled = Modelled(heads)
        if executor is not None:
            answers = self._elsewhere(program, far, use, entries, executor) if far else iter(())
        elif len(far) > 1 and shared is not None:
            answers = self._forked(program, far, use, entries, processes, shared, modelled)
        else:
            answers = (self.analysis(program, head, use, entries, processes, shared) for head in far)
        away = frozenset(far)
        for head in heads:
            if head in away:
                yield next(answers)
            elif len(heads) > 1 and shared is not None:
                yield self.one_of_many(program, head, use, entries, shared, modelled)
            else:
                yield self.analysis(program, head, use, entries, shared=shared)
        if memory is not None:
            memory.save()

    def _forked(self, program: Program, heads: Sequence[Head], use: Use, entries: Entries | None, processes: int,
                shared: SharedFacts, modelled: Modelled) -> Iterator[Any]:
        """Each head in one of several processes that are forks of this one."""
        from snapset.library.processes.head_seats import shared_out

        def work(number: int) -> tuple[Any, dict[bytes, Any]]:
            new = NewEntries()
            known = new if entries is not None else None
            found = self.one_of_many(program, heads[number], use, known, shared, modelled)
            return found, new.values

        for procedure in program.procedures.values():
            len(procedure.body)  # read here: the cache's file is this process's
        for answer, new in shared_out(len(heads), work, processes, shared.overlays):
            for key, value in new.items():
                assert entries is not None
                entries.put(key, value)
            yield answer

    def _shared_traces(self, entries: Entries) -> TraceStore:
        """What is remembered of the program, whichever head it has."""
        from snapset.analysis.incremental.result_store import TraceStore

        return TraceStore(entries, digest("shared", self.name))

    def remembered(self, head: Head, entries: Entries | None) -> bool:
        """Has an earlier run left traces of a head?"""
        return entries is not None and entries.get(self.trace_key(head, 0)) is not None

    def _elsewhere(self, program: Program, heads: Sequence[Head], use: Use, entries: Entries | None,
                   executor: Executor) -> Iterator[Any]:
        from snapset.frontend.persistence.serialization import dumps, loads

        packed = dumps((program, {} if entries is None else _sources(program)))
        size = -(-len(heads) // TASKS)
        groups = [tuple(heads[first:first + size]) for first in range(0, len(heads), size)]
        number = len(groups)
        sent = executor.map(_answered, [self] * number, [packed] * number, groups, [use] * number,
                            [entries is not None] * number)
        for bytes_ in sent:
            answers, new = loads(bytes_)
            for key, value in new.items():
                assert entries is not None
                entries.put(key, value)
            yield from answers


def _answered(run: HeadRun, packed: bytes, heads: Sequence[Head], use: Use, remembers: bool) -> bytes:
    """What another process does: packed program in, packed answers out, with what there is to be remembered."""
    from snapset.crash import placed
    from snapset.frontend.persistence.serialization import dumps

    with placed():
        (program, shared), new = _unpacked(packed), NewEntries()
        answers = [run.analysis(program, head, use, new if remembers else None, shared=shared) for head in heads]
        return dumps((answers, new.values))


_here = local()
"""Of each thread the program that came last, as it was packed: what heads share is found once for it."""


def _unpacked(packed: bytes) -> tuple[Program, SharedFacts]:
    from snapset.frontend.persistence.serialization import loads

    if getattr(_here, "packed", None) != packed:
        program, sources = loads(packed)
        program = _with_sources(program, sources)
        _here.packed, _here.found = packed, (program, _shared_facts(program))
    found: tuple[Program, SharedFacts] = _here.found
    return found


def _shared_facts(program: Program, memory: TraceMemory | None = None) -> SharedFacts:
    from snapset.analysis.procedures.program_facts import SharedFacts

    return SharedFacts(program, memory)


def _sources(program: Program) -> Mapping[str, SourceHashes]:
    """Where the program's procedures came from, which is not packed with them."""
    from snapset.frontend.interprocedural.lazy_procedures import source_of

    found = ((key, source_of(procedure)) for key, procedure in program.procedures.items())
    return {key: source for key, source in found if source is not None}


def _with_sources(program: Program, sources: Mapping[str, SourceHashes]) -> Program:
    from snapset.frontend.interprocedural.lazy_procedures import remember_source

    if not sources:
        return program
    procedures = {key: remember_source(one, sources[key]) if key in sources else one
                  for key, one in program.procedures.items()}
    return replace(program, procedures=MappingProxyType(procedures))

"""The records of all adjoint codes of a head: what each tapes and saves, found when it is asked for.

What is required at a code's entry is what its callers require there, so callers come first; those that call each other
are recorded together, until nothing changes any more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial, reduce
from operator import or_

from snapset.analysis.adjoint.interprocedural import Adjoints
from snapset.analysis.adjoint.level_adjoint import ProcedureAdjoint
from snapset.analysis.allocation.rerun_hazards import RerunHazards
from snapset.analysis.dataflow.bitsets import May, union
from snapset.analysis.incremental.query_engine import LazyTable, QueryOwner, derived, query
from snapset.analysis.incremental.relative_diagnostics import Relative, relative
from snapset.analysis.recording.asked import NOTHING_ASKED, Asked
from snapset.analysis.recording.program_recording import ProgramRecording
from snapset.analysis.recording.strategies import Strategy
from snapset.analysis.recording.to_be_recorded import ProcedureRecord
from snapset.frontend.base.diagnostics import Diagnostic


class HeadRecords(QueryOwner):
    """What the codes of a head record, by strategy and code, each found when it is asked for."""

    def __init__(self, adjoints: Adjoints, strategy: Callable[[str], Strategy]) -> None:
        """``strategy``: the one of a name."""
        super().__init__(adjoints.engine)
        self.adjoints = adjoints
        self.planning = adjoints.planning
        self.strategy = strategy

    def under(self, name: str) -> Mapping[str, ProcedureRecord]:
        """Those of all codes under one strategy."""
        return LazyTable(self.planning.order, partial(self.record, name))

    @derived
    def record(self, name: str, key: str) -> ProcedureRecord:
        return self.together(name, self.planning.together(key))[0][key]

    @query()
    def together(self, name: str, keys: tuple[str, ...]) -> tuple[Mapping[str, ProcedureRecord], Mapping[str, Asked]]:
        """Codes that have to be recorded together, callers first, and what is asked of others."""
        entering = {key: self.entering(name, key, keys) for key in keys}
        found = ProgramRecording(self.adjoints, keys, self.strategy(name), entering=entering)
        return found.run(), {key: bits for key, bits in found.entering.items() if key not in entering}

    @query("value")
    def passed_on(self, name: str, keys: tuple[str, ...]) -> tuple[tuple[str, Asked], ...]:
        """What some codes ask of others."""
        return tuple(sorted(self.together(name, keys)[1].items(), key=lambda one: one[0]))

    @query("value")
    def not_kept(self, name: str, key: str) -> tuple[Relative, ...]:
        """What one code deallocates and cannot bring back."""
        adjoint = self.adjoints.by_key[key]
        found = not_kept(adjoint, self.record(name, key), self.adjoints.hazards)
        return tuple(relative(one, adjoint.model.procedure.span) for one in found)

    def entering(self, name: str, key: str, keys: tuple[str, ...]) -> Asked:
        """What the codes that run one, but for ``keys``, ask of it."""
        callers = dict.fromkeys(self.planning.together(one) for one in self.planning.callers(key) if one not in keys)
        found = (dict(self.passed_on(name, group)).get(key, NOTHING_ASKED) for group in callers)
        return reduce(or_, found, NOTHING_ASKED)


def not_kept(adjoint: ProcedureAdjoint, record: ProcedureRecord, hazards: RerunHazards) -> Iterator[Diagnostic]:
    """What the forward sweeps of a code deallocate, and no tape or snapshot of it brings back (SN104)."""
    for level, its in zip(adjoint.levels, record.levels, strict=True):
        saved = (May(one.choice.snp | one.choice.sbk) for one in its.solved.values())
        kept = union((*its.taped.values(), *saved))
        yield from hazards.not_kept(adjoint.model, sorted(level.running - level.parts.keys()), kept)

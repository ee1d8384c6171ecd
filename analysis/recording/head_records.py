"""What all codes of a head record, each found when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from snapset.analysis.adjoint.interprocedural import Adjoints
from snapset.analysis.dataflow.bitsets import EMPTY, May, union
from snapset.analysis.incremental.query_engine import LazyTable, QueryOwner, derived, query
from snapset.analysis.recording.strategies import Strategy
from snapset.analysis.recording.to_be_recorded import ProcedureRecord, ProgramRecording


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
    def together(self, name: str, keys: tuple[str, ...]) -> tuple[Mapping[str, ProcedureRecord], Mapping[str, May]]:
        """Codes that have to be recorded together, callers first, and what is required at the entry of others."""
        entering = {key: self.entering(name, key, keys) for key in keys}
        found = ProgramRecording(self.adjoints, keys, self.strategy(name), entering=entering)
        return found.run(), {key: bits for key, bits in found.entering.items() if key not in entering}

    @query("value")
    def passed_on(self, name: str, keys: tuple[str, ...]) -> tuple[tuple[str, May], ...]:
        """What some codes require at the entry of others."""
        return tuple(sorted(self.together(name, keys)[1].items()))

    def entering(self, name: str, key: str, keys: tuple[str, ...]) -> May:
        """What the codes that run one, but for ``keys``, require at its entry."""
        callers = dict.fromkeys(self.planning.together(one) for one in self.planning.callers(key) if one not in keys)
        return union(dict(self.passed_on(name, group)).get(key, EMPTY) for group in callers)

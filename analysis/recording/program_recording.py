"""To Be Recorded through all codes of a head, callers first, since callers say what is required at a code's entry."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeAlias

from snapset.analysis.adjoint.interprocedural import Adjoints
from snapset.analysis.dataflow.bitsets import EMPTY, May
from snapset.analysis.equations import Partition
from snapset.analysis.recording.asked import NOTHING_ASKED, Asked
from snapset.analysis.recording.pieces_inside import PiecesInside
from snapset.analysis.recording.private_scalars import with_private
from snapset.analysis.recording.strategies import Place, Strategy
from snapset.analysis.recording.to_be_recorded import PartRecord, ProcedureRecord, record_procedure, solve_required

Known: TypeAlias = dict[tuple[str, Asked, frozenset[tuple[Place, Partition]]], ProcedureRecord]


def record_program(adjoints: Adjoints, order: tuple[str, ...], strategy: Strategy,
                   tape_all: bool = False, known: Known | None = None,
                   plain: bool = False, keeping: bool = True) -> Mapping[str, ProcedureRecord]:
    """Req through all codes, callers before callees (``order``), nothing required at the head's entry.

    What a callee in split mode requires at its exit goes on in its callers: then again, until nothing grows.
    ``plain``: nothing is computed again, whatever ``adjoints`` says; ``tape_all``: and a write tapes by variables.
    ``known``: records kept from one chosen strategy to the next, by code, Req at its entry and its parts' partitions.
    ``keeping``: where values are computed again, lazy keeps to the end what it saves anyway; else it is DH (9).
    """
    return ProgramRecording(adjoints, order, strategy, tape_all, known, plain=plain, keeping=keeping).run()


class ProgramRecording:
    """Records some codes, again where what one asks of another has grown."""

    def __init__(self, adjoints: Adjoints, order: tuple[str, ...], strategy: Strategy, tape_all: bool = False,
                 known: Known | None = None, entering: Mapping[str, Asked] = MappingProxyType({}),
                 plain: bool = False, keeping: bool = True) -> None:
        """``entering``: what others ask of these."""
        self.adjoints = adjoints
        self.inside = PiecesInside(adjoints.by_key) if keeping else None
        self.tape_all, self.plain = tape_all, plain or tape_all
        self.order = order
        self.strategy = strategy
        self.entering: dict[str, Asked] = {**dict.fromkeys(order, NOTHING_ASKED), **entering}
        self.own = frozenset(order)
        self.found: dict[str, ProcedureRecord] = {}
        self._through: dict[tuple[str, May], May] = {}
        self.known = known if strategy.kind == "chosen" else None
        self.chosen: dict[str, set[tuple[Place, Partition]]] = {}
        for place, partition in strategy.chosen.items():
            self.chosen.setdefault(place[0], set()).add((place, partition))

    def run(self) -> Mapping[str, ProcedureRecord]:
        stale = set(self.order)
        while stale:
            for key in self.order:
                if key in stale:
                    stale.discard(key)
                    stale |= self._recorded(key)
        return self.found

    def _recorded(self, key: str) -> set[str]:
        """Record one code; those that have to be recorded again."""
        record = self._record(key)
        stale: set[str] = set()
        if self.adjoints.planning.code(key).split and self.found.get(key) != record:
            above = self.adjoints.codes.above(key)
            stale |= above
            self._through = {at: r for at, r in self._through.items() if at[0] != key and at[0] not in above}
        self.found[key] = record
        for callee, asked in record.passed_on.items():
            known = self.entering.get(callee, NOTHING_ASKED)
            if asked | known != known:
                self.entering[callee] = known | asked
                stale |= {callee} & self.own
        return stale

    def _record(self, key: str) -> ProcedureRecord:
        adjoint, entering = self.adjoints.by_key[key], self.entering[key]
        inputs = key, entering, frozenset(self.chosen.get(key, ()))
        keeps = self.known is not None and not adjoint.split_calls  # what runs apart depends on other codes' records
        if self.known is not None and keeps and inputs in self.known:
            return self.known[inputs]
        again = None if self.plain else self.adjoints.computable(key)
        plain = self.plain or not self.adjoints.rules.recompute
        tapes = () if self.tape_all else self.adjoints.tapes(key, plain)
        with_private(adjoint, tapes if plain else ())
        by_value = self.adjoints.rules.dag and not self.plain
        record = record_procedure(adjoint, entering, self.strategy, self.through, again, 0, tapes, by_value,
                                  None if plain else self.inside)
        if self.known is not None and keeps:
            self.known[inputs] = record
        return record

    def through(self, key: str, required: May) -> May:
        """Req at the exit of a code in split mode from Req at its entry at one call."""
        if key not in self.found:
            return EMPTY  # it stands behind its callers in the order, which come again
        if (key, required) not in self._through:
            adjoint, record = self.adjoints.by_key[key], self.found[key].levels[0]
            level = adjoint.levels[0]

            def part(node: int, before: May) -> PartRecord:
                return record.solved[node]

            flow = solve_required(adjoint, level, required, part, self.through)
            left = flow.at_exit(level.graph.leave)
            self._through[key, required] = adjoint.model.lives().fold(left) & adjoint.model.visible
        return self._through[key, required]

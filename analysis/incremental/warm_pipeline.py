"""The analysis of a head of which an earlier run kept what it found: only what an edit can matter for is done again.

The order is that of :mod:`snapset.analysis.pipeline`, and so are the results. Each step takes what it needs of other
procedures from what was kept, and of a procedure for which nothing changed it makes nothing. What depends on the whole
program at once is not kept: recursion, calls through procedure pointers and dummy procedures, pointers, split mode,
codes by calling pattern, the strategy optimal, partitions by names, counted runs (:func:`can_be_kept`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from snapset.analysis.activity.code_table import Codes
from snapset.analysis.activity.dependence_cut import no_dependence
from snapset.analysis.activity.differentiation_head import Head, find_procedure, independents_and_dependents, orient
from snapset.analysis.costs.stack_model import Ground
from snapset.analysis.dataflow.bitsets import Exact
from snapset.analysis.incremental.cached_activity import KeptActivity
from snapset.analysis.incremental.cached_adjoints import KeptAdjoints, KeptRecords
from snapset.analysis.incremental.cached_costs import KeptCoster
from snapset.analysis.incremental.cached_models import KeptHazards, KeptModels, KeptStretches, StaleError
from snapset.analysis.incremental.cached_parts import KeptParts
from snapset.analysis.incremental.line_shift import moved
from snapset.analysis.incremental.result_store import Shelf, key_of
from snapset.analysis.pipeline import AnalysisOptions, make_adjoints
from snapset.analysis.recording.strategies import Strategy
from snapset.analysis.results import Part, Total
from snapset.frontend.base.diagnostics import Diagnostic
from snapset.frontend.interprocedural.call_graph import bottom_up, callees
from snapset.frontend.interprocedural.lazy_procedures import brief_of, source_of
from snapset.frontend.ir import Procedure, Program

_NAMED = ("lazy", "eager")


def can_be_kept(program: Program, head: Head, strategies: Sequence[Strategy], options: AnalysisOptions) -> bool:
    """Can the analysis be done procedure by procedure?"""
    if options.split or not options.call_checkpoints or options.context or options.pareto or options.counts is not None:
        return False
    if any(strategy.kind not in _NAMED for strategy in strategies):
        return False
    if any(source_of(one) is None or not brief_of(one).plain for one in program.procedures.values()):
        return False
    root = find_procedure(program, head)
    if any(name not in root.variables for name in root.formals):
        return False
    return all(len(group) == 1 and group[0] not in callees(program.procedures[group[0]])
               for group in bottom_up(program, root.key))


class Incremental:
    """One head. ``order``: the procedures with an adjoint, callers first; ``head``: its canonical text."""

    def __init__(self, program: Program, head: Head, strategies: Sequence[Strategy], options: AnalysisOptions,
                 shelf: Shelf) -> None:
        """Raises InputError as :func:`snapset.analysis.pipeline.prepare` does, StaleError where nothing can be used."""
        self.program = program
        self.shelf = shelf
        self.strategies = tuple(strategies)
        root = find_procedure(program, head).key
        components = bottom_up(program, root)
        models = self.models = KeptModels(program, options.effects, root, options.distinct_pointers, shelf)
        for (key,) in components:
            models.build(key)
        found = self._arguments(head, root)
        self.head = found.text
        activity = KeptActivity(models, root, found.independents, found.dependents)
        self._check_dependence(activity, root, found)
        self.hazards = KeptHazards(models)
        adjoints = make_adjoints(models, Codes({}, {}), options)
        adjoints.hazards = self.hazards
        adjoints.stretches = KeptStretches(models)
        self.order = _order(activity, root, components)
        self.codes = KeptAdjoints(models, activity, adjoints, self.hazards, self.order, _choices(options))
        self.records = {one.name: KeptRecords(self.codes, one) for one in strategies}
        ground = Ground(adjoints, self.order)
        self.costers = {name: self._coster(ground, name, records) for name, records in self.records.items()}
        self.builder = KeptParts(adjoints, self.costers, self.hazards, shelf, program.procedures)
        activity.save()

    def _arguments(self, head: Head, root: str) -> _Arguments:
        name = key_of("head", self.models.facts[root].key, repr(head))
        known: tuple[str, Exact, Exact] | None = self.shelf.small(name)
        if known is None:
            model = self.models.by_key[root]
            head = orient(head, model)
            independents, dependents = independents_and_dependents(head, model)
            known = head.text, independents, dependents
            self.shelf.keep(name, known)
        return _Arguments(*known)

    def _check_dependence(self, activity: KeptActivity, root: str, found: _Arguments) -> None:
        """Raises StaleError where the gradient is zero: the whole analysis tells why."""
        name = key_of("depends", self.models.facts[root].key, activity.key(root), found.independents, found.dependents)
        depends: bool | None = self.shelf.small(name)
        if depends is None:
            depends = no_dependence(activity, root, found.independents, found.dependents) is None
            self.shelf.keep(name, depends)
        if not depends:
            raise StaleError

    def _coster(self, ground: Ground, name: str, records: KeptRecords) -> KeptCoster:
        procedures = self.program.procedures
        return KeptCoster(ground, records.by_key, name, self.shelf, lambda key: records.keys[key],
                          self.codes.activity.active_callees, lambda key: procedures[key].span.line)

    # ------------------------------------------------------------ results

    def key(self, procedure: str) -> bytes:
        """The hash of all that a procedure's parts are made of."""
        span = self.program.procedures[procedure].span
        called = [(found.span.file, found.span.line) for found in map(self._procedure, self._callees(procedure))]
        return key_of("parts", self._names(procedure), span.file, span.line, repr(self._hazards(procedure)),
                      self._recorded(procedure), called)

    def parts(self, procedure: str) -> list[Part]:
        """The parts of one procedure; ids are not yet told apart."""
        line = self.program.procedures[procedure].span.line
        lines = {callee: self._procedure(callee).span.line for callee in self._callees(procedure)}
        known: tuple[int, tuple[Part, ...], dict[str, int]] | None = self.shelf.store.get(self._moving_key(procedure))
        if known is not None:
            shifts = {callee: (self._procedure(callee).span.file, at - known[2].get(callee, at))
                      for callee, at in lines.items()}
            return [moved(part, line - known[0], shifts) for part in known[1]]
        parts = self.builder.parts(procedure)
        if not any(coster.stays(procedure) for coster in self.costers.values()) and not any(
                part.diagnostics for part in parts):
            self.shelf.store.put(self._moving_key(procedure), (line, tuple(parts), lines))
        return parts

    def _moving_key(self, procedure: str) -> bytes:
        """As :meth:`key`, wherever in its file the procedure begins."""
        span, hazards = self.program.procedures[procedure].span, self._hazards(procedure)
        return key_of("moving parts", self._names(procedure), span.file, repr(hazards), self._recorded(procedure))

    def _procedure(self, key: str) -> Procedure:
        return self.program.procedures[key]

    def _callees(self, procedure: str) -> tuple[str, ...]:
        return self.codes.activity.active_callees(procedure)

    def _recorded(self, procedure: str) -> list[tuple[str, str, bytes]]:
        """What a procedure's callees record in a second run: by strategy and callee the hash of it."""
        return [(one.name, callee, self.builder.second_run_key(one.name, callee)) for one in self.strategies
                for callee in self._callees(procedure)]

    def _names(self, procedure: str) -> list[tuple[str, bytes]]:
        return [(one.name, self.costers[one.name].name(procedure)) for one in self.strategies]

    def _hazards(self, procedure: str) -> tuple[list[tuple[Diagnostic, ...]], str]:
        return ([self.hazards.in_procedure(callee) for callee in self.models.facts[procedure].called],
                self.hazards.asked_by_callees(procedure))

    def totals_key(self) -> bytes:
        """The hash of what :meth:`totals` are made of."""
        return key_of("totals", [(name, coster.key(self.order[0])) for name, coster in self.costers.items()])

    def totals(self) -> dict[str, Total]:
        """The whole head, by strategy."""
        costs = {name: coster.head() for name, coster in self.costers.items()}
        return {name: Total(cost.peak, cost.traffic) for name, cost in costs.items()}

    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Those of the program."""
        found = {*self.program.diagnostics, *self.models.unknown_calls(), *self.models.not_executed()}
        return tuple(sorted(found, key=lambda d: (d.span, d.code)))


@dataclass(frozen=True, slots=True)
class _Arguments:
    text: str
    independents: Exact
    dependents: Exact


def _order(activity: KeptActivity, root: str, components: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The procedures reached through active calls, callers first."""
    found = {root}
    work = [root]
    while work:
        for callee in activity.active_callees(work.pop()):
            if callee not in found:
                found.add(callee)
                work.append(callee)
    return tuple(key for component in reversed(components) for key in component if key in found)


def _choices(options: AnalysisOptions) -> str:
    """All options that adjoint codes and what they record depend on: rather too many."""
    return repr(replace(options, assume={}, effects={}, counts=None))

"""From a program and a head to the report's data: the queries, in the order in which they build on each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, TypeAlias

from snapset.analysis.activity.activity import Activity
from snapset.analysis.activity.adjoint_codes import CodePlanning, Splitting, unknown_names
from snapset.analysis.activity.calling_contexts import CallingPatterns
from snapset.analysis.activity.dependence_cut import no_dependence
from snapset.analysis.activity.differentiation_head import Head, find_procedure, independents_and_dependents, orient
from snapset.analysis.adjoint.interprocedural import AdjointRules, Adjoints
from snapset.analysis.adjoint.level_adjoint import ProcedureAdjoint
from snapset.analysis.adjoint.split_call_arguments import LostValues, with_kept_values
from snapset.analysis.analysis_options import AnalysisOptions as AnalysisOptions
from snapset.analysis.call_remarks import called_in, one_memory_in, unknown_in
from snapset.analysis.costs.profile_counts import HeadCounts, trip_counts
from snapset.analysis.costs.stack_model import CostModel, HeadCosts
from snapset.analysis.dataflow.bitsets import May
from snapset.analysis.head_analysis import Analysis
from snapset.analysis.incremental.query_engine import Engine, QueryOwner, TraceMemory, derived, query
from snapset.analysis.incremental.relative_diagnostics import Relative, absolute, relative
from snapset.analysis.part_places import part_ids, unique
from snapset.analysis.part_results import PartBuilder
from snapset.analysis.procedures.model_builder import Models
from snapset.analysis.procedures.program_facts import SharedFacts
from snapset.analysis.pushed_places import PushedPlaces
from snapset.analysis.recording.head_records import HeadRecords
from snapset.analysis.recording.missing_parts import why_no_parts
from snapset.analysis.recording.strategies import LAZY, Choosable, Place, Strategy, at_parts, check_names
from snapset.analysis.recording.to_be_recorded import ProcedureRecord
from snapset.analysis.replay.statements.unexecuted_constructs import unproved
from snapset.analysis.results import ContextCode, Frontier, HeadResult, Move, Optimality, Part, SplitCall, Total
from snapset.frontend.base.diagnostics import Diagnostic
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.interprocedural.call_graph import callees
from snapset.frontend.interprocedural.final_procedures import final_procedures
from snapset.frontend.interprocedural.procedure_pointers import in_run_of
from snapset.frontend.ir import Area, Program

if TYPE_CHECKING:  # much code, which not every run needs
    from snapset.analysis.placement.decisions_explained import ResolvedStrategies
    from snapset.analysis.placement.optimal_partition import OptimalPartition
    from snapset.analysis.placement.partition_decisions import Decision


@frozen
class Resolution:
    """What the strategies were taken to be. ``moves``, ``decided``: of the strategy optimal, if asked for."""

    strategies: Mapping[str, Strategy]
    moves: Mapping[Place, tuple[Move, ...]]
    decided: Optimality | None
    frontiers: tuple[Frontier, ...]


Memories: TypeAlias = Callable[[int], TraceMemory | None]
"""Of each phase, 0 and up; -1 and down: of what the phase's program says whichever head it has."""


def no_memory(phase: int) -> None:
    """Nothing is remembered, and nothing will be."""


class HeadAnalysis(QueryOwner):
    """The analysis of one head: each result is made when it is asked for, of what it reads (``engine``).

    A cold run is one whose memory is empty, a warm one finds there what is still right.
    """

    def __init__(self, program: Program, head: Head, strategies: Sequence[Strategy] = (LAZY,),
                 options: AnalysisOptions = AnalysisOptions(), memory: Memories = no_memory,
                 models: Models | None = None, shared: SharedFacts | None = None) -> None:
        """``memory``: one for each phase: where calls are in split mode, the program is changed for them. ``models``:
        those of an analysis of the same program and head with the same declared effects and pointers. ``shared``:
        what all heads of the program share. Raises InputError for an unknown head.
        """
        self.root = find_procedure(program, head).key
        program = in_run_of(program, self.root)
        self.models, self.splitting = _modelled(program, self.root, options, memory, models, shared)
        super().__init__(self.models.engine)
        self.program = self.models.program
        self.given = head
        self.wanted = tuple(strategies)
        self.options = options
        self.names = tuple(strategy.name for strategy in strategies)
        self.activity = Activity(self.models, self.root, lambda: self.arguments()[1:])
        patterns = CallingPatterns(self.activity) if options.context else None
        self.planning = CodePlanning(self.activity, self.splitting, patterns)
        self.adjoints = Adjoints(self.activity, self.planning, AdjointRules(
            options.first_run, options.save_intact, options.record_sides, options.record_branches, options.recompute,
            options.dag, options.tape_scalars))
        self.records = HeadRecords(self.adjoints, self.strategy)
        self.costs = HeadCosts(self.records)
        self.cost_models = {name: self.costs.under(name) for name in self.names}
        self.pushed = PushedPlaces(self.costs)
        self.remarks: Callable[[], tuple[Diagnostic, ...]] = tuple  # what others have to say of the head
        self.builder = PartBuilder(self.adjoints, self.cost_models, lambda: self.resolved().moves, options.counts)

    # ------------------------------------------------------------ the head

    @query("value")
    def arguments(self) -> tuple[str, May, May]:
        """The head's canonical text, its independents and dependents. Raises InputError for an unknown name."""
        model = self.models.by_key[self.root]
        head = orient(self.given, model)
        return head.text, *independents_and_dependents(head, model)

    @derived
    def head(self) -> Head:
        """The head the right way round."""
        text = self.arguments()[0]
        turned = replace(self.given, independents=self.given.dependents, dependents=self.given.independents)
        return self.given if text == self.given.text else turned

    @query("value")
    def zero(self) -> Diagnostic | None:
        """Why the gradient is zero, where it is."""
        _, independents, dependents = self.arguments()
        found = no_dependence(self.activity, self.root, independents, dependents)
        for key in self.models.component if found is not None else ():
            self.models.place(key)
        return found

    def prepared(self) -> Analysis:
        """All that no strategy changes."""
        return Analysis(self.head(), self.models, self.adjoints, self.planning.order(), self.zero())

    # ------------------------------------------------------------ strategies

    def strategy(self, name: str) -> Strategy:
        """The strategy of a name, with its choices made."""
        (given,) = (one for one in self.wanted if one.name == name)
        if given.by_part:
            return self.placed(name)
        return self.resolved().strategies[name] if given.kind == "optimal" else given

    @query("value")
    def placed(self, name: str) -> Strategy:
        """A strategy that chooses otherwise for some parts, which are found by their ids."""
        (given,) = (one for one in self.wanted if one.name == name)
        return at_parts(given, part_ids(self.adjoints, self.planning.order()))

    @query("file")
    def resolved(self) -> Resolution:
        """The strategies with their choices made; what only the costs of the whole head tell."""
        from snapset.analysis.placement.decisions_explained import resolve
        from snapset.analysis.placement.proved_partition import prove

        order, pareto = self.planning.order(), self.options.pareto
        assume = {**(self.trips() or {}), **self.options.assume}
        ready = resolve(self.adjoints, order, self.wanted, assume, prove, explain=True, always=pareto)
        chosen = {given.name: one for given, one in zip(self.wanted, ready.strategies, strict=True)}
        found = _frontiers(ready, part_ids(self.adjoints, order)) if pareto else ()
        return Resolution(chosen, ready.moves, _decided(ready.optimum), found)

    @query("value")
    def checked(self) -> bool:
        """Raises InputError for a partition that names what no part's Opt set holds."""
        wanted = [self.strategy(one.name) for one in self.wanted if one.names_something]
        check_partitions(self.adjoints, {one.name: self.records.under(one.name) for one in wanted}, wanted)
        return True

    # ------------------------------------------------------------ what is said

    @query("value")
    def unknown(self, key: str) -> tuple[tuple[str, Relative], ...]:
        """The calls of one procedure whose effects are not known, by name."""
        model = self.models.by_key[key]
        return tuple((name, relative(said, model.procedure.span)) for name, said in unknown_in(model))

    @query("value")
    def one_memory(self, key: str) -> tuple[Relative, ...]:
        """The calls of one procedure that pass memory under two names, one of which is written."""
        model = self.models.by_key[key]
        for target in called_in(model):
            self.models.dummies(target)
        return tuple(relative(said, model.procedure.span) for said in one_memory_in(model, self.models))

    @query("value")
    def refused(self, key: str) -> tuple[Relative, ...]:
        """What the machine refuses in one procedure. Of those that it calls it looks at their dummy arguments, of those
        in it at the variables that they share with it, of FINAL ones at what they do."""
        self.models.declared()
        inside = (inner.key for inner in self.program.internal(key))
        for one in (key, *inside, *final_procedures(self.program)):
            self.models.statements(one)
        for one in callees(self.program.procedures[key]):
            self.models.dummies(one)
        return self.models.once("refused", key, lambda: self._refused(key))

    def _refused(self, key: str) -> tuple[Relative, ...]:
        # much code, which a warm run does not need
        from snapset.analysis.replay.statements.refused_constructs import refused_in

        procedure = self.program.procedures[key]
        found = refused_in(self.program, procedure, self.models.plain_flow(key), self.shared())
        return tuple(relative(one, procedure.span) for one in found)

    @derived
    def shared(self) -> Mapping[Area, int]:
        """The bytes of what several variables overlay."""
        return self.models.storage.overlays.sizes

    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What is said of the program, and of the head."""
        models, program, keys = self.models, self.program, self.models.component
        unknown: dict[str, Diagnostic] = {}
        for key in keys:
            for name, said in self.unknown(key):
                unknown.setdefault(name, absolute(said, *models.at(key)))
        shared = (absolute(one, *models.at(key)) for key in keys for one in self.one_memory(key))
        refused = unproved(absolute(one, *models.at(key)) for key in keys for one in self.refused(key))
        span, zero = program.procedures[self.root].span, self.zero()
        found = {*program.diagnostics, *unknown.values(), *shared, *refused,
                 *unknown_names(program, self.options.split, span), *(() if zero is None else (zero,)),
                 *self.adjoints.messages.faults(), *self.remarks()}
        for key in self.planning.order():
            at = models.at(self.planning.code(key).procedure)
            found.update(absolute(one, *at) for name in self.names for one in self.records.not_kept(name, key))
        return tuple(sorted(found, key=lambda d: (d.span, d.code)))

    @query("value")
    def why_none(self) -> str:
        """Why there is no part."""
        for key in self.models.component:
            self.models.place(key)
        return why_no_parts(self.adjoints, self.zero())

    @query("value")
    def split_calls(self) -> tuple[SplitCall, ...]:
        """The calls in split mode that have an adjoint, by place."""
        found = set[SplitCall]()
        for key in self.planning.order():
            if self.planning.code(key).split_calls:
                found |= _split_calls(self.adjoints.by_key[key], self.program)
                self.models.place(self.planning.code(key).procedure)
        return tuple(sorted(found, key=lambda one: (one.file, one.line, one.callee)))

    @query("value")
    def context_codes(self) -> tuple[ContextCode, ...]:
        """The codes by calling pattern, and the calls that run them."""
        if self.planning.patterns is None:
            return ()
        for key in self.models.component:
            self.models.place(key)
        return _context_codes(self.adjoints)

    # ------------------------------------------------------------ figures

    @query("value")
    def trips(self) -> Mapping[str, int] | None:
        """The trip counts that a counted run tells."""
        if self.options.counts is None:
            return None
        for key in self.models.component:
            self.models.place(key)
        return trip_counts(self.costs.structures, self.options.counts)

    @query("file")
    def totals(self) -> Mapping[str, Total]:
        """The whole head, by strategy."""
        return {name: self._total(cost_model) for name, cost_model in self.cost_models.items()}

    def _total(self, cost_model: CostModel) -> Total:
        cost = cost_model.whole(self.planning.order()[0])
        if self.options.counts is None:
            return Total(cost.peak, cost.traffic, None)
        for key in self.models.component:
            self.models.place(key)
        return Total(cost.peak, cost.traffic, HeadCounts(cost_model, self.options.counts).traffic())

    # ------------------------------------------------------------ all of it

    def result(self) -> HeadResult:
        """All checkpointed parts of the head's call tree, with the sets and solutions of each.

        Raises InputError as :meth:`outline` does.
        """
        parts = [part for key in self.planning.order() for part in self.builder.parts(key)]
        return self.around(tuple(_with_unique_ids(parts)))

    def around(self, parts: tuple[Part, ...]) -> HeadResult:
        """The result that has these parts.

        Raises InputError for a name that the head's procedure does not know, or a partition that names what no part's
        Opt set holds.
        """
        if any(one.names_something for one in self.wanted):
            self.checked()
        needs_choice = self.options.pareto or any(one.kind == "optimal" for one in self.wanted)
        chosen = self.resolved() if needs_choice else Resolution({}, {}, None, ())
        return HeadResult(
            self.arguments()[0], parts, self.names, self.diagnostics(), self.totals(), chosen.decided,
            chosen.frontiers, self.split_calls(), self.context_codes(), self.trips(),
            None if parts else self.why_none(), self.pushed.of_head(self.names[0]) if parts and self.names else (),
        )


def prepare(program: Program, head: Head, options: AnalysisOptions = AnalysisOptions(),
            models: Models | None = None, memory: Memories = no_memory) -> Analysis:
    """All analyses of a head but To Be Recorded, which depends on the strategy. ``models``: those of an analysis of the
    same program and head with the same declared effects and pointers.

    Raises:
        InputError: an unknown head or argument, a jump across a part's border.
    """
    return HeadAnalysis(program, head, (), options, memory, models).prepared()


def analyse(program: Program, head: Head, strategies: Sequence[Strategy] = (LAZY,),
            options: AnalysisOptions = AnalysisOptions(), memory: Memories = no_memory) -> HeadResult:
    """All checkpointed parts of a head's call tree, with the sets and solutions of each.

    Raises:
        InputError: what :func:`prepare` raises, or a partition that names what no part's Opt set holds.
    """
    return HeadAnalysis(program, head, strategies, options, memory).result()


def _modelled(program: Program, root: str, options: AnalysisOptions, memory: Memories,
              known: Models | None, shared: SharedFacts | None) -> tuple[Models, Splitting]:
    """The models of the program's procedures, and the calls in split mode, with variables for what they lose."""
    for phase in count():
        if shared is None or shared.program is not program:
            shared = SharedFacts(program, memory(-1 - phase))
        models = Models(program, options.effects, root, options.distinct_pointers, Engine(memory(phase)), known, shared)
        splitting = Splitting(models, options.split, options.call_checkpoints)
        changed = with_kept_values(LostValues(splitting))
        if changed is None:
            return models, splitting
        program = changed
    raise AssertionError


def _split_calls(adjoint: ProcedureAdjoint, program: Program) -> set[SplitCall]:
    found = set()
    for node, call in adjoint.split_calls.items():
        span = adjoint.model.flow.nodes[node].span
        for target, _ in call.targets:
            found.add(SplitCall(span.file, span.line, adjoint.model.procedure.name,
                                program.procedures[target.key].name))
    return found


def _frontiers(ready: ResolvedStrategies, ids: Mapping[tuple[str, int], str]) -> tuple[Frontier, ...]:
    from snapset.analysis.placement.pareto_frontier import frontiers

    search, optimum = ready.search, ready.optimum
    assert search is not None
    assert optimum is not None
    lazy: frozenset[Decision] = frozenset()
    marked = {"lazy": lazy, "eager": search.eager(optimum.decisions), "optimal": optimum.best.plus}
    return frontiers(search, optimum, marked, {place: ids[place[0], place[2]] for place in search.places()})


def _decided(optimum: OptimalPartition | None) -> Optimality | None:
    if optimum is None:
        return None
    return Optimality(optimum.exact, len(optimum.decisions), optimum.best.figures.peak, optimum.least_peak,
                      optimum.default, optimum.defaulted)


def _context_codes(adjoints: Adjoints) -> tuple[ContextCode, ...]:
    """The codes by calling pattern, and the calls that run them."""
    calls: dict[tuple[str, int], set[tuple[str, int]]] = {}
    for adjoint in adjoints.by_key.values():
        for (node, _), key in adjoint.code.callees.items():
            code = adjoints.codes.by_key[key]
            span = adjoint.model.flow.nodes[node].span
            if code.context:
                calls.setdefault((code.procedure, code.context), set()).add((span.file, span.line))
    found = []
    for (key, number), places in sorted(calls.items()):
        model, border = adjoints.models.by_key[key], adjoints.codes.contexts.by_number[key, number].border
        found.append(ContextCode(model.procedure.name, number, tuple(sorted(places)),
                                 model.space.names(border.varied), model.space.names(border.useful)))
    return tuple(found)


def check_partitions(adjoints: Adjoints, records: Mapping[str, Mapping[str, ProcedureRecord]],
                     strategies: Sequence[Strategy]) -> None:
    """Raises InputError for a partition that names what no part's Opt set holds."""
    for strategy in strategies:
        if strategy.names_something:
            check_names(strategy, (
                Choosable((key, index, node), solved.options, solved.sets, adjoints.by_key[key].model.space)
                for key, record in records[strategy.name].items()
                for index, level in enumerate(record.levels) for node, solved in level.solved.items()))


def _with_unique_ids(parts: Sequence[Part]) -> tuple[Part, ...]:
    return tuple(part.renamed(id_) for part, id_ in zip(parts, unique(part.id for part in parts), strict=True))

"""From a program and a head to the report's data: the order in which the analyses run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from snapset.analysis.activity.activity import Activity
from snapset.analysis.activity.adjoint_codes import Splits, find_splits, make_codes, unknown_names
from snapset.analysis.activity.calling_contexts import find_contexts
from snapset.analysis.activity.code_table import NO_CONTEXTS, Codes
from snapset.analysis.activity.dependence_cut import no_dependence
from snapset.analysis.activity.differentiation_head import Head, find_procedure, independents_and_dependents, orient
from snapset.analysis.adjoint.interprocedural import Adjoints
from snapset.analysis.adjoint.missing_parts import why_no_parts
from snapset.analysis.adjoint.split_call_arguments import with_kept_values
from snapset.analysis.allocation.rerun_hazards import Hazards
from snapset.analysis.analysis_options import AnalysisOptions as AnalysisOptions
from snapset.analysis.costs.profile_counts import HeadCounts, Lines, trip_counts
from snapset.analysis.costs.stack_model import Coster, Ground
from snapset.analysis.equations import OptSets
from snapset.analysis.memory.locations import Space
from snapset.analysis.memory.storage_units import shared_sizes
from snapset.analysis.part_results import PartBuilder, part_ids, unique
from snapset.analysis.procedures.model_builder import Models
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.procedures.unexecuted_constructs import unproved
from snapset.analysis.recording.strategies import LAZY, Strategy
from snapset.analysis.recording.to_be_recorded import ProcedureRecord, record_program
from snapset.analysis.results import ContextCode, Frontier, HeadResult, Optimality, Part, SplitCall, Total
from snapset.frontend.base.diagnostics import Diagnostic, InputError
from snapset.frontend.base.nearest_name import nearest
from snapset.frontend.interprocedural.call_graph import bottom_up
from snapset.frontend.interprocedural.procedure_pointers import with_targets
from snapset.frontend.ir import Program
from snapset.frontend.rules import diagnostic

if TYPE_CHECKING:  # much code, which not every run needs
    from snapset.analysis.placement.decisions_explained import Resolved
    from snapset.analysis.placement.optimal_partition import Decision, OptimalPartition


@dataclass(frozen=True, slots=True)
class Analysis:
    """Everything about a head that no strategy changes. ``order``: the adjoint codes, callers first. ``zero``: why
    the gradient is zero, where it is."""

    head: Head
    models: Models
    adjoints: Adjoints
    order: tuple[str, ...]
    zero: Diagnostic | None = None


def prepare(program: Program, head: Head, options: AnalysisOptions = AnalysisOptions(),
            models: Models | None = None) -> Analysis:
    """All analyses of a head but To Be Recorded, which depends on the strategy. ``models``: those of an analysis of the
    same program and head with the same declared effects and pointers.

    Raises:
        InputError: an unknown head or argument, a jump across a part's border.
    """
    root = find_procedure(program, head)
    if any(name not in root.variables for name in root.formals):
        program = with_targets(program, (root.key,))
        root = program.procedures[root.key]
    components = bottom_up(program, root.key)
    models, splits = _modelled(program, root.key, components, options, models)
    head = orient(head, models.by_key[root.key])
    independents, dependents = independents_and_dependents(head, models.by_key[root.key])
    activity = Activity(models, root.key, independents, dependents)
    contexts = find_contexts(models, activity, root.key) if options.context else NO_CONTEXTS
    codes = make_codes(models, activity, root.key, splits, components, contexts)
    adjoints = make_adjoints(models, codes, options)
    adjoints.build_all()
    zero = no_dependence(activity, root.key, independents, dependents)
    return Analysis(head, models, adjoints, codes.order, zero)


def _modelled(program: Program, root: str, components: Sequence[Sequence[str]],
              options: AnalysisOptions, known: Models | None) -> tuple[Models, Splits]:
    """The models of the program's procedures, and the calls in split mode, with variables for what they lose."""
    while True:
        if known is not None and known.program is program:
            models = known
        else:
            models = Models(program, options.effects, root, options.distinct_pointers)
            for component in components:
                models.build_together(component)
        splits = find_splits(models, options.split, options.call_checkpoints, components)
        changed = with_kept_values(models, splits)
        if changed is None:
            return models, splits
        program = changed


def make_adjoints(models: Models, codes: Codes, options: AnalysisOptions) -> Adjoints:
    """The adjoint codes under these options, not yet built."""
    return Adjoints(models, codes, options.first_run, options.save_intact, options.record_sides,
                    options.record_branches, options.recompute)


def analyse(program: Program, head: Head, strategies: Sequence[Strategy] = (LAZY,),
            options: AnalysisOptions = AnalysisOptions()) -> HeadResult:
    """All checkpointed parts of a head's call tree, with the sets and solutions of each.

    Raises:
        InputError: what :func:`prepare` raises, or a partition that names what no part's Opt set holds.
    """
    from snapset.analysis.placement.decisions_explained import resolve

    found = prepare(program, head, options)
    ground = Ground(found.adjoints, found.order)
    trips = None if options.counts is None else trip_counts(ground, options.counts)
    assume = {**(trips or {}), **options.assume}
    ready = resolve(found.adjoints, found.order, strategies, assume, explain=True, always=options.pareto)
    records = {s.name: record_program(found.adjoints, found.order, s) for s in ready.strategies}
    costers = {name: Coster(ground, record) for name, record in records.items()}
    builder = PartBuilder(found.adjoints, costers, Hazards(found.models), ready.moves, options.counts)
    parts = [part for key in found.order for part in builder.parts(key)]
    check_partitions(found.adjoints, records, strategies)
    totals = {name: _total(c, options.counts) for name, c in costers.items()}
    span = found.models.by_key[found.order[0]].procedure.span
    diagnostics = {*program.diagnostics, *unknown_calls(found.models), *unknown_names(program, options.split, span),
                   *not_executed(found.models)}
    diagnostics |= {found.zero} if found.zero is not None else set()
    parts = list(_with_unique_ids(parts))
    return HeadResult(
        found.head.text,
        tuple(parts),
        tuple(s.name for s in strategies),
        tuple(sorted(diagnostics, key=lambda d: (d.span, d.code))),
        totals,
        _decided(ready.optimum),
        _frontiers(ready, part_ids(found.adjoints, found.order)) if options.pareto else (),
        _split_calls(found.adjoints),
        _context_codes(found.adjoints),
        trips,
        None if parts else why_no_parts(found.adjoints, found.zero),
    )


def _split_calls(adjoints: Adjoints) -> tuple[SplitCall, ...]:
    """The calls in split mode that have an adjoint, by place."""
    found = set()
    for adjoint in adjoints.by_key.values():
        for node, call in adjoint.apart.items():
            span = adjoint.model.flow.nodes[node].span
            for target, _ in call.targets:
                callee = adjoints.models.by_key[target.key].procedure.name
                found.add(SplitCall(span.file, span.line, adjoint.model.procedure.name, callee))
    return tuple(sorted(found, key=lambda one: (one.file, one.line, one.callee)))


def _frontiers(ready: Resolved, ids: Mapping[tuple[str, int], str]) -> tuple[Frontier, ...]:
    from snapset.analysis.placement.pareto_frontier import frontiers

    search, optimum = ready.search, ready.optimum
    assert search is not None
    assert optimum is not None
    nothing: frozenset[Decision] = frozenset()
    marked = {"lazy": nothing, "eager": search.eager(optimum.decisions), "optimal": optimum.best.plus}
    return frontiers(search, optimum, marked, {place: ids[place[0], place[2]] for place in search.places()})


def _decided(optimum: OptimalPartition | None) -> Optimality | None:
    if optimum is None:
        return None
    from snapset.analysis.placement.optimal_partition import DEFAULT

    return Optimality(optimum.exact, len(optimum.decisions), DEFAULT, optimum.defaulted)


def _total(coster: Coster, lines: Lines | None) -> Total:
    cost = coster.head()
    return Total(cost.peak, cost.traffic, None if lines is None else HeadCounts(coster, lines).traffic())


def unknown_calls(models: Models) -> list[Diagnostic]:
    """One diagnostic for every procedure whose effects are not known, at its first call."""
    found: dict[str, Diagnostic] = {}
    for model in models.by_key.values():
        for name, said in unknown_in(model):
            found.setdefault(name, said)
    return list(found.values())


def unknown_in(model: ProcedureModel) -> Iterator[tuple[str, Diagnostic]]:
    """The calls of one procedure whose effects are not known, by name."""
    for site in model.calls.values():
        if site.targets or site.declared or site.stmt.intrinsic:
            continue
        why = site.problem or "there is no source for it"
        yield site.stmt.name, diagnostic(
            "SN301", f"call of {site.stmt.name}: {why}; taken to read and write its arguments and "
            "everything global", site.stmt.span)


def not_executed(models: Models) -> list[Diagnostic]:
    """What the machine refuses, each kind of construct once, at its first place."""
    from snapset.analysis.replay.statements.refused_constructs import (
        refused_in,  # much code, which a warm run does not need
    )

    program, shared = models.program, shared_sizes(models.program)
    return unproved(one for model in models.by_key.values()
                for one in refused_in(program, model.procedure, model.flow, shared))


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
        missing = set(strategy.named_pairs())
        held: set[str] = set()
        for key, record in records[strategy.name].items():
            space: Space = adjoints.by_key[key].model.space
            for level in record.levels:
                for solved in level.solved.values():
                    options: OptSets = solved.options
                    missing &= strategy.stray(options, space)
                    if missing:
                        held |= {*space.names(options.opt1 | options.opt2 | options.opt3)}
        if missing:
            side, name = min(missing)
            raise InputError(f"strategy '{strategy.name}': no part's Opt{side[0]} holds '{name}'; "
                             f"the report's options list what may be chosen{nearest(name, held)}")


def _with_unique_ids(parts: Sequence[Part]) -> tuple[Part, ...]:
    return tuple(part.renamed(id_) for part, id_ in zip(parts, unique(part.id for part in parts), strict=True))

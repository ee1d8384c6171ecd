"""Store or recompute for a whole head: every level of every procedure that has an adjoint."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, Future

from snapset.analysis.activity.differentiation_head import Head
from snapset.analysis.call_remarks import call_remarks
from snapset.analysis.dag.fortran.byte_weights import Weights, weighted_level
from snapset.analysis.dag.fortran.level_problem import LevelProblem, level_problem
from snapset.analysis.dag.fortran.solved_levels import HeadRegions, SolvedLevel, Wanted
from snapset.analysis.dag.problem.graphs import Costs
from snapset.analysis.dag.solvers.solve import Answer, solve
from snapset.analysis.head_analysis import Analysis
from snapset.analysis.part_places import extent, named, part_ids, unique
from snapset.analysis.pipeline import AnalysisOptions, prepare
from snapset.frontend.base.diagnostics import Diagnostic, InputError
from snapset.frontend.base.nearest_name import nearest
from snapset.frontend.ir import Program
from snapset.frontend.rules import diagnostic

Where = tuple[str, int]
LARGE = 1500  # vertices that pay for another process


def head_regions(program: Program, head: Head, wanted: Wanted | None = None, options: AnalysisOptions | None = None,
                 heard: Callable[[str], None] = lambda doing: None, executor: Executor | None = None) -> HeadRegions:
    """Every region of a head's call tree, callers first. ``heard`` is told what is being done; ``executor`` decides
    large regions side by side (any :class:`concurrent.futures.Executor` that can pickle).

    Raises InputError for what :func:`prepare` refuses, and for a region asked for that is none.
    """
    heard(f"analysing {head.text}")
    wanted = wanted or Wanted()
    analysis = prepare(program, head, options or AnalysisOptions())
    ids = _ids(analysis)
    names = list(ids.values())
    for id_ in sorted(wanted.only - set(names)):
        raise InputError(f"--at {id_}: no region of {head.text} has that name; there are "
                         f"{', '.join(names[:8])}{f' and {len(names) - 8} more' if len(names) > 8 else ''}"
                         f"{nearest(id_, names)}")
    weights = Weights(analysis, wanted.assume or {}, wanted.lines) if wanted.unit == "bytes" else None
    chosen = {place: id_ for place, id_ in ids.items() if not wanted.only or id_ in wanted.only}
    levels: dict[Where, LevelProblem] = {}
    decided: dict[Where, Future[Answer]] = {}
    for number, ((key, index), id_) in enumerate(chosen.items(), 1):
        heard(f"{id_}, {number} of {len(chosen)} regions: graphs")
        level = level_problem(analysis.adjoints.by_key[key], index, wanted.order)
        costs = Costs(price=wanted.price) if weights is None else weights.of(key, index, level, wanted.price)
        levels[key, index] = weighted_level(level, costs)
        if executor is not None and _size(level) >= LARGE:
            decided[key, index] = executor.submit(solve, levels[key, index].problem, wanted.options)
    regions = []
    for number, (where, level) in enumerate(levels.items(), 1):
        heard(f"{ids[where]}, {number} of {len(levels)} regions: {wanted.options.method}, {_size(level)} vertices")
        answer = decided[where].result() if where in decided else solve(level.problem, wanted.options)
        regions.append(_region(analysis, ids, where, level, answer))
    diagnostics = {*program.diagnostics, *call_remarks(analysis.models), *_hazards(analysis)}
    return HeadRegions(
        analysis.head.text,
        wanted.unit,
        tuple(regions),
        tuple(sorted(diagnostics, key=lambda d: (d.span, d.code))),
        tuple(sorted(weights.defaulted)) if weights is not None else (),
        tuple(sorted(weights.uncounted)) if weights is not None else (),
        frozenset(weights.used) if weights is not None else frozenset(),
    )


def _hazards(analysis: Analysis) -> Iterator[Diagnostic]:
    """What a second run of a part would do differently, whatever is stored."""
    hazards = analysis.adjoints.hazards
    for adjoint in analysis.adjoints.by_key.values():
        for level in adjoint.levels:
            for node in level.parts:
                inner = level.graph.parts.get(node)
                yield from (hazards.in_call(adjoint.model, node) if inner is None
                            else hazards.in_part(adjoint.model, inner))
                changed = level.parts[node].out_c & adjoint.model.space.allocations
                if changed:
                    yield diagnostic("SN104", f"changes {', '.join(adjoint.model.space.names(changed))}: what is "
                                     "allocated is restored under lazy and eager, not under every choice of S and U; "
                                     "allocate before the part", adjoint.model.flow.nodes[node].span)


def _size(level: LevelProblem) -> int:
    return sum(len(graph.vertices) for graph in level.problem.graphs)


def _ids(analysis: Analysis) -> dict[Where, str]:
    """The id of every region: a procedure's name, a marked part's as in the report."""
    parts = part_ids(analysis.adjoints, analysis.order)
    every = [(key, level) for key in analysis.order for level in range(len(analysis.adjoints.by_key[key].levels))]
    names = []
    for key, level in every:
        adjoint = analysis.adjoints.by_key[key]
        own = named(adjoint, 0).replace("@0", "")  # with the context it is for
        names.append(parts[key, adjoint.model.flow.levels[level].enter] if level else own)
    return dict(zip(every, unique(names), strict=True))


def _region(analysis: Analysis, ids: Mapping[Where, str], where: Where, level: LevelProblem,
            answer: Answer) -> SolvedLevel:
    key, index = where
    adjoint = analysis.adjoints.by_key[key]
    procedure, flow = adjoint.model.procedure, adjoint.model.flow
    if index:
        first, last = extent(adjoint, flow.levels[index].enter, index)
        parent = ids[key, flow.levels[index].parent]
        return SolvedLevel(ids[where], "region", key, index, procedure.name, parent, first, last, level, answer)
    statements = (node.span.end_line for node in flow.nodes if node.stmt is not None)
    last = max(statements, default=procedure.span.line)
    return SolvedLevel(ids[where], "procedure", key, 0, procedure.name, None, procedure.span, last, level, answer)

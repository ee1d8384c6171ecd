"""A head's regions as JSON: the schema ``snapset.dag/1`` of docs/json.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from snapset.analysis.dag.problem.graphs import prepare
from snapset.analysis.dag.solvers.solve import to_json
from snapset.documents.common_documents import PlaceDocument
from snapset.documents.dag_documents import (
    BicliqueDocument,
    BoundsDocument,
    CoverDocument,
    DagDocument,
    DagRegionDocument,
    DagReplayDocument,
    DagTotalsDocument,
    GraphDocument,
    OverwritePlaceDocument,
    ScalarInputDocument,
)
from snapset.documents.json_text import plain
from snapset.render.records.replay_json import number
from snapset.render.records.report_json import diagnostic

if TYPE_CHECKING:
    from snapset.analysis.dag.fortran.solved_levels import HeadRegions, SolvedLevel
    from snapset.analysis.replay.dag.dag_experiment import DagReplay


def dag_document(result: HeadRegions, run: DagReplay | None = None) -> dict[str, Any]:
    """Plain dictionaries, lists, strings and numbers; None (null) for what is not known."""
    return plain(document(result, run))


def document(result: HeadRegions, run: DagReplay | None = None) -> DagDocument:
    """What :func:`dag_document` makes plain."""
    return DagDocument(
        head=result.head,
        unit=result.unit,
        regions=[_region(region) for region in result.regions],
        totals=DagTotalsDocument(
            cost=result.total(lambda answer: answer.choice.cost),
            heuristic=result.total(lambda answer: answer.heuristic.cost),
            bounds=BoundsDocument(
                tbr=result.total(lambda answer: answer.bounds.tbr.cost),
                required=result.total(lambda answer: answer.bounds.required.cost),
                statements=result.total(lambda answer: answer.bounds.by_statement),
            ),
            optimum=result.total(lambda answer: answer.optimum),
            lower_bound=result.total(lambda answer: answer.lower),
        ),
        replay=None if run is None else _run(run),
        defaulted=list(result.defaulted),
        uncounted=[PlaceDocument(file=file, line=line) for file, line in result.uncounted],
        diagnostics=[diagnostic(one) for one in result.diagnostics],
    )


def _run(run: DagReplay) -> DagReplayDocument:
    return DagReplayDocument(
        equal=run.equal,
        error=run.error,
        inputs=[ScalarInputDocument(name=i.name, shape=list(i.shape), value=number(i.value), given=i.given,
                                    unknown=i.unknown)
                for i in run.inputs],
        compared=run.compared,
        lost=dict(sorted(run.lost.items())),
        largest_difference=number(run.largest),
        tolerance=run.tolerance,
        places_bytes=run.places_bytes,
        values_bytes=run.values_bytes,
        control_bytes=run.control_bytes,
        peak_bytes=run.peak_bytes,
        store_all_bytes=run.store_all_bytes,
    )  # fmt: skip


def _region(region: SolvedLevel) -> DagRegionDocument:
    answer, level = region.answer, region.level
    found = dict(to_json(region.id, answer))
    bounds = BoundsDocument(**found.pop("bounds"))
    return DagRegionDocument(
        **found,
        bounds=bounds,
        kind=region.kind,
        procedure=region.procedure,
        parent=region.parent,
        file=region.first.file,
        first_line=region.first.line,
        last_line=region.last_line,
        places={
            name: OverwritePlaceDocument(file=level.places[name].span.file, line=level.places[name].span.line,
                                         location=level.places[name].location)
            for name in sorted(answer.choice.S)
        },
        graphs=_graphs(region),
        bicliques=CoverDocument(
            exact=answer.cover.exact,
            cover=[BicliqueDocument(vertices=sorted(b.vertices), places=sorted(b.places))
                   for b in answer.cover.bicliques],
        ),
    )  # fmt: skip


def _graphs(region: SolvedLevel) -> list[GraphDocument]:
    choice, ready = region.answer.choice, prepare(region.level.problem)
    return [
        GraphDocument(
            id=section.name,
            file=section.first.file,
            first_line=section.first.line,
            last_line=section.last.end_line,
            statements=section.statements,
            flattened=section.flattened,
            vertices=len(graph.vertices),
            edges=len(graph.edges),
            preceding=len(needed.order),
            required=sorted(graph.required),
            cut=sorted(choice.cuts[graph.name]),
            recomputed=[v for v in needed.order if v in choice.recomputed[graph.name]],
        )
        for section, graph, needed in zip(region.level.sections, region.level.problem.graphs, ready.graphs, strict=True)
    ]

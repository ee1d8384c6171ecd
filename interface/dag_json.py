"""A head's regions as JSON: the schema ``snapset.dag/1`` of docs/json.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from snapset.analysis.dag.graphs import prepare
from snapset.analysis.dag.solving import to_json
from snapset.replay_json import number

if TYPE_CHECKING:
    from snapset.analysis.dag.regions import HeadRegions, Region
    from snapset.analysis.dag.solving import Answer
    from snapset.analysis.replay.dag_compare import DagReplay

SCHEMA = "snapset.dag/1"


def dag_document(result: HeadRegions, run: DagReplay | None = None) -> dict[str, Any]:
    """Plain dictionaries, lists, strings and numbers; None (null) for what is not known."""
    return {
        "schema": SCHEMA,
        "head": result.head,
        "unit": result.unit,
        "regions": [_region(region) for region in result.regions],
        "totals": {
            "cost": result.total(lambda answer: answer.choice.cost),
            "heuristic": result.total(lambda answer: answer.heuristic.cost),
            "bounds": {
                "tbr": result.total(lambda answer: answer.bounds.tbr.cost),
                "required": result.total(lambda answer: answer.bounds.required.cost),
                "statements": result.total(statements),
            },
            "optimum": result.total(lambda answer: answer.optimum),
            "lower_bound": result.total(lambda answer: answer.lower),
        },
        "replay": None if run is None else _run(run),
        "defaulted": list(result.defaulted),
        "uncounted": [{"file": file, "line": line} for file, line in result.uncounted],
        "diagnostics": [
            {
                "code": one.code,
                "severity": one.severity,
                "message": one.message,
                "file": one.span.file,
                "line": one.span.line,
                "column": one.span.column,
            }
            for one in result.diagnostics
        ],
    }


def _run(run: DagReplay) -> dict[str, Any]:
    return {
        "equal": run.equal,
        "error": run.error,
        "inputs": [{"name": i.name, "shape": list(i.shape), "value": number(i.value), "given": i.given}
                   for i in run.inputs],
        "compared": run.compared,
        "lost": dict(sorted(run.lost.items())),
        "largest_difference": number(run.largest),
        "tolerance": run.tolerance,
        "places_bytes": run.places_bytes,
        "values_bytes": run.values_bytes,
        "control_bytes": run.control_bytes,
        "peak_bytes": run.peak_bytes,
        "store_all_bytes": run.store_all_bytes,
    }


def statements(answer: Answer) -> int | None:
    """What per-statement To Be Recorded costs."""
    return None if answer.bounds.statements is None else answer.bounds.statements.cost


def _region(region: Region) -> dict[str, Any]:
    answer, level = region.answer, region.level
    return {
        **to_json(region.id, answer),
        "kind": region.kind,
        "procedure": region.procedure,
        "parent": region.parent,
        "file": region.first.file,
        "first_line": region.first.line,
        "last_line": region.last_line,
        "places": {
            name: {"file": level.places[name].span.file, "line": level.places[name].span.line,
                   "location": level.places[name].location}
            for name in sorted(answer.choice.S)
        },
        "graphs": _graphs(region),
        "bicliques": {
            "exact": answer.cover.exact,
            "cover": [{"vertices": sorted(b.vertices), "places": sorted(b.places)} for b in answer.cover.bicliques],
        },
    }


def _graphs(region: Region) -> list[dict[str, Any]]:
    found = []
    choice, ready = region.answer.choice, prepare(region.level.problem)
    for section, graph, needed in zip(region.level.sections, region.level.problem.graphs, ready.graphs, strict=True):
        found.append({
            "id": section.name,
            "file": section.first.file,
            "first_line": section.first.line,
            "last_line": section.last.end_line,
            "statements": section.statements,
            "flattened": section.flattened,
            "vertices": len(graph.vertices),
            "edges": len(graph.edges),
            "preceding": len(needed.order),
            "required": sorted(graph.required),
            "cut": sorted(choice.cuts[graph.name]),
            "recomputed": [v for v in needed.order if v in choice.recomputed[graph.name]],
        })
    return found

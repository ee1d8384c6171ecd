"""A time loop's sets as JSON: the schema ``snapset.schedule/1`` of docs/json.md."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from snapset.documents.common_documents import PlaceDocument
from snapset.documents.json_text import plain
from snapset.documents.schedule_documents import HeldDocument, ScheduleDocument
from snapset.render.layout.byte_figures import Figures
from snapset.render.records.report_json import diagnostics

if TYPE_CHECKING:
    from collections.abc import Mapping

    from snapset.analysis.loops.loop_results import HeldLocation, LoopSets


def schedule_document(result: LoopSets, assume: Mapping[str, int] | None = None) -> dict[str, Any]:
    """Plain dictionaries, lists, strings and numbers; None (null) for what is not known."""
    return plain(document(result, Figures(assume or {})))


def document(result: LoopSets, figures: Figures) -> ScheduleDocument:
    """What :func:`schedule_document` makes plain."""
    return ScheduleDocument(
        head=result.head,
        loop=PlaceDocument(file=result.file, line=result.line),
        procedure=result.procedure,
        steps=figures(result.steps),
        most_steps=figures(result.most_steps),
        period=result.period,
        parameters=list(result.parameters),
        adjoint_parameters=list(result.adjoint_parameters),
        restart=_held(result.restart, figures),
        spans=[list(one) for one in result.spans],
        first_steps=[list(one) for one in result.first_steps],
        untrimmed=_held(result.untrimmed, figures),
        dependencies=_held(result.dependencies, figures),
        control_bytes=figures(result.control),
        restart_bytes=figures(result.restart_bytes),
        dependency_bytes=figures(result.dependency_bytes),
        step_peak_bytes=figures(result.step_peak),
        varies=result.varies,
        reasons=dict(sorted(result.reasons.items())),
        diagnostics=diagnostics(result.diagnostics),
    )


def _held(locations: Iterable[HeldLocation], figures: Figures) -> list[HeldDocument]:
    return [HeldDocument(location=one.name, elements=one.shown, bytes=figures(one.bytes)) for one in locations]

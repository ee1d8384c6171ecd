"""A time loop's sets as JSON: the schema ``snapset.schedule/1`` of docs/json.md."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from snapset.documents.common_documents import PlaceDocument
from snapset.documents.json_text import plain
from snapset.documents.schedule_documents import (
    ActionDocument,
    DivideOfferDocument,
    GuaranteeDocument,
    HeldDocument,
    OfferDocument,
    OnlineDocument,
    ScheduleDocument,
)
from snapset.render.layout.byte_figures import Figures
from snapset.render.records.report_json import diagnostics

if TYPE_CHECKING:
    from collections.abc import Mapping

    from snapset.analysis.loops.loop_results import HeldLocation
    from snapset.analysis.loops.scheduled_loop import ScheduledLoop
    from snapset.analysis.schedules.actions import Action
    from snapset.analysis.schedules.schedule_table import Offer


def schedule_document(loop: ScheduledLoop, assume: Mapping[str, int] | None = None) -> dict[str, Any]:
    """Plain dictionaries, lists, strings and numbers; None (null) for what is not known."""
    return plain(document(loop, Figures(assume or {})))


def document(loop: ScheduledLoop, figures: Figures, actions: Offer | None = None) -> ScheduleDocument:
    """What :func:`schedule_document` makes plain. ``actions``: the schedule whose actions are listed."""
    result = loop.sets
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
        shorter=[_held(one, figures) for one in result.shorter],
        first_steps=[list(one) for one in result.first_steps],
        untrimmed=_held(result.untrimmed, figures),
        dependencies=_held(result.dependencies, figures),
        control_bytes=figures(result.control),
        restart_bytes=figures(result.restart_bytes),
        dependency_bytes=figures(result.dependency_bytes),
        step_peak_bytes=figures(result.step_peak),
        varies=result.varies,
        schedules=[_offer(one, one is actions) for one in loop.schedules] or None,
        measured=loop.measured,
        unknown=list(loop.unknown),
        online=None if loop.online is None else OnlineDocument(
            checkpoints=loop.online.checkpoints,
            guarantees=[GuaranteeDocument(steps=one.steps, runs=one.runs) for one in loop.online.guarantees]),
        divide=None if loop.divide is None else DivideOfferDocument(
            peak_bytes=loop.divide.peak, rerun=round(loop.divide.rerun, 6), fits=loop.divide.fits),
        reasons=dict(sorted(result.reasons.items())),
        diagnostics=diagnostics(result.diagnostics),
    )


def _held(locations: Iterable[HeldLocation], figures: Figures) -> list[HeldDocument]:
    return [HeldDocument(location=one.name, elements=one.shown, bytes=figures(one.bytes)) for one in locations]


def _offer(one: Offer, listed: bool) -> OfferDocument:
    from snapset.analysis.schedules.actions import Content

    found = one.measured
    return OfferDocument(
        name=one.name, forward_steps=found.forward_steps, peak_bytes=found.total,
        restarts=found.stores(Content.RESTART), dependencies=found.stores(Content.DEPENDENCIES), seconds=one.seconds,
        fits=one.fits, best=one.best, actions=[_action(action) for action in found.actions] if listed else None)


def _action(one: Action) -> ActionDocument:
    given = {field: getattr(one, field, None) for field in ("i", "j", "store", "where", "keep")}
    plainly = {name: getattr(value, "value", value) for name, value in given.items()}
    return ActionDocument(action=type(one).__name__, **plainly)  # type: ignore[arg-type]

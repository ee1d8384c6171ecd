"""A comparison as JSON: the schema ``snapset.replay/1`` of docs/json.md."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from snapset.documents.json_text import plain
from snapset.documents.replay_documents import (
    DifferenceDocument,
    InputDocument,
    NumbersDocument,
    ReferenceDocument,
    ReplayDocument,
    SpentDocument,
    StrategyRunDocument,
    SuperfluousDocument,
)
from snapset.render.records.report_json import diagnostic

if TYPE_CHECKING:
    from collections.abc import Mapping

    from snapset.analysis.replay.experiment.measurements import (
        Comparison,
        Difference,
        Necessity,
        Numbers,
        PushedBytes,
        StrategyRun,
    )
    from snapset.analysis.replay.experiment.used_inputs import InputUsed


def replay_document(result: Comparison) -> dict[str, Any]:
    """Plain dictionaries, lists, strings and numbers; None (null) for what is not known."""
    return plain(document(result))


def document(result: Comparison) -> ReplayDocument:
    """What :func:`replay_document` makes plain."""
    reference = result.reference
    return ReplayDocument(
        head=result.head,
        inputs=[used_input(one) for one in result.inputs],
        reference=ReferenceDocument(
            peak_bytes=reference.peak_bytes,
            traffic_bytes=reference.traffic_bytes,
            pushes=reference.pushes,
            primal_steps=reference.primal_steps,
            adjoint_steps=reference.adjoint_steps,
            values=_numbers(reference.values),
            weights=_numbers(reference.weights),
            gradient=_numbers(reference.gradient),
        ),
        strategies={run.name: _run(run) for run in result.runs},
        diagnostics=[diagnostic(one) for one in result.diagnostics],
    )


def used_input(one: InputUsed) -> InputDocument:
    """What a run began with."""
    return InputDocument(
        name=one.name,
        shape=list(one.shape),
        value=number(one.value),
        elements=[number(each) for each in one.elements] if one.shape else None,
        given=one.given,
        unknown=one.unknown,
    )


def _numbers(values: Mapping[str, Numbers]) -> dict[str, NumbersDocument]:
    return {
        name: NumbersDocument(shape=list(one.shape), elements=[number(each) for each in one.elements])
        for name, one in values.items()
    }


def _run(run: StrategyRun) -> StrategyRunDocument:
    return StrategyRunDocument(
        equal=run.equal,
        error=run.error,
        differences=[difference(one) for one in run.differences],
        peak_bytes=run.peak_bytes,
        traffic_bytes=run.traffic_bytes,
        predicted_peak_bytes=run.predicted_peak_bytes,
        predicted_traffic_bytes=run.predicted_traffic_bytes,
        chosen=run.chosen,
        pushes=run.pushes,
        control_bytes=run.control_bytes,
        recomputed_steps=run.recomputed_steps,
        adjoint_steps=run.adjoint_steps,
        necessity=None if run.necessity is None else run.necessity.share,
        saved_locations=None if run.necessity is None else run.necessity.saved,
        superfluous=None if run.necessity is None else _superfluous(run.necessity),
        spent=[SpentDocument(**_spent(one)) for one in run.spent],
    )


def difference(one: Difference) -> DifferenceDocument:
    """Where a gradient is wrong."""
    return DifferenceDocument(
        independent=one.independent,
        element=list(one.element),
        store_all=number(one.store_all),
        found=number(one.found),
        count=one.count,
    )


def _superfluous(necessity: Necessity) -> list[SuperfluousDocument]:
    return [SuperfluousDocument(**_spent(one.saved), why=one.superfluous) for one in necessity.superfluous]


def _spent(one: PushedBytes) -> dict[str, Any]:
    return {
        "part": one.part,
        "procedure": one.procedure,
        "kind": one.kind,
        "file": one.file,
        "line": one.line,
        "location": one.location,
        "bytes": one.bytes,
        "pushes": one.pushes,
    }


def number(value: float | int | bool | str | None) -> float | int | bool | str | None:
    """JSON has no NaN and no infinity: they are the strings "nan", "inf", "-inf"."""
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value

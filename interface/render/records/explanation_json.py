"""Explanations as JSON: the schema ``snapset.explain/1`` of docs/json.md."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, cast

from snapset.documents.explain_documents import (
    ChainDocument,
    ExplainDocument,
    ExplainedLocationDocument,
    OtherChoiceDocument,
    ReasonDocument,
    SetName,
    StepDocument,
)
from snapset.render.layout.byte_figures import Figures

if TYPE_CHECKING:
    from snapset.analysis.evidence.part_explanation import Explanation, OtherChoice
    from snapset.analysis.evidence.steps import Chain, EvidenceStep

KEYS: Final = {"Req": "req", "use(C̄)": "use_cbar", "out(C)": "out_c", "out(C̄)": "out_cbar", "out(D̄)": "out_dbar"}


def document(head: str, found: Sequence[Explanation], figures: Figures) -> ExplainDocument:
    """All of one head."""
    return ExplainDocument(head=head, locations=[_location(one, figures) for one in found])


def _location(one: Explanation, figures: Figures) -> ExplainedLocationDocument:
    return ExplainedLocationDocument(
        region=one.part.id, strategy=one.strategy, location=one.location,
        saved=list(one.member.saved), sets=_keys(one.member.names), section=one.section, bytes=figures(one.bytes),
        reasons=[ReasonDocument(text=why.text, sets=_keys(why.sets), cure=why.cure) for why in one.reasons],
        evidence=chains(one.chains),
        peak_bytes=figures(one.peak), traffic_bytes=figures(one.traffic), other=_other(one.other, figures))


def chains(found: Sequence[Chain]) -> list[ChainDocument]:
    """Evidence."""
    return [ChainDocument(set=_keys([one.set])[0], steps=[_step(step) for step in one.steps]) for one in found]


def _other(other: OtherChoice | None, figures: Figures) -> OtherChoiceDocument | None:
    if other is None:
        return None
    return OtherChoiceDocument(side=other.side, instead=other.instead, peak_bytes=figures(other.peak),
                               traffic_bytes=figures(other.traffic))


def _step(step: EvidenceStep) -> StepDocument:
    return StepDocument(file=step.file, line=step.line, procedure=step.procedure, role=step.role,
                        location=step.location, note=step.note, lines=list(step.lines))


def _keys(names: Sequence[str]) -> list[SetName]:
    return [cast(SetName, KEYS[name]) for name in names]

"""Comparisons as JSON: the schema ``snapset.compare/1`` of docs/json.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from snapset.analysis.symbolic.polynomials import Quantity
from snapset.documents.common_documents import PlaceDocument
from snapset.documents.comparing.comparison_documents import (
    CompareDocument,
    ComparedPartDocument,
    MissingValueDocument,
    NotFollowedDocument,
    SavedValueDocument,
)
from snapset.documents.explain_documents import ChainDocument
from snapset.render.layout.byte_figures import Figures, total
from snapset.render.records.explanation_json import chains

if TYPE_CHECKING:
    from snapset.analysis.comparison.verdicts.compared_head import ComparedHead, SavedValue
    from snapset.analysis.evidence.part_explanation import Explanation
    from snapset.analysis.results import Part


def document(found: ComparedHead, figures: Figures) -> CompareDocument:
    """One head's adjoint."""
    return CompareDocument(
        head=found.head, adjoint=found.adjoint, saved_bytes=figures(found.bytes(superfluous=False)),
        superfluous_bytes=figures(found.bytes(superfluous=True)),
        regions=[_part(part, found, figures) for part in found.parts],
        saved=[_saved(one, figures) for one in found.saved],
        missing=[MissingValueDocument(
            region=None if one.region is None else one.region.id, statement=one.statement, before=list(one.before),
            location=one.location, file=one.file, line=one.line, bytes=figures(one.bytes), fault=one.fault,
            evidence=_evidence(one.explanation)) for one in found.missing],
        not_followed=[NotFollowedDocument(file=one.file, line=one.line, procedure=one.procedure, why=one.why)
                      for one in found.not_followed])


def _part(part: Part, found: ComparedHead, figures: Figures) -> ComparedPartDocument:
    own = [one for one in found.saved if one.region is not None and one.region.id == part.id]
    return ComparedPartDocument(
        id=part.id, callee=part.callee or "", place=PlaceDocument(file=part.file, line=part.first_line),
        found=part.id not in found.unpaired, saved_bytes=figures(_sum(own)),
        superfluous_bytes=figures(_sum([one for one in own if one.superfluous])))


def _sum(values: list[SavedValue]) -> Quantity | None:
    return total(one.bytes for one in values)


def _saved(one: SavedValue, figures: Figures) -> SavedValueDocument:
    return SavedValueDocument(
        file=one.file, line=one.line, pops=list(one.pops), procedure=one.procedure, location=one.location,
        verdict=one.verdict, bytes=figures(one.bytes), region=None if one.region is None else one.region.id,
        statement=one.statement, why=one.why, evidence=_evidence(one.explanation))


def _evidence(one: Explanation | None) -> list[ChainDocument]:
    return [] if one is None else chains(one.chains)

"""The verdicts on the claims as JSON: the schema ``snapset.verify/1`` of docs/json.md."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from snapset.documents.verify_documents import ClaimDocument, CounterexampleDocument, VerifyDocument

if TYPE_CHECKING:
    from snapset.analysis.proof.verify import Counterexample, Verdict


def document(verdicts: Sequence[Verdict]) -> VerifyDocument:
    """All verdicts."""
    return VerifyDocument(claims=[_claim(one) for one in verdicts])


def _claim(one: Verdict) -> ClaimDocument:
    programs = [counter.witness.program for counter in one.counterexamples if counter.witness is not None]
    return ClaimDocument(
        id=one.id,
        statement=one.statement,
        hypothesis=one.hypothesis,
        holds=one.holds,
        as_recorded=one.as_recorded,
        where=one.where,
        complete=one.complete,
        counterexamples=[_counterexample(counter) for counter in one.counterexamples],
        program=programs[0] if programs else None,
    )


def _counterexample(one: Counterexample) -> CounterexampleDocument:
    witness = one.witness
    return CounterexampleDocument(
        inside=list(one.inside),
        not_in=list(one.outside),
        choice=list(one.choice),
        program=witness.program if witness else None,
        head=witness.head if witness else None,
        strategy=witness.strategy if witness else None,
        regions=list(witness.parts) if witness else [],
        location=witness.location if witness else None,
    )

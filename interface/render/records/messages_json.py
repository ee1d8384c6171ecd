"""A run on several ranks as a JSON document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from snapset.documents.message_documents import (
    MessagesDocument,
    RankedPartDocument,
    RankedRunDocument,
    StuckRankDocument,
)
from snapset.render.records.report_json import diagnostics

if TYPE_CHECKING:
    from snapset.analysis.replay.experiment.ranked_plans import RankedComparison, RankedPart, RankedRun


def document(result: RankedComparison) -> MessagesDocument:
    """The document of one head."""
    return MessagesDocument(head=result.head, ranks=result.ranks, sends=result.sends, strategy=result.strategy,
                            parts=[_part(one) for one in result.parts], runs=[_run(one) for one in result.runs],
                            diagnostics=diagnostics(result.diagnostics))


def _part(one: RankedPart) -> RankedPartDocument:
    return RankedPartDocument(id=one.id, verdict=one.verdict, basis="on this run", instances=one.instances,
                              logged=one.logged, resent=one.resent, crossing=list(one.crossing),
                              arrows_back=list(one.arrows_back), proved=one.proved, contradicts=one.contradicts)


def _run(one: RankedRun) -> RankedRunDocument:
    stuck = [StuckRankDocument(rank=at.rank, where=at.where, sweep=at.sweep, doing=at.text,
                               waits_for=list(at.waits_for), in_cycle=at.in_cycle) for at in one.stuck]
    return RankedRunDocument(plan=one.plan, ends=one.ends, equal=one.equal, peak_bytes=one.peak_bytes,
                             log_bytes=one.log_bytes, predicted_log_bytes=one.predicted_log_bytes,
                             sent_again_bytes=one.sent_again_bytes, never_received=one.never_received,
                             never_completed=one.never_completed, error=one.error, stuck=stuck,
                             gradient_digest=one.gradient_digest)

"""A run on several ranks as a JSON document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from snapset.documents.message_documents import (
    MessagesDocument,
    ProvedCallDocument,
    ProvedMessagesDocument,
    ProvedPartDocument,
    RankedPartDocument,
    RankedRunDocument,
    StuckRankDocument,
    TakenChoiceDocument,
)
from snapset.render.records.report_json import diagnostics

if TYPE_CHECKING:
    from snapset.analysis.replay.experiment.ranked_plans import RankedComparison, RankedPart, RankedRun
    from snapset.analysis.replay.ranks.rank_events import TakenChoice
    from snapset.analysis.results import HeadResult, MessageCall, Part


def document(result: RankedComparison) -> MessagesDocument:
    """The document of one head."""
    return MessagesDocument(head=result.head, ranks=result.ranks, sends=result.sends, strategy=result.strategy,
                            parts=[_part(one) for one in result.parts], runs=[_run(one) for one in result.runs],
                            diagnostics=diagnostics(result.diagnostics), taken=[_taken(one) for one in result.taken])


def _taken(one: TakenChoice) -> TakenChoiceDocument:
    took = list(one.took) if isinstance(one.took, tuple) else one.took
    return TakenChoiceDocument(rank=one.rank, event=one.event, where=one.where, took=took)


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


def proved(result: HeadResult) -> ProvedMessagesDocument:
    """The document of what is proved of one head."""
    parts = communicating(result)
    told = [ProvedPartDocument(id=part.id, verdict=found.verdict, ranks=list(found.sizes), assumed=list(found.assumed),
                               why=list(found.why))
            for part in parts if (found := part.messages) is not None and found.verdict != "silent"]
    calls = [ProvedCallDocument(file=call.file, line=call.line, call=call.text, part=part.id,
                                verdict=part.messages.verdict)
             for call, part in inside_of(parts).items() if part.messages is not None
             and part.messages.verdict != "silent"]
    unknown = sum(one.verdict == "unknown" for one in told)
    return ProvedMessagesDocument(head=result.head, parts=told, calls=calls, unknown=unknown,
                                  unknown_share=unknown / len(told) if told else None)


def communicating(result: HeadResult) -> tuple[Part, ...]:
    """The parts that say something to other ranks."""
    return tuple(one for one in result.parts if one.messages is not None)


def inside_of(parts: Sequence[Part]) -> dict[MessageCall, Part]:
    """The calls by place, with the part of fewest calls around each."""
    found: dict[MessageCall, Part] = {}
    places = set[tuple[str, int, str]]()
    for part in sorted(parts, key=lambda one: len(one.messages.calls) if one.messages is not None else 0):
        for call in part.messages.calls if part.messages is not None else ():
            if (call.file, call.line, call.text) not in places:
                places.add((call.file, call.line, call.text))
                found[call] = part
    return dict(sorted(found.items(), key=lambda one: (one[0].file, one[0].line)))

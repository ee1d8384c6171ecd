"""``snapset.messages/1``: an adjoint executed on simulated ranks; ``snapset.messages-proved/1``: what is proved of it
without a run."""

from __future__ import annotations

from typing import Annotated, Literal

from snapset.documents.common_documents import DiagnosticDocument, Struct, said


class RankedPartDocument(Struct, frozen=True, kw_only=True):
    """What a part's messages allow, on this run: the worst of its runs."""

    id: str
    verdict: Literal["silent", "self-contained", "right-tight", "not right-tight"]
    basis: Literal["on this run"]
    instances: int
    logged: Annotated[int, said("Messages logged where they are received in the part.")]
    resent: Annotated[int, said("Messages that may be sent again.")]
    crossing: Annotated[list[str], said("Where messages that cross its border are sent, received and completed.")]
    arrows_back: Annotated[list[str], said("From behind the part to where a path into it begins.")]
    proved: Annotated[str, said("With --messages: what is proved of it for as many ranks; empty else.")] = ""
    contradicts: Annotated[bool, said("The recorded run refutes that.")] = False


class StuckRankDocument(Struct, frozen=True, kw_only=True):
    """Where a rank stands in a deadlock."""

    rank: int
    where: Annotated[str, said("file:line of the call, or of the call whose adjoint it is.")]
    sweep: Literal["first", "again", "adjoint"]
    doing: str
    waits_for: list[int]
    in_cycle: bool


class RankedRunDocument(Struct, frozen=True, kw_only=True):
    """One plan on all ranks."""

    plan: Literal["store-all", "log", "resend", "least", "popular"]
    ends: bool
    equal: Annotated[bool | None, said("Every rank's gradient is the store-all one; null where it did not get there.")]
    peak_bytes: Annotated[int, said("Of the rank with most.")]
    log_bytes: Annotated[int, said("At most at once, on the rank with most.")]
    predicted_log_bytes: Annotated[int | None, said("From the messages alone; null of popular and store-all.")]
    sent_again_bytes: int
    never_received: int
    never_completed: int
    error: str | None
    stuck: list[StuckRankDocument]
    gradient_digest: Annotated[str, said("Of the bits of all ranks' gradients; empty where it does not end.")]


class TakenChoiceDocument(Struct, frozen=True, kw_only=True):
    """What a wildcard, a test or a probe took in the store-all run: --wildcards lets another run take the same."""

    rank: int
    event: Annotated[int, said("Its place among the rank's events.")]
    where: str
    took: Annotated[int | list[int], said("The source of a wildcard; which requests were done; what a probe saw.")]


class MessagesDocument(Struct, frozen=True, kw_only=True):
    """One head."""

    schema: Literal["snapset.messages/1"] = "snapset.messages/1"
    head: str
    ranks: int
    sends: str
    strategy: str
    parts: list[RankedPartDocument]
    runs: list[RankedRunDocument]
    diagnostics: list[DiagnosticDocument]
    taken: list[TakenChoiceDocument]


class ProvedCallDocument(Struct, frozen=True, kw_only=True):
    """A call of MPI that communicates in some part."""

    file: str
    line: int
    call: str
    part: Annotated[str, said("The innermost part around it, of fewest calls.")]
    verdict: Literal["self-contained", "right-tight", "not right-tight", "unknown"]


class ProvedPartDocument(Struct, frozen=True, kw_only=True):
    """A part that communicates."""

    id: str
    verdict: Literal["self-contained", "right-tight", "not right-tight", "unknown"]
    ranks: Annotated[list[int], said("The numbers of ranks that the verdict is proved for.")]
    assumed: Annotated[list[str], said("What must hold besides, which is not proved.")]
    why: Annotated[list[str], said("What crosses its border or leads back into it; why nothing is proved.")]


class ProvedMessagesDocument(Struct, frozen=True, kw_only=True):
    """One head."""

    schema: Literal["snapset.messages-proved/1"] = "snapset.messages-proved/1"
    head: str
    parts: list[ProvedPartDocument]
    calls: list[ProvedCallDocument]
    unknown: Annotated[int, said("How many parts have no verdict.")]
    unknown_share: Annotated[float | None, said("Of those that communicate; null where none does.")]

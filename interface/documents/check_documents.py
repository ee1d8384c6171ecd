"""``snapset.check/1`` and ``snapset.diff/1``: what every part saves now, compared with the lock or another revision."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta
from snapset.documents.common_documents import Figure, Struct, said
from snapset.documents.explain_documents import StepDocument


class FindingDocument(Struct, frozen=True, kw_only=True):
    """One change since the lock was written, at the statement it comes from."""

    file: str
    line: Annotated[int, Meta(ge=1)]
    part: Annotated[str, said("The part as the lock names it; the head, where that is new or gone.")]
    message: Annotated[str, said("What the text says of it.")]
    kind: Annotated[
        Literal["larger", "smaller", "changed", "added", "gone", "strategy", "diagnostic", "renamed", "budget"],
        said("larger, smaller: in bytes. added, gone: a part or a head. budget: it costs more than is allowed."),
    ]
    head: str
    evidence: Annotated[list[StepDocument], said("The statements that put the location there, calls on the way; the "
                                                 "last one is the reason. [] where no set explains it.")]


class CauseDocument(Struct, frozen=True, kw_only=True):
    """A statement, and all that follows from it."""

    file: str
    line: Annotated[int, Meta(ge=1)]
    title: Annotated[str, said("The statement's line; the part or head that came or went.")]
    changed: Annotated[bool, said("Does git know that it changed? false: not known.")]
    bytes: Annotated[dict[str, Figure], said("By strategy: how much larger snapshots and tapes are for it.")]
    findings: Annotated[list[int], said("Places in the list of findings, from 0.")]


class CheckDocument(Struct, frozen=True, kw_only=True):
    """All changes; the exit code is 1 if there are any."""

    schema: Literal["snapset.check/1"] = "snapset.check/1"
    lock: Annotated[str, said("The lock file.")]
    written: Annotated[bool, said("Was the lock written (--update)? Then nothing is compared.")]
    heads: Annotated[int, said("How many heads were analysed.")]
    parts: Annotated[int, said("How many checkpointed parts these have.")]
    findings: Annotated[list[FindingDocument], said("Sorted by file and line.")]
    renamed: Annotated[list[FindingDocument], said("Names that are others now, and nothing else: no change.")]
    causes: Annotated[list[CauseDocument], said("Every finding is under one of them.")]


class DiffDocument(Struct, frozen=True, kw_only=True):
    """All changes from one revision to another; the exit code is 1 if there are any."""

    schema: Literal["snapset.diff/1"] = "snapset.diff/1"
    before: Annotated[str, said("The revision compared with.")]
    after: Annotated[str, said("The other one; '.': the files as they lie there.")]
    heads: Annotated[int, said("How many heads this one has.")]
    parts: Annotated[int, said("How many checkpointed parts these have.")]
    findings: Annotated[list[FindingDocument], said("Sorted by file and line.")]
    renamed: Annotated[list[FindingDocument], said("Names that are others now, and nothing else: no change.")]
    causes: Annotated[list[CauseDocument], said("Every finding is under one of them.")]

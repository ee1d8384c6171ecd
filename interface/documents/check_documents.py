"""``snapset.check/1``: what every part saves now, compared with the lock."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta
from snapset.documents.common_documents import Struct, said


class FindingDocument(Struct, frozen=True, kw_only=True):
    """One change since the lock was written, at the statement it comes from."""

    file: str
    line: Annotated[int, Meta(ge=1)]
    part: Annotated[str, said("The part as the lock names it; the head, where that is new or gone.")]
    message: Annotated[str, said("What the line printed without --format json says of it.")]


class CheckDocument(Struct, frozen=True, kw_only=True):
    """All changes; the exit code is 1 if there are any."""

    schema: Literal["snapset.check/1"] = "snapset.check/1"
    lock: Annotated[str, said("The lock file.")]
    written: Annotated[bool, said("Was the lock written (--update)? Then nothing is compared.")]
    heads: Annotated[int, said("How many heads were analysed.")]
    parts: Annotated[int, said("How many checkpointed parts these have.")]
    findings: Annotated[list[FindingDocument], said("Sorted by file and line.")]

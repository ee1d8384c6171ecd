"""``snapset.compare/1``: what a generated adjoint saves too much, and what is missing."""

from __future__ import annotations

from typing import Annotated, Literal

from snapset.documents.common_documents import Figure, PlaceDocument, Struct, said
from snapset.documents.explain_documents import ChainDocument


class SavedValueDocument(Struct, frozen=True, kw_only=True):
    """A PUSH of the adjoint."""

    file: str
    line: int
    pops: Annotated[list[int], said("The lines of the POPs that go with it; [] where that is not certain.")]
    procedure: Annotated[str, said("Of the adjoint.")]
    location: Annotated[str, said("What is saved, in Fortran.")]
    verdict: Annotated[
        Literal["needed", "unread", "unchanged", "not judged"],
        said("unread: nothing reads what the POP gives back; unchanged: nothing changes it before the POP; both are "
             "superfluous. not judged: its POP is not certain."),
    ]
    bytes: Annotated[Figure, said("Of one execution.")]
    region: Annotated[str | None, said("The part that it is pushed for; null: it is taped.")]
    statement: Annotated[int | None, said("The line of the source that it is taped for, where that is found.")]
    why: Annotated[str, said('Why it is superfluous; "" where it is not.')]
    evidence: Annotated[list[ChainDocument], said("What the source's own analysis says of it at that part.")]


class MissingValueDocument(Struct, frozen=True, kw_only=True):
    """What the adjoint reads, and finds changed: the gradient is wrong."""

    region: Annotated[str | None, said("The part whose adjoint reads it; null: the adjoint of one statement does.")]
    statement: Annotated[int | None, said("The line of the source whose adjoint reads it; null: a part's, or of a "
                                          "variable that the tool made.")]
    before: Annotated[list[int], said("The lines of the source before which it should have been taped; [] at a part.")]
    location: str
    file: Annotated[str, said("Of the adjoint: where it is read, or the part's adjoint is called.")]
    line: int
    bytes: Figure
    fault: Annotated[str, said('What is wrong with the stack itself, as with a POP that takes what is another\'s; "": '
                               "nothing.")]
    evidence: list[ChainDocument]


class NotFollowedDocument(Struct, frozen=True, kw_only=True):
    """A procedure of the adjoint of which no PUSH is judged."""

    file: str
    line: int
    procedure: str
    why: str


class ComparedPartDocument(Struct, frozen=True, kw_only=True):
    """A checkpointed part. ``found``: is its first run in the adjoint?"""

    id: str
    callee: str
    place: PlaceDocument
    found: bool
    saved_bytes: Figure
    superfluous_bytes: Figure


class CompareDocument(Struct, frozen=True, kw_only=True):
    """A generated adjoint of one head."""

    schema: Literal["snapset.compare/1"] = "snapset.compare/1"
    head: str
    adjoint: str
    saved_bytes: Annotated[Figure, said("Of all PUSHes of values, each executed once.")]
    superfluous_bytes: Figure
    regions: list[ComparedPartDocument]
    saved: list[SavedValueDocument]
    missing: list[MissingValueDocument]
    not_followed: list[NotFollowedDocument]

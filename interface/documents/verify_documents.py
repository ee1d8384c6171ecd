"""``snapset.verify/1``: the claims about the equations, proved or refuted."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import field
from snapset.documents.common_documents import Names, Struct, said


class CounterexampleDocument(Struct, frozen=True, kw_only=True):
    """A location that breaks a claim. Claims about two checkpoints number the sets: out_c1, out_c2."""

    inside: Annotated[Names, said("The location is in these sets.")] = field(name="in")
    not_in: Annotated[Names, said("And not in these; the claim does not speak of others.")]
    choice: Annotated[Names, said("The sets of the smallest choice that shows it.")]
    program: Annotated[str | None, said("A Fortran program with such a location.")]
    head: str | None
    strategy: str | None
    regions: Names
    location: str | None


class ClaimDocument(Struct, frozen=True, kw_only=True):
    """A claim and this run's verdict on it."""

    id: str
    statement: str
    hypothesis: str
    holds: bool
    as_recorded: Annotated[bool, said("Is this the verdict on record?")]
    where: Annotated[str | None, said("In which set it fails; null for a proved claim, and where not complete.")]
    complete: Annotated[bool, said("Are all counterexamples listed? At most 64 are.")]
    counterexamples: list[CounterexampleDocument]
    program: Annotated[str | None, said("Of the first counterexample; null for a proved claim.")]


class VerifyDocument(Struct, frozen=True, kw_only=True):
    """All verdicts."""

    schema: Literal["snapset.verify/1"] = "snapset.verify/1"
    claims: list[ClaimDocument]

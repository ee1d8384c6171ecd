"""``snapset.explain/1``: why a location is saved at a part, or why not."""

from __future__ import annotations

from typing import Annotated, Literal

from snapset.documents.common_documents import Figure, Struct, said

SetName = Literal["req", "use_cbar", "out_c", "out_cbar", "out_dbar"]


class StepDocument(Struct, frozen=True, kw_only=True):
    """What one statement does to a location."""

    file: str
    line: int
    procedure: str
    role: Annotated[
        Literal["adjoint reads", "reads", "overwrites", "calls", "part", "unknown", "ends", "again"],
        said("adjoint reads: its derivative does; calls, part: the next step stands inside; unknown: what is done "
             "there is not known; ends: it ends with its procedure; again: something is computed again from it."),
    ]
    location: Annotated[str, said("As that procedure names it.")]
    note: str
    lines: Annotated[list[int], said("The lines of that procedure on the way to the statement; for req against the "
                                     "order of execution.")]


class ChainDocument(Struct, frozen=True, kw_only=True):
    """The evidence that a set holds the location. No steps: nothing that is known puts it there."""

    set: SetName
    steps: list[StepDocument]


class ReasonDocument(Struct, frozen=True, kw_only=True):
    """A rule of the equations that decides."""

    text: str
    sets: list[SetName]
    cure: Annotated[str, said('What the source would have to be like for it not to be saved; "" where it is not.')]


class OtherChoiceDocument(Struct, frozen=True, kw_only=True):
    """What the whole head would cost if the location went the other way."""

    side: Literal["Snp", "Sbk", "Req_D", "Req_C"]
    instead: Literal["Snp", "Sbk", "Req_D", "Req_C"]
    peak_bytes: Figure
    traffic_bytes: Figure


class ExplainedLocationDocument(Struct, frozen=True, kw_only=True):
    """One location at one part under one strategy."""

    region: Annotated[str, said("The part's id.")]
    strategy: str
    location: str
    saved: Annotated[list[Literal["Snp", "Sbk", "Req_D", "Req_C"]], said("Where the solution keeps it; [] nowhere.")]
    sets: list[SetName]
    section: Annotated[str, said("What of it is in the snapshot, in Fortran.")]
    bytes: Annotated[Figure, said("Of that; null where the snapshot does not hold it.")]
    reasons: list[ReasonDocument]
    evidence: list[ChainDocument]
    peak_bytes: Figure
    traffic_bytes: Figure
    other: OtherChoiceDocument | None


class ExplainDocument(Struct, frozen=True, kw_only=True):
    """All locations that were asked for, at all parts that were."""

    schema: Literal["snapset.explain/1"] = "snapset.explain/1"
    head: str
    locations: list[ExplainedLocationDocument]

"""``snapset.dag/1``: store or recompute. Names are those of docs/dag.md."""

from __future__ import annotations

from typing import Annotated, Literal

from snapset.documents.common_documents import DiagnosticDocument, Names, Number, PlaceDocument, Struct, said


class BoundsDocument(Struct, frozen=True, kw_only=True):
    """What the trivial choices cost."""

    tbr: Annotated[int | None, said("U is empty.")]
    required: Annotated[int | None, said("S is empty.")]
    statements: Annotated[int | None, said("To Be Recorded, statement by statement.")]


class OverwritePlaceDocument(Struct, frozen=True, kw_only=True):
    """A place of S: a statement, and the location it overwrites."""

    file: str
    line: int
    location: str


class GraphDocument(Struct, frozen=True, kw_only=True):
    """G* of straight-line code."""

    id: str
    file: str
    first_line: int
    last_line: int
    statements: int
    flattened: Annotated[bool, said("false: not scalar arithmetic; its reads are required.")]
    vertices: int
    edges: int
    preceding: Annotated[int, said("Vertices that precede R.")]
    required: Names
    cut: Names
    recomputed: Names


class BicliqueDocument(Struct, frozen=True, kw_only=True):
    """A biclique of G_b."""

    vertices: Names
    places: Names


class CoverDocument(Struct, frozen=True, kw_only=True):
    """The bicliques that cover G_b."""

    exact: Annotated[bool, said("Is it a smallest cover?")]
    cover: list[BicliqueDocument]


class DagRegionDocument(Struct, frozen=True, kw_only=True):
    """A region: a procedure's own code, or a marked part."""

    id: str
    S: Annotated[Names, said("Places that store what they overwrite.")]
    U: Annotated[Names, said("Vertices that are stored.")]
    cuts: dict[str, Names]
    cost: int | None
    heuristic: Annotated[int | None, said("The cost of Algorithm 2 alone.")]
    bounds: BoundsDocument
    optimum: Annotated[int | None, said("null: not asked for, or not proved in time.")]
    lower_bound: int | None
    gap: float | None
    method: Annotated[Literal["biclique", "search", "optimum"], said("Which found the answer.")]
    kind: Literal["procedure", "region"]
    procedure: str
    parent: Annotated[str | None, said("The id of the region around a marked part.")]
    file: str
    first_line: int
    last_line: int
    places: Annotated[dict[str, OverwritePlaceDocument], said("Of S.")]
    graphs: list[GraphDocument]
    bicliques: CoverDocument


class DagTotalsDocument(Struct, frozen=True, kw_only=True):
    """All regions together."""

    cost: int | None
    heuristic: int | None
    bounds: BoundsDocument
    optimum: int | None
    lower_bound: int | None


class ScalarInputDocument(Struct, frozen=True, kw_only=True):
    """What the run began with; elements of arrays are not repeated here."""

    name: str
    shape: list[int]
    value: Number
    given: bool
    unknown: Annotated[bool, said("Random, because the start value that the program gives it is not understood?")]


class DagReplayDocument(Struct, frozen=True, kw_only=True):
    """What the execution of the answer found (--replay)."""

    equal: bool
    error: str | None
    inputs: list[ScalarInputDocument]
    compared: Annotated[int, said("Required values that were compared.")]
    lost: Annotated[dict[str, int], said("Those not found again, and how often.")]
    largest_difference: Annotated[Number, said("From store-all's gradient, relative.")]
    tolerance: float
    places_bytes: Annotated[int | None, said("Stored for S.")]
    values_bytes: Annotated[int | None, said("Stored for U.")]
    control_bytes: int | None
    peak_bytes: int | None
    store_all_bytes: int | None


class DagDocument(Struct, frozen=True, kw_only=True):
    """A head's regions. With several heads, an array of these."""

    schema: Literal["snapset.dag/1"] = "snapset.dag/1"
    head: str
    unit: Annotated[Literal["values", "bytes"], said("Of all costs; bytes: --weights bytes, --counts.")]
    regions: list[DagRegionDocument]
    totals: DagTotalsDocument
    replay: DagReplayDocument | None
    defaulted: Annotated[Names, said("Sizes and trip counts that 100 stands for.")]
    uncounted: Annotated[list[PlaceDocument], said("Lines that the run of --counts does not tell of.")]
    diagnostics: list[DiagnosticDocument]

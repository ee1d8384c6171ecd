"""``snapset.replay/1``: an adjoint that was executed with the sets, beside the store-all adjoint."""

from __future__ import annotations

from typing import Annotated, Literal

from snapset.documents.common_documents import DiagnosticDocument, Number, Struct, said


class InputDocument(Struct, frozen=True, kw_only=True):
    """What the run began with."""

    name: str
    shape: Annotated[list[int], said("Empty: a scalar.")]
    value: Annotated[Number, said("Of a scalar.")]
    elements: Annotated[list[Number] | None, said("Of an array, in array element order.")]
    given: Annotated[bool, said("By --set?")]
    unknown: Annotated[bool, said("Random, because the start value that the program gives it is not understood?")]


class NumbersDocument(Struct, frozen=True, kw_only=True):
    """Values of a variable, in array element order."""

    shape: list[int]
    elements: list[Number]


class ReferenceDocument(Struct, frozen=True, kw_only=True):
    """The store-all adjoint, which knows nothing of the sets."""

    peak_bytes: int | None
    traffic_bytes: int | None
    pushes: int | None
    primal_steps: Annotated[int | None, said("Statements, tests and calls.")]
    adjoint_steps: Annotated[int | None, said("The same and statement adjoints.")]
    values: Annotated[dict[str, NumbersDocument], said("Of the dependents, at the turn.")]
    weights: Annotated[dict[str, NumbersDocument], said("What their adjoints begin with.")]
    gradient: Annotated[dict[str, NumbersDocument], said("Of the sum of weights times values.")]


class DifferenceDocument(Struct, frozen=True, kw_only=True):
    """An independent whose adjoint is wrong: its first wrong element, and how many are."""

    independent: str
    element: list[int]
    store_all: Number
    found: Number
    count: int


class SpentDocument(Struct, frozen=True, kw_only=True):
    """Bytes that one place of the adjoint pushed; they add up to the totals."""

    part: Annotated[str | None, said("The marked part; null outside of any.")]
    procedure: str
    kind: Literal["snp", "sbk", "tape", "mask", "control"]
    file: str
    line: int
    location: str
    bytes: int
    pushes: int


class SuperfluousDocument(SpentDocument, frozen=True, kw_only=True):
    """What was saved, and whose loss changes nothing."""

    why: Literal["unused", "unchanged"] | None


class StrategyRunDocument(Struct, frozen=True, kw_only=True):
    """The adjoint of one strategy."""

    equal: Annotated[bool, said("To store-all's gradient, bit for bit.")]
    error: Annotated[str | None, said("Why this adjoint could not be run to its end.")]
    differences: list[DifferenceDocument]
    peak_bytes: int | None
    traffic_bytes: int | None
    predicted_peak_bytes: Annotated[int | None, said("By the cost model.")]
    predicted_traffic_bytes: int | None
    chosen: Annotated[
        str | None,
        said("Under optimal: the strategy that takes less on this run than what the cost model says is best, if one "
             "does. Its sets are what ran."),
    ]
    pushes: int | None
    control_bytes: int | None
    recomputed_steps: Annotated[int | None, said("Of first runs.")]
    adjoint_steps: int | None
    necessity: Annotated[
        float | None,
        said("Share of saved locations whose loss changes the gradient; null without --necessity."),
    ]
    saved_locations: int | None
    superfluous: list[SuperfluousDocument] | None
    spent: list[SpentDocument]


class ReplayDocument(Struct, frozen=True, kw_only=True):
    """A head's replay. With several heads, an array of these. Every figure was counted while running."""

    schema: Literal["snapset.replay/1"] = "snapset.replay/1"
    head: str
    inputs: list[InputDocument]
    reference: ReferenceDocument
    strategies: dict[str, StrategyRunDocument]
    diagnostics: list[DiagnosticDocument]

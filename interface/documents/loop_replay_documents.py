"""``snapset.loop-replay/1``: an adjoint whose time loop was executed under schedules."""

from __future__ import annotations

from typing import Annotated, Literal

from snapset.documents.common_documents import DiagnosticDocument, PlaceDocument, Struct, said
from snapset.documents.replay_documents import DifferenceDocument, InputDocument


class LoopFiguresDocument(Struct, frozen=True, kw_only=True):
    """Of all times that the loop was entered."""

    stored_bytes: Annotated[int, said("Checkpoints at once, at most.")]
    peak_bytes: Annotated[int, said("With the working storage.")]
    forward_steps: Annotated[int, said("First run included.")]
    writes: Annotated[int, said("Checkpoints stored, in memory and on disk.")]
    reads: Annotated[int, said("Checkpoints loaded.")]
    written_bytes: int
    read_bytes: int


class ScheduleRunDocument(Struct, frozen=True, kw_only=True):
    """The adjoint under one schedule."""

    equal: Annotated[bool, said("To store-all's gradient, bit for bit.")]
    error: Annotated[str | None, said("Why this adjoint could not be run to its end.")]
    differences: list[DifferenceDocument]
    measured: LoopFiguresDocument | None
    predicted: LoopFiguresDocument | None
    as_predicted: Annotated[Literal["same", "less", "more"] | None, said("more: of anything; null: not measured.")]
    by_formula: Annotated[bool, said("Predicted from the formulas of the sets; else from what a run left.")]


class LostLocationDocument(Struct, frozen=True, kw_only=True):
    """A location that was left out of a set."""

    set: Literal["restart", "dependencies"]
    location: str
    superfluous: Annotated[Literal["unused", "unchanged"] | None, said("null: the gradient changed.")]


class LoopReplayDocument(Struct, frozen=True, kw_only=True):
    """A head's replay with a time loop under schedules; with several, an array of these."""

    schema: Literal["snapset.loop-replay/1"] = "snapset.loop-replay/1"
    head: str
    loop: PlaceDocument
    inputs: list[InputDocument]
    steps: Annotated[list[int], said("Each time that the loop was entered.")]
    memory: Annotated[int, said("Bytes that --memory gives.")]
    restart_bytes: int
    dependency_bytes: int
    schedules: dict[str, ScheduleRunDocument]
    lost: Annotated[list[LostLocationDocument] | None, said("With --necessity.")]
    diagnostics: list[DiagnosticDocument]

"""``snapset.schedule/1``: a time loop's sets, and all schedules for it."""

from __future__ import annotations

from typing import Annotated, Literal

from snapset.documents.common_documents import DiagnosticDocument, Figure, Names, PlaceDocument, Struct, said


class HeldDocument(Struct, frozen=True, kw_only=True):
    """A location in a set."""

    location: str
    elements: Annotated[str, said("Which of it, in Fortran: u(2:n-1).")]
    bytes: Figure


class ActionDocument(Struct, frozen=True, kw_only=True):
    """One action: an Advance from state i to j, a Load, a Free, an Adjoint from j to i, EndForward, EndReverse."""

    action: Literal["Advance", "Load", "Free", "Adjoint", "EndForward", "EndReverse"]
    i: int | None
    j: int | None
    store: Annotated[Literal["nothing", "restart", "dependencies"] | None, said("Of an Advance.")]
    where: Annotated[Literal["work", "memory", "disk"] | None, said("The storage.")]
    keep: Annotated[bool | None, said("Of a Load: is it read again later?")]


class OfferDocument(Struct, frozen=True, kw_only=True):
    """A row of the table."""

    name: str
    forward_steps: Annotated[int, said("First run included.")]
    peak_bytes: Annotated[int, said("With the working storage.")]
    restarts: Annotated[int, said("Written in all.")]
    dependencies: int
    seconds: Annotated[float | None, said("With a disk: forward steps and its traffic.")]
    fits: bool
    best: bool
    actions: Annotated[list[ActionDocument] | None, said("Of the schedule that --actions names.")]


class GuaranteeDocument(Struct, frozen=True, kw_only=True):
    """No step of a loop of up to so many steps is run more often."""

    steps: int
    runs: int


class OnlineDocument(Struct, frozen=True, kw_only=True):
    """Minimal repetition dynamic checkpointing, which need not know the number of steps."""

    checkpoints: int
    guarantees: list[GuaranteeDocument]


class DivideOfferDocument(Struct, frozen=True, kw_only=True):
    """Divide and conquer over the whole run, in the memory of the schedules (see snapset divide)."""

    peak_bytes: Annotated[int, said("Capsules and tape; where nothing fits, the least that works.")]
    rerun: Annotated[float, said("How often the run is run again in all: 1.5 for one and a half times.")]
    fits: bool


class ScheduleDocument(Struct, frozen=True, kw_only=True):
    """A time loop. With several loops, heads or codes, an array of these."""

    schema: Literal["snapset.schedule/1"] = "snapset.schedule/1"
    head: str
    loop: PlaceDocument
    procedure: str
    steps: Annotated[Figure, said("null: only the run tells.")]
    most_steps: Annotated[Figure, said("Where EXIT may end the loop early.")]
    period: Annotated[int, said("Iterations that make a step.")]
    parameters: Annotated[Names, said("What a span reads and nothing in the loop overwrites: never stored.")]
    adjoint_parameters: Annotated[Names, said("Of these, what the derivatives of a step read.")]
    restart: Annotated[list[HeldDocument], said("What restarts a span of any length.")]
    spans: Annotated[list[Names], said("What the adjoint of a step reads; what is added for one step run again before "
                                       "it, for two, and so on.")]
    shorter: Annotated[list[list[HeldDocument]],
                       said("What suffices where 1, 2 ... iterations are run from it, the last of them recorded, as "
                            "long as that is less.")]
    first_steps: Annotated[list[Names], said("What restarts step 0, 1 ... where that is not the same for all.")]
    untrimmed: Annotated[list[HeldDocument], said("The same with what feeds no derivative.")]
    dependencies: Annotated[list[HeldDocument], said("What a step leaves for its adjoint.")]
    control_bytes: Figure
    restart_bytes: Figure
    dependency_bytes: Annotated[Figure, said("With those of control.")]
    step_peak_bytes: Annotated[Figure, said("The highest point of the working storage of one step.")]
    varies: Annotated[bool, said("Are the bytes not the same for each step?")]
    schedules: Annotated[list[OfferDocument] | None, said("null without --memory, or where sizes are not known.")]
    measured: Annotated[bool, said("Does the table count bytes that a run measured, for no formula tells them?")]
    unknown: Annotated[Names, said("The names that lack a number for the table.")]
    online: Annotated[OnlineDocument | None, said("Where only the run tells the number of steps, and the table lacks "
                                                  "it.")]
    divide: Annotated[DivideOfferDocument | None, said("With --set and --memory.")]
    reasons: Annotated[dict[str, str], said("Why a location is in one set and not in the other.")]
    diagnostics: list[DiagnosticDocument]

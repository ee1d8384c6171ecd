"""``snapset.divide/1``: a run that was divided, or a capsule of it."""

from __future__ import annotations

from typing import Annotated, Literal

from snapset.documents.common_documents import DiagnosticDocument, Struct, said
from snapset.documents.replay_documents import DifferenceDocument, InputDocument


class StoppingRuleDocument(Struct, frozen=True, kw_only=True):
    """eta(d, t) leaves of at most ``leaf_steps`` steps."""

    snapshots: Annotated[int, said("d: held at once beside that of the beginning, at most.")]
    reruns: Annotated[int, said("t: of a step, at most.")]
    leaf_steps: Annotated[int, said("alpha; leaves are longer only where d or t runs out, or no stop is possible.")]
    given: Annotated[Literal["log", "space", "time", "leaf", "all", "none"], said("Which of them were given.")]


class CapsuleDocument(Struct, frozen=True, kw_only=True):
    """What is held of a step."""

    at: int
    bytes: Annotated[int, said("data_bytes and control_bytes.")]
    data_bytes: Annotated[int, said("Of what is live to the end of the interval.")]
    control_bytes: Annotated[int, said("Active procedures and loops, pointers, WHERE masks.")]
    live_to_end_bytes: Annotated[int, said("Data that is live to the end of the run.")]
    state_bytes: Annotated[int, said("All variables of active procedures, and all globals.")]
    where: Annotated[str, said("FILE:LINE of what runs next.")]
    active_procedures: int
    variables: Annotated[list[str], said("The data's names, those of the procedure that runs.")]


class TreeSplitDocument(Struct, frozen=True, kw_only=True):
    """The steps from ``first`` to ``end`` were run to ``at`` again, where a capsule was taken."""

    first: int
    at: int
    end: int
    level: Annotated[int, said("How many right parts it is in.")]


class TreeLeafDocument(Struct, frozen=True, kw_only=True):
    """Steps that were differentiated at once, in this order."""

    first: int
    end: int
    level: int
    tape_bytes: int


class DividedRunDocument(Struct, frozen=True, kw_only=True):
    """The adjoint that was run."""

    equal: Annotated[bool, said("To store-all's gradient, bit for bit.")]
    error: str | None
    differences: list[DifferenceDocument]
    peak_bytes: Annotated[int | None, said("Capsules, that of the beginning among them, and the tape of a leaf.")]
    tape_bytes: Annotated[int | None, said("Of the largest leaf.")]
    capsule_bytes: Annotated[int | None, said("Held at once, at most.")]
    largest_capsule_bytes: int | None
    recomputed_steps: int | None
    slowdown: Annotated[float | None, said("CPU time; store-all's is 1.")]


class DivisionDocument(Struct, frozen=True, kw_only=True):
    """One choice of split points."""

    mid: Literal["bisection", "binomial", "optimal"]
    rule: StoppingRuleDocument
    leaves: list[TreeLeafDocument]
    splits: list[TreeSplitDocument]
    live: Annotated[int, said("Capsules held at once, at most, beside that of the beginning.")]
    recomputed_steps: int
    most_reruns: int
    start: CapsuleDocument
    capsules: list[CapsuleDocument]
    predicted_peak_bytes: int
    run: Annotated[DividedRunDocument | None, said("null with --plan.")]


class NamedBytesDocument(Struct, frozen=True, kw_only=True):
    """A location and its bytes; ``why``: it is not live (null: it is)."""

    name: str
    bytes: int
    why: str | None


class ActiveLoopDocument(Struct, frozen=True, kw_only=True):
    """A DO that runs: its line, the iterations left."""

    line: int
    left: int


class ActiveProcedureDocument(Struct, frozen=True, kw_only=True):
    """A row of the control stack."""

    procedure: str
    file: str
    line: int
    entered: Annotated[int, said("The step it began at.")]
    loops: list[ActiveLoopDocument]
    live: list[NamedBytesDocument]
    dead: list[NamedBytesDocument]


class CapsuleViewDocument(Struct, frozen=True, kw_only=True):
    """--at: one capsule, the head's procedure first."""

    size: CapsuleDocument
    procedures: list[ActiveProcedureDocument]


class StoredAllDocument(Struct, frozen=True, kw_only=True):
    """The adjoint without checkpoints."""

    peak_bytes: int
    steps: int


class LoopScheduleDocument(Struct, frozen=True, kw_only=True):
    """--loop: the binomial schedule over the iterations of a loop, each of them taped whole."""

    line: int
    snapshots: Annotated[int, said("Held at once beside that of the beginning, at most.")]
    iterations: int
    equal: bool
    peak_bytes: int
    tape_bytes: int
    capsules: Annotated[int, said("Held at once.")]
    capsule_bytes: int
    largest_capsule_bytes: int
    recomputed_steps: int
    slowdown: float | None


class TooLargeDocument(Struct, frozen=True, kw_only=True):
    """Split points with which no division keeps within the memory given."""

    mid: Literal["bisection", "binomial", "optimal"]
    least_bytes: Annotated[int, said("What some division with them takes.")]


class DivideDocument(Struct, frozen=True, kw_only=True):
    """A head's run, divided. With several heads, an array of these."""

    schema: Literal["snapset.divide/1"] = "snapset.divide/1"
    head: str
    inputs: list[InputDocument]
    unit: Annotated[Literal["elements", "statements"], said("What an operation on arrays counts.")]
    driver: Annotated[Literal["binary", "treeverse"] | None, said("null with --at.")]
    steps: Annotated[int, said("Of the whole run.")]
    reference: Annotated[StoredAllDocument | None, said("Store-all; null with --plan and --at.")]
    loop: Annotated[LoopScheduleDocument | None, said("With --loop.")]
    divisions: list[DivisionDocument]
    too_large: Annotated[list[TooLargeDocument],
                         said("With --memory: split points with which nothing keeps within it.")]
    leaf_plan: Annotated[bool, said("Leaves tape what their adjoint needs (--leaf-plan), not all that is overwritten.")]
    why_store_all: Annotated[str | None, said("Why they do not, though --leaf-plan was given.")]
    capsule: Annotated[CapsuleViewDocument | None, said("With --at.")]
    diagnostics: list[DiagnosticDocument]

"""``snapset.report/1``: every checkpointed part of a head, its sets, its solutions, what is taped where, bytes."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import field
from snapset.documents.common_documents import DiagnosticDocument, Figure, Names, PlaceDocument, Struct, said

Code: TypeAlias = Literal["C", "D"]


class SetsDocument(Struct, frozen=True, kw_only=True):
    """The sets of the paper, of the first strategy: use and out of C, and of the adjoints of C and D; Req."""

    req: Names
    use_c: Names
    out_c: Names
    use_cbar: Names
    out_cbar: Names
    use_dbar: Names
    out_dbar: Names
    intact: Annotated[Names, said("Of use_cbar and out_c, what need not be saved.")]


class OptionsDocument(Struct, frozen=True, kw_only=True):
    """Snp0 is always saved; of each location in Opt1, Opt2, Opt3 there is a choice."""

    snp0: Names
    opt1: Names
    opt2: Names
    opt3: Names


class TapeDocument(Struct, frozen=True, kw_only=True):
    """A location that a statement's line puts on the tape."""

    file: str
    line: int
    location: str
    part: Code
    callee: Annotated[str | None, said("Of a line in a called procedure: its key, work::step.")]
    bytes: Figure
    counted_bytes: Annotated[Figure, said("Of the run that --counts gives.")]


class ControlDocument(Struct, frozen=True, kw_only=True):
    """Control that is recorded: branch, trip count, block number, side; evaluated again: nothing is recorded."""

    file: str
    line: int
    what: str
    part: Code
    callee: str | None
    bytes: Figure
    counted_bytes: Figure


class AgainDocument(Struct, frozen=True, kw_only=True):
    """With --recompute: a statement that runs once more instead of being taped or saved."""

    file: str
    line: int
    location: str
    statement: str
    part: Literal["Snp", "C", "D"]
    at_line: int


class MoveDocument(Struct, frozen=True, kw_only=True):
    """A decision of optimal that is not lazy's or not eager's."""

    location: str
    side: str
    instead: str
    over: Annotated[Names, said("The strategies that decide otherwise.")]
    peak_bytes: Annotated[int, said("More, were it turned round.")]
    traffic_bytes: int
    condition: Annotated[str | None, said("When it holds: m < n; null: for all sizes.")] = field(name="if")


class SolutionDocument(Struct, frozen=True, kw_only=True):
    """What one strategy saves before the part (snp), keeps to the end (sbk), tapes in D and in C."""

    req: Names
    options: OptionsDocument
    snp: Names
    sbk: Names
    req_d: Names
    req_c: Names
    sections: Annotated[dict[str, str], said("Of a location only these elements.")]
    sizes: Annotated[dict[str, Figure], said("Bytes of each location in snp or sbk.")]
    snapshot_bytes: Figure
    peak_bytes: Annotated[Figure, said("Of [C];D, from the first run of the part on.")]
    traffic_bytes: Figure
    tape: list[TapeDocument]
    control: list[ControlDocument]
    again: list[AgainDocument]
    moves: list[MoveDocument]


class MessageCallDocument(Struct, frozen=True, kw_only=True):
    """A call of MPI in the part, or in what it calls."""

    file: str
    line: int
    call: Annotated[str, said("irecv t(1, 0) from left")]
    bytes: Annotated[Figure, said("Of one run of the part; null: it has no values of its own (a wait).")]
    logged: Annotated[bool, said("Its value is read from the log in the second run.")]
    resent: Annotated[bool, said("It is sent again in the second run.")]


class PartMessagesDocument(Struct, frozen=True, kw_only=True):
    """What the part says to other ranks, and what its second run may do."""

    verdict: Literal["silent", "self-contained", "right-tight", "not right-tight", "unknown"]
    basis: Literal["proved", "unknown"]
    ranks: Annotated[list[int], said("The numbers of ranks that the verdict is proved for.")]
    arrows_back: Annotated[Names, said("What crosses the part's border, or leads from behind it back into it.")]
    unknown: Annotated[str | None, said("Why nothing is proved.")]
    calls: list[MessageCallDocument]
    logged: Annotated[int, said("How many of the calls.")]
    resent: int
    log_bytes: Annotated[Figure, said("Kept for the second run of one run of the part.")]
    held_bytes: Annotated[Figure, said("Of all its runs, until the procedure turns.")]
    resent_bytes: Figure
    assumed: Annotated[list[str], said("What must hold besides, which is not proved.")]


class PartDocument(Struct, frozen=True, kw_only=True):
    """A checkpointed part."""

    id: str
    kind: Literal["region", "call", "loop"]
    procedure: str
    callee: Annotated[str | None, said("Of a call.")]
    parent: Annotated[str | None, said("The id of the part around it.")]
    file: str
    first_line: Annotated[int, said("Of the first statement, not of the directive.")]
    last_line: int
    split: Annotated[bool, said("Inside of a procedure in split mode?")]
    context: Annotated[int, said("In which of its procedure's codes; 0: the default one.")]
    sets: SetsDocument
    options: OptionsDocument
    solutions: dict[str, SolutionDocument]
    messages: Annotated[PartMessagesDocument | None, said("null: it says nothing to other ranks.")]
    diagnostics: Annotated[list[DiagnosticDocument], said("About this part; also among all of the head's.")]


class SplitDocument(Struct, frozen=True, kw_only=True):
    """A call in split mode: no checkpoint."""

    file: str
    line: int
    procedure: str
    callee: str


class ContextDocument(Struct, frozen=True, kw_only=True):
    """A code of its own for one calling pattern (--context)."""

    procedure: str
    context: int
    calls: list[PlaceDocument]
    varied: Names
    useful: Names


class TotalDocument(Struct, frozen=True, kw_only=True):
    """The whole adjoint: the highest point of its stack, and what is written on it."""

    peak_bytes: Figure
    traffic_bytes: Figure
    counted_traffic_bytes: Figure


class PointDocument(Struct, frozen=True, kw_only=True):
    """A choice that no other beats in both figures."""

    peak_bytes: int
    traffic_bytes: int
    otherwise_than_lazy: Names


class MarkDocument(Struct, frozen=True, kw_only=True):
    """Where a strategy stands."""

    peak_bytes: int
    traffic_bytes: int


class FrontierDocument(Struct, frozen=True, kw_only=True):
    """Peak against traffic, with --pareto."""

    part: Annotated[str | None, said("null: the whole head.")]
    exact: Annotated[bool, said("Were all choices compared?")]
    points: list[PointDocument]
    strategies: dict[str, MarkDocument]


class OptimalDocument(Struct, frozen=True, kw_only=True):
    """How optimal was found."""

    exact: Annotated[bool, said("No combination of the decisions is better.")]
    decisions: int
    peak: Annotated[int, said("Bytes, with these numbers for sizes and trip counts.")]
    least_peak: Annotated[int | None, said("No combination has a smaller peak; null where that is not known.")]
    default: Annotated[int, said("What stood for names without --assume.")]
    defaulted: Names


class DearestDocument(Struct, frozen=True, kw_only=True):
    """A statement that tapes, or a part's snapshot, with one location."""

    what: Literal["tape", "Snp", "Sbk"]
    location: str
    bytes: Annotated[Figure, said("In the whole run.")]
    part: Annotated[str | None, said("Whose snapshot it is; null of a statement that tapes.")]
    procedure: str
    file: str
    line: int


class ReportDocument(Struct, frozen=True, kw_only=True):
    """A head's report. With several heads, an array of these in the order asked for. Lists are sorted."""

    schema: Literal["snapset.report/1"] = "snapset.report/1"
    head: str
    regions: list[PartDocument]
    no_parts: Annotated[str | None, said("Why there is none, where regions is empty.")]
    splits: list[SplitDocument]
    contexts: list[ContextDocument]
    totals: Annotated[dict[str, TotalDocument], said("By strategy.")]
    dearest: Annotated[list[DearestDocument], said("What pushes most in the whole run under the first strategy, 60 at "
                                                   "most, the dearest first, with 100 for each name without a "
                                                   "number.")]
    unknown: Annotated[Names, said("Names in the totals that --assume may give a value: size(h), trips(march:12).")]
    pareto: list[FrontierDocument]
    optimal: Annotated[OptimalDocument | None, said("null unless optimal or --pareto is asked for.")]
    notes: Annotated[Names, said("As on stderr: names in --assume and the project file that nothing has, or that no "
                                 "formula of any head contains; the same for every head.")]
    diagnostics: list[DiagnosticDocument]

"""A head's result as JSON: the schema ``snapset.report/1`` of docs/json.md. Lists are sorted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace
from snapset.analysis.results import (
    AgainEntry,
    ContextCode,
    ControlEntry,
    Frontier,
    HeadResult,
    Move,
    Optimality,
    OptionalSets,
    Part,
    PartMessages,
    PushedPlace,
    Sets,
    Solution,
    TapeEntry,
    Total,
)
from snapset.documents.common_documents import DiagnosticDocument, PlaceDocument
from snapset.documents.json_text import dumps, plain, text_of
from snapset.documents.report_documents import (
    AgainDocument,
    ContextDocument,
    ControlDocument,
    DearestDocument,
    FrontierDocument,
    MarkDocument,
    MessageCallDocument,
    MoveDocument,
    OptimalDocument,
    OptionsDocument,
    PartDocument,
    PartMessagesDocument,
    PointDocument,
    ReportDocument,
    SetsDocument,
    SolutionDocument,
    SplitDocument,
    TapeDocument,
    TotalDocument,
)
from snapset.frontend.base.collection_arguments import collections
from snapset.frontend.base.diagnostics import Diagnostic
from snapset.render.layout.byte_figures import Figures
from snapset.render.layout.figure_order import by_bytes, order_of
from snapset.render.layout.whole_result import all_diagnostics, unknown

_BYTES = tuple(name for name in SolutionDocument.__struct_fields__ if name.endswith("_bytes"))
"""The figures of a solution, by the same name here and there."""


def to_json(result: HeadResult, assume: Mapping[str, int] | None = None) -> dict[str, Any]:
    """The report as plain dictionaries, lists, strings and numbers.

    Bytes are integers where they are known, else formulas in the program's names; None (null) where
    they are not known. ``assume`` gives values to sizes and trip counts by name.
    """
    collections("to_json", assume=assume)
    return plain(document(result, Figures(assume or {})))


def document(result: HeadResult, figures: Figures) -> ReportDocument:
    """What :func:`to_json` makes plain, with figures that the caller made."""
    return document_around(result, figures, [_part(part, figures) for part in result.parts])


def document_around(result: HeadResult, figures: Figures, regions: Sequence[PartDocument] = (),
                    notes: Sequence[str] = ()) -> ReportDocument:
    """The document, its ``regions`` given."""
    return ReportDocument(
        head=result.head,
        regions=list(regions),
        no_parts=result.no_parts,
        splits=[SplitDocument(file=one.file, line=one.line, procedure=one.procedure, callee=one.callee)
                for one in result.splits],
        contexts=[_context(one) for one in result.contexts],
        totals={strategy: _total(result.totals.get(strategy), figures) for strategy in result.strategies},
        dearest=[_dear(one, figures) for one in by_bytes(result.dearest, lambda amount: order_of(amount, figures))],
        unknown=list(unknown(result)),
        pareto=[_frontier(one) for one in result.frontiers],
        optimal=None if result.optimal is None else _decided(result.optimal),
        notes=list(notes),
        diagnostics=diagnostics(all_diagnostics(result)),
    )  # fmt: skip


def noted(document: ReportDocument, notes: Sequence[str]) -> ReportDocument:
    """The document with what is said of names in options, which all heads' figures are needed for."""
    return replace(document, notes=list(notes))


def _context(one: ContextCode) -> ContextDocument:
    return ContextDocument(
        procedure=one.procedure,
        context=one.number,
        calls=[PlaceDocument(file=file, line=line) for file, line in one.calls],
        varied=list(one.varied),
        useful=list(one.useful),
    )


def _total(total: Total | None, figures: Figures) -> TotalDocument:
    return TotalDocument(
        peak_bytes=None if total is None else figures(total.peak_bytes),
        traffic_bytes=None if total is None else figures(total.traffic_bytes),
        counted_traffic_bytes=None if total is None else figures(total.counted_traffic),
    )


def _dear(one: PushedPlace, figures: Figures) -> DearestDocument:
    return DearestDocument(what=one.what, location=one.location, bytes=figures(one.bytes), part=one.part or None,
                           procedure=one.procedure, file=one.file, line=one.line)


def _decided(one: Optimality) -> OptimalDocument:
    return OptimalDocument(
        exact=one.exact, decisions=one.decisions, peak=one.peak, least_peak=one.least_peak, default=one.default,
        defaulted=sorted(one.defaulted),
    )


def _frontier(one: Frontier) -> FrontierDocument:
    return FrontierDocument(
        part=one.title or None,
        exact=one.exact,
        points=[PointDocument(peak_bytes=p.peak, traffic_bytes=p.traffic, otherwise_than_lazy=list(p.saved))
                for p in one.points],
        strategies={name: MarkDocument(peak_bytes=peak, traffic_bytes=traffic)
                    for name, (peak, traffic) in one.marks.items()},
    )  # fmt: skip


def _move(move: Move, figures: Figures) -> MoveDocument:
    return MoveDocument(
        location=move.location,
        side=move.side,
        instead=move.instead,
        over=list(move.over),
        peak_bytes=move.peak,
        traffic_bytes=move.traffic,
        condition=None if move.low is None or move.high is None else f"{figures(move.low)} < {figures(move.high)}",
    )


def part_text(part: Part, figures: Figures) -> str:
    """A part as it stands in a document written by :func:`dumps`."""
    return text_of(_part(part, figures)).replace("\n", "\n    ")


def dumps_around(documents: Sequence[ReportDocument], parts: Sequence[Sequence[str]]) -> str:
    """:func:`dumps` of documents without regions, which are texts already (:func:`part_text`)."""
    deeper = "\n" if len(documents) == 1 else "\n  "
    first, *rest = dumps(documents).split('"regions": []')  # in a text the quotes would be escaped
    found = [first]
    for texts, behind in zip(parts, rest, strict=True):
        inside = ",\n    ".join(texts).replace("\n", deeper)
        found += [f'"regions": [{deeper}    {inside}{deeper}  ]' if texts else '"regions": []', behind]
    return "".join(found)


def _part(part: Part, figures: Figures) -> PartDocument:
    return PartDocument(
        id=part.id,
        kind=part.kind,
        procedure=part.procedure,
        callee=part.callee,
        parent=part.parent,
        file=part.file,
        first_line=part.first_line,
        last_line=part.last_line,
        split=part.split,
        context=part.context,
        sets=SetsDocument(**_fields(part.sets)),
        options=OptionsDocument(**_fields(part.options)),
        solutions={name: _solution(solution, figures) for name, solution in part.solutions.items()},
        messages=None if part.messages is None else _messages(part.messages, figures),
        diagnostics=diagnostics(part.diagnostics),
    )


def _messages(found: PartMessages, figures: Figures) -> PartMessagesDocument:
    proved = found.verdict != "unknown"
    return PartMessagesDocument(
        verdict=found.verdict,
        basis="proved" if proved else "unknown",
        ranks=list(found.sizes),
        arrows_back=list(found.why) if proved else [],
        unknown=None if proved else "; ".join(found.why) or None,
        calls=[MessageCallDocument(file=one.file, line=one.line, call=one.text, bytes=figures(one.bytes),
                                   logged=one.logged, resent=one.resent) for one in found.calls],
        logged=sum(one.logged for one in found.calls),
        resent=sum(one.resent for one in found.calls),
        log_bytes=figures(found.log_bytes),
        held_bytes=figures(found.held_bytes),
        resent_bytes=figures(found.resent_bytes),
        assumed=list(found.assumed),
    )


def _fields(sets: Sets | OptionalSets) -> dict[str, list[str]]:
    return {name: sorted(getattr(sets, name)) for name in sets.__dataclass_fields__}


def _solution(solution: Solution, figures: Figures) -> SolutionDocument:
    return SolutionDocument(
        req=sorted(solution.req),
        options=OptionsDocument(**_fields(solution.options)),
        snp=sorted(solution.snp),
        sbk=sorted(solution.sbk),
        req_d=sorted(solution.req_d),
        req_c=sorted(solution.req_c),
        sections=dict(sorted(solution.sections.items())),
        sizes={name: figures(solution.sizes[name]) for name in sorted(solution.sizes)},
        **{name: figures(getattr(solution, name)) for name in _BYTES},
        tape=[_taped(entry, figures) for entry in sorted(solution.tape, key=_tape_order)],
        control=[_control(entry, figures) for entry in sorted(solution.control, key=_control_order)],
        again=[_again(entry) for entry in solution.again],
        moves=[_move(move, figures) for move in solution.moves],
    )


def _tape_order(entry: TapeEntry) -> tuple[str, int, str, str]:
    return entry.file, entry.line, entry.location, entry.part


def _control_order(entry: ControlEntry) -> tuple[str, int, str, str]:
    return entry.file, entry.line, entry.what, entry.part


def _again(entry: AgainEntry) -> AgainDocument:
    return AgainDocument(
        file=entry.file, line=entry.line, location=entry.location, statement=entry.text, part=entry.part,
        at_line=entry.at
    )  # fmt: skip


def _taped(entry: TapeEntry, figures: Figures) -> TapeDocument:
    return TapeDocument(
        file=entry.file,
        line=entry.line,
        location=entry.location,
        part=entry.part,
        callee=entry.callee,
        bytes=figures(entry.bytes),
        counted_bytes=figures(entry.counted),
    )


def _control(entry: ControlEntry, figures: Figures) -> ControlDocument:
    return ControlDocument(
        file=entry.file,
        line=entry.line,
        what=entry.what,
        part=entry.part,
        callee=entry.callee,
        bytes=figures(entry.bytes),
        counted_bytes=figures(entry.counted),
    )


def diagnostics(said: Iterable[Diagnostic]) -> list[DiagnosticDocument]:
    """What is said, by place."""
    return [diagnostic(one) for one in sorted(said, key=lambda one: (one.span, one.code, one.message))]


def diagnostic(one: Diagnostic) -> DiagnosticDocument:
    """One of them."""
    return DiagnosticDocument(
        code=one.code,
        severity=one.severity,
        message=one.message,
        file=one.span.file,
        line=one.span.line,
        column=one.span.column,
    )

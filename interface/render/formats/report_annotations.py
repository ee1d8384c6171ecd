"""The report, for the services that show findings: what every part saves, with the statements that are the reason, and
every diagnostic."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from snapset.analysis.results import HeadResult, Part, Solution
from snapset.frontend.base.diagnostics import Diagnostic
from snapset.render.formats.annotations import (
    Annotation,
    FigureTable,
    FindingKind,
    Flow,
    Outcome,
    diagnostic_kinds,
)
from snapset.render.layout.byte_figures import Figures, total
from snapset.render.layout.figure_order import order_of
from snapset.render.layout.whole_result import all_diagnostics, unknown

TOP = 10
SAVED = FindingKind("saved", "What the adjoint saves at a checkpointed part.",
                    "snapset explain FILE... --head HEAD --at PART VARIABLE tells why, and what would have to change.")
Flows = Callable[[HeadResult, Part], tuple[Flow, ...]]


def outcome(results: Sequence[HeadResult], figures: Figures, flows: Flows) -> Outcome:
    """All heads; ``flows``: the evidence for what a part saves."""
    found = [one for result in results for one in _of_head(result, figures, flows)]
    codes = {one.rule for one in found}
    kinds = (*((SAVED,) if SAVED.name in codes else ()), *diagnostic_kinds(codes))
    cases = tuple((result.head, part) for result in results for part in (*(one.id for one in result.parts), ""))
    tables = tuple(table for result in results for table in _tables(result, figures))
    names = sorted({name for result in results for name in unknown(result)} - set(figures.assume))
    closing = f"Not known: {', '.join(names)}; --assume gives them values." if names else ""
    title = f"Adjoint of {', '.join(one.head for one in results)}"
    return Outcome(title, tuple(found), kinds, cases, tables, closing)


def _of_head(result: HeadResult, figures: Figures, flows: Flows) -> Iterator[Annotation]:
    where = {one: part.id for part in result.parts for one in part.diagnostics}
    for one in all_diagnostics(result):
        yield _remark(one, result.head, where.get(one, ""))
    for part in result.parts:
        said = tuple(_said(name, solution, figures) for name, solution in part.solutions.items())
        if any(said):
            yield Annotation(SAVED.name, "note", part.id, tuple(filter(None, said)), part.file, part.first_line,
                             part.last_line, 1, result.head, part.id, flows(result, part))


def _remark(one: Diagnostic, head: str, part: str) -> Annotation:
    span = one.span
    return Annotation(one.code, one.severity, one.code, (one.message,), span.file, span.line, span.end_line,
                      span.column, head, part)


def _said(name: str, one: Solution, figures: Figures) -> str:
    """``lazy: Snp u(2:n-1); Req_D nu; snapshot 8*n - 16 bytes, tape 8*nsteps bytes``"""
    sides = (("Snp", one.snp), ("Sbk", one.sbk), ("Req_D", one.req_d), ("Req_C", one.req_c))
    held = [f"{side} {', '.join(one.sections.get(location, location) for location in sorted(names))}"
            for side, names in sides if names]
    amounts = (("snapshot", one.snapshot_bytes), ("tape", total(entry.bytes for entry in one.tape)))
    sizes = [f"{what} {text} bytes" for what, amount in amounts if (text := figures.text(amount)) != "0"]
    return f"{name}: {'; '.join([*held, ', '.join(sizes)] if sizes else held)}" if held or sizes else ""


def _tables(result: HeadResult, figures: Figures) -> Iterator[FigureTable]:
    totals = tuple((name, figures.text(one.peak_bytes), figures.text(one.traffic_bytes))
                   for name, one in result.totals.items())
    yield FigureTable(f"{result.head}: the whole adjoint", ("strategy", "peak", "traffic"), totals)
    first = next(iter(result.strategies), "")
    dear = [one for one in result.parts if first in one.solutions]
    dear.sort(key=lambda one: -order_of(one.solutions[first].snapshot_bytes, figures))
    rows = tuple((one.id, *_snapshots(one, result.strategies, figures)) for one in dear[:TOP])
    if rows:
        more = f" ({TOP} of {len(dear)})" if len(dear) > TOP else ""
        yield FigureTable(f"Dearest parts{more}: bytes of their snapshots", ("part", *result.strategies), rows)


def _snapshots(part: Part, strategies: Iterable[str], figures: Figures) -> Iterator[str]:
    return (figures.text(part.solutions[one].snapshot_bytes) if one in part.solutions else "-" for one in strategies)

"""A comparison, for the services that show findings: what a generated adjoint lacks, what it saves for nothing, and
which of its procedures are not judged. Remarks stand at lines of the adjoint."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from snapset.render.formats.annotations import Annotation, FigureTable, FindingKind, Outcome, flow
from snapset.render.layout.byte_figures import Figures

if TYPE_CHECKING:
    from snapset.analysis.comparison.verdicts.compared_head import ComparedHead, SavedValue
    from snapset.analysis.comparison.verdicts.missing_values import MissingValue

KINDS = (
    FindingKind("missing", "The adjoint reads a value that has changed since: its gradient is wrong.",
                "Push the value where it still is what the adjoint reads, and pop it before it is read."),
    FindingKind("superfluous", "The adjoint saves a value for nothing.",
                "snapset compare ADJOINT --patch DIR writes the adjoint without it."),
    FindingKind("not-judged", "A procedure of the adjoint whose stack is not followed.",
                "Nothing is said of its PUSHes; snapset report tells what the source needs."),
)


def outcome(found: Sequence[ComparedHead], figures: Figures) -> Outcome:
    """All heads. What is missing is an error; what is superfluous is no failure, as in the exit code."""
    remarks = tuple(one for head in found for one in _of_head(head, figures))
    rules = {one.rule for one in remarks}
    cases = tuple((head.head, part) for head in found for part in (*(one.id for one in head.parts), ""))
    rows = tuple((head.head, figures.text(head.bytes(superfluous=False)), figures.text(head.bytes(superfluous=True)),
                  str(len(head.missing))) for head in found)
    table = FigureTable("Bytes, each PUSH run once", ("head", "saved", "superfluous", "missing values"), rows)
    closing = next((kind.help for kind in KINDS if kind.name in rules), "")
    title = f"Adjoint compared: {', '.join(head.adjoint for head in found)}"
    return Outcome(title, remarks, tuple(one for one in KINDS if one.name in rules), cases, (table,), closing)


def _of_head(found: ComparedHead, figures: Figures) -> Iterator[Annotation]:
    for missing in found.missing:
        yield _missing(missing, found.head)
    for value in found.saved:
        if value.superfluous:
            yield _superfluous(value, found.head, figures)
    for one in found.not_followed:
        said = f"{one.procedure}: {one.why}"
        yield Annotation("not-judged", "note", f"{one.procedure} is not judged", (said,), one.file, one.line,
                         one.line, 1, found.head, "")


def _missing(one: MissingValue, head: str) -> Annotation:
    if one.region is None:
        part, where = "", (f"line {one.line} of the adjoint" if one.statement is None else
                           f"the adjoint of line {one.statement} of the source")
        before = ", ".join(map(str, one.before))
        advice = f"push it before line {before} of the source" if before else "push it before it is overwritten"
    else:
        part, where = one.region.id, f"the adjoint of {one.region.id}"
        advice = "push it before the part's first run"
    chains = () if one.explanation is None else one.explanation.chains
    flows = tuple(flow(one.location, chain.steps) for chain in chains)
    said = one.fault or f"{where} reads {one.location}, which has changed since: {advice}"
    return Annotation("missing", "error", f"{one.location} is missing", (said,), one.file, one.line, one.line, 1, head,
                      part, flows)


def _superfluous(one: SavedValue, head: str, figures: Figures) -> Annotation:
    size = figures.text(one.bytes)
    pops = f", POP in line {', '.join(map(str, one.pops))}" if one.pops else ""
    said = tuple(filter(None, (f"{one.location}: {size} bytes{pops}", one.why)))
    return Annotation("superfluous", "note", f"{one.location} is saved for nothing", said, one.file, one.line,
                      one.line, 1, head, "" if one.region is None else one.region.id)

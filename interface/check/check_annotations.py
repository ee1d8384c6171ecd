"""What a check or a comparison of revisions found, for the services that show findings: one remark a cause."""

from __future__ import annotations

from snapset.check.causes import Cause
from snapset.check.check_output import Checked
from snapset.check.check_text import Lines, amount, closing, title, together
from snapset.render.formats.annotations import (
    Annotation,
    FigureTable,
    FindingKind,
    Flow,
    Level,
    Outcome,
    flow,
)

_KINDS = {
    "larger": FindingKind("larger", "The adjoint saves more than was agreed on.",
                          "Find out with `snapset explain` why the location is saved, change the statement, or accept "
                          "it: snapset check --update, and commit the lock."),
    "smaller": FindingKind("smaller", "The adjoint saves less than was agreed on.",
                           "A location that leaves a snapshot deserves a look; accept it with snapset check --update."),
    "changed": FindingKind("changed", "The adjoint saves something else than was agreed on.",
                           "Accept it with snapset check --update."),
    "added": FindingKind("added", "A head or a checkpointed part that was not there.",
                         "Accept it with snapset check --update."),
    "gone": FindingKind("gone", "A head or a checkpointed part is no longer there.",
                        "Accept it with snapset check --update."),
    "strategy": FindingKind("strategy", "Other strategies are analysed than the lock has.",
                            "Accept it with snapset check --update."),
    "diagnostic": FindingKind("diagnostic", "A warning that was not there: gradients may be wrong, or sets larger.",
                              "snapset explain CODE tells what it means, and what cures it."),
    "budget": FindingKind("budget", "A part or a head costs more than the project file allows.",
                          "Make it smaller, or change [budgets] in the project file."),
}
_ORDER = ("budget", "diagnostic", "larger", "added", "gone", "strategy", "changed", "smaller")
"""A cause is of the first kind that one of its findings has."""


def outcome(checked: Checked) -> Outcome:
    """All causes; parts without any are in ``cases``."""
    source = checked.source()
    found = tuple(_annotation(one, source) for one in checked.causes)
    used = {one.rule for one in found}
    rows = tuple((f"{one.span.file}:{one.span.line}", amount(one) or "-",
                  str(len(together(one.findings)))) for one in checked.causes)
    tables = (FigureTable("Causes", ("at", "bytes", "parts"), rows),) if rows else ()
    end = "; ".join(closing(checked.causes, checked.accept))
    what = {"check": f"snapset check against {checked.old}", "diff": f"snapset diff {checked.old}"}[checked.command]
    count = "no change" if not found else "1 change" if len(found) == 1 else f"{len(found)} changes"
    return Outcome(f"{what}: {count}", found, tuple(_KINDS[name] for name in _ORDER if name in used), checked.cases,
                   tables, end[:1].upper() + end[1:])


def _annotation(cause: Cause, source: Lines) -> Annotation:
    kinds = {one.kind for one in cause.findings}
    kind = next(one for one in _ORDER if one in kinds)
    level: Level = "note" if kind == "smaller" else "warning" if kind == "changed" else "error"
    first = cause.findings[0]
    said = together(cause.findings)
    size = amount(cause)
    message = [size] if size else []
    message += [f"{part}: {text}" for part, texts in said.items() for text in texts]
    part = first.part if first.part != first.head else ""
    span = cause.span
    return Annotation(kind, level, title(cause, source), tuple(message), span.file, span.line,
                      span.end_line, span.column, first.head, part, _flows(cause),
                      tuple(dict.fromkeys((one.head, one.part if one.part != one.head else "")
                                          for one in cause.findings)))


def _flows(cause: Cause) -> tuple[Flow, ...]:
    found = (flow(f"{one.part}: {one.location}", one.evidence) for one in cause.findings if one.evidence)
    return tuple(dict.fromkeys(found))

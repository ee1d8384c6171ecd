"""Findings by what caused them: the statement that changed, in whatever procedure, and under it all that follows.

A change of one statement is seen at the part around it, at those of all callers, in snapshots, tapes and totals. The
cause of a finding is the last statement of its evidence that was changed since the lock was written, where git tells
what was; else, if a single place was changed, that; else the statement that the evidence ends with. What has no
evidence (a total) follows from what changed in its part, else from the only cause there is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from snapset.analysis.symbolic.formula_reader import read
from snapset.analysis.symbolic.polynomials import ZERO, Quantity, number
from snapset.check.changed_lines import Change
from snapset.check.lock_comparison import Finding
from snapset.check.lock_file import Figure
from snapset.frontend.base.diagnostics import Span
from snapset.frontend.base.frozen_records import frozen

_COUNTED = ("snp", "sbk", "tape_d", "tape_c", "control_d", "control_c")
_ALONE = ("added", "gone", "strategy", "budget", "diagnostic")


@frozen
class Cause:
    """``change``: what was changed there since the lock was written, None where that is not known. ``own``: it is a
    statement of the program, not a part or a head that came or went. ``saved``: by strategy, by how many bytes the
    snapshots and tapes in ``findings`` grew; None where a figure is unknown."""

    span: Span
    own: bool
    change: Change | None
    findings: tuple[Finding, ...]
    saved: Mapping[str, Quantity | None]


def causes(findings: Sequence[Finding], changes: Sequence[Change]) -> tuple[Cause, ...]:
    """All findings but renamings, each under one cause, in the order of the causes' places."""
    left = [one for one in findings if one.kind != "renamed"]
    placed = [_place(one, changes) for one in left]
    by_part: dict[tuple[str, str], dict[Span, None]] = {}
    by_location: dict[tuple[str, str], dict[Span, None]] = {}
    for one, found in zip(left, placed, strict=True):
        if found is not None and one.kind not in _ALONE:
            by_part.setdefault((one.head, one.part), {})[found] = None
            by_location.setdefault((one.head, one.location), {})[found] = None
    only = list({span for spans in by_part.values() for span in spans})
    groups: dict[tuple[Span, bool], list[Finding]] = {}
    for one, found in zip(left, placed, strict=True):
        span = found
        if span is None and one.kind not in _ALONE:
            here = by_part.get((one.head, one.part), {})
            alike = by_location.get((one.head, one.location), {}) if one.location else {}
            span = _folded(one, list(here), [near for near in alike if near in here] or list(alike), only)
        groups.setdefault((span or one.span, span is not None), []).append(one)
    return tuple(Cause(span, own, _change(span, changes) if own else None, tuple(group), saved(group))
                 for (span, own), group in sorted(groups.items()))


def _folded(one: Finding, here: list[Span], alike: list[Span], only: list[Span]) -> Span | None:
    """Where a finding without evidence belongs: to what caused others of its location (``alike``), to its part's cause,
    else to the only one, else to its statement."""
    if len(alike) == 1:
        return alike[0]
    if len(here) == 1 or (not here and len(only) == 1):
        return (here or only)[0]
    if one.set.startswith("tape") and one.kind == "larger":
        return _start(one)
    return here[0] if here else None


def _place(one: Finding, changes: Sequence[Change]) -> Span | None:
    """The statement that a finding comes from; None for what follows from others."""
    for step in reversed(one.evidence):
        for change in changes:
            if change.holds(step.file, step.line):
                return _line(change)
    if one.kind == "diagnostic":
        return one.span
    if len(changes) == 1 and one.part != one.head and one.kind not in ("strategy", "budget"):
        return _line(changes[0])
    if one.kind in _ALONE:
        return None
    if any(change.holds(one.span.file, one.span.line) for change in changes):
        return next(_line(change) for change in changes if change.holds(one.span.file, one.span.line))
    return _start(one) if one.evidence else None


def _start(one: Finding) -> Span:
    return Span(one.span.file, one.span.line, one.span.line)


def _line(change: Change) -> Span:
    return Span(change.file, change.first, change.first)


def _change(span: Span, changes: Iterable[Change]) -> Change | None:
    return next((one for one in changes if (one.file, one.first) == (span.file, span.line)), None)


def saved(findings: Iterable[Finding]) -> dict[str, Quantity | None]:
    """By strategy the bytes by which snapshots and tapes grew. What a part has in Snp and Sbk is saved once."""
    deltas: dict[tuple[str, str, str, str, str], Quantity | None] = {}
    for one in findings:
        if one.set in _COUNTED:
            kept = "snapshot" if one.set in ("snp", "sbk") else one.set
            deltas[one.head, one.strategy, one.part, kept, one.location] = _difference(one.before, one.after)
    found: dict[str, Quantity | None] = {}
    for (_, strategy, *_), delta in deltas.items():
        before = found.get(strategy, ZERO)
        found[strategy] = None if before is None or delta is None else before + delta
    return found


def _difference(before: Figure | None, after: Figure | None) -> Quantity | None:
    try:
        return _quantity(after) - _quantity(before)
    except ValueError:
        return None


def _quantity(figure: Figure | None) -> Quantity:
    return ZERO if figure is None else number(figure) if isinstance(figure, int) else read(figure)

"""Compares what parts save now with what the lock says, one finding a change, each with its statement."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from snapset.analysis.results import HeadResult, Part
from snapset.analysis.symbolic.formula_reader import certainly_at_most, equal
from snapset.check.changed_statement import Relation, statement
from snapset.check.lock_file import FIGURES, NAMED, SIZED, Content, Figure, Lock, Record, keys, lock_of
from snapset.check.renames import renamed
from snapset.config import toml_reader
from snapset.frontend.base.diagnostics import Span
from snapset.frontend.base.visible_text import visible_line
from snapset.frontend.ir import Program
from snapset.render.layout.byte_figures import Figures

_SETS = {
    "snp": "Snp",
    "sbk": "Sbk",
    "req_d": "Req_D",
    "req_c": "Req_C",
    "tape_d": "the tape of D",
    "tape_c": "the tape of C",
    "snapshot_bytes": "snapshot",
    "control_d": "control of D",
    "control_c": "control of C",
    "peak_bytes": "peak",
    "traffic_bytes": "traffic",
}
_REASONS: tuple[tuple[str, Relation, str], ...] = (
    ("use_cbar", "read in C", "C's adjoint reads it"),
    ("out_c", "written in C", "C overwrites it"),
    ("out_cbar", "written in C", "C's adjoint overwrites it"),
    ("out_dbar", "written in D", "what follows overwrites it"),
    ("req", "read before", "earlier code's adjoint needs it"),
)


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One change: where its cause is, and what it is."""

    span: Span
    part: str
    message: str

    def __str__(self) -> str:
        return visible_line(f"{self.span.file}:{self.span.line}: {self.part}: {self.message}")


@dataclass(frozen=True, slots=True)
class _Now:
    """One part as it is now, and what it was; ``program`` for the statement a change comes from."""

    program: Program
    key: str
    part: Part
    old: Record
    new: Record

    def finding(self, message: str, span: Span | None = None) -> Finding:
        part = self.part
        return Finding(span or Span(part.file, part.first_line, part.last_line), self.key, message)


def compare(
    old: Lock, results: Iterable[HeadResult], figures: Figures, program: Program, lock: Path, whole: bool
) -> tuple[Finding, ...]:
    """Every change since the lock ``old`` (read from the file ``lock``) was written, sorted by place.

    ``whole``: the results are all the project's heads, so a head that only the lock has is a change.
    """
    results = tuple(results)
    new = lock_of(results, figures, lock.parent)
    found: list[Finding] = []
    for result in results:
        before = old.get(result.head)
        if before is None:
            entry = next(iter(result.parts), None)
            span = Span(entry.file, entry.first_line, entry.last_line) if entry else Span(str(lock), 1, 1)
            found.append(Finding(span, result.head, "this head is not in the lock; accept with --update"))
            continue
        parts = keys(result.parts)
        before, names = renamed(before, new[result.head], program)
        for one in names:
            part = parts[one.key]
            found.append(Finding(Span(part.file, part.first_line, part.last_line), one.key,
                                 f"renamed: {one.old} is {one.new} now; accept with --update"))
        for key, part in parts.items():
            if key in before:
                found += _changes(_Now(program, key, part, before[key], new[result.head][key]))
            else:
                found.append(_added(key, part, new[result.head][key]))
        found += [
            Finding(_line_in(lock, result.head, key), key, "no longer checkpointed; accept with --update")
            for key in before
            if key not in parts
        ]
    if whole:
        found += [
            Finding(_line_in(lock, head), head, "this head is no longer analysed; accept with --update")
            for head in old
            if head not in new
        ]
    return tuple(sorted(set(found)))


def _line_in(lock: Path, *names: str) -> Span:
    return toml_reader.place(lock, lock.read_text(encoding="utf-8"), *names)


def _added(key: str, part: Part, record: Record) -> Finding:
    sizes = [
        f"{strategy} {content['']} bytes"
        for (strategy, name), content in sorted(record.solutions.items())
        if name == "snapshot_bytes"
    ]
    message = f"newly checkpointed, snapshot {', '.join(sizes)}; accept with --update"
    return Finding(Span(part.file, part.first_line, part.last_line), key, message)


def _changes(now: _Now) -> Iterator[Finding]:
    strategies = {strategy for strategy, _ in now.new.solutions}
    before = {strategy for strategy, _ in now.old.solutions}
    for strategy in sorted(strategies & before):
        yield from _strategy_changes(now, strategy)
    for strategy in sorted(strategies - before):
        yield now.finding(f"strategy {strategy} is not in the lock; accept with --update")
    for strategy in sorted(before - strategies):
        yield now.finding(f"strategy {strategy} is only in the lock; accept with --update")
    known = list(now.old.diagnostics)
    for one in now.part.diagnostics:
        if one.code in known:
            known.remove(one.code)
        elif one.severity != "note":
            yield now.finding(f"new {one.severity} {one.code}: {one.message}", one.span)
    for code in known:
        yield now.finding(f"{code} no longer said (better; accept with --update)")


def _strategy_changes(now: _Now, strategy: str) -> Iterator[Finding]:
    def content(record: Record, name: str) -> Content | None:
        return record.solutions.get((strategy, name))

    snapshot = _snapshot(content(now.old, "snapshot_bytes"), content(now.new, "snapshot_bytes"))
    explained = False
    for name in (*SIZED, *NAMED):
        before, after = content(now.old, name) or {}, content(now.new, name) or {}
        note = snapshot if name in ("snp", "sbk") else ""
        for location in sorted(before.keys() | after.keys()):
            change = _change(_SETS[name], location, before.get(location), after.get(location))
            if change:
                explained = explained or bool(note)
                why, span = _cause(now, strategy, name, location, location in after)
                yield now.finding(f"{strategy}: {change}{note}{why}", span)
    for name in FIGURES:
        known, figures = content(now.old, name), content(now.new, name)
        # A figure that the lock or this version does not have is not compared; a snapshot is told once.
        if known is None or figures is None or (explained and name == "snapshot_bytes"):
            continue
        if _same(known[""], figures[""]):
            continue
        change = _grown(known[""], figures[""])
        yield now.finding(f"{strategy}: {_SETS[name]} {known['']} -> {figures['']} bytes{change}")


def _same(before: Figure | None, after: Figure | None) -> bool:
    """The same number of bytes: formulas are compared by value, however they are written."""
    return before == after or (isinstance(before, str) and isinstance(after, str) and bool(before) and bool(after)
                               and equal(before, after))


def _change(label: str, location: str, before: Figure | None, after: Figure | None) -> str | None:
    if _same(before, after):
        return None
    if before is None:
        return f"{label} gains {location}{_bytes(after)}"
    if after is None:
        smaller = " (smaller; accept with --update)" if before != "" else ""
        return f"{label} loses {location}{_bytes(before)}{smaller}"
    return f"{label}: {location} {before} -> {after} bytes{_grown(before, after)}"


def _bytes(figure: Figure | None) -> str:
    return f", {figure} bytes" if figure not in (None, "") else ""


def _grown(before: Figure, after: Figure) -> str:
    smaller = after < before if isinstance(before, int) and isinstance(after, int) else (
        certainly_at_most(str(after), str(before)))
    return " (smaller; accept with --update)" if smaller else ""


def _snapshot(before: Content | None, after: Content | None) -> str:
    if before is None or after is None or _same(before[""], after[""]):
        return ""
    return f", snapshot {before['']} -> {after['']} bytes"


def _cause(now: _Now, strategy: str, name: str, location: str, gained: bool) -> tuple[str, Span | None]:
    """Why, as far as the sets tell, and the statement: what is taped names its own."""
    if name.startswith("tape") and gained:
        solution = now.part.solutions[strategy]
        kind = name[-1].upper()
        lines = [(one.file, one.line) for one in solution.tape if (one.location, one.part) == (location, kind)]
        return "", Span(lines[0][0], lines[0][1], lines[0][1])
    for reason, relation, words in _REASONS:
        was, now_in = location in now.old.reasons[reason], location in now.new.reasons[reason]
        if was != now_in:
            span = statement(now.program, now.part, location, relation) if now_in else None
            return f": {words}{' now' if now_in else ' no longer'}", span
    return "", None


def merged(old: Lock, results: Iterable[HeadResult], figures: Figures, lock: Path, whole: bool) -> Lock:
    """The lock to write: these heads, and with ``whole`` false the others as they were."""
    return {**({} if whole else old), **lock_of(results, figures, lock.parent)}

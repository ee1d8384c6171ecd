"""Compares what parts save now with what the lock says, one finding a change, each with its statement."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import field
from pathlib import Path
from typing import Any, Literal, TypeAlias

from snapset.analysis.evidence.steps import EvidenceStep
from snapset.analysis.results import HeadResult, Part
from snapset.analysis.symbolic.atoms import Sym
from snapset.analysis.symbolic.formula_reader import certainly_at_most, equal, read
from snapset.check.changed_statement import Relation, statement
from snapset.check.lock_file import FIGURES, NAMED, SIZED, Content, Figure, HeadLock, Lock, Record, keys, outside
from snapset.check.renames import renamed
from snapset.config import toml_reader
from snapset.frontend.base.diagnostics import Diagnostic, Span
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.visible_text import visible_line
from snapset.frontend.ir import Program
from snapset.render.layout.figure_order import DEFAULT

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
    "log_bytes": "log of messages",
}
_REASONS: tuple[tuple[str, Relation, str, str], ...] = (
    # what changed, where to look for the statement, what is said when a location comes into the set and when it goes
    ("use_cbar", "read in C", "C's adjoint reads it now", "C's adjoint reads it no longer"),
    ("out_c", "written in C", "C overwrites it now", "C overwrites it no longer"),
    ("out_cbar", "written in C", "C's adjoint overwrites it now", "C's adjoint no longer leaves it changed"),
    ("out_dbar", "written in D", "what follows overwrites it now", "what follows no longer leaves it changed"),
    ("req", "read before", "earlier code's adjoint needs it now", "earlier code's adjoint needs it no longer"),
)


LONGEST = 120
"""Two formulas that take more characters are not written out."""
Kind: TypeAlias = Literal["larger", "smaller", "changed", "added", "gone", "strategy", "diagnostic", "renamed",
                          "budget"]
"""larger, smaller: what a part saves, and whether by name or in bytes. added, gone: a part or a head."""


@frozen(order=True)
class Finding:
    """One change: where its cause is, and what it is.

    ``strategy``, ``set``, ``location``: of what a part saves. ``because``: the set (``out_cbar``) in which the location
    is now and was not. ``before``, ``after``: the bytes, None where it was not, or is not, in the set. ``evidence``:
    the statements that put the location into that set, calls and parts on the way.
    """

    span: Span
    part: str
    message: str
    kind: Kind = field(default="changed", compare=False)
    head: str = field(default="", compare=False)
    strategy: str = field(default="", compare=False)
    set: str = field(default="", compare=False)
    location: str = field(default="", compare=False)
    because: str = field(default="", compare=False)
    before: Figure | None = field(default=None, compare=False)
    after: Figure | None = field(default=None, compare=False)
    evidence: tuple[EvidenceStep, ...] = field(default=(), compare=False)

    @property
    def is_error(self) -> bool:
        """A diagnostic that is an error, whatever the lock says: a declared list that lacks something."""
        return self.kind == "diagnostic" and self.message.removeprefix("new ").startswith("error ")

    def __str__(self) -> str:
        return visible_line(f"{self.span.file}:{self.span.line}: {self.part}: {self.message}")


@frozen
class _Now:
    """One part as it is now, and what it was; ``program`` for the statement a change comes from."""

    program: Program
    head: str
    key: str
    part: Part
    old: Record
    new: Record

    def finding(self, message: str, span: Span | None = None, kind: Kind = "changed", **more: Any) -> Finding:
        part = self.part
        return Finding(span or Span(part.file, part.first_line, part.last_line), self.key, message, kind, self.head,
                       **more)


Place: TypeAlias = Callable[[str, str], Span]
"""Where a part (the head, for "") stands that only the lock has."""


def compare(
    old: Lock, results: Iterable[HeadResult], new: Lock, program: Program, place: Place, whole: bool,
    shows: Callable[[Diagnostic], bool] = lambda one: True, new_head: str = "not in the lock",
) -> tuple[Finding, ...]:
    """Every change from the lock ``old`` to ``new``, that of ``results``, sorted by place.

    ``whole``: the results are all the project's heads, so a head that only the lock has is a change. ``shows``: which
    diagnostics are to be seen. ``new_head``: what to say of a head that ``old`` does not have.
    """
    found: list[Finding] = []
    for result in results:
        before = old.get(result.head)
        if before is None:
            entry = next(iter(result.parts), None)
            span = Span(entry.file, entry.first_line, entry.last_line) if entry else place("", "")
            found.append(Finding(span, result.head, f"this head is {new_head}", "added", result.head))
            continue
        found += _head_changes(before, result, new[result.head], program, place, shows)
    if whole:
        found += [Finding(place(head, ""), head, "this head is no longer analysed", "gone", head)
                  for head in old if head not in new]
    return tuple(sorted(set(found)))


def _head_changes(before: HeadLock, result: HeadResult, new: HeadLock, program: Program,
                  place: Place, shows: Callable[[Diagnostic], bool]) -> Iterator[Finding]:
    parts = keys(result.parts)
    old, names = renamed(before.parts, new.parts, program)
    for one in names:
        part = parts[one.key]
        yield Finding(Span(part.file, part.first_line, part.last_line), one.key,
                      f"renamed: {one.old} is {one.new} now", "renamed", result.head)
    for key, part in parts.items():
        if key in old:
            yield from _changes(_Now(program, result.head, key, part, old[key], new.parts[key]), shows)
        else:
            yield _added(result.head, key, part, new.parts[key])
    for key in old:
        if key not in parts:
            yield Finding(place(result.head, key), key, "no longer checkpointed", "gone", result.head)
    known = list(before.diagnostics)
    for said in outside(result):
        if said.code in known:
            known.remove(said.code)
        elif shows(said):
            yield Finding(said.span, result.head, f"new {said.severity} {said.code}: {said.message}", "diagnostic",
                          result.head)
    for code in known:
        yield Finding(place(result.head, ""), result.head, f"{code} no longer said (better)", "smaller", result.head)


def places_in(lock: Path) -> Place:
    """Where the lock's file has them."""
    def place(head: str, key: str) -> Span:
        names = [name for name in (head, key) if name]
        return toml_reader.place(lock, lock.read_text(encoding="utf-8"), *names) if names else Span(str(lock), 1, 1)

    return place


def _added(head: str, key: str, part: Part, record: Record) -> Finding:
    sizes = [
        f"{strategy} {content['']} bytes"
        for (strategy, name), content in sorted(record.solutions.items())
        if name == "snapshot_bytes"
    ]
    message = f"newly checkpointed, snapshot {', '.join(sizes)}"
    return Finding(Span(part.file, part.first_line, part.last_line), key, message, "added", head)


def _changes(now: _Now, shows: Callable[[Diagnostic], bool]) -> Iterator[Finding]:
    strategies = {strategy for strategy, _ in now.new.solutions}
    before = {strategy for strategy, _ in now.old.solutions}
    for strategy in sorted(strategies & before):
        yield from _strategy_changes(now, strategy)
    for strategy in sorted(strategies - before):
        yield now.finding(f"strategy {strategy} is not in the lock", kind="strategy")
    for strategy in sorted(before - strategies):
        yield now.finding(f"strategy {strategy} is only in the lock", kind="strategy")
    known = list(now.old.diagnostics)
    for one in now.part.diagnostics:
        if one.code in known:
            known.remove(one.code)
        elif one.severity != "note" and shows(one):
            yield now.finding(f"new {one.severity} {one.code}: {one.message}", one.span, "diagnostic")
    for code in known:
        yield now.finding(f"{code} no longer said (better)", kind="smaller")


def _strategy_changes(now: _Now, strategy: str) -> Iterator[Finding]:
    def content(record: Record, name: str) -> Content | None:
        return record.solutions.get((strategy, name))

    snapshot = _snapshot(content(now.old, "snapshot_bytes"), content(now.new, "snapshot_bytes"))
    explained = False
    for name in (*SIZED, *NAMED):
        before, after = content(now.old, name) or {}, content(now.new, name) or {}
        note = snapshot if name in ("snp", "sbk") else ""
        for location in sorted(before.keys() | after.keys()):
            was, is_ = before.get(location), after.get(location)
            change = _change(_SETS[name], location, was, is_)
            if change:
                explained = explained or bool(note)
                because, why, span = _cause(now, strategy, name, location, location in after)
                yield now.finding(f"{strategy}: {change}{note}{why}", span, _direction(was, is_), strategy=strategy,
                                  set=name, location=location, because=because, before=was, after=is_)
    for name in FIGURES:
        known, figures = content(now.old, name), content(now.new, name)
        # A figure that the lock or this version does not have is not compared; a snapshot is told once.
        if known is None or figures is None or (explained and name == "snapshot_bytes"):
            continue
        if _same(known[""], figures[""]):
            continue
        change = _grown(known[""], figures[""])
        yield now.finding(f"{strategy}: {_SETS[name]} {step(known[''], figures[''])}{change}", None,
                          _direction(known[""], figures[""]), strategy=strategy, set=name, before=known[""],
                          after=figures[""])


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
        return f"{label} loses {location}{_bytes(before)}{' (smaller)' if before != '' else ''}"
    return f"{label}: {location} {step(before, after)}{_grown(before, after)}"


def step(before: Figure, after: Figure) -> str:
    """``8000 -> 16000 bytes``; of formulas too long to be read how much more, ``16*nt bytes more``, or else what they
    come to with 100 for each name. The finding has them as they are."""
    plain = f"{before} -> {after} bytes"
    if len(plain) <= LONGEST:
        return plain
    try:
        old, new = read(str(before)), read(str(after))
        more = new - old
        less = -more
        values = {one.name: DEFAULT for one in more.names | old.names | new.names if isinstance(one, Sym)}
        numbers = [one.evaluate(values) for one in (old, new)]
    except (ValueError, ZeroDivisionError):
        return plain
    said, what = (str(less), "less") if numbers[1] < numbers[0] else (str(more), "more")
    if len(said) <= LONGEST//2:
        return f"{said} bytes {what}"
    return f"~ {numbers[0]:,} -> ~ {numbers[1]:,} bytes ({DEFAULT} for each name)"


def _bytes(figure: Figure | None) -> str:
    return f", {figure} bytes" if figure not in (None, "") else ""


def _grown(before: Figure, after: Figure) -> str:
    return " (smaller)" if _is_smaller(before, after) else ""


def _is_smaller(before: Figure, after: Figure) -> bool:
    return after < before if isinstance(before, int) and isinstance(after, int) else (
        certainly_at_most(str(after), str(before)))


def _direction(before: Figure | None, after: Figure | None) -> Kind:
    """Sets of names alone (Req_D) only shift what is saved elsewhere."""
    if "" in (before, after):
        return "changed"
    if before is None or after is None:
        return "larger" if before is None else "smaller"
    return "smaller" if _is_smaller(before, after) else "larger"


def _snapshot(before: Content | None, after: Content | None) -> str:
    if before is None or after is None or _same(before[""], after[""]):
        return ""
    return f", snapshot {step(before[''], after[''])}"


def _cause(now: _Now, strategy: str, name: str, location: str, gained: bool) -> tuple[str, str, Span | None]:
    """The set that changed, why in words, as far as the sets tell, and the statement: what is taped names its own."""
    if name.startswith("tape") and gained:
        solution = now.part.solutions[strategy]
        kind = name[-1].upper()
        lines = [(one.file, one.line) for one in solution.tape if (one.location, one.part) == (location, kind)]
        return "", "", Span(lines[0][0], lines[0][1], lines[0][1])
    for reason, relation, gains, loses in _REASONS:
        was, now_in = location in now.old.reasons[reason], location in now.new.reasons[reason]
        if was != now_in:
            span = statement(now.program, now.part, location, relation) if now_in else None
            return reason if now_in else "", f": {gains if now_in else loses}", span
    return "", "", None

"""What every format is written from: remarks at lines, with the statements that lead to them, and a few tables.

All texts are as they come from the program; each format escapes them by its own rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

from snapset.frontend.base.frozen_records import frozen

if TYPE_CHECKING:
    from snapset.analysis.evidence.steps import EvidenceStep

Level: TypeAlias = Literal["error", "warning", "note"]

_DOES = {
    "adjoint reads": "its adjoint reads {}", "reads": "reads {}", "overwrites": "overwrites {}",
    "calls": "passes {} on to {note}", "part": "the part here has {} too", "unknown": "may do anything to {}",
    "ends": "{} ends with its procedure", "again": "something is computed again from {}",
}


@frozen
class FlowStep:
    """A statement on the way to the reason, and what it does."""

    file: str
    line: int
    text: str


@frozen
class Flow:
    """The statements behind one location; ``text`` says of which."""

    text: str
    steps: tuple[FlowStep, ...]


@frozen
class Annotation:
    """One remark. ``rule``: its kind, one of the outcome's. ``title``: a few words. ``message``: one line each for what
    there is to say. ``head`` and ``part``: what it is about, ``part`` "" for the whole; ``cases``: all of several."""

    rule: str
    level: Level
    title: str
    message: tuple[str, ...]
    file: str
    line: int
    end_line: int
    column: int
    head: str
    part: str
    flows: tuple[Flow, ...] = ()
    cases: tuple[tuple[str, str], ...] = ()

    def concerns(self) -> tuple[tuple[str, str], ...]:
        """The heads and parts it is about."""
        return self.cases or ((self.head, self.part),)


@frozen
class FindingKind:
    """A kind of remark: what it means, and what to do."""

    name: str
    summary: str
    help: str


@frozen
class FigureTable:
    """A table for people; the first column names things of the program."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@frozen
class Outcome:
    """What a command found. ``cases``: heads and their parts, also those without a remark; ``closing``: what to do."""

    title: str
    annotations: tuple[Annotation, ...]
    kinds: tuple[FindingKind, ...]
    cases: tuple[tuple[str, str], ...]
    tables: tuple[FigureTable, ...] = ()
    closing: str = ""


def flow(text: str, steps: Sequence[EvidenceStep]) -> Flow:
    """Evidence as a flow."""
    return Flow(text, tuple(FlowStep(one.file, one.line, _said(one)) for one in steps))


def _said(one: EvidenceStep) -> str:
    does = _DOES[one.role].format(one.location, note=one.note)
    return f"{does}: {one.note}" if one.note and one.role != "calls" else does


def diagnostic_kinds(codes: set[str]) -> tuple[FindingKind, ...]:
    """Those of diagnostics, from their records."""
    from snapset.frontend.rules import RULES

    return tuple(FindingKind(code, RULES[code].summary, f"{RULES[code].why}\n{RULES[code].remedy}")
                 for code in sorted(codes) if code in RULES)

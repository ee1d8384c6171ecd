"""Which statement of the generated adjoint is which statement of the source.

Both are sequences in the same order: the forward sweep keeps the source's, leaving out what adjoint liveness drops,
and splits expressions into temporaries. So the calls (or the statements of a marked part) are aligned as sequences;
where several alignments fit, the one whose words agree best is taken.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from snapset.analysis.comparison.sequence_alignment import agreement, align

from benchmarks.peer.texts.fortran_text import Unit, called
from benchmarks.peer.texts.generated import Push, Step, steps

Names = Mapping[str, frozenset[str]]  # what a name in a call may mean: itself, or a generic's procedures


@dataclass(frozen=True)
class Call:
    """A call in a statement of the source, or of the forward sweep. ``names``: the procedures it may mean."""

    names: frozenset[str]
    words: frozenset[str]
    line: int
    step: Step | None = None


@dataclass(frozen=True)
class Found:
    """What the peer saves before a part. ``step``: None where the forward sweep does not run the part."""

    step: Step | None
    pushes: tuple[Push, ...]


@dataclass(frozen=True)
class Outer:
    """A marked part that holds others: its lines in the source, and the last line of its first run in the adjoint."""

    first: int
    last: int
    behind: int


def calls_of(source: Unit, names: Names) -> list[Call]:
    """The calls of a procedure of the source, in order."""
    return [Call(names[name], words(s.text), s.line) for s in source.statements[1:] if not _DECLARATION.match(s.text)
            for name in called(s.text, names)]


def forward_calls(adjoint: Unit, names: Names, known: frozenset[str]) -> list[Call]:
    """The calls of original procedures in a generated adjoint: under their own names, NAME_nodiff, or NAME_fwd, the
    forward sweep of one that is called in split mode.

    ``known``: the words of the source's procedure.
    """
    spelt = {alias: meant for name, meant in names.items() for alias in (name, f"{name}_nodiff", f"{name}_fwd")}
    found = []
    for step in forward_steps(adjoint, known, frozenset(spelt)):
        if _DECLARATION.match(step.statement.text):
            continue
        found += [Call(spelt[n], words(step.statement.text), step.statement.line, step)
                  for n in called(step.statement.text, spelt)]
    return found


def pair_calls(source: Sequence[Call], forward: Sequence[Call]) -> Mapping[int, Call]:
    """By index in ``source``, its call in the forward sweep."""
    def score(a: Call, b: Call) -> float:
        return 1.0 + agreement(a.words, b.words) if a.names & b.names else 0.0

    return {i: forward[j] for i, j in align(source, forward, score).items()}


def pair_region(source: Unit, first: int, last: int, adjoint: Unit, outer: Outer | None = None) -> Found | None:
    """A marked part, by all statements of its procedure; None where none of its own is found.

    ``outer``: the marked part around it, in whose second run it is saved for.
    """
    found = _region_steps(source, first, last, adjoint, outer)
    return Found(found[0], found[0].pushes) if found else None


def find_outer(source: Unit, first: int, last: int, adjoint: Unit, around: Outer | None = None) -> Outer | None:
    """A marked part that holds others; ``around``: the one that holds it. None where none of it is found."""
    found = _region_steps(source, first, last, adjoint, around)
    return Outer(first, last, found[-1].statement.line) if found else None


def _region_steps(source: Unit, first: int, last: int, adjoint: Unit, outer: Outer | None) -> list[Step]:
    """The steps of the generated adjoint that are the statements of a part."""
    executable = [s for s in source.statements[1:] if not _DECLARATION.match(s.text)]
    known = frozenset().union(*(words(s.text) for s in source.statements))
    forward = forward_steps(adjoint, known, frozenset())
    if outer is not None:
        executable = [s for s in executable if outer.first <= s.line <= outer.last]
        forward = [step for step in forward if step.statement.line > outer.behind]
    texts = [_squeezed(step.statement.text) for step in forward]
    pairs = align([_squeezed(s.text) for s in executable], texts, _likeness)
    return [forward[at] for at in sorted(pairs[i] for i, s in enumerate(executable)
                                         if first <= s.line <= last and i in pairs)]


def forward_steps(adjoint: Unit, known: frozenset[str], procedures: frozenset[str]) -> list[Step]:
    """The steps of a generated adjoint.

    What is pushed before a temporary of its own is set (not by a call of one of ``procedures``) goes to the next step.
    """
    found: list[Step] = []
    waiting: tuple[Push, ...] = ()
    for step in steps(adjoint.statements[1:]):
        target = _TARGET.match(step.statement.text)
        if target is not None and target[1] not in known and not called(step.statement.text, procedures):
            own = tuple(push for push in step.pushes if push.name != target[1])
            found.append(Step(step.statement, tuple(push for push in step.pushes if push.name == target[1])))
            waiting += own
        else:
            found.append(Step(step.statement, waiting + step.pushes))
            waiting = ()
    return found


def words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text))


_DECLARATION = re.compile(
    r"^(use|implicit|integer|real|double|complex|logical|character|type|class|parameter|dimension|common|save|external"
    r"|intrinsic|data|equivalence|intent|target|pointer|allocatable)\b(?!\s*=)")

_CONSTRUCT = re.compile(r"^\w+:(?=do|if\(|select)")
_LOOP_LABEL = re.compile(r"^do\d+(?=\w+=)")
_TARGET = re.compile(r"^(\w+)(?:\([^=]*\))?\s*=(?!=)")
_KEYWORD = re.compile(r"^(where\(|elsewhere|if\(|elseif|do|select|case|call)")


def _likeness(a: str, b: str) -> float:
    """Of squeezed statements: 1 for the same, less for two of a kind (a condition may have become a temporary)."""
    if a == b:
        return 1.0
    kinds = _KEYWORD.match(a), _KEYWORD.match(b)
    return 0.3 if kinds[0] is not None and kinds[1] is not None and kinds[0][1] == kinds[1][1] else 0.0


def _squeezed(text: str) -> str:
    """Without blanks, construct names and labels of loops, with relational operators spelt one way."""
    text = _LOOP_LABEL.sub("do", _CONSTRUCT.sub("", "".join(text.split())))
    for old, new in ((".eq.", "=="), (".ne.", "/="), (".le.", "<="), (".ge.", ">="), (".lt.", "<"), (".gt.", ">")):
        text = text.replace(old, new)
    return text

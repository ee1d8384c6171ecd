"""What the peer saves, read off the adjoint it generates: PUSH calls right before a statement."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from benchmarks.peer.texts.fortran_text import Statement, arguments

_PUSH = re.compile(r"^call push(real|integer|complex|boolean|character|pointer)(\d*)(array)?\s*\((.*)\)$")
_DO = re.compile(r"^do (\w+)\s*=\s*(.*)$")
_GUARD = re.compile(r"^if \((?:associated|allocated)\s*\(.*\)\) then$")
_OTHER = re.compile(r"^call (adstack_|push|pop|look)")


@dataclass(frozen=True)
class Push:
    """One value or array saved.

    ``name``: without subscripts, components with ``%``; ``designator``: as it stands there. ``each``: bytes of an
    element; ``counts``: factors of how many, in Fortran (of an array and of the loops around the PUSH).
    """

    name: str
    designator: str
    each: int
    counts: tuple[str, ...] = ()

    @property
    def element(self) -> bool:
        """Only an element, or a section, of the array."""
        return self.designator.rstrip().endswith(")")


@dataclass(frozen=True)
class Step:
    """A statement of the adjoint other than PUSH, and what is pushed right before it."""

    statement: Statement
    pushes: tuple[Push, ...]


def steps(statements: Sequence[Statement]) -> list[Step]:
    """A unit's statements in order.

    Loops in which nothing but PUSHes stand count as PUSHes, and so do PUSHes of what may not be associated.
    """
    found: list[Step] = []
    pending: list[Push] = []
    at = 0
    while at < len(statements):
        group, behind = _group(statements, at)
        if behind > at:
            pending += group
            at = behind
            continue
        if not _OTHER.match(statements[at].text):
            found.append(Step(statements[at], tuple(pending)))
        pending = []
        at += 1
    return found


def push(text: str) -> Push | None:
    """A PUSH statement; None for any other, and for control."""
    match = _PUSH.match(text)
    if match is None:
        return None
    kind, digits, array, rest = match.groups()
    given = arguments(rest)
    address = re.match(r"c_loc\s*\((.*)\)$", given[0])
    if address is not None:  # what a pointer is associated with
        given[0] = address[1]
    each = int(digits or (4 if kind == "boolean" else 1))
    counts = (given[1],) if array and len(given) > 1 else ()
    return Push(without_subscripts(given[0]), given[0], each, counts)


def is_control(name: str) -> bool:
    """A bound or a counter that the peer keeps for a loop of its adjoint: no variable of the source."""
    return re.fullmatch(r"ad_\w+", name) is not None or re.fullmatch(r"\w+(%\w+)*", name) is None


def without_subscripts(designator: str) -> str:
    """``a(i)%b(:, 1)`` is ``a%b``."""
    name, depth = "", 0
    for char in designator:
        if char in "([":
            depth += 1
        elif char in ")]":
            depth -= 1
        elif depth == 0 and char != " ":
            name += char
    return name


def _group(statements: Sequence[Statement], at: int) -> tuple[list[Push], int]:
    """The PUSHes that begin here, and the place behind them (``at`` itself: there is none)."""
    one = push(statements[at].text)
    if one is not None:
        return [one], at + 1
    if _GUARD.match(statements[at].text):
        return _guarded(statements, at)
    loop = _DO.match(statements[at].text)
    if loop is None:
        return [], at
    inside: list[Push] = []
    place = at + 1
    while place < len(statements) and not re.match(r"end ?do\b", statements[place].text):
        group, behind = _group(statements, place)
        if behind == place:
            return [], at
        inside += group
        place = behind
    if not inside:
        return [], at
    trips = _trips(arguments(loop[2]))
    return [replace(p, counts=(*p.counts, trips)) for p in inside], place + 1


def _guarded(statements: Sequence[Statement], at: int) -> tuple[list[Push], int]:
    """``IF (ASSOCIATED(p)) THEN; PUSHes of p; PUSH of control; ELSE; PUSH of control; END IF``."""
    inside: list[Push] = []
    for place in range(at + 1, len(statements)):
        text = statements[place].text
        one = push(text)
        if one is not None:
            inside.append(one)
        elif re.match(r"end ?if$", text):
            return (inside, place + 1) if inside else ([], at)
        elif text != "else" and not text.startswith("call pushcontrol"):
            break
    return [], at


def _trips(bounds: list[str]) -> str:
    start, stop, step = (*bounds, "1")[:3]
    length = stop if start == "1" else f"({stop})-({start})+1"
    return length if step == "1" else f"(({stop})-({start})+({step}))/({step})"

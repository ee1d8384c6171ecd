"""A procedure's parts where the procedure begins on another line than it did."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias, TypeVar

from snapset.analysis.results import ControlEntry, Part, Solution, TapeEntry
from snapset.frontend.base.frozen_records import replace
from snapset.frontend.base.lazy_patterns import pattern_of

Entry = TypeVar("Entry", TapeEntry, ControlEntry)
Shift: TypeAlias = tuple[str, int]  # a procedure's file, and how many lines further down it begins
_PLACED = pattern_of(r"@(\d+)")


def moved(part: Part, lines: int, callees: Mapping[str, Shift]) -> Part:
    """The part so many lines further down, and what it says of ``callees`` so many as is theirs. It must have no
    diagnostics, and no line's number in its formulas."""
    if not lines and not any(shift for _, shift in callees.values()):
        return part
    return replace(
        part,
        id=_name(part.id, lines),
        parent=None if part.parent is None else _name(part.parent, lines),
        first_line=part.first_line + lines,
        last_line=part.last_line + lines,
        solutions={name: _solution(one, part.file, lines, callees) for name, one in part.solutions.items()},
    )


def entry_moved(one: Entry, file: str, lines: int, callees: Mapping[str, Shift]) -> Entry:
    """The entry so many lines further down, or as many as the callee is whose statement it is of."""
    if one.callee is not None:
        file, lines = callees.get(one.callee, (file, 0))
    return replace(one, line=one.line + lines) if one.file == file else one


def _name(id_: str, lines: int) -> str:
    return _PLACED.sub(lambda found: f"@{int(found[1]) + lines}", id_, count=1)


def _solution(solution: Solution, file: str, lines: int, callees: Mapping[str, Shift]) -> Solution:
    return replace(
        solution,
        tape=tuple(entry_moved(one, file, lines, callees) for one in solution.tape),
        control=tuple(entry_moved(one, file, lines, callees) for one in solution.control),
        again=tuple(replace(one, line=one.line + lines, at=one.at + lines) if one.file == file else one
                    for one in solution.again),
    )

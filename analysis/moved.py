"""A procedure's parts where the procedure begins on another line than it did."""

from __future__ import annotations

import re
from dataclasses import replace

from snapset.analysis.result import Part, Solution

_PLACED = re.compile(r"@(\d+)")


def moved(part: Part, lines: int) -> Part:
    """The part so many lines further down. It must have no diagnostics, and no line's number in its formulas."""
    if not lines:
        return part
    return replace(
        part,
        id=_name(part.id, lines),
        parent=None if part.parent is None else _name(part.parent, lines),
        first_line=part.first_line + lines,
        last_line=part.last_line + lines,
        solutions={name: _solution(one, part.file, lines) for name, one in part.solutions.items()},
    )


def _name(id_: str, lines: int) -> str:
    return _PLACED.sub(lambda found: f"@{int(found[1]) + lines}", id_, count=1)


def _solution(solution: Solution, file: str, lines: int) -> Solution:
    return replace(
        solution,
        tape=tuple(replace(one, line=one.line + lines) if one.file == file else one for one in solution.tape),
        control=tuple(replace(one, line=one.line + lines) if one.file == file else one for one in solution.control),
        again=tuple(replace(one, line=one.line + lines, at=one.at + lines) if one.file == file else one
                    for one in solution.again),
    )

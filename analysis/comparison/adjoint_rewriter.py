"""A generated file without some of its CALL statements: whole lines go, everything else stays letter by letter."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from snapset.frontend.base.lazy_patterns import pattern_of

_LABEL = pattern_of(r"\s*(\d+)\s")


def without_calls(text: str, fixed: bool, gone: Mapping[int, str]) -> str:
    """``gone``: by the line in which it begins, the procedure that the statement calls. A label that a jump may lead to
    stays, at a CONTINUE."""
    lines = text.splitlines(keepends=True)
    dropped: dict[int, str] = {}
    for number, name in gone.items():
        span = _span(lines, number - 1, fixed)
        label = _LABEL.match(lines[number - 1][:6] if fixed else lines[number - 1])
        ending = lines[number - 1][len(lines[number - 1].rstrip("\r\n")):]
        kept = "" if label is None else f"{label[1]:<6}CONTINUE{ending}" if fixed else f"{label[1]} CONTINUE{ending}"
        assert is_call(lines, number, fixed, name)
        dropped |= {number - 1: kept} | dict.fromkeys(span[1:], "")
    return "".join(dropped.get(place, line) for place, line in enumerate(lines))


def removable(text: str, fixed: bool, calls: Collection[tuple[int, str]]) -> bool:
    """Does each of these calls (line, procedure) stand alone in its lines?"""
    lines = text.splitlines(keepends=True)
    return all(is_call(lines, number, fixed, name) for number, name in calls)


def is_call(lines: list[str], number: int, fixed: bool, name: str) -> bool:
    """Does a line begin with a call of a procedure, and nothing else stand in the statement's lines?"""
    if not 0 < number <= len(lines):
        return False
    whole = "".join(_bare(lines[place], fixed) for place in _span(lines, number - 1, fixed))
    found = re.fullmatch(rf"\s*(\d+\s+)?call\s+{re.escape(name)}\s*\((.*)\)\s*", whole, re.IGNORECASE)
    return found is not None and ";" not in whole


def _bare(line: str, fixed: bool) -> str:
    """A line's part of a statement: without continuation marks, comment and line end."""
    if fixed:
        body = line.rstrip("\r\n")[:72]
        return body[6:] if len(body) > 5 and body[5] not in " 0" and not body[:5].strip() else body
    return line.partition("!")[0].strip().removeprefix("&").removesuffix("&") + " "


def _span(lines: list[str], first: int, fixed: bool) -> range:
    """The lines of the statement that begins in a line."""
    last = first
    if fixed:
        while last + 1 < len(lines) and re.match(r" {5}[^ 0\r\n]", lines[last + 1]):
            last += 1
        return range(first, last + 1)
    while last + 1 < len(lines) and lines[last].partition("!")[0].rstrip().endswith("&"):
        last += 1
    return range(first, last + 1)

"""Fortran as lines of text: statements without comments, continuations or letter case, and program units."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_UNIT = re.compile(r"^(?:(?!end\b)[\w*()=, ]*\b)?(?:subroutine|function)\s+(\w+)")
_LABEL = re.compile(r"^\d+\s+")


@dataclass(frozen=True)
class Statement:
    """``text`` in lower case with single blanks, without its label; ``line`` is that of its first character."""

    line: int
    text: str


@dataclass(frozen=True)
class Unit:
    """A subroutine or function; one that it contains is a unit of its own."""

    name: str
    statements: tuple[Statement, ...]

    def holds(self, line: int) -> bool:
        return self.statements[0].line <= line <= self.statements[-1].line


def statements(text: str, fixed: bool = False) -> list[Statement]:
    """All statements of a source. Strings keep their case but not their blanks."""
    found: list[Statement] = []
    begun, pending = 0, ""
    for number, raw in enumerate(text.splitlines(), 1):
        if raw.startswith("#"):
            continue
        if fixed:
            line, goes_on = _fixed(raw)
            if line is None:
                continue
            if goes_on:
                pending += line
                continue
            found += _split(begun, pending)
            begun, pending = number, line
            continue
        line = _without_comment(raw).strip()
        if not line:
            continue
        if not pending:
            begun = number
        pending += line.removeprefix("&") if pending else line
        if pending.endswith("&"):
            pending = pending[:-1]
        else:
            found += _split(begun, pending)
            pending = ""
    return found + _split(begun, pending)


def units(found: Iterable[Statement]) -> list[Unit]:
    """The subroutines and functions, in order."""
    result: list[tuple[str, list[Statement]]] = []
    for statement in found:
        match = _UNIT.match(statement.text)
        if match and not statement.text.startswith("end"):
            result.append((match[1], []))
        if result:
            result[-1][1].append(statement)
    return [Unit(name, tuple(body)) for name, body in result]


def arguments(text: str) -> list[str]:
    """The comma-separated expressions of ``text`` up to its end or an unmatched closing parenthesis."""
    found, depth, begun = [], 0, 0
    for at, char in enumerate(text):
        if char in "([":
            depth += 1
        elif char in ")]":
            depth -= 1
            if depth < 0:
                return [*found, text[begun:at].strip()]
        elif char == "," and depth == 0:
            found.append(text[begun:at].strip())
            begun = at + 1
    return [*found, text[begun:].strip()]


def called(text: str, names: Iterable[str]) -> list[str]:
    """Which of ``names`` a statement calls, as often as it does, in the order they stand there."""
    wanted = set(names)
    call = re.match(r"(?:if\s*\(.*\)\s*)?call (\w+)", text)
    if call is not None and call[1] in wanted and not text[call.end():].lstrip().startswith("("):
        return [call[1]]
    text = re.sub(r"'[^']*'|\"[^\"]*\"", "''", text)
    return [m[1] for m in re.finditer(r"(?<![\w%])(\w+)\s*\(", text) if m[1] in wanted]


def _fixed(raw: str) -> tuple[str | None, bool]:
    if not raw.strip() or raw[0] in "cC*!dD":
        return None, False
    body = _without_comment(raw[:72])
    if len(body) > 5 and body[5] not in " 0" and not body[:5].strip():
        return body[6:], True
    return (body, False) if body.strip() else (None, False)


def _without_comment(line: str) -> str:
    quote = ""
    for at, char in enumerate(line):
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char == "!":
            return line[:at]
    return line


def _split(line: int, text: str) -> list[Statement]:
    """The statements of a joined line; semicolons in strings are left alone."""
    parts, quote, begun = [], "", 0
    for at, char in enumerate(text):
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char == ";":
            parts.append(text[begun:at])
            begun = at + 1
    parts.append(text[begun:])
    clean = (_LABEL.sub("", " ".join(part.split()).lower()) for part in parts)
    return [Statement(line, one) for one in clean if one]

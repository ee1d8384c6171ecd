"""Makes a failing Fortran program smaller: statements and blocks go, expressions become simple."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

OPENS = re.compile(r"\s*(\w+:\s*)?(do\b|if\s*\(.*then\s*$|where\s*\([^=]*\)\s*$|select (case|type)|"
                   r"(elemental |recursive )*(\w+\(8\) )?(function|subroutine)|associate\b|block\s*$|interface\b|"
                   r"module\b(?! procedure)|type\b(?!\(| is)|!\$AD CHECKPOINT-START)", re.IGNORECASE)
CLOSES = re.compile(r"\s*(end\b|enddo|endif|!\$AD CHECKPOINT-END)", re.IGNORECASE)
ASSIGNS = re.compile(r"(\s*[\w%()+\-:, ]+ = )(.+)")
OPERAND = re.compile(r"(?=\b([a-z]\w*(?:%\w+)?(?:\([^()]*\))?))")


def shrink(text: str, fails: Callable[[str], bool]) -> str:
    """A smaller program for which ``fails`` still holds, where no single step makes it smaller."""
    lines = [line for line in text.splitlines() if line.strip()]
    while True:
        at, changed = 0, False
        while at < len(lines):
            smaller = next((c for c in candidates(lines, at) if fails("\n".join(c) + "\n")), None)
            if smaller is None:
                at += 1
            else:
                lines, changed = smaller, True
        if not changed:
            return "\n".join(lines) + "\n"


def candidates(lines: list[str], at: int) -> Iterator[list[str]]:
    """The program without a block, without its frame, without a statement, or with a simpler right side."""
    line = lines[at]
    if OPENS.match(line):
        end = closing(lines, at)
        if end is not None:
            yield lines[:at] + lines[end + 1:]
            yield lines[:at] + lines[at + 1:end] + lines[end + 1:]
        return
    if not CLOSES.match(line):
        yield lines[:at] + lines[at + 1:]
    assignment = ASSIGNS.fullmatch(line)
    if assignment and not line.lstrip().startswith(("do ", "if ", "integer", "real")):
        for simple in ("0.5d0", "x", *OPERAND.findall(assignment[2])):
            if len(simple) < len(assignment[2]):
                yield [*lines[:at], assignment[1] + simple, *lines[at + 1:]]


def closing(lines: list[str], at: int) -> int | None:
    """The line that ends the block which line ``at`` begins."""
    depth = 0
    for number in range(at, len(lines)):
        depth += bool(OPENS.match(lines[number])) - bool(CLOSES.match(lines[number]))
        if depth == 0:
            return number
    return None

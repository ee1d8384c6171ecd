"""Statements with their character literals masked, so that the rest can be searched by plain patterns.

A masked statement has the single character MASK for each literal; ``unmask`` puts them back in order.
"""

from __future__ import annotations

from collections.abc import Sequence

from snapset.frontend.base.lazy_patterns import pattern_of

MASK = "\x01"

_LITERAL = pattern_of(r"'[^']*+'|\"[^\"]*+\"")
_BRACKETS = pattern_of(r"[()]")
_GROUP = pattern_of(r"\([^()]*+(?:\([^()]*+\)[^()]*+)*+\)")
_NAME = pattern_of(r"[a-z]\w*+")
_DEEP = pattern_of(r"[(),]|\[|\]")


def mask(text: str) -> tuple[str, list[str]]:
    """``text`` with each literal replaced by MASK, and the literals in order.

    A doubled quote makes two literals of one, side by side, which ``unmask`` undoes.
    """
    if "'" not in text and '"' not in text:
        return text, []
    literals: list[str] = _LITERAL.findall(text)
    return _LITERAL.sub(MASK, text), literals


def unmask(text: str, literals: Sequence[str]) -> str:
    """``text`` with its masks replaced by ``literals``, in order."""
    if not literals:
        return text
    pieces = text.split(MASK)
    return pieces[0] + "".join(literal + piece for literal, piece in zip(literals, pieces[1:], strict=True))


def closing(text: str, start: int) -> int:
    """The index of the parenthesis that closes the one at ``start``; -1 when none does."""
    group = _GROUP.match(text, start)
    if group is not None:
        return group.end() - 1
    depth = 0
    for found in _BRACKETS.finditer(text, start):
        depth += 1 if found[0] == "(" else -1
        if depth == 0:
            return found.start()
    return -1


def balanced(text: str) -> bool:
    """Whether the parentheses of a masked statement match."""
    if text.count("(") != text.count(")"):
        return False
    depth = 0
    for found in _BRACKETS.finditer(text):
        depth += 1 if found[0] == "(" else -1
        if depth < 0:
            return False
    return True


def has_outer_comma(text: str, start: int) -> bool:
    """Whether a comma stands outside all parentheses and brackets from ``start`` on."""
    if "," not in text[start:]:
        return False
    depth = 0
    for found in _DEEP.finditer(text, start):
        char = found[0]
        if char == ",":
            if depth == 0:
                return True
        else:
            depth += 1 if char in "([" else -1
    return False


def assigned_at(text: str) -> int:
    """The index of the ``=`` (or ``=>``) of an assignment ``name(..)%name(..) =`` at the start; -1 if it is none.

    Fortran has no reserved words: this test comes before any keyword.
    """
    position, end = 0, len(text)
    while True:
        name = _NAME.match(text, position)
        if name is None:
            return -1
        position = _skip_blanks(text, name.end())
        while position < end and text[position] == "(":
            close = closing(text, position)
            if close < 0:
                return -1
            position = _skip_blanks(text, close + 1)
        if position >= end:
            return -1
        if text[position] == "%":
            position = _skip_blanks(text, position + 1)
            continue
        return position if text[position] == "=" and text[position + 1 : position + 2] != "=" else -1


def _skip_blanks(text: str, position: int) -> int:
    while position < len(text) and text[position] == " ":
        position += 1
    return position

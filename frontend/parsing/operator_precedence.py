"""Fortran's own operators by their precedence: trees of plain operands, which need no other parser."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class OperatorNode:
    """``right`` is None for an operator with one operand."""

    op: str
    left: Shape
    right: Shape | None


Shape: TypeAlias = "int | OperatorNode"  # int: the operand of that number

# From the weakest on; each takes its operands from the next. Of a relational operator there is only one.
_LEFT: tuple[frozenset[str], ...] = tuple(
    frozenset(ops.split()) for ops in (".eqv. .neqv.", ".or.", ".and.", "== /= < <= > >=", "//", "+ -", "* /")
)
_NEGATED, _RELATIONAL, _SIGNED = 3, 3, 5  # .NOT. stands before a relation, a sign before a sum's first term


def shape_of(words: Sequence[str]) -> Shape | None:
    """The tree of ``p0 + p1 * p2``, given as words (R701 to R722 of Fortran 2008).

    None for what is none, or holds other operators.
    """
    try:
        reader = _Reader(words)
        found = reader.level(0)
    except _NoMatchError:
        return None
    return found if reader.at == len(words) else None


class _NoMatchError(Exception):
    pass


class _Reader:
    def __init__(self, words: Sequence[str]) -> None:
        self.words = words
        self.at = 0

    def now(self) -> str:
        return self.words[self.at] if self.at < len(self.words) else ""

    def level(self, index: int) -> Shape:
        if index == len(_LEFT):
            return self.power()
        first = self.now()
        if (first == ".not." and index == _NEGATED) or (first in ("+", "-") and index == _SIGNED):
            self.at += 1
            found: Shape = OperatorNode(first, self.level(index + (index == _SIGNED)), None)
            if index == _NEGATED:
                return found
        else:
            found = self.level(index + 1)
        while self.now() in _LEFT[index]:
            op = self.now()
            self.at += 1
            found = OperatorNode(op, found, self.level(index + 1))
            if index == _RELATIONAL:
                break
        return found

    def power(self) -> Shape:
        word = self.now()
        if word[:1] != "p":
            raise _NoMatchError
        self.at += 1
        if self.now() != "**":
            return int(word[1:])
        self.at += 1
        return OperatorNode("**", int(word[1:]), self.power())

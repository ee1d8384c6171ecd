"""Operators by their precedence, defined ones too: trees of plain operands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from snapset.frontend.base.frozen_records import frozen


@frozen
class OperatorNode:
    """An operator with its operands. ``right`` is None for an operator with one operand."""

    op: str
    left: Shape
    right: Shape | None


Shape: TypeAlias = "int | OperatorNode"  # int: the operand of that number

# From the weakest on; each takes its operands from the next. Of a relational operator there is only one.
_LEFT: tuple[frozenset[str], ...] = tuple(
    frozenset(ops.split()) for ops in (".eqv. .neqv.", ".or.", ".and.", "== /= < <= > >=", "//", "+ -", "* /")
)
INTRINSIC_OPERATORS = frozenset().union(*_LEFT) | {".not."}
_NEGATED, _RELATIONAL, _SIGNED = 3, 3, 5  # .NOT. stands before a relation, a sign before a sum's first term


def shape_of(words: Sequence[str]) -> Shape | None:
    """The tree of ``p0 + p1 * p2``, given as words (R701 to R722 of Fortran 2008).

    A defined operator with two operands is the weakest, one with one operand the strongest. None for what is none.
    """
    try:
        reader = _Reader(words)
        found = reader.expression()
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

    def defined(self) -> bool:
        """Is this ``.cross.`` and its like?"""
        word = self.now()
        return word[:1] == "." and word not in INTRINSIC_OPERATORS

    def expression(self) -> Shape:
        found = self.level(0)
        while self.defined():
            op = self.now()
            self.at += 1
            found = OperatorNode(op, found, self.level(0))
        return found

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
        found = self.operand()
        if self.now() != "**":
            return found
        self.at += 1
        return OperatorNode("**", found, self.power())

    def operand(self) -> Shape:
        word = self.now()
        self.at += 1
        if word[:1] == "p":
            return int(word[1:])
        if word[:1] == "." and word not in INTRINSIC_OPERATORS and self.now()[:1] == "p":
            return OperatorNode(word, self.operand(), None)
        raise _NoMatchError

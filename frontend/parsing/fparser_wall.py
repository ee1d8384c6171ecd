"""fparser, behind the only door it has: the second reader, asked where our own reader has no answer.

Our reader (:mod:`~snapset.frontend.parsing.statement_classifier`, :mod:`~snapset.frontend.parsing.expression_parser`)
reads the whole corpus and all of LAPACK alone, five to ten times as fast. fparser is asked in three cases, and is
imported in the first of them (a third of a second):

* an expression has a defined operator, as in ``a .cross. b``, or operators that fit no rule of ours;
* a statement is of no class that we know: what fparser makes of it stands in SN202;
* a statement's expression is refused by ours: the same.

It is not asked for what takes it exponential time: it doubles it at each level of ``f(f(...))``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from snapset.frontend.parsing.operator_precedence import OperatorNode, Shape

_LONGEST, _DEEPEST = 1000, 8


def operator_tree(words: Sequence[str]) -> Shape | None:
    """The tree of ``p0 .cross. p1``, given as words; None where it has none."""
    expression, no_match = _expression_class()
    try:
        return _shape(expression(" ".join(words)))
    except no_match:
        return None


def second_opinion(text: str) -> str:
    """What fparser reads in a statement without its label, to be put behind what is said of it.

    ``" (fparser: Wait_Stmt)"``, ``" (nor does fparser read it)"``; ``""`` where it is not asked.
    """
    if not _askable(text):
        return ""
    found = statement_class(text)
    return " (nor does fparser read it)" if found is None else f" (fparser: {found})"


@lru_cache(maxsize=256)
def statement_class(text: str) -> str | None:
    """The name of fparser's class for a statement; None where it is none to fparser, or takes too long."""
    if not _askable(text):
        return None
    from fparser.common.readfortran import FortranStringReader
    from fparser.two.parser import ParserFactory
    from fparser.two.utils import StmtBase, walk

    parser = ParserFactory().create(std="f2008")
    try:
        tree = parser(FortranStringReader(f"subroutine s\n{text}\nend subroutine s\n", ignore_comments=True))
        names = [type(node).__name__ for node in walk(tree, StmtBase)]
    except Exception:  # an opinion must not end the run: on bad text fparser raises AttributeError and others too
        return None
    inside = [name for name in names if name not in ("Subroutine_Stmt", "End_Subroutine_Stmt")]
    return inside[0] if inside else None


def _askable(text: str) -> bool:
    depth = deepest = 0
    for char in text:
        depth += (char == "(") - (char == ")")
        deepest = max(deepest, depth)
    return len(text) <= _LONGEST and deepest <= _DEEPEST and "\n" not in text


@lru_cache(maxsize=1)
def _expression_class() -> tuple[type, type[Exception]]:
    """fparser's expression class, its classes linked for Fortran 2008, and what it raises."""
    from fparser.two import Fortran2003
    from fparser.two.parser import ParserFactory
    from fparser.two.utils import NoMatchError

    ParserFactory().create(std="f2008")
    return Fortran2003.Expr, NoMatchError


def _shape(node: object) -> Shape | None:
    items: Sequence[object] = getattr(node, "items", ())
    if type(node).__name__ == "Name":
        return int(str(node)[1:])
    if len(items) == 2:
        operand = _shape(items[1])
        return None if operand is None else OperatorNode(str(items[0]).lower(), operand, None)
    if len(items) == 3:
        left, right = _shape(items[0]), _shape(items[2])
        return None if left is None or right is None else OperatorNode(str(items[1]).lower(), left, right)
    return None

"""Expressions: operands are cut out in one linear walk, operators between them are grouped by their precedence.

Operands are references, parentheses, constructors and constants; each becomes a placeholder, and only operators are
left. Fortran's own need no parser but their precedence (:mod:`snapset.frontend.parsing.operator_precedence`); fparser
is asked about defined operators only (:mod:`snapset.frontend.parsing.fparser_wall`). As a parser of whole expressions
it is no match: ``x(1)``, ``h()`` and ``u(1)(2:3)`` are three node classes, an intrinsic's name hides an array,
``f(f(...))`` doubles its time at each level and a long sum is quadratic. Trees are cached by shape, so that each shape
of expression is read once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from snapset.frontend.parsing import primaries
from snapset.frontend.parsing.lexer import Token, WallError, tokens
from snapset.frontend.parsing.operator_precedence import Shape, shape_of
from snapset.frontend.parsing.syntax_tree import Arg, BinaryOp, Name, Raw, UnaryOp

__all__ = ["WallError", "arguments", "designator", "expression", "expression_list"]

_LONG = 8  # operands that are grouped at once; more are split before
_DEEP = 64  # terms that are folded left to right; more are halved, so that no tree gets deep
_CHAIN = 100  # right-associative or non-associative operators in a row: deeper trees would exhaust Python's stack
_LEVELS: tuple[frozenset[str], ...] = tuple(
    frozenset(ops.split())
    for ops in (".eqv. .neqv.", ".or.", ".and.", ".not.", "== /= < <= > >=", "//", "+ -", "* /", "**")
)
_NONE: frozenset[str] = frozenset()
_ASSOCIATIVE = {"+": "+", "-": "+", "*": "*", ".and.": ".and.", ".or.": ".or.", "//": "//"}


def expression(text: str) -> Raw:
    """The expression ``text`` (free form, lower case outside strings).

    Raises WallError where it is not one, is nested over 100 deep, or refers to another image.
    Beyond the standard it reads a sign after an arithmetic operator (``a*-b`` is ``a*(-b)``, as gfortran has
    it), Hollerith constants, ``%val(x)`` and ``%ref(x)``. A parenthesised variable that is a whole actual
    argument is returned as unary plus, because the procedure cannot write to it. Sums of over 64 terms are
    grouped in halves, equal but for rounding.
    """
    return primaries.whole(tokens(text), _combine)


def expression_list(text: str) -> tuple[Raw, ...]:
    """Expressions between commas at depth 0; an input/output list with its implied DOs. Blank text: none."""
    return primaries.several(tokens(text), _combine)


def arguments(text: str) -> tuple[Arg, ...]:
    """An actual argument or subscript list without its parentheses: keywords, triplets, expressions."""
    return primaries.arguments(tokens(text), _combine)


def designator(text: str) -> Name:
    """A reference ``a(i)%b(j)``. Raises WallError for any other expression."""
    raw = expression(text)
    if not isinstance(raw, Name):
        raise WallError(f"`{text.strip()}` is not a variable or procedure reference")
    return raw


def _combine(items: Sequence[Raw | Token]) -> Raw:
    """One tree from operands with operators between them."""
    if len(items) == 1 and not isinstance(items[0], Token):
        return items[0]
    run = 0
    for item in items:
        run = run + 1 if isinstance(item, Token) else 0
        if run > _CHAIN:
            raise WallError(f"over {_CHAIN} operators stand without operands between them")
    return _build(_grouped_signs(items))


def _build(items: Sequence[Raw | Token]) -> Raw:
    if sum(not isinstance(item, Token) for item in items) > _LONG:
        return _split(items)
    raws: list[Raw] = []
    words: list[str] = []
    for item in items:
        if isinstance(item, Token):
            words.append(item.text)
        else:
            words.append(f"p{len(raws)}")
            raws.append(item)
    if len(raws) == 1 and len(items) == 1:
        return raws[0]
    return _fill(_shape(tuple(words)), raws)


def _fill(shape: Shape, raws: Sequence[Raw]) -> Raw:
    if isinstance(shape, int):
        return raws[shape]
    if shape.right is None:
        return UnaryOp(shape.op, _fill(shape.left, raws))
    return BinaryOp(shape.op, _fill(shape.left, raws), _fill(shape.right, raws))


@lru_cache(maxsize=4096)
def _shape(words: tuple[str, ...]) -> Shape:
    """The tree of ``p0 + p1 * p2``, fparser's where other operators are in it. Raises WallError where it has none."""
    found = shape_of(words)
    if found is None:
        from snapset.frontend.parsing.fparser_wall import operator_tree

        found = operator_tree(words)
    if found is None:
        raise WallError("operators and operands do not fit together")
    return found


# ---------------------------------------------------------------- signs and long expressions


def _grouped_signs(items: Sequence[Raw | Token], depth: int = 0) -> list[Raw | Token]:
    """``a * - b ** c`` to ``a * (-b**c)``: the sign takes its operand and the powers after it."""
    if depth > _CHAIN:
        raise WallError(f"over {_CHAIN} signs are nested")
    signs = ("+", "-")
    out: list[Raw | Token] = []
    arithmetic = ("+", "-", "*", "/", "**")
    at = 0
    while at < len(items):
        item = items[at]
        before = out[-1] if out else None
        if isinstance(item, Token) and item.text in signs and isinstance(before, Token) and before.text in arithmetic:
            stop = at + 1
            while stop < len(items) and _is_sign(items[stop]):
                stop += 1
            stop += 1
            while stop + 1 < len(items) and _text(items[stop]) == "**":
                stop += 2
                while stop < len(items) and _is_sign(items[stop - 1]):
                    stop += 1
            if stop > len(items):
                raise WallError("an expression ends with a sign")
            out.append(UnaryOp(item.text, _build(_grouped_signs(items[at + 1 : stop], depth + 1))))
            at = stop
        else:
            out.append(item)
            at += 1
    return out


def _text(item: Raw | Token) -> str | None:
    return item.text if isinstance(item, Token) else None


def _is_sign(item: Raw | Token) -> bool:
    return _text(item) in ("+", "-")


def _split(items: Sequence[Raw | Token]) -> Raw:
    """A long expression cut at its weakest operators, left to right (powers right to left)."""
    binary = [i for i, item in enumerate(items) if isinstance(item, Token) and i and _operand_before(items, i)]
    words = {_text(items[i]) or "" for i in binary}
    defined = frozenset(words) - frozenset().union(*_LEVELS)
    level = defined or next((ops for ops in _LEVELS if not ops.isdisjoint(words)), _NONE)
    first = _text(items[0]) or ""
    weak = next((k for k, ops in enumerate(_LEVELS) if first in ops), len(_LEVELS))
    if not defined and any(not level.isdisjoint(ops) for ops in _LEVELS[weak + 1 :]):
        return UnaryOp(first, _build(items[1:]))  # -a*b is -(a*b)
    cuts = [i for i in binary if _text(items[i]) in level]
    if not cuts:
        raise WallError("operators and operands do not fit together")
    if "**" in level:
        if len(cuts) > _CHAIN:
            raise WallError(f"over {_CHAIN} powers are chained")
        return BinaryOp("**", _build(items[: cuts[0]]), _build(items[cuts[0] + 1 :]))
    if "==" in level and len(cuts) > 1:
        raise WallError("relational operators cannot be chained")
    return _fold(items, cuts)


def _operand_before(items: Sequence[Raw | Token], at: int) -> bool:
    return not isinstance(items[at - 1], Token)


def _fold(items: Sequence[Raw | Token], cuts: Sequence[int]) -> Raw:
    """The pieces between ``cuts``, combined from the left; over ``_DEEP`` of them, in halves."""
    if len(cuts) >= _DEEP:
        middle = len(cuts) // 2
        order = sorted(range(1, len(cuts)), key=lambda k: abs(k - middle))
        for k in order:
            op = _text(items[cuts[k]]) or ""
            joined = _ASSOCIATIVE.get(op)
            if joined is not None:
                keep = 0 if op == "-" else 1  # a - b + c is a + (-b + c)
                return BinaryOp(joined, _build(items[: cuts[k]]), _build(items[cuts[k] + keep :]))
        if len(cuts) > 2 * _CHAIN:
            raise WallError(f"over {2 * _CHAIN} operators are chained that cannot be regrouped")
    tree = _build(items[: cuts[0]])
    for cut, following in zip(cuts, [*cuts[1:], len(items)], strict=True):
        tree = BinaryOp(_text(items[cut]) or "", tree, _build(items[cut + 1 : following]))
    return tree

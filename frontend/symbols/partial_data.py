"""DATA statements that give values to some elements: ``data (a(i), i = 1, 4) /2*0.5, 1.0, 2.0/, b(2) /1.5/``.

The values go to the elements in the order in which the statement names them. Where a subscript, a repeat or a value
is not understood, the variable's start value is not: an element that DATA does not name holds nothing (zero, where the
variable is SAVEd), one that it may name does not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import repeat

from snapset.frontend import ir
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.declarations.initial_values import element_value
from snapset.frontend.declarations.table import DataList
from snapset.frontend.ir.constant_folding import value_of
from snapset.frontend.parsing import expression_parser, syntax_tree

MOST = 10_000  # elements of an array whose values are kept one by one
LONGEST = 1_000_000  # elements that a list names before it is not read on
_REPEATED = pattern_of(r"(\w+)\s*\*\s*(?=[-+.\d'\"a-z])(.*)", re.S)
Indices = Mapping[str, int]
Element = tuple[str, int]  # the place of an element in its array
ShapeFinder = Callable[[str], ir.Shape | None]
Evaluator = Callable[[syntax_tree.Raw], ir.Expr]


class _UnknownError(Exception):
    """A subscript, bound or shape that is no constant."""


def partial_start(name: str, lists: Iterable[DataList], type_: ir.Type, shape_of: ShapeFinder, meaning: Evaluator,
                  value: Callable[[str], ir.Expr]) -> ir.Expr | None:
    """The start value of an array of which DATA sets some elements: the others have no value. None where none is known.

    ``shape_of``: of the variables that the lists name; ``meaning``: of a subscript without indices of implied DOs;
    ``value``: of a constant's text.
    """
    shape = shape_of(name)
    count = None if shape is None else _size(shape)
    if count is None or count > MOST:
        return None
    nothing = ir.Literal_(None, type_)
    items: list[ir.Expr] = [nothing] * count
    for one in lists:
        places, values = _places(one.names, shape_of, meaning), _values(one.values, value)
        try:
            for count, ((target, at), text) in enumerate(zip(places, values, strict=False)):
                if count > LONGEST:
                    return None
                if target == name:
                    found = element_value(value(text), type_)
                    if found is None:
                        return None
                    items[at] = found
        except (_UnknownError, expression_parser.WallError, InputError):
            return None
    if nothing in items and len(set(items)) == 1:
        return None
    return ir.ArrayConstructor(tuple(items), type_) if shape is not None and shape.rank else items[0]


def first_names(item: syntax_tree.Raw) -> Iterator[str]:
    """The variables that an item of DATA names, in implied DOs too."""
    if isinstance(item, syntax_tree.Name):
        yield item.links[0].name
    elif isinstance(item, syntax_tree.Implied):
        for inner in item.items:
            yield from first_names(inner)


def _values(texts: Iterable[str], value: Callable[[str], ir.Expr]) -> Iterator[str]:
    """Raises _UnknownError for a repeat that is no constant."""
    for text in map(str.strip, texts):
        repeated = _REPEATED.fullmatch(text)
        if repeated is None:
            yield text
            continue
        count = int(repeated[1]) if repeated[1].isdecimal() else value_of(value(repeated[1]))
        if count is None:
            raise _UnknownError
        yield from repeat(repeated[2].strip(), count)


def _places(names: Iterable[str], shape_of: ShapeFinder, meaning: Evaluator) -> Iterator[Element]:
    """The elements that get the values, in order."""
    for text in names:
        for item in expression_parser.expression_list(text):
            yield from _of_item(item, {}, shape_of, meaning)


def _of_item(item: syntax_tree.Raw, indices: Indices, shape_of: ShapeFinder, meaning: Evaluator) -> Iterator[Element]:
    if isinstance(item, syntax_tree.Implied):
        start, stop = _number(item.start, indices, meaning), _number(item.stop, indices, meaning)
        step = 1 if item.step is None else _number(item.step, indices, meaning)
        turns = range(start, stop + (1 if step > 0 else -1), step) if step else range(0)
        if turns and abs(turns[-1] - turns[0]) > LONGEST:
            raise _UnknownError
        for index in turns:
            for inner in item.items:
                yield from _of_item(inner, {**indices, item.var: index}, shape_of, meaning)
        return
    if not isinstance(item, syntax_tree.Name) or len(item.links) != 1 or item.links[0].more is not None:
        raise _UnknownError
    link = item.links[0]
    shape = shape_of(link.name)
    count = None if shape is None else _size(shape)
    if shape is None or count is None:
        raise _UnknownError
    if link.args is None:
        yield from ((link.name, at) for at in range(count))
        return
    subscripts = [one.value for one in link.args]
    if len(subscripts) != shape.rank:
        raise _UnknownError
    place, stride = 0, 1
    for sub, dim in zip(subscripts, shape.dims, strict=True):
        if isinstance(sub, syntax_tree.Triplet):
            raise _UnknownError
        low, high = _ends(dim)
        at = _number(sub, indices, meaning) - low
        if not 0 <= at <= high - low:
            raise _UnknownError
        place, stride = place + at*stride, stride*max(0, high - low + 1)
    yield link.name, place


def _number(node: syntax_tree.Raw, indices: Indices, meaning: Evaluator) -> int:
    """The value of a subscript or bound. Raises _UnknownError."""
    if isinstance(node, syntax_tree.Name) and len(node.links) == 1 and node.links[0].name in indices:
        return indices[node.links[0].name]
    if isinstance(node, syntax_tree.UnaryOp) and node.op in ("-", "+"):
        inner = _number(node.operand, indices, meaning)
        return -inner if node.op == "-" else inner
    if isinstance(node, syntax_tree.BinaryOp) and node.op in ("+", "-", "*"):
        left, right = _number(node.left, indices, meaning), _number(node.right, indices, meaning)
        return left + right if node.op == "+" else left - right if node.op == "-" else left*right
    found = value_of(meaning(node))
    if found is None:
        raise _UnknownError
    return found


def _ends(dim: ir.Dim) -> tuple[int, int]:
    low, high = 1 if dim.lower is None else value_of(dim.lower), None if dim.upper is None else value_of(dim.upper)
    if low is None or high is None:
        raise _UnknownError
    return low, high


def _size(shape: ir.Shape) -> int | None:
    """The elements of a variable of constant shape; None for another one."""
    count = 1
    for dim in shape.dims:
        try:
            low, high = _ends(dim)
        except _UnknownError:
            return None
        count *= max(0, high - low + 1)
    return count

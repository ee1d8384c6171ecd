"""A statement as snapset reads it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from snapset.frontend.base.source_model import Line
from snapset.frontend.base.text_scan import keyword, masked, split_top
from snapset.frontend.declarations.specification_part import _ATTRIBUTES, _HANDLERS, _NOTHING, _TYPES
from snapset.frontend.declarations.type_and_interface_blocks import is_definition
from snapset.frontend.declarations.type_declarations import attributes, declarators, type_spec
from snapset.frontend.lowering.io_statements import _taken_apart
from snapset.frontend.parsing import expression_parser, syntax_tree
from snapset.frontend.parsing.statement_classifier import IO_ACTIONS, Statement, assignment, classify
from snapset.frontend.reading.program_units import _END, header

from benchmarks.fparser_judge.trees import Read, Tree, name, reference

_WORD = re.compile(r"[a-z]\w*")
_LABEL = re.compile(r"\d+$")
_ALTERNATE = re.compile(r"([(,]\s*)[*&]\s*(\d+\s*(?=[,)]))")
_INNER = frozenset(("if", "where", "forall"))
_DATA = re.compile(r"data\b")


def read(line: Line) -> Read:
    """What ``line`` is. Raises WallError for an expression that is none."""
    text = line.text
    if assignment(text) is None:
        found = _unit(line) or _declaration(text)
        if found is not None:
            return found
    return executable(classify(text))


def executable(statement: Statement) -> Read:
    """An executable statement: its expressions in the order of the text."""
    kind, parts = statement.kind, statement.parts
    if kind in _INNER:
        inner = executable(classify(parts[1]))
        return Read(kind, tuple(_header(kind, parts[0])), inner)
    return Read("end" if kind == "end" else kind, tuple(_trees(kind, parts)))


def _trees(kind: str, parts: tuple[str, ...]) -> Iterator[Tree]:
    if kind in ("assign", "pointer", "do"):
        yield from map(_expression, parts)
    elif kind in ("if-then", "else if", "do while", "arithmetic if", "select case", "return"):
        yield from map(_expression, filter(None, parts[:1]))
    elif kind == "stop":
        yield from (_expression(part) for part in split_top(parts[0]) if part and keyword(part)[0] is None)
    elif kind in ("where-construct", "elsewhere", "forall-construct", "do concurrent"):
        yield from (tree for part in parts[:1] for tree in _header(kind, part))
    elif kind == "computed goto":
        yield _expression(parts[1])
    elif kind == "call":
        *before, (word, given, more) = _expression(_ALTERNATE.sub(r"\1\2", parts[0]))[1:]
        yield reference((*before, (word, given or None, more)))
    elif kind == "case" and parts[0] == "values":
        yield from (tree for part in split_top(parts[1]) for tree in _range(part))
    elif kind in ("allocate", "deallocate", "nullify"):
        yield from _allocation(kind, parts[0])
    elif kind in IO_ACTIONS:
        control, items = _taken_apart(kind, parts[0])
        for key, value in control:
            if value != "*" and key not in ("err", "end", "eor", "nml") and not (
                    key == "fmt" and _LABEL.match(value)):
                yield _expression(value)
        yield from (_tree(one) for one in expression_parser.expression_list(items))


def _header(kind: str, text: str) -> Iterator[Tree]:
    """``i = 1:n, j = 1:m, mask`` of FORALL and DO CONCURRENT; else one expression."""
    if kind in ("if", "where", "where-construct", "elsewhere"):
        yield _expression(text)
        return
    for part in split_top(text):
        key, value = keyword(part)
        if key is None:
            yield _expression(part)
        else:
            yield name(key)
            yield from _range(value)


def _range(text: str) -> Iterator[Tree]:
    """The bounds of ``lower:upper:step`` that are there; one expression."""
    for arg in expression_parser.arguments(text):
        if isinstance(arg.value, syntax_tree.Triplet):
            bounds = (arg.value.lower, arg.value.upper, arg.value.step)
            yield from (_tree(bound) for bound in bounds if bound is not None)
        else:
            yield _tree(arg.value)


def _allocation(kind: str, text: str) -> Iterator[Tree]:
    inside = text.strip()[1:-1]
    prefix = re.match(r"[a-z][^:]*::", masked(inside))
    if kind == "allocate" and prefix and prefix[0].count("(") == prefix[0].count(")"):
        inside = inside[prefix.end():]
    for part in split_top(inside):
        yield _expression(keyword(part)[1] if keyword(part)[0] else part)


# ---------------------------------------------------------------- units and declarations


def _unit(line: Line) -> Read | None:
    text = line.text
    begun = header(line, nested=True)
    if begun is not None:
        return Read("procedure" if begun.procedure else begun.kind)
    if _END.match(text) or re.match(r"end (interface|type)\b", text):
        return Read("end")
    return Read(text) if text == "contains" else None


def _declaration(text: str) -> Read | None:
    if is_definition(text):
        return Read("interface" if "interface" in text[:18] else "derived type")
    word = _WORD.match(text)
    first = "" if word is None else word[0]
    typed = type_spec(text) if first in _TYPES else None
    if typed is not None:
        words, rest = attributes(typed[1])
        return Read("declaration", (*sorted(_WORD.match(one)[0] for one in words if _WORD.match(one)),  # type: ignore[index]
                                    *(tree for one in words for tree in _dimensions(one)), *_entities(rest)))
    if first == "procedure" or text.startswith("module procedure"):
        return Read("procedure")
    if first in ("public", "private"):
        return Read("access")
    if first in _HANDLERS or first in _ATTRIBUTES or first in _NOTHING or first in ("generic", "final"):
        return Read(first)
    return None


def _dimensions(word: str) -> Iterator[Tree]:
    if word.startswith("dimension"):
        yield from _bounds(word[word.index("(") + 1 : word.rindex(")")])


def _entities(text: str) -> Iterator[Tree]:
    for one in declarators(text):
        yield name(one.name)
        if one.dims is not None:
            yield from _bounds(one.dims)
        if one.length not in (None, "*", ":"):
            yield _expression(str(one.length))
        if one.init is not None and not one.init.startswith("/"):
            yield _expression(one.init)


def _bounds(text: str) -> Iterator[Tree]:
    for part in split_top(text):
        bound = part.removesuffix("*").strip()
        if bound not in ("", ":", ".."):
            yield from _range(bound)


# ---------------------------------------------------------------- expressions


def _expression(text: str) -> Tree:
    return _tree(expression_parser.expression(text))


def _tree(one: syntax_tree.Raw) -> Tree:
    match one:
        case syntax_tree.Number(value=value, kind=kind, double=double):
            if isinstance(value, str):
                return ("string", value)
            return ("number", value, kind, double)
        case syntax_tree.Complex(real=real, imag=imag):
            return ("complex", _tree(real), _tree(imag))
        case syntax_tree.UnaryOp(op=op, operand=operand):
            return ("op", op, _tree(operand))
        case syntax_tree.BinaryOp(op=op, left=left, right=right):
            return ("op", op, _tree(left), _tree(right))
        case syntax_tree.Constructor(items=items):
            return ("list", *map(_tree, items))
        case syntax_tree.Implied(items=items, var=var, start=start, stop=stop, step=step):
            bounds = [_tree(bound) for bound in (start, stop, step) if bound is not None]
            return ("implied", *map(_tree, items), var, *bounds)
        case syntax_tree.Name(links=links):
            return reference(tuple((link.name, _arguments(link.args), _arguments(link.more)) for link in links))


def _arguments(args: tuple[syntax_tree.Arg, ...] | None) -> Tree:
    return None if args is None else tuple((arg.keyword, _argument(arg.value)) for arg in args)


def _argument(value: syntax_tree.Raw | syntax_tree.Triplet) -> Tree:
    if isinstance(value, syntax_tree.Triplet):
        return ("range", *(None if bound is None else _tree(bound) for bound in (value.lower, value.upper, value.step)))
    return _tree(value)

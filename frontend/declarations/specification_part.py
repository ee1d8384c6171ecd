"""The specification part of a program unit, statement by statement, into a :class:`Table`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.source_model import Item, Line, Pragma, Unit
from snapset.frontend.declarations.attribute_statements import (
    access,
    attribute,
    common,
    data,
    enumerator,
    equivalence,
    external,
    implicit,
    intent,
    intrinsic,
    namelist,
    parameter,
    pointer,
    save,
    use,
)
from snapset.frontend.declarations.entities import procedure_entities, typed_entities
from snapset.frontend.declarations.table import Header, Table, TypeSpec
from snapset.frontend.declarations.type_and_interface_blocks import derived_type, interface, is_definition
from snapset.frontend.declarations.type_declarations import DeclarationError, procedure_header, type_spec
from snapset.frontend.parsing.fparser_wall import second_opinion
from snapset.frontend.parsing.statement_classifier import assignment, classify
from snapset.frontend.rules import diagnostic

_WORD = pattern_of(r"[a-z]\w*")
_FUNCTION = pattern_of(r"([a-z_]\w*)\s*\(\s*((?:[a-z_]\w*\s*(?:,\s*[a-z_]\w*\s*)*)?)\)$")
_TYPES = frozenset({"integer", "real", "complex", "logical", "character", "byte", "double", "type", "class"})
_EXTENSIONS = {
    "structure": "a STRUCTURE",
    "record": "a RECORD",
    "union": "a UNION",
    "map": "a MAP",
}

Handler = Callable[[Table, str, Line], None]
_HANDLERS: dict[str, Handler] = {
    "access": access, "common": common, "data": data, "enumerator": enumerator, "equivalence": equivalence,
    "external": external, "implicit": implicit, "intent": intent, "intrinsic": intrinsic, "namelist": namelist,
    "parameter": parameter, "pointer": pointer, "save": save, "use": use,
}  # fmt: skip
_ATTRIBUTES = frozenset({
    "dimension", "allocatable", "target", "optional", "volatile", "asynchronous", "contiguous", "protected", "value",
    "bind", "codimension", "automatic", "static",
})  # fmt: skip

_NOTHING = frozenset({"import", "enum", "sequence", "include", "options", "dictionary"})
_NOT_STANDARD = frozenset({
    "accept", "type", "encode", "decode", "find", "define", "delete", "rewrite", "sync", "lock", "unlock", "event",
    "notify", "fail", "form", "change",
})  # executable; what they mean is for the lowering to say
_KEEP = frozenset({"format", "entry"})


def collect(unit: Unit) -> Table:
    """The declarations of ``unit`` (not of what it contains) and its executable part.

    Raises InputError for a statement that cannot be read.
    """
    span = (unit.header or unit.end).span if unit.header or not unit.items else unit.items[0].span
    try:
        header = _header(unit)
    except DeclarationError as error:
        raise InputError(f"cannot read this statement: {error}", span) from None
    return collect_items(Table(header, unit, span), unit.items)


def _header(unit: Unit) -> Header:
    if unit.header is not None and unit.kind in ("subroutine", "function"):
        found = procedure_header(unit.header.text)
        if found is not None:
            return found
        return Header("procedure", unit.name)  # MODULE PROCEDURE: its interface has the rest
    return Header(unit.kind, unit.name)


def collect_items(table: Table, items: Sequence[Item]) -> Table:
    """Read declarations from ``items`` into ``table`` up to the first executable statement."""
    place = 0
    while place < len(items):
        item = items[place]
        if isinstance(item, Pragma):
            table.pragmas_and_formats.append((place, item))
            place += 1
            continue
        try:
            step = _statement(table, item, items, place)
        except DeclarationError as error:
            raise _unreadable(item, str(error)) from None
        if step == 0:
            break
        if _word(item.text) in _KEEP:
            table.pragmas_and_formats.append((place, item))
        place += step
    table.start = place
    return table


def _word(text: str) -> str:
    found = _WORD.match(text)
    return found[0] if found else ""


def _statement(table: Table, line: Line, items: Sequence[Item], place: int) -> int:
    """Take in the statement at ``place``; how many items it was, 0 for an executable one."""
    text = line.text
    if "=" in text:
        assigned = assignment(text)
        if assigned is not None:
            return _function(table, line, assigned.parts[0], place) if assigned.kind == "assign" else 0
    word = _word(text)
    if word in _KEEP:
        return 1
    if is_definition(text):
        return interface(table, items, place, collect_items) if "interface" in text[:18] else derived_type(
            table, items, place)
    typed = type_spec(text) if word in _TYPES else None
    if typed is not None:
        typed_entities(table.entities, typed[0], typed[1], line, table)
        return 1
    if word in _NOT_STANDARD:
        return 0
    if word == "procedure" or (word == "module" and text.startswith("module procedure")):
        procedure_entities(table.entities, text, line, table)
        return 1
    rest = text[len(word) :].strip()
    if word in ("public", "private"):
        access(table, text, line)
    elif word in _HANDLERS:
        _HANDLERS[word](table, rest, line)
    elif word in _ATTRIBUTES:
        attribute(table, word, rest, line)
    elif word in _EXTENSIONS:
        return _extension(table, line, items, place, word)
    elif word in _NOTHING or text == "end enum":
        table.enumerator = None
    elif classify(text).kind == "unknown" or line.text == "contains":
        raise DeclarationError(f"it is neither a declaration nor an executable statement{second_opinion(text)}")
    else:
        return 0
    return 1


def _function(table: Table, line: Line, target: str, place: int) -> int:
    """Note an assignment that may define a statement function; 0 where it is certainly executable."""
    found = _FUNCTION.match(target)
    if found is None:
        return 0
    entity = table.entities.get(found[1])
    formal = found[1] in table.header.formals
    if formal or (entity is not None and (entity.dims is not None or "pointer" in entity.flags)):
        return 0
    table.functions.append((line, place))
    return 1


def _extension(table: Table, line: Line, items: Sequence[Item], place: int, word: str) -> int:
    """STRUCTURE and its relatives: not supported, so nothing is known of what the unit does with them."""
    table.opaque = f"it declares {_EXTENSIONS[word]} (line {line.span.line}), which is not supported"
    table.diagnostics.append(diagnostic(
        "SN207", f"{_EXTENSIONS[word]} is not supported; use a derived type. "
        f"`{table.header.name}` may read and write everything it can reach", line.span))
    if word == "record":
        for name in re.findall(r"[a-z_]\w*", re.sub(r"/[^/]*/|\([^()]*\)", " ", line.text[len(word) :])):
            table.entity(name, line.span).type = TypeSpec("derived", name="?")
        return 1
    depth = 0
    for count, item in enumerate(items[place:], 1):
        if isinstance(item, Line):
            depth += item.text.split("/")[0].split()[0] in _EXTENSIONS and _word(item.text) != "record"
            depth -= re.match(r"end ?(structure|union|map)\b", item.text) is not None
            if depth <= 0:
                return count
    raise DeclarationError(f"{word.upper()} has no END")


def _unreadable(line: Line, why: str) -> InputError:
    text = line.text if len(line.text) <= 80 else line.text[:77] + "..."
    return InputError(f"cannot read this statement: `{text}`: {why}; correct it", line.span)

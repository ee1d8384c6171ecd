"""Derived type definitions and interface blocks: declarations that span several statements."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.source_model import Item, Line
from snapset.frontend.base.text_scan import generic_name, split_top
from snapset.frontend.declarations.entities import procedure_entities, typed_entities
from snapset.frontend.declarations.table import Binding, Entity, Interface, Table, TypeDef
from snapset.frontend.declarations.type_declarations import DeclarationError, attributes, procedure_header, type_spec
from snapset.frontend.rules import diagnostic

_TYPE = pattern_of(r"type\s*(?:,\s*(.*?))?(?:\s*::\s*|\s+)([a-z]\w*)\s*(\(.*\))?$")
_INTERFACE = pattern_of(r"(abstract\s+)?interface(?:\s+(.*?)|(\s*(?:operator|assignment)\s*\(.*\)))?\s*$")
_EXTENDS = pattern_of(r"extends\s*\(\s*([a-z]\w*)\s*\)")
_BINDING = pattern_of(r"procedure\s*(?:\(.*?\))?\s*(,|::|\s)")
_END = pattern_of(r"end\s*(?:(function|subroutine|procedure)\b.*)?$")

Collect = Callable[[Table, Sequence[Item]], Table]


def is_definition(text: str) -> bool:
    """Whether a statement begins a derived type definition or an interface block."""
    if text.startswith("type"):
        return _TYPE.match(text) is not None and not text[4:].lstrip().startswith(("(", "is ("))
    return text.startswith(("interface", "abstract interface")) and _INTERFACE.match(text) is not None


def derived_type(table: Table, items: Sequence[Item], place: int) -> int:
    """The type definition at ``place`` into ``table``; how many items it was."""
    first = items[place]
    assert isinstance(first, Line)
    found = _TYPE.match(first.text)
    if found is None:
        raise DeclarationError("no type name found")
    definition = TypeDef(found[2], first.span)
    for attr in split_top(found[1] or ""):
        parent = _EXTENDS.match(attr)
        if parent is not None:
            definition.extends = parent[1]
        elif attr == "abstract":
            definition.abstract = True
        elif attr in ("public", "private"):
            table.access[definition.name] = attr
    table.types[definition.name] = definition
    components: dict[str, Entity] = {}
    bound = False
    for count, item in enumerate(items[place + 1 :], 2):
        if not isinstance(item, Line):
            continue
        text = item.text
        if re.match(r"end\s*type\b", text):
            definition.components = list(components.values())
            return count
        if text == "contains":
            bound = True
        elif bound:
            _bound(table, definition, item)
        elif text.startswith("procedure"):
            procedure_entities(components, text, item, table)
        elif (typed := type_spec(text)) is not None:
            typed_entities(components, typed[0], typed[1], item, table)
        elif text not in ("private", "public", "sequence"):
            raise DeclarationError(f"`{text}` is no component")
    raise DeclarationError(f"type `{definition.name}` has no END TYPE")


def _bound(table: Table, definition: TypeDef, line: Line) -> None:
    """A statement after CONTAINS in a type."""
    text = line.text
    if text.startswith("generic"):
        _, rest = attributes(text[len("generic") :])
        name, arrow, targets = rest.partition("=>")
        if not arrow:
            raise DeclarationError("GENERIC needs `=>`")
        key = generic_name(name)
        definition.generics[key] = (*definition.generics.get(key, ()), *split_top(targets.strip()))
    elif text.startswith("procedure"):
        rest = text[len("procedure") :].strip()
        if rest.startswith("("):
            rest = rest[rest.index(")") + 1 :].strip()
        attrs, names = attributes(rest)
        passing = None
        for attr in attrs:
            if attr.startswith("pass") and "(" in attr:
                passing = attr[attr.index("(") + 1 : attr.index(")")].strip()
            elif attr == "nopass":
                passing = ""
        for part in split_top(names):
            name, _, target = (piece.strip() for piece in part.partition("=>"))
            bound = None if "deferred" in attrs else target or name
            definition.bindings.append(Binding(name, bound, passing))
    elif text.startswith("final"):
        definition.finals += split_top(text.removeprefix("final").strip().removeprefix("::").strip())
        table.diagnostics.append(diagnostic(
            "SN208", f"the FINAL procedure of `{definition.name}` runs where the analysis does not see it",
            line.span))
    elif text not in ("private", "public"):
        raise DeclarationError(f"`{text}` is no type-bound procedure")


def interface(table: Table, items: Sequence[Item], place: int, collect: Collect) -> int:
    """The interface block at ``place`` into ``table``; how many items it was."""
    first = items[place]
    assert isinstance(first, Line)
    found = _INTERFACE.match(first.text)
    if found is None:
        raise DeclarationError("no interface found")
    generic = generic_name(found[2] or found[3] or "") or None
    block = Interface(generic, found[1] is not None, first.span)
    table.interfaces.append(block)
    at = place + 1
    while at < len(items):
        item = items[at]
        if not isinstance(item, Line):
            at += 1
        elif re.match(r"end\s*interface\b", item.text):
            return at + 1 - place
        elif item.text.startswith(("module procedure", "procedure")):
            names = item.text.partition("procedure")[2]
            block.procedures += split_top(names.strip().removeprefix("::").strip())
            at += 1
        else:
            at += _body(table, block, items, at, collect)
    raise DeclarationError("the interface block has no END INTERFACE")


def _body(table: Table, block: Interface, items: Sequence[Item], place: int, collect: Collect) -> int:
    """An interface body; how many items it was."""
    first = items[place]
    assert isinstance(first, Line)
    header = procedure_header(first.text)
    if header is None:
        raise DeclarationError(f"`{first.text}` cannot stand in an interface block")
    nested = 0
    for count, item in enumerate(items[place + 1 :], 1):
        if not isinstance(item, Line):
            continue
        if item.text.startswith(("interface", "abstract interface")):
            nested += 1
        elif re.match(r"end\s*interface\b", item.text):
            nested -= 1
        elif not nested and _END.match(item.text):
            body = Table(header, None, first.span)
            block.bodies.append(collect(body, items[place + 1 : place + count]))
            table.diagnostics += body.diagnostics
            return count + 1
    raise DeclarationError(f"the interface of `{header.name}` has no END")

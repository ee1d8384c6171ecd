"""Declared names with their attributes: the entities of a unit or the components of a type."""

from __future__ import annotations

from collections.abc import Sequence

from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.source_model import Line
from snapset.frontend.declarations.table import Entity, Table, TypeSpec
from snapset.frontend.declarations.type_declarations import (
    DeclarationError,
    attributes,
    declarators,
    parentheses,
    type_spec,
)
from snapset.frontend.rules import diagnostic

_WORD = pattern_of(r"[a-z]\w*")


def typed_entities(into: dict[str, Entity], spec: TypeSpec, rest: str, line: Line, table: Table) -> None:
    """``spec, attributes :: entities`` into ``into`` (a unit's entities or a type's components)."""
    attrs, text = attributes(rest)
    for declarator in declarators(text):
        entity = into.setdefault(declarator.name, Entity(declarator.name, line.span))
        entity.type = spec
        apply(entity, attrs, table, line)
        entity.dims = declarator.dims if declarator.dims is not None else entity.dims
        entity.length = declarator.length if declarator.length is not None else entity.length
        if declarator.init is not None:
            entity.init = declarator.init
            entity.flags.add("init")
        if declarator.coarray:
            entity.flags |= {"coarray", "target"}
            coarray(table, line)


def coarray(table: Table, line: Line) -> None:
    table.diagnostics.append(diagnostic(
        "SN207", "coarrays are not supported: writes by other images are not seen", line.span))


def apply(entity: Entity, attrs: Sequence[str], table: Table, line: Line) -> None:
    """Add the attributes of a declaration to an entity."""
    for attr in attrs:
        found = _WORD.match(attr)
        word = found[0] if found else ""
        inner = attr[attr.find("(") + 1 : attr.rfind(")")].strip() if "(" in attr else ""
        if word == "dimension":
            entity.dims = inner
        elif word == "intent":
            entity.intent = "inout" if "".join(inner.split()) == "inout" else "in" if inner == "in" else "out"
        elif word in ("public", "private"):
            table.access.setdefault(entity.name, word)
        elif word == "codimension":
            entity.flags |= {"coarray", "target"}
            coarray(table, line)
        elif word == "external":
            table.externals.add(entity.name)
        elif word == "intrinsic":
            table.intrinsics.add(entity.name)
        elif word:
            entity.flags.add(f"pass={inner}" if word == "pass" and inner else word)
        else:
            raise DeclarationError(f"`{attr}` is not an attribute")


def procedure_entities(into: dict[str, Entity], text: str, line: Line, table: Table) -> None:
    """``procedure(interface), pointer :: p => null()``"""
    inner, rest = parentheses(text[text.find("procedure") + len("procedure") :].lstrip())
    typed = type_spec(inner)
    attrs, names = attributes(rest)
    for declarator in declarators(names):
        entity = into.setdefault(declarator.name, Entity(declarator.name, line.span))
        entity.interface = "" if typed is not None else inner
        entity.type = typed[0] if typed is not None else None
        apply(entity, attrs, table, line)
        entity.flags.add("procedure")
        if declarator.init is not None:
            entity.init = declarator.init
            entity.flags.add("init")

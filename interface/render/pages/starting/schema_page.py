"""The fields of a command's document as tables: what ``snapset schema`` prints for people.

    ClaimDocument: A claim and this run's verdict on it.
      field   type              meaning
      ─────────────────────────────────
      where   string or null    In which set it fails; null for a proved claim
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from snapset.render.layout.table_layout import TableStyle
from snapset.render.layout.text_page import Page


def write(schema: Mapping[str, Any], look: TableStyle) -> str:
    """One table for each kind of object, the whole document's first."""
    page = Page(look)
    first = _whole(schema)
    for name in sorted(schema["$defs"], key=lambda one: (one != first, one)):
        _object(page, name, schema["$defs"][name])
    return page.text()


def _object(page: Page, name: str, one: Mapping[str, Any]) -> None:
    if page.lines:
        page.line()
    page.line(f"{name}: {one.get('description', '')}".rstrip(": "), "bold")
    if "properties" not in one:
        page.line(kind(one), indent=2)
        return
    table = page.table("field", "type", "meaning", whole=(0,))
    for field, what in one["properties"].items():
        table.add_row(field, kind(what), what.get("description", ""))
    page.show(table, gap=0)


def _whole(schema: Mapping[str, Any]) -> str:
    """The name of the document itself: the schema is it, or it or an array of it."""
    reference: str = (schema["anyOf"][0] if "anyOf" in schema else schema)["$ref"]
    return _name(reference)


def _name(reference: str) -> str:
    return reference.rpartition("/")[2]


def kind(what: Mapping[str, Any]) -> str:
    """A field's type in words: ``list of PartDocument``, ``integer or null``, ``"snapset.verify/1"``."""
    if "$ref" in what:
        return _name(what["$ref"])
    if "anyOf" in what:
        return " or ".join(dict.fromkeys(map(kind, what["anyOf"])))
    if "enum" in what:
        return " or ".join(json.dumps(one, ensure_ascii=False) for one in what["enum"])
    match what.get("type"):
        case "array" if "prefixItems" in what:
            return f"list of {', '.join(map(kind, what['prefixItems']))}"
        case "array":
            return f"list of {kind(what.get('items') or {})}"
        case "object":
            inner = what.get("additionalProperties")
            return f"object of {kind(inner)}" if isinstance(inner, dict) else "object"
        case list() as several:
            return " or ".join(several)
        case str() as one:
            return one
        case _:
            return "anything"

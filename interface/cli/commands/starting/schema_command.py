"""``snapset schema``: the JSON Schema of a command's document, or its fields as tables."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable

from snapset.documents.json_schema import json_schema, schema_text
from snapset.render.layout.table_layout import TableStyle


def run(parsed: Namespace, terminal: Callable[[], tuple[int, bool, bool]]) -> str:
    """What to print: by default the schema itself."""
    if parsed.format == "json":
        return schema_text(parsed.command)
    from snapset.render.pages.starting import schema_page

    schema = json_schema(parsed.command)
    if parsed.format == "text":
        return schema_page.write(schema, TableStyle(*terminal(), False))
    from snapset.render.layout.page_frame import tables

    return tables(str(schema["title"]), [schema_page.write(schema, TableStyle(100, False, False, True))])

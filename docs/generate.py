"""Writes the pages, and the parts of pages, that are made from records in the code: ``make docs``.

A test compares them, so that a page cannot lag behind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from snapset.render import dataflow_dump, explained_rule

DOCS = Path(__file__).resolve().parent
PAGES: Mapping[str, Callable[[], str]] = {"dataflow.md": dataflow_dump.page, "diagnostics.md": explained_rule.page}

if __name__ == "__main__":
    for name, page in PAGES.items():
        (DOCS / name).write_text(page())

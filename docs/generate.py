"""Writes the pages, and the parts of pages, that are made from records in the code: ``make docs``.

A test compares them, so that a page cannot lag behind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from snapset import explained

DOCS = Path(__file__).resolve().parent
PAGES: Mapping[str, Callable[[], str]] = {"diagnostics.md": explained.page}

if __name__ == "__main__":
    for name, page in PAGES.items():
        (DOCS / name).write_text(page())

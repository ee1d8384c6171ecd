"""The lines of files, to be quoted."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


def source_lines(files: Iterable[str]) -> dict[tuple[str, int], str]:
    """The lines of the files that were given; what these include is not quoted."""
    found: dict[tuple[str, int], str] = {}
    for file in files:
        try:
            text = Path(file).read_text(errors="replace")
        except OSError:
            continue
        found |= {(file, number): line.expandtabs().rstrip() for number, line in enumerate(text.splitlines(), 1)}
    return found

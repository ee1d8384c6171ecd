"""TOML files with errors that name a line."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from snapset.frontend.diagnostics import InputError, Span

_PLACE = re.compile(r"^(.*) \(at (?:line (\d+), column (\d+)|end of document)\)$", re.DOTALL)


def read(path: Path) -> tuple[dict[str, Any], str]:
    """The file's tables and its text.

    Raises InputError, with the line, where it cannot be read as TOML; OSError where it cannot be read.
    """
    if path.exists() and not path.is_file():
        raise InputError("not a file", Span(str(path), 1, 1))
    data = path.read_bytes()
    try:
        text = data.decode("utf-8")
        return tomllib.loads(text), text
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError("not UTF-8 text", Span(str(path), line, line)) from None
    except tomllib.TOMLDecodeError as error:
        found = _PLACE.match(str(error))
        what = found[1] if found else str(error)
        line = int(found[2]) if found and found[2] else max(text.count("\n"), 1)
        column = int(found[3]) if found and found[3] else 1
        if text.splitlines()[line - 1 : line] and text.splitlines()[line - 1].startswith(("<<<<<<<", ">>>>>>>")):
            what = "an unresolved merge"
        raise InputError(f"not valid TOML: {what}", Span(str(path), line, line, column)) from None


def place(path: Path, text: str, *keys: str) -> Span:
    """Where the last of ``keys`` is set, looked for after the lines that name those before it; else line 1.

    TOML readers give no lines for what is well formed; this finds them well enough for a message.
    """
    found, lines = 1, text.splitlines()
    start = 0
    for key in keys:
        pattern = re.compile(rf"""(?<![\w-])["']?{re.escape(key)}["']?(?![\w-])""")
        hit = next((i for i in range(start, len(lines)) if pattern.search(lines[i].partition("#")[0])), None)
        if hit is not None:
            found, start = hit + 1, hit
    return Span(str(path), found, found)

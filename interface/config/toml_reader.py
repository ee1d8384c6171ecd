"""TOML files with errors that name a line."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from snapset.frontend.base.diagnostics import InputError, Span
from snapset.frontend.base.lazy_patterns import pattern_of

_PLACE = pattern_of(r"^(.*) \(at (?:line (\d+), column (\d+)|end of document)\)$", re.DOTALL)


def read(path: Path, largest: int, cure: str = "") -> tuple[dict[str, Any], str]:
    """The file's tables and its text. ``cure``: behind a message that it is no TOML, what to do.

    Raises InputError, with the line, where it cannot be read as TOML, or has more than ``largest`` bytes; OSError where
    it cannot be read.
    """
    import tomllib  # most runs have no project file

    if path.exists() and not path.is_file():
        raise InputError("not a file", Span(str(path), 1, 1))
    with path.open("rb") as stream:
        data = stream.read(largest + 1)
    if len(data) > largest:
        raise InputError(f"more than {largest // 2**20} MB", Span(str(path), 1, 1))
    try:
        text = data.decode("utf-8")
        return tomllib.loads(text), text
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"not UTF-8 text{cure}", Span(str(path), line, line)) from None
    except RecursionError:
        raise InputError("not valid TOML: nested too deeply", Span(str(path), 1, 1)) from None
    except ValueError as error:  # TOMLDecodeError is one; a number of too many digits another
        raise _wrong(error, path, text, cure) from None


def _wrong(error: ValueError, path: Path, text: str, cure: str) -> InputError:
    found = _PLACE.match(str(error))
    what = found[1] if found else str(error).partition(";")[0]
    line = int(found[2]) if found and found[2] else max(text.count("\n"), 1) if found else 1
    column = int(found[3]) if found and found[3] else 1
    lines = text.split("\n")
    if lines[line - 1 : line] and lines[line - 1].startswith(("<<<<<<<", ">>>>>>>")):
        what = "an unresolved merge"
    return InputError(f"not valid TOML: {what}{cure}", Span(str(path), line, line, column))


def place(path: Path, text: str, *keys: str) -> Span:
    """Where the last of ``keys`` is set, looked for after the lines that name those before it; else line 1.

    TOML readers give no lines for what is well formed; this finds them well enough for a message.
    """
    found, lines = 1, text.split("\n")
    start = 0
    for key in keys:
        pattern = re.compile(rf"""(?<![\w-])["']?{re.escape(key)}["']?(?![\w-])""")
        hit = next((i for i in range(start, len(lines)) if pattern.search(lines[i].partition("#")[0])), None)
        if hit is not None:
            found, start = hit + 1, hit
    return Span(str(path), found, found)

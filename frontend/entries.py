"""ENTRY points: other names, with other arguments, under which a procedure is called."""

from __future__ import annotations

import re
from dataclasses import dataclass

from snapset.frontend.classify import classify
from snapset.frontend.diagnostics import Span
from snapset.frontend.scope import Scope
from snapset.frontend.statement import Line
from snapset.frontend.text import closing, split_top

_ENTRY = re.compile(r"([a-z_]\w*)\s*(\()?")
_RESULT = re.compile(r"result\s*\(\s*([a-z_]\w*)\s*\)")


@dataclass(frozen=True, slots=True)
class Entry:
    """One ENTRY statement: ``key`` has the place of the procedure it is in."""

    key: str
    name: str
    formals: tuple[str, ...]
    result: str | None
    span: Span


def entry_points(scope: Scope) -> tuple[Entry, ...]:
    """The ENTRY statements of a procedure."""
    prefix = scope.key.rpartition("::")[0]
    found: list[Entry] = []
    for item in scope.executable:
        if not isinstance(item, Line) or not item.text.startswith("entry"):
            continue
        statement = classify(item.text)
        match = _ENTRY.match(statement.parts[0]) if statement.kind == "entry" else None
        if match is None:
            continue
        name, text = match.group(1), statement.parts[0]
        close = closing(text, match.end() - 1) if match.group(2) else -1
        formals = split_top(text[match.end() : close]) if close >= 0 else ()
        result = _RESULT.search(text[close + 1 :]) if close >= 0 else None
        found.append(Entry(
            f"{prefix}::{name}" if prefix else name, name, tuple(formal for formal in formals if formal != "*"),
            result.group(1) if result else None, item.span))  # fmt: skip
    return tuple(found)

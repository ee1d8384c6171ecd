"""GitHub's workflow commands: annotations at lines of a pull request.

    ::error file=decay.f90,line=15,title=snapset%3A decay::Snp gains rate, 8000 bytes

A line is ``::name key=value,...::data``. In data ``%``, carriage return and newline are escaped, in values ``:`` and
``,`` too (toolkit, packages/core/src/command.ts), so that no name of a file ends a value or begins another command.
"""

from __future__ import annotations

from snapset.frontend.base.visible_text import visible, visible_line
from snapset.render.formats.annotations import Annotation, Outcome

_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def write(outcome: Outcome) -> str:
    """A line for each remark."""
    return "".join(_command(one) + "\n" for one in outcome.annotations)


def _command(one: Annotation) -> str:
    values = {"file": one.file, "line": str(one.line)}
    if one.end_line > one.line:
        values["endLine"] = str(one.end_line)
    if one.column > 1 and one.end_line <= one.line:  # GitHub takes a column in one line only
        values["col"] = str(one.column)
    values["title"] = f"snapset: {one.title}"
    given = ",".join(f"{name}={value(text)}" for name, text in values.items())
    return f"::{_COMMANDS[one.level]} {given}::{data(chr(10).join(one.message))}"


def data(text: str) -> str:
    """What stands behind the second ``::``."""
    return visible(text.replace("\r", "")).replace("%", "%25").replace("\n", "%0A")


def value(text: str) -> str:
    """What stands behind ``key=``."""
    return visible_line(text).replace("%", "%25").replace(":", "%3A").replace(",", "%2C")

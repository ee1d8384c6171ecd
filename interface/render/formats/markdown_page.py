"""A page of GitHub's Markdown, short enough for a comment at a pull request."""

from __future__ import annotations

import re

from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.visible_text import visible_line
from snapset.render.formats.annotations import Annotation, FigureTable, Outcome

MOST = 50
"""Remarks that are shown; a comment holds 65,536 characters."""
LONGEST = 30
"""Lines of one remark."""
_MARKED = pattern_of(r"[\\`*_{}\[\]<>#|~@]")


def write(outcome: Outcome) -> str:
    """The page."""
    lines = [f"### {escaped(outcome.title)}", ""]
    for table in outcome.tables:
        lines += _table(table)
    shown = [one for one in outcome.annotations if one.message]
    for one in shown[:MOST]:
        lines += _remark(one)
    if len(shown) > MOST:
        lines += [f"... and {len(shown) - MOST} more", ""]
    if outcome.closing:
        lines += [escaped(outcome.closing), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _table(table: FigureTable) -> list[str]:
    rows = [table.header, ("---", *("---:" for _ in table.header[1:])), *table.rows]
    cells = [[one if number == 1 else _cell(one, number > 1 and place == 0) for place, one in enumerate(row)]
             for number, row in enumerate(rows)]
    return [f"**{escaped(table.title)}**", "", *(f"| {' | '.join(row)} |" for row in cells), ""]


def _cell(text: str, name: bool) -> str:
    return code(text).replace("|", "\\|") if name else escaped(text)


def _remark(one: Annotation) -> list[str]:
    mark = {"error": "🔴", "warning": "🟡", "note": "🔵"}[one.level]
    lines = [f"- {mark} {code(f'{one.file}:{one.line}')} {escaped(one.title)}"]
    lines += [f"  - {escaped(text)}" for text in one.message[:LONGEST]]
    if len(one.message) > LONGEST:
        lines.append(f"  - ... and {len(one.message) - LONGEST} more")
    steps = [step for way in one.flows for step in way.steps]
    if steps:
        shown = dict.fromkeys(f"{code(f'{step.file}:{step.line}')} {escaped(step.text)}" for step in steps)
        lines.append(f"  - because of {', '.join(list(shown)[:6])}{', ...' if len(shown) > 6 else ''}")
    return [*lines, ""]


def escaped(text: str) -> str:
    """Text that means nothing to Markdown, in one line: no link, no tag, no table's border, nobody mentioned."""
    return _MARKED.sub(lambda found: f"\\{found[0]}" if found[0] not in "<@" else {"<": "&lt;", "@": "&#64;"}[found[0]],
                       visible_line(text))


def code(text: str) -> str:
    """Text in a fixed font, whatever backquotes it has."""
    shown = visible_line(text)
    longest = max((len(run) for run in re.findall("`+", shown)), default=0)
    fence = "`" * (longest + 1)
    room = " " if longest else ""
    return f"{fence}{room}{shown}{room}{fence}"

"""``snapset explain``: why a variable is saved at a part; with codes, what a diagnostic means."""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from snapset.cli.grammar.arguments import UsageError

if TYPE_CHECKING:
    from snapset.config.settings import Settings
    from snapset.frontend.ir import Program

Terminal = Callable[[], tuple[int, bool, bool]]


def of_codes(parsed: Namespace, terminal: Terminal) -> str:
    """What the diagnostics with these codes mean. Raises UsageError for others, and where nothing is asked."""
    from snapset.cli.commands import explained_rule

    if not parsed.files:
        raise UsageError("nothing to explain: give a diagnostic's code, or FILE... --head HEAD --at PART VARIABLE")
    if parsed.head:
        raise UsageError("which part, and what there? add --at PART VARIABLE")
    try:
        if parsed.format == "json":
            return explained_rule.document(parsed.files)
        if parsed.format == "html":
            return explained_rule.browser_page(parsed.files)
        return explained_rule.explain(parsed.files, terminal()[0])
    except ValueError as error:
        hint = "" if all(map(_is_code, parsed.files)) else "; to explain what is saved, add --at PART VARIABLE"
        raise UsageError(f"{error}{hint}") from None


def _is_code(text: str) -> bool:
    """Is this meant for a diagnostic's code, though there may be none of that number?"""
    return re.fullmatch(r"SN\w*", text, re.IGNORECASE) is not None


def run(settings: Settings, parsed: Namespace, terminal: Terminal, no_head: Callable[[Program], Exception]
        ) -> tuple[str, tuple[str, ...]]:
    """What to print of the part and variable asked for, and notes. Raises InputError for what is not there."""
    from snapset.cli.running.command_session import session_for
    from snapset.cli.running.quoted_lines import source_lines
    from snapset.config.unheard_names import notes
    from snapset.documents.json_text import dumps
    from snapset.library.explanation import FIRST, explanations
    from snapset.render.layout.byte_figures import Figures
    from snapset.render.layout.page_frame import tables
    from snapset.render.pages import explanation_text
    from snapset.render.records import explanation_json

    part, variable = parsed.at
    choices = settings.choices if parsed.strategy else replace(settings.choices, strategies=FIRST)
    with session_for(replace(settings, choices=choices), no_head) as session:
        program = session.program()
        session.stage(f"explaining {variable} at {part}")
        found = tuple(explanations(program, session.heads, choices, part, variable, session.after_reading()))
    figures = Figures(settings.assume)
    markup = parsed.format == "html"
    if parsed.format == "json":
        text = dumps([explanation_json.document(", ".join(head.text for head in session.heads), found, figures)])
    else:
        width, colour, plain = (80, False, False) if markup else terminal()
        text = explanation_text.write(found, figures, source_lines(settings.files), width=width, colour=colour,
                                      ascii_only=plain, markup=markup)
    said = notes(settings, program, figures.used, figures.contained)
    return tables(f"{variable} at {part}", [text]) if markup else text, said

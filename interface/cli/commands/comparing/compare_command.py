"""``snapset compare``: a generated adjoint judged, and written without what is superfluous."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from snapset.analysis.comparison.verdicts.compared_head import ComparedHead
    from snapset.config.settings import Settings
    from snapset.frontend.ir import Program
    from snapset.render.layout.byte_figures import Figures

Terminal = Callable[[], tuple[int, bool, bool]]


def run(settings: Settings, parsed: Namespace, adjoints: tuple[str, ...], terminal: Terminal,
        no_head: Callable[[Program], Exception]) -> tuple[str, int, list[str]]:
    """What to print, the exit code, and notes. Raises InputError for what cannot be read or written."""
    from snapset.cli.running.command_session import session_for
    from snapset.cli.running.quoted_lines import source_lines
    from snapset.config.unheard_names import notes
    from snapset.frontend.base.diagnostics import InputError
    from snapset.library.adjoint_comparison import adjoint_program, comparison, without_superfluous
    from snapset.library.explanation import FIRST
    from snapset.render.layout.byte_figures import Figures

    choices = settings.choices if parsed.strategy else replace(settings.choices, strategies=FIRST)
    with session_for(replace(settings, choices=choices, cache=None), no_head) as session:
        program = session.program()
        session.stage("reading the adjoint")
        adjoint = adjoint_program(adjoints, settings.files, settings.read)
        found, told = [], session.after_reading(0.45)
        for number, head in enumerate(session.heads):
            session.stage(f"judging the adjoint of {head.text}")
            found.append(comparison(program, head, choices, adjoint, _within(told, number, len(session.heads))))
            told((number + 1)/len(session.heads))
    said = []
    if parsed.patch is not None:
        if len(found) != 1:
            raise InputError("--patch: the adjoint of one head at a time; give one --head")
        said = [f"{path}: {count} PUSHes fewer" if count != 1 else f"{path}: one PUSH fewer"
                for path, count in without_superfluous(adjoints, found[0], parsed.patch, settings.read)]
    figures = Figures(settings.assume)
    text = _written(found, figures, parsed, terminal, source_lines((*settings.files, *adjoints)))
    said += notes(settings, program, figures.used, figures.contained)
    return text, int(any(one.missing for one in found)), said


def _written(found: Sequence[ComparedHead], figures: Figures, parsed: Namespace, terminal: Terminal,
             lines: Mapping[tuple[str, int], str]) -> str:
    """In the format that is asked for."""
    from snapset.documents.json_text import dumps
    from snapset.render.layout.page_frame import tables
    from snapset.render.pages.comparing import comparison_text
    from snapset.render.records import comparison_json

    if parsed.format == "json":
        return dumps([comparison_json.document(one, figures) for one in found])
    if parsed.format not in ("text", "html"):
        from snapset.render import formats
        from snapset.render.formats import comparison_annotations

        return formats.write(comparison_annotations.outcome(found, figures), parsed.format)
    markup = parsed.format == "html"
    width, colour, plain = (80, False, False) if markup else terminal()
    text = comparison_text.write(found, figures, lines, every=parsed.all, width=width, colour=colour,
                                 ascii_only=plain, markup=markup)
    return tables("An adjoint compared", [text]) if markup else text


def _within(told: Callable[[float], None], number: int, of: int) -> Callable[[float], None]:
    """What hears how much of one of several things is done."""
    return lambda done: told((number + done)/of)

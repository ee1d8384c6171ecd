"""``snapset report``: reads, analyses every head, writes text, JSON or a page for a browser, and the picture."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from snapset.cli.running.command_session import executor_of, results_of, session_for
from snapset.config.unheard_names import notes
from snapset.frontend.base.diagnostics import InputError

if TYPE_CHECKING:
    from snapset.analysis.replay.experiment.inputs import Inputs
    from snapset.analysis.results import HeadResult
    from snapset.config.settings import Settings
    from snapset.frontend.ir import Program
    from snapset.library.session import Session
    from snapset.render.pages import head_report
    from snapset.render.pages.report_summary import BriefLook

NO_LOOK = (80, False, False)
UNWRAPPED = 100_000
"""The width where no terminal is: lines are for grep then."""
Terminal = Callable[[], tuple[int, bool, bool]]


def run(
    settings: Settings, parsed: Namespace, terminal: Terminal, no_head: Callable[[Program], Exception]
) -> tuple[str, tuple[str, ...]]:
    """What to print, and what to say of names in options that nothing has.

    Raises InputError for whatever is unusable, nothing written then.
    """
    if parsed.pareto_picture:
        from snapset.pictures import pareto_front

        pareto_front.check(parsed.pareto_picture)
    inputs = _inputs(parsed)
    look = terminal() if parsed.format == "text" else NO_LOOK
    brief = _brief(parsed)
    if brief is not None and not (sys.stdout and sys.stdout.isatty()) and "COLUMNS" not in os.environ:
        look = UNWRAPPED, *look[1:]
    quoted = _contents(settings.files) if parsed.format == "html" else ""
    page = (f"page {parsed.format, look, brief, parsed.part, parsed.set, quoted} {settings.choices!r} "
            f"{sorted(settings.assume.items())} {_named(settings)}")
    with session_for(settings, no_head) as session:
        stored = None if parsed.pareto_picture else session.stored(page)
        if isinstance(stored, tuple):
            text, said = stored
            return text, said
        if parsed.format == "html":
            results, text, said = _page(session, settings, inputs)
            session.store(page, (text, said), ())
            if parsed.pareto_picture:
                pareto_front.save(parsed.pareto_picture, results)
            return text, said
        from snapset.render.pages import head_report  # much code, which a run that has its page does not need

        heads = _written(session, settings, parsed.format == "json", look, brief is not None)
        text = head_report.page(heads, parsed.format == "json", look, brief, tuple(parsed.part))
        used, contained = (frozenset[str]().union(*names) for names in zip(
            *((one.figures.used, one.figures.contained) for one in heads), strict=True))
        said = notes(settings, session.program(), used, contained)
        session.store(page, (text, said), [one.result for one in heads])
    if parsed.pareto_picture:
        pareto_front.save(parsed.pareto_picture, [one.result for one in heads])
    return text, said


def _inputs(parsed: Namespace) -> Inputs | None:
    """What a page's run begins with. Raises InputError, before anything long begins, for what cannot be."""
    if not parsed.set:
        return None
    if parsed.format != "html":
        raise InputError("--set is for --format html, which draws a run's stack; snapset replay runs the adjoint too")
    from snapset.library.replay import parse_inputs

    return parse_inputs(parsed.set)


def _page(session: Session, settings: Settings, inputs: Inputs | None
          ) -> tuple[tuple[HeadResult, ...], str, tuple[str, ...]]:
    """The page for a browser, what it is made of, and notes."""
    from snapset.library.page_material import material
    from snapset.render.html import report_page
    from snapset.render.layout.byte_figures import Figures

    results, figures = results_of(session, settings), Figures(settings.assume)
    text = report_page.page(material(session, settings.choices, results, inputs), figures)
    return results, text, notes(settings, session.program(), figures.used, figures.contained)


def _contents(files: Sequence[str]) -> str:
    """A hash of the files as they are: a page quotes them, comments and all."""
    from hashlib import sha256

    found = sha256()
    for file in files:
        try:
            found.update(Path(file).read_bytes() + b"\0")
        except OSError:
            found.update(b"\0")
    return found.hexdigest()


def _brief(parsed: Namespace) -> BriefLook | None:
    """What the short report shows; None for JSON, for all sets, and for parts that are asked for one by one.

    Raises InputError for options that contradict each other.
    """
    full = parsed.format != "text" or parsed.sets or parsed.part
    flags = {"--brief": parsed.brief, "--sort": parsed.sort, "--top": parsed.top}
    given = [flag for flag, there in flags.items() if there]
    if full and given:
        other = f"--format {parsed.format}" if parsed.format != "text" else "--sets" if parsed.sets else "--part"
        raise InputError(f"{given[0]} is about the short report, which {other} is not")
    if parsed.format != "text" and parsed.part:
        raise InputError(f"--part is about text; {parsed.format.upper()} has all parts")
    if full:
        return None
    from snapset.render.pages.report_summary import BriefLook

    return BriefLook(parsed.top or 10, parsed.brief, parsed.sort == "bytes")


def _named(settings: Settings) -> object:
    """Where the names come from that are complained of where nothing has them."""
    return sorted(settings.asked), settings.explicit_heads, settings.project


def _written(
    session: Session, settings: Settings, json: bool, look: tuple[int, bool, bool], brief: bool
) -> list[head_report.WrittenHead]:
    """What is written of each head; the trip counts that a counted run tells are numbers in all of them."""
    from snapset.render.pages import head_report

    counted: dict[str, int] = {}
    if settings.choices.counts is not None:
        for one in session.each(settings.choices, head_report.counted_trips):
            counted.update(one)
    form = head_report.OutputForm(json, look, {**counted, **settings.assume}, brief)
    with executor_of(session, settings) as executor:
        return [head_report.head_written(form, plain)
                for plain in session.each(settings.choices, head_report.Writing(form), executor)]

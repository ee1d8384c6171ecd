"""``snapset report``: reads, analyses every head, writes text or JSON and the picture."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING

from snapset.cli.running.command_session import executor_of, session_for
from snapset.config.unheard_names import notes
from snapset.frontend.base.diagnostics import InputError

if TYPE_CHECKING:
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
    look = terminal() if parsed.format == "text" else NO_LOOK
    brief = _brief(parsed)
    if brief is not None and not (sys.stdout and sys.stdout.isatty()) and "COLUMNS" not in os.environ:
        look = UNWRAPPED, *look[1:]
    page = (f"page {parsed.format, look, brief, parsed.part} {settings.choices!r} {sorted(settings.assume.items())} "
            f"{_named(settings)}")
    with session_for(settings, no_head) as session:
        stored = None if parsed.pareto_picture else session.stored(page)
        if isinstance(stored, tuple):
            text, said = stored
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


def _brief(parsed: Namespace) -> BriefLook | None:
    """What the short report shows; None for JSON, for all sets, and for parts that are asked for one by one.

    Raises InputError for options that contradict each other.
    """
    full = parsed.format == "json" or parsed.sets or parsed.part
    flags = {"--brief": parsed.brief, "--sort": parsed.sort, "--top": parsed.top}
    given = [flag for flag, there in flags.items() if there]
    if full and given:
        other = "--format json" if parsed.format == "json" else "--sets" if parsed.sets else "--part"
        raise InputError(f"{given[0]} is about the short report, which {other} is not")
    if parsed.format == "json" and parsed.part:
        raise InputError("--part is about text; JSON has all parts")
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

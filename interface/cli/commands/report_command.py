"""``snapset report``: reads, analyses every head, writes text, JSON or a page for a browser, and the picture."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from snapset.cli.commands.acting import push_command
from snapset.cli.running.command_session import executor_of, results_of, session_for
from snapset.config.unheard_names import notes
from snapset.frontend.base.diagnostics import InputError
from snapset.render.layout.code_selection import CodeSelection, selection

if TYPE_CHECKING:
    from snapset.analysis.replay.experiment.inputs import Inputs
    from snapset.analysis.results import HeadResult
    from snapset.config.settings import Settings
    from snapset.frontend.ir import Program
    from snapset.library.session import Session
    from snapset.render.layout.brief_look import BriefLook
    from snapset.render.layout.byte_figures import Figures
    from snapset.render.pages import head_report

NO_LOOK = (80, False, False)
UNWRAPPED = 100_000
"""The width where no terminal is: lines are for grep then."""
Terminal = Callable[[], tuple[int, bool, bool]]


def run(
    settings: Settings, parsed: Namespace, terminal: Terminal, no_head: Callable[[Program], Exception]
) -> tuple[str, int, tuple[str, ...]]:
    """What to print, the exit code, and what to say of names in options that nothing has.

    Raises InputError for whatever is unusable, nothing written then.
    """
    _check(parsed)
    inputs = _inputs(parsed)
    look = terminal() if parsed.format == "text" else NO_LOOK
    visible = selection(settings.files, settings.select, settings.ignore, settings.project)
    brief = _brief(parsed)
    if brief is not None and not (sys.stdout and sys.stdout.isatty()) and "COLUMNS" not in os.environ:
        look = UNWRAPPED, *look[1:]
    quoted = _contents(settings.files) if parsed.format == "html" else ""
    page = (f"page {parsed.format, look, brief, parsed.part, parsed.set, quoted} {settings.choices!r} "
            f"{sorted(settings.assume.items())} {_named(settings)} {visible}")
    with session_for(settings, no_head) as session:
        if parsed.changed_since is not None:
            return _since(session, settings, parsed.changed_since, look, visible)
        if parsed.picture:
            _draw_sweeps(session, settings, parsed)
        stored = None if parsed.pareto_picture else session.stored(page)
        if isinstance(stored, tuple):
            return stored
        if parsed.format in push_command.FORMATS:
            return _pushes(session, settings, parsed.format), 0, ()
        if parsed.format not in ("text", "json"):
            html = parsed.format == "html"
            results, text, said = (_page(session, settings, inputs, visible) if html else
                                   _for_services(session, settings, parsed.format, visible))
            if html:
                session.store(page, (text, _code(results), said), ())
            _save_front(parsed, results)
            return text, _code(results), said
        from snapset.render.pages import head_report  # much code, which a run that has its page does not need

        form = head_report.OutputForm(parsed.format == "json", look, {}, brief is not None, visible)
        heads = _written(session, settings, form)

        def unheard() -> tuple[str, ...]:
            used, contained = (frozenset[str]().union(*names) for names in zip(
                *((one.figures.used, one.figures.contained) for one in heads), strict=True))
            return notes(settings, session.program(), used, contained, diagnosed=True)

        text = head_report.page(heads, parsed.format == "json", look, brief, tuple(parsed.part), unheard)
        said = unheard()
        said += tuple(visible.unused((found for one in heads for found in one.said), not settings.explicit_heads))
        code = _code([one.result for one in heads])
        session.store(page, (text, code, said), [one.result for one in heads])
    _save_front(parsed, [one.result for one in heads])
    return text, code, said


def _check(parsed: Namespace) -> None:
    """Raises InputError for pictures that cannot be written, and for what does not go with --changed-since."""
    if parsed.pareto_picture:
        from snapset.pictures import pareto_front

        pareto_front.check(parsed.pareto_picture)
    if parsed.picture:
        from snapset.pictures import sweep_picture

        sweep_picture.check(parsed.picture)
    if parsed.changed_since is not None:
        from snapset.cli.commands.acting import changed_parts

        changed_parts.refuse_others(parsed.format, parsed.sets, parsed.part, parsed.brief)


def _save_front(parsed: Namespace, results: Sequence[HeadResult]) -> None:
    if parsed.pareto_picture:
        from snapset.pictures import pareto_front

        pareto_front.save(parsed.pareto_picture, results)


def _code(results: Sequence[HeadResult]) -> int:
    """1 where what is shown has an error, such as a declared list that lacks something."""
    from snapset.render.layout.whole_result import all_diagnostics

    return int(any(one.severity == "error" for result in results for one in all_diagnostics(result)))


def _inputs(parsed: Namespace) -> Inputs | None:
    """What a page's run begins with. Raises InputError, before anything long begins, for what cannot be."""
    if not parsed.set:
        return None
    if parsed.format != "html":
        raise InputError("--set is for --format html, which draws a run's stack; for bytes in numbers there is "
                         f"--assume {parsed.set[0]}, and snapset replay --set runs the adjoint")
    from snapset.library.replay import parse_inputs

    return parse_inputs(parsed.set)


def _draw_sweeps(session: Session, settings: Settings, parsed: Namespace) -> None:
    """The picture of the parts that are asked for, or of the dearest ones; none where one is not there."""
    from snapset.pictures import sweep_picture
    from snapset.render.layout.byte_figures import Figures
    from snapset.render.pages.report_summary import dearest

    results = results_of(session, settings)
    shown = []
    for result in results:
        if parsed.part:
            parts = [part for part in result.parts if any(map(part.is_meant, parsed.part))]
        else:
            parts = dearest(result, Figures(settings.assume), sweep_picture.MOST_PARTS)
        shown.append((result, parts))
    if all(any(part.is_meant(name) for _, parts in shown for part in parts) for name in parsed.part):
        sweep_picture.save(parsed.picture, shown)


def _page(session: Session, settings: Settings, inputs: Inputs | None, visible: CodeSelection
          ) -> tuple[tuple[HeadResult, ...], str, tuple[str, ...]]:
    """The page for a browser, what it is made of, and notes."""
    from snapset.library.page_material import explained_heads, material
    from snapset.render.html import report_page
    from snapset.render.layout.byte_figures import Figures

    explainers = explained_heads(session, settings.choices)
    found = results_of(session, settings) if explainers is None else tuple(one.result for one in explainers)
    figures = Figures(settings.assume)
    results = tuple(visible.of(one) for one in found)
    text = report_page.page(material(session, settings.choices, results, inputs, explainers), figures)
    return results, text, _said(session, settings, figures, found, visible)


def _since(session: Session, settings: Settings, rev: str, look: tuple[int, bool, bool],
           visible: CodeSelection) -> tuple[str, int, tuple[str, ...]]:
    """All of the parts that have changed since a revision."""
    from snapset.cli.commands.acting import changed_parts
    from snapset.render.layout.byte_figures import Figures
    from snapset.render.pages import report_text

    found = changed_parts.changes(settings.files, rev)
    results, figures = results_of(session, settings), Figures(settings.assume)
    names = changed_parts.changed_parts(results, session.program(), found)
    style = report_text.looking(*look)
    texts = [report_text.part_text(part, result.strategies, figures, style)
             for result in map(visible.of, results) for part in result.parts if part.id in names]
    return "".join(texts) or changed_parts.nothing(results, rev), _code([visible.of(one) for one in results]), ()


def _pushes(session: Session, settings: Settings, form: str) -> str:
    """What to write into an adjoint."""
    from snapset.library.push_lines import head_pushes

    with executor_of(session, settings) as executor:
        return push_command.written(list(session.each(settings.choices, head_pushes, executor)), settings, form)


def _contents(files: Sequence[str]) -> str:
    """A hash of the files as they are: a page quotes them, comments and all."""
    from hashlib import sha256

    found = sha256()
    for file in files:
        try:
            found.update((Path(file).read_bytes() if os.path.isfile(file) else b"") + b"\0")
        except (OSError, ValueError):
            found.update(b"\0")
    return found.hexdigest()


def _for_services(session: Session, settings: Settings, form: str, visible: CodeSelection
                  ) -> tuple[tuple[HeadResult, ...], str, tuple[str, ...]]:
    """Results whole, as one of the formats for services."""
    from snapset.library import service_formats
    from snapset.render.layout.byte_figures import Figures

    results, figures = results_of(session, settings), Figures(settings.assume)
    shown = tuple(visible.of(one) for one in results)
    text = service_formats.run(session, shown, settings.choices, figures, form)
    return shown, text, _said(session, settings, figures, results, visible)


def _said(session: Session, settings: Settings, figures: Figures, results: Sequence[HeadResult],
          visible: CodeSelection) -> tuple[str, ...]:
    """Names that nothing has, ignores that hide nothing."""
    from snapset.render.layout.whole_result import all_diagnostics

    said = notes(settings, session.program(), figures.used, figures.contained, diagnosed=True)
    every = (found for one in results for found in all_diagnostics(one))
    return *said, *visible.unused(every, not settings.explicit_heads)


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
    from snapset.render.layout.brief_look import BriefLook

    return BriefLook(parsed.top or 10, parsed.brief, parsed.sort == "bytes")


def _named(settings: Settings) -> object:
    """Where the names come from that are complained of where nothing has them."""
    return sorted(settings.asked), settings.explicit_heads, settings.project


def _written(
    session: Session, settings: Settings, form: head_report.OutputForm
) -> list[head_report.WrittenHead]:
    """What is written of each head; the trip counts that a counted run tells are numbers in all of them."""
    from snapset.render.pages import head_report

    counted: dict[str, int] = {}
    if settings.choices.counts is not None:
        for one in session.each(settings.choices, head_report.counted_trips):
            counted.update(one)
    form = replace(form, assume={**counted, **settings.assume})
    with executor_of(session, settings) as executor:
        return [head_report.head_written(form, plain)
                for plain in session.each(settings.choices, head_report.Writing(form), executor)]

"""``snapset report``: reads, analyses every head, writes text or JSON and the picture."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from snapset.cli.command_session import results_of, session_for
from snapset.config.unheard_names import notes

if TYPE_CHECKING:
    from snapset.analysis.results import HeadResult
    from snapset.config.settings import Settings
    from snapset.frontend.ir import Program
    from snapset.library.session import Session
    from snapset.render.byte_figures import Figures

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
    look = (parsed.format, *(terminal() if parsed.format == "text" else ()))
    page = f"page {look} {settings.choices!r} {sorted(settings.assume.items())} {_named(settings)}"
    with session_for(settings, no_head) as session:
        stored = None if parsed.pareto_picture else session.stored(page)
        if isinstance(stored, tuple):
            text, said = stored
            return text, said
        kept = None if parsed.pareto_picture else _kept(session, settings, look)
        if kept is not None and not notes(settings, session.program(), kept[1]):
            text, _, result = kept
            session.store(page, (text, ()), [result])
            return text, ()
        results = results_of(session, settings)
        figures = _figures(results, settings)
        session.stage("writing")
        text = _json(results, figures) if parsed.format == "json" else _text(results, figures, terminal())
        said = notes(settings, session.program(), figures.used, figures.contained)
        session.store(page, (text, said), results)
    if parsed.pareto_picture:
        pareto_front.save(parsed.pareto_picture, results)
    return text, said


def _named(settings: Settings) -> object:
    """Where the names come from that are complained of where nothing has them."""
    return sorted(settings.asked), settings.explicit_heads, settings.project


def _kept(
    session: Session, settings: Settings, look: tuple[str, int, bool, bool] | tuple[str]
) -> tuple[str, frozenset[str], HeadResult] | None:
    """The report made from what earlier runs kept; None where the whole has to be analysed."""
    if settings.executor is not None or session.cache.path is None:
        return None
    found = session.incremental(settings.choices)
    if found is None:
        return None
    from snapset.analysis.incremental.cached_models import StaleError
    from snapset.render import cached_report

    form = cached_report.Form(look[0] == "json", look[1:] if len(look) == 4 else (80, False, False), settings.assume)
    try:
        written = cached_report.write(found, form)
    except StaleError:
        return None
    if written is not None:
        found.shelf.save()
    return written


def _figures(results: Sequence[HeadResult], settings: Settings) -> Figures:
    """Numbers for names: the trip counts that a counted run tells, and what is assumed."""
    from snapset.render.byte_figures import Figures

    counted = {name: count for one in results for name, count in (one.counted_trips or {}).items()}
    return Figures({**counted, **settings.assume})


def _json(results: Sequence[HeadResult], figures: Figures) -> str:
    from snapset.documents.json_text import dumps
    from snapset.render import report_json

    return dumps([report_json.document(result, figures) for result in results])


def _text(results: Sequence[HeadResult], figures: Figures, look: tuple[int, bool, bool]) -> str:
    from snapset.render import report_text

    width, colour, plain = look
    return "\n".join(report_text.write(one, figures, width=width, colour=colour, ascii_only=plain) for one in results)

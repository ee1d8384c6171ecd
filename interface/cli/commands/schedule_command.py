"""``snapset schedule``: reads, finds the sets of the heads' time loops and the best schedules, writes text and JSON."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING

from snapset.cli.running.command_session import session_for
from snapset.cli.running.executed_program import check_heads
from snapset.config.unheard_names import notes
from snapset.frontend.base.diagnostics import InputError
from snapset.library.replay import parse_inputs
from snapset.library.schedule import schedule_head
from snapset.render.layout.byte_figures import Figures

if TYPE_CHECKING:
    from snapset.analysis.loops.scheduled_loop import ScheduledLoop
    from snapset.analysis.schedules.schedule_table import Offer
    from snapset.config.settings import Settings
    from snapset.frontend.ir import Program


def run(
    settings: Settings,
    parsed: Namespace,
    terminal: Callable[[], tuple[int, bool, bool]],
    no_head: Callable[[Program], Exception],
) -> tuple[str, tuple[str, ...]]:
    """What to print, and what to say of names that nothing has. Raises InputError for whatever is unusable."""
    from snapset.analysis.loops.checkpoint_room import parse_room

    room = None if parsed.memory is None else parse_room(parsed.memory, parsed.disk, parsed.step_time)
    if room is None and (parsed.disk or parsed.actions or parsed.emit or parsed.picture):
        raise InputError("--disk, --actions, --emit and --picture need the bytes there are: give --memory, such as "
                         "80KB")
    if parsed.picture:
        from snapset.pictures import schedule_picture

        schedule_picture.check(parsed.picture)
    inputs = parse_inputs(parsed.set, parsed.seed) if parsed.set else None
    found: list[ScheduledLoop] = []
    with session_for(settings, no_head) as session:
        program = session.program()
        check_heads(program, session.heads, settings)
        for head in session.heads:
            found += schedule_head(program, head, settings.choices, settings.loops, parsed.period, room, inputs,
                                   session.stage)
    given = {} if inputs is None else {name: one for name, one in inputs.given.items() if type(one) is int}
    figures = Figures({**given, **settings.assume})
    listed = [None if parsed.actions is None else _named(one, parsed.actions) for one in found]
    if parsed.picture:
        schedule_picture.save(parsed.picture, [one.best for one in found if one.best is not None])
    if parsed.format == "json":
        from snapset.documents.json_text import dumps
        from snapset.render.records import schedule_json

        text = dumps([schedule_json.document(one, figures, actions)
                      for one, actions in zip(found, listed, strict=True)])
    else:
        from snapset.render.pages import schedule_text

        markup = parsed.format == "html"
        width, colour, plain = (80, False, False) if markup else terminal()
        pages = [schedule_text.write_schedule(one, figures, width=width, colour=colour, ascii_only=plain,
                                              actions=actions, emit=parsed.emit is not None, markup=markup)
                 for one, actions in zip(found, listed, strict=True)]
        text = _page(found, pages) if markup else "\n".join(pages)
    used = figures.used | (set(settings.assume) if room is not None else set())
    return text, notes(settings, program, used, figures.contained)


def _page(found: list[ScheduledLoop], pages: list[str]) -> str:
    """For a browser, with the best schedules drawn."""
    from snapset.pictures import schedule_picture
    from snapset.render.layout.page_frame import figure, tables

    best = [one.best for one in found if one.best is not None]
    drawn = [figure(schedule_picture.draw(best), "The best schedule: which steps are run, stored and reversed when.")]
    return tables("Time loops and their schedules", pages, drawn if best else [])


def _named(loop: ScheduledLoop, name: str) -> Offer:
    """The schedule of a name. Raises InputError where there is none."""
    wanted = name.strip().lower()
    found = loop.best if wanted == "best" else next(
        (one for one in loop.schedules if one.name.lower().startswith(wanted)), None)
    if found is None:
        names = ", ".join(("best", *(one.name for one in loop.schedules))) if loop.schedules else \
            "none without numbers for all sizes: see --assume"
        raise InputError(f"--actions {name}: no such schedule; there are {names}")
    return found

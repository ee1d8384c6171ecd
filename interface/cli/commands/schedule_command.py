"""``snapset schedule``: reads, finds the sets of the heads' time loops, writes text and JSON."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING

from snapset.cli.running.command_session import session_for
from snapset.config.unheard_names import notes
from snapset.library.schedule import schedule_head
from snapset.render.layout.byte_figures import Figures

if TYPE_CHECKING:
    from snapset.analysis.loops.loop_results import LoopSets
    from snapset.config.settings import Settings
    from snapset.frontend.ir import Program


def run(
    settings: Settings,
    parsed: Namespace,
    terminal: Callable[[], tuple[int, bool, bool]],
    no_head: Callable[[Program], Exception],
) -> tuple[str, tuple[str, ...]]:
    """What to print, and what to say of names that nothing has. Raises InputError for whatever is unusable."""
    found: list[LoopSets] = []
    with session_for(settings, no_head) as session:
        program = session.program()
        for head in session.heads:
            found += schedule_head(program, head, settings.choices, settings.loops, parsed.period, session.stage)
    figures = Figures(settings.assume)
    if parsed.format == "json":
        from snapset.documents.json_text import dumps
        from snapset.render.records import schedule_json

        text = dumps([schedule_json.document(one, figures) for one in found])
    else:
        from snapset.render.pages import schedule_text

        width, colour, plain = terminal()
        text = "\n".join(schedule_text.write_schedule(one, figures, width=width, colour=colour, ascii_only=plain)
                         for one in found)
    return text, notes(settings, program, figures.used, figures.contained)

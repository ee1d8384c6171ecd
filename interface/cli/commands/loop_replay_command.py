"""``snapset replay --schedule``: runs every head with its time loop under schedules, writes text and JSON."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING

from snapset.cli.running.executed_program import program_to_run
from snapset.cli.running.progress import Progress
from snapset.config.unheard_names import notes
from snapset.frontend.base.diagnostics import InputError
from snapset.library import analysis
from snapset.library.replay import parse_inputs, replay_loops

if TYPE_CHECKING:
    from snapset.config.settings import Settings
    from snapset.frontend.ir import Program


def run(
    settings: Settings,
    parsed: Namespace,
    terminal: Callable[[], tuple[int, bool, bool]],
    no_head: Callable[[Program], Exception],
) -> tuple[str, int, tuple[str, ...]]:
    """What to print, the exit code: 1 if any gradient differs, and what to say of names that nothing has.

    Raises InputError for whatever is unusable, nothing written then.
    """
    from snapset.analysis.loops.checkpoint_room import parse_room
    from snapset.analysis.replay.experiment.compare_strategies import ROOM, ExperimentOptions
    from snapset.analysis.replay.machine.primal import ENDLESS
    from snapset.analysis.replay.timeloop.schedule_chooser import SchedulesWanted

    if parsed.memory is None:
        raise InputError("--schedule needs the bytes there are for checkpoints: give --memory, such as 80KB")
    if parsed.picture:
        raise InputError("--picture is not for --schedule: leave one of them out; snapset schedule --picture draws one")
    inputs, heads = parse_inputs(parsed.set, parsed.seed), analysis.parse_heads(settings.heads)
    room = parse_room(parsed.memory, parsed.disk, parsed.step_time)
    names = tuple(name.strip().lower() for name in parsed.schedule.split(",") if name.strip())
    wanted = SchedulesWanted(room.memory, names, room.with_step, room.disk, room.step_time, parsed.period,
                             parsed.poison, parsed.necessity)
    limits = ExperimentOptions(room=parsed.max_bytes or ROOM, limit=parsed.max_steps or ENDLESS)
    with Progress(settings.quiet, piped=True) as progress:
        progress.stage("reading")
        program = program_to_run(settings, heads, no_head)
        found = [one for head in heads for one in replay_loops(program, head, settings.choices, inputs, wanted,
                                                               settings.loops, limits, progress.stage)]
    code = 0 if all(one.equal for one in found) else 1
    if parsed.format == "json":
        from snapset.documents.json_text import dumps
        from snapset.render.records import loop_replay_json

        return dumps([loop_replay_json.document(one) for one in found]), code, notes(settings, program, None)
    from snapset.render.pages import loop_replay_text

    markup = parsed.format == "html"
    width, colour, plain = (80, False, False) if markup else terminal()
    pages = [loop_replay_text.write_loop_replay(one, width=width, colour=colour, ascii_only=plain, markup=markup)
             for one in found]
    if markup:
        from snapset.render.layout.page_frame import tables

        return tables("Time loops under schedules", pages), code, notes(settings, program, None)
    text = "\n".join(pages)
    return text, code, notes(settings, program, None)

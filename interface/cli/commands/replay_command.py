"""``snapset replay``: reads, runs every head, writes text, JSON and the picture."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING

from snapset.cli.running.executed_program import program_to_run
from snapset.cli.running.progress import Progress
from snapset.config.unheard_names import notes
from snapset.frontend.base.diagnostics import InputError
from snapset.library import analysis
from snapset.library.replay import parse_inputs, replay_head

if TYPE_CHECKING:
    from snapset.analysis.replay.experiment.measurements import Comparison
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
    if parsed.loop or parsed.disk or parsed.period != 1:
        raise InputError("--loop, --disk and --period are for --schedule: give that too, or leave them out")
    results, said = _replay(settings, parsed, no_head)
    if parsed.picture:
        from snapset.pictures import stack_picture

        stack_picture.save(parsed.picture, results)
    if parsed.format == "json":
        from snapset.documents.json_text import dumps
        from snapset.render.records import replay_json

        text = dumps([replay_json.document(one) for one in results])
    else:
        from snapset.render.pages import replay_text

        markup = parsed.format == "html"
        width, colour, plain = (80, False, False) if markup else terminal()
        pages = [
            replay_text.write_replay(one, verbose=parsed.verbose, width=width, colour=colour, ascii_only=plain,
                                     markup=markup)
            for one in results
        ]
        text = _page(results, pages) if markup else "\n".join(pages)
    return text, 0 if all(one.equal for one in results) else 1, said


def _page(results: tuple[Comparison, ...], pages: list[str]) -> str:
    """For a browser, with the stack of each run."""
    from snapset.pictures import stack_picture
    from snapset.render.layout.page_frame import figure, tables

    drawn = figure(stack_picture.draw(results), "The bytes on the stack at each step of the run.")
    return tables(", ".join(f"Replay of {one.head}" for one in results), pages, [drawn])


def _replay(
    settings: Settings, parsed: Namespace, no_head: Callable[[Program], Exception]
) -> tuple[tuple[Comparison, ...], tuple[str, ...]]:
    # What is malformed is told before anything long begins.
    inputs = parse_inputs(parsed.set, parsed.seed)
    analysis.parse_strategies(settings.choices.strategies)
    heads = analysis.parse_heads(settings.heads)
    if parsed.picture:
        from snapset.pictures import stack_picture

        stack_picture.check(parsed.picture)
    from snapset.analysis.replay.experiment.compare_strategies import ROOM, ExperimentOptions
    from snapset.analysis.replay.machine.primal import ENDLESS

    wanted = ExperimentOptions(parsed.poison, parsed.necessity,
                               bool(parsed.picture) or parsed.format == "html", room=parsed.max_bytes or ROOM,
                               limit=parsed.max_steps or ENDLESS)
    with Progress(settings.quiet, piped=True) as progress:
        progress.stage("reading")
        program = program_to_run(settings, heads, no_head)
        run = [replay_head(program, head, settings.choices, inputs, wanted, progress.stage) for head in heads]
        return tuple(run), notes(settings, program, None)

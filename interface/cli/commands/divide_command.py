"""``snapset divide``: reads, divides every head's run, writes text, JSON and the picture."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING

from snapset.cli.running.executed_program import program_to_run
from snapset.cli.running.progress import Progress
from snapset.config.unheard_names import notes
from snapset.frontend.base.diagnostics import InputError
from snapset.library import analysis
from snapset.library.divide import divide_head
from snapset.library.replay import parse_inputs

if TYPE_CHECKING:
    from snapset.analysis.replay.divide.divide_experiment import DivideOptions
    from snapset.analysis.replay.divide.divide_results import CapsuleView, DivideComparison
    from snapset.config.settings import Settings
    from snapset.frontend.ir import Program


def run(settings: Settings, parsed: Namespace, terminal: Callable[[], tuple[int, bool, bool]],
        no_head: Callable[[Program], Exception]) -> tuple[str, int, tuple[str, ...]]:
    """What to print, the exit code: 1 if any gradient differs, and what to say of names that nothing has.

    Raises InputError for whatever is unusable, nothing written then.
    """
    wanted = _wanted(parsed)
    if parsed.picture:
        from snapset.pictures import checkpoint_tree_picture

        if parsed.at is not None:
            raise InputError("--picture draws a tree, --at shows one capsule: leave one of them out")
        checkpoint_tree_picture.check(parsed.picture)
    results, views, said = _divided(settings, parsed, wanted, no_head)
    if parsed.picture:
        checkpoint_tree_picture.save(parsed.picture, results)
    if parsed.format == "json":
        from snapset.documents.json_text import dumps
        from snapset.render.records import divide_json

        text = dumps([*map(divide_json.document, results), *map(divide_json.capsule_document, views)])
    else:
        from snapset.render.pages import divide_text

        markup = parsed.format == "html"
        look = divide_text.Look(*((80, False, False) if markup else terminal()), parsed.verbose, markup)
        pages = [*(divide_text.write_divide(one, look) for one in results),
                 *(divide_text.write_capsule(one, look) for one in views)]
        text = _page(results, pages) if markup else "\n".join(pages)
    return text, 0 if all(one.equal for one in results) else 1, said


def _page(results: tuple[DivideComparison, ...], pages: list[str]) -> str:
    """For a browser, with the trees of splits."""
    from snapset.pictures import checkpoint_tree_picture
    from snapset.render.layout.page_frame import figure, tables

    drawn = figure(checkpoint_tree_picture.draw(results), "Steps from left to right, what is done from top to bottom.")
    return tables("Divide and conquer over the whole run", pages, [drawn] if results else [])


def _wanted(parsed: Namespace) -> DivideOptions:
    """Raises InputError for options that contradict each other, before anything long begins."""
    from snapset.analysis.divide.split_points import MIDS
    from snapset.analysis.replay.divide.divide_experiment import DivideOptions, check_options
    from snapset.analysis.replay.machine.primal import ENDLESS, ROOM

    steps, size = parsed.leaf or (None, None)
    line, snapshots = getattr(parsed, "beside", None) or (None, 40)
    wanted = DivideOptions(parsed.divide, (parsed.mid,) if parsed.mid else tuple(MIDS), parsed.space, parsed.time,
                           parsed.log, steps, size, parsed.memory, parsed.steps, getattr(parsed, "plan", False),
                           line, snapshots, parsed.leaf_plan, parsed.max_steps or ENDLESS, parsed.max_bytes or ROOM)
    check_options(wanted)
    return wanted


def _divided(settings: Settings, parsed: Namespace, wanted: DivideOptions, no_head: Callable[[Program], Exception]
             ) -> tuple[tuple[DivideComparison, ...], tuple[CapsuleView, ...], tuple[str, ...]]:
    inputs, heads = parse_inputs(parsed.set, parsed.seed), analysis.parse_heads(settings.heads)
    at = getattr(parsed, "at", None)
    with Progress(settings.quiet, piped=True) as progress:
        progress.stage("reading")
        program = program_to_run(settings, heads, no_head)
        said = notes(settings, program, None)
        options = analysis.analysis_options(settings.choices)
        if at is not None:
            from snapset.analysis.replay.divide.divide_experiment import capsule_at

            return (), tuple(capsule_at(program, head, at, wanted, inputs, options) for head in heads), said
        return tuple(divide_head(program, head, wanted, settings.choices, inputs, progress.stage, progress.share)
                     for head in heads), (), said

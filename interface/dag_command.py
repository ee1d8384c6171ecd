"""``snapset dag``: reads, decides for every head's regions, writes text, JSON and the pictures."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING

from snapset import api, dag_picture
from snapset.progress import Progress

if TYPE_CHECKING:
    from snapset.analysis.dag.regions import HeadRegions, Wanted
    from snapset.frontend.ir import Program
    from snapset.settings import Settings


def run(
    settings: Settings,
    parsed: Namespace,
    terminal: Callable[[], tuple[int, bool, bool]],
    no_head: Callable[[Program], Exception],
) -> str:
    """What to print. Raises InputError for whatever is unusable, nothing written then."""
    for path in parsed.graph:
        dag_picture.check(path)
    results = _results(settings, parsed, no_head)
    for path in parsed.graph:
        dag_picture.save(path, results)
    if parsed.format == "json":
        from snapset import dag_json, report_json

        return report_json.dumps([dag_json.dag_document(one) for one in results])
    from snapset import dag_text

    width, colour, plain = terminal()
    pages = [
        dag_text.write_dag(one, verbose=parsed.verbose, width=width, colour=colour, ascii_only=plain) for one in results
    ]
    return "\n".join(pages)


def _results(
    settings: Settings, parsed: Namespace, no_head: Callable[[Program], Exception]
) -> tuple[HeadRegions, ...]:
    # What is malformed is told before anything long begins.
    heads = api.parse_heads(settings.heads)
    from snapset.analysis.dag.regions import head_regions

    options, wanted = api.analysis_options(settings.choices), _wanted(settings, parsed)
    with Progress(settings.quiet) as progress:
        progress.stage("reading")
        program = api.load(settings.files, settings.read, regions=settings.regions, heads=settings.heads)
        if not heads:
            raise no_head(program)
        return tuple(head_regions(program, head, wanted, options, progress.stage) for head in heads)


def _wanted(settings: Settings, parsed: Namespace) -> Wanted:
    from snapset.analysis.dag.regions import Wanted
    from snapset.analysis.dag.search import Effort
    from snapset.analysis.dag.solving import Options
    from snapset.frontend.diagnostics import InputError

    lines = settings.choices.counts
    if lines is not None and parsed.weights == "count":
        raise InputError("--counts gives bytes of a run, --weights count counts values: leave one of them out")
    return Wanted(
        options=Options(method=parsed.method, seconds=parsed.seconds, delta=parsed.delta,
                        effort=Effort(seed=parsed.seed)),
        order=parsed.order,
        unit="bytes" if parsed.weights == "bytes" or lines is not None else "values",
        assume=settings.assume,
        lines=lines,
        price=parsed.price,
        only=frozenset(parsed.at),
    )

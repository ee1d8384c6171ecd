"""``snapset dag``: reads, decides for every head's regions, writes text, JSON and the pictures."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

from snapset.cli.running.command_session import cores, session_for
from snapset.cli.running.executed_program import check_heads
from snapset.config.unheard_names import notes
from snapset.frontend.base.diagnostics import InputError
from snapset.library import analysis
from snapset.library.executors import executor_for
from snapset.library.replay import parse_inputs
from snapset.pictures import dag_output

if TYPE_CHECKING:
    from snapset.analysis.activity.differentiation_head import Head
    from snapset.analysis.dag.fortran.solved_levels import HeadRegions, Wanted
    from snapset.analysis.pipeline import AnalysisOptions
    from snapset.analysis.replay.dag.dag_experiment import DagReplay
    from snapset.analysis.replay.experiment.inputs import Inputs
    from snapset.config.settings import Settings
    from snapset.frontend.ir import Program


def run(
    settings: Settings,
    parsed: Namespace,
    terminal: Callable[[], tuple[int, bool, bool]],
    no_head: Callable[[Program], Exception],
) -> tuple[str, int, tuple[str, ...]]:
    """What to print, the exit code: 1 if a gradient is wrong, and what to say of names that nothing has.

    Raises InputError for whatever is unusable, nothing written then.
    """
    for path in parsed.graph:
        dag_output.check(path)
    results, said = _results(settings, parsed, no_head)
    for path in parsed.graph:
        dag_output.save(path, [found for found, _ in results])
    code = 0 if all(replayed is None or replayed.equal for _, replayed in results) else 1
    if parsed.format == "json":
        from snapset.documents.json_text import dumps
        from snapset.render.records import dag_json

        return dumps([dag_json.document(*one) for one in results]), code, said
    from snapset.render.pages import dag_text

    markup = parsed.format == "html"
    width, colour, plain = (80, False, False) if markup else terminal()
    pages = [
        dag_text.write_dag(*one, verbose=parsed.verbose, width=width, colour=colour, ascii_only=plain, markup=markup)
        for one in results
    ]
    if markup:
        from snapset.pictures import dag_svg
        from snapset.render.layout.page_frame import figure, tables

        drawn = figure(dag_svg.draw([found for found, _ in results]), "Each graph with its cut, and the places (S) and "
                       "values (U) that are stored.")
        return tables("Store or recompute", pages, [drawn]), code, said
    return "\n".join(pages), code, said


def _results(
    settings: Settings, parsed: Namespace, no_head: Callable[[Program], Exception]
) -> tuple[list[tuple[HeadRegions, DagReplay | None]], tuple[str, ...]]:
    # What is malformed is told before anything long begins.
    inputs, wanted, options = _inputs(parsed), _wanted(settings, parsed), analysis.analysis_options(settings.choices)
    from snapset.analysis.dag.fortran.head_problems import head_regions

    done: list[tuple[HeadRegions, DagReplay | None]] = []
    jobs = settings.jobs or cores()
    with session_for(settings, no_head) as session, executor_for(settings.executor, jobs, jobs) as executor:
        program = session.program()
        check_heads(program, session.heads, settings)
        for head in session.heads:
            found = head_regions(program, head, wanted, options, session.stage, executor)
            replayed = None
            if inputs is not None:
                session.stage(f"executing {head.text}")
                replayed = _replayed(program, head, found, inputs, options)
            done.append((found, replayed))
    used = frozenset[str]().union(*(found.used for found, _ in done))
    return done, notes(settings, program, used, used, "no cost depends on it")


def _inputs(parsed: Namespace) -> Inputs | None:
    if parsed.set and not parsed.replay:
        raise InputError("--set is for --replay: give that too, or leave it out")
    return parse_inputs(parsed.set, parsed.seed) if parsed.replay else None


def _replayed(program: Program, head: Head, found: HeadRegions, inputs: Inputs, options: AnalysisOptions) -> DagReplay:
    from snapset.analysis.replay.dag.dag_experiment import replay_dag

    choices = {(region.key, region.index): (region.level, region.answer.choice) for region in found.regions}
    return replay_dag(program, head, choices, inputs, options)


def _wanted(settings: Settings, parsed: Namespace) -> Wanted:
    from snapset.analysis.dag.fortran.solved_levels import Wanted
    from snapset.analysis.dag.solvers.annealing import Effort
    from snapset.analysis.dag.solvers.solve import Options

    lines = settings.choices.counts
    if lines is not None and parsed.weights == "count":
        raise InputError("--counts gives bytes of a run, --weights count counts values: leave one of them out")
    return Wanted(
        options=Options(method=parsed.method, seconds=parsed.seconds, delta=Fraction(parsed.delta),
                        effort=Effort(seed=parsed.search_seed)),
        order=parsed.order,
        unit="bytes" if parsed.weights == "bytes" or lines is not None else "values",
        assume=settings.assume,
        lines=lines,
        price=parsed.price,
        only=frozenset(parsed.at),
    )

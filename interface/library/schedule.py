"""The library's :func:`schedule`: what restarts a time loop, and what its adjoint needs of each step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from snapset.frontend.base.collection_arguments import collections
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.source_model import ReadOptions
from snapset.library.analysis import Choices, Region, analysis_options, load, parse_heads, parse_loop

if TYPE_CHECKING:
    from snapset.analysis.activity.differentiation_head import Head
    from snapset.analysis.loops.loop_results import LoopSets
    from snapset.frontend.ir import Program


def schedule(
    paths: Iterable[str],
    head: str,
    loop: str | None = None,
    choices: Choices | None = None,
    *,
    period: int = 1,
    read: ReadOptions | None = None,
    regions: Iterable[Region] = (),
) -> tuple[LoopSets, ...]:
    """The sets of a time loop, of each adjoint code that runs it (one, unless ``choices.context``).

    ``loop``: ``FILE:LINE``; None: what stands behind ``!$AD BINOMIAL-CKP``. ``period``: iterations that make a step.
    Raises InputError for what :func:`snapset.report` refuses, for no loop, and for one that a jump leaves.
    """
    collections("schedule", paths=paths, regions=regions)
    files = tuple(paths)
    heads = parse_heads([head])
    if len(heads) != 1:
        raise InputError(f"{head}: {len(heads)} heads where one is wanted; call snapset.schedule for each")
    if period < 1:
        raise InputError(f"period is {period}; give the number of iterations that make a step, 1 or more")
    choices = choices or Choices()
    program = load(files, read, regions=regions, heads=[head], effects=choices.effects)
    given = () if loop is None else (parse_loop(loop, files),)
    return schedule_head(program, heads[0], choices, given, period)


def schedule_head(program: Program, head: Head, choices: Choices, loops: Sequence[tuple[str, int]], period: int = 1,
                  heard: Callable[[str], None] = lambda doing: None) -> tuple[LoopSets, ...]:
    """As :func:`schedule`, for a program that was read; ``heard`` is told what is being done."""
    from snapset.analysis.loops.loop_analysis import analyse_loop, loop_sets
    from snapset.frontend.interprocedural.marked_loops import mark_loop

    found = []
    for file, line in wanted_loops(program, loops):
        heard(f"analysing the loop of {file}:{line}")
        marked, place = mark_loop(program, file, line)
        for one in analyse_loop(marked, head, place, analysis_options(choices)):
            found.append(loop_sets(one, period, choices.assume))
    return tuple(found)


def wanted_loops(program: Program, given: Sequence[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    """Those that are given, or behind the pragma. Raises InputError where there is none."""
    from snapset.frontend.interprocedural.marked_loops import all_loops, pragma_loops

    found = tuple(given) or pragma_loops(program)
    if not found:
        there = [f"{file}:{line}" for file, line in all_loops(program)]
        more = f" and {len(there) - 8} more" if len(there) > 8 else ""
        raise InputError("no loop given: say which with --loop FILE:LINE, or put !$AD BINOMIAL-CKP before its DO; "
                         f"loops found: {', '.join(there[:8]) or 'none'}{more}")
    return found

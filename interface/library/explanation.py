"""Why a location is saved at a part: the library's function, which ``snapset explain`` calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from snapset.frontend.base.collection_arguments import collections
from snapset.frontend.base.diagnostics import InputError
from snapset.library.analysis import Choices, Region, analysis_options, load, parse_heads, parse_strategies

if TYPE_CHECKING:
    from snapset.analysis.activity.differentiation_head import Head
    from snapset.analysis.evidence.part_explanation import Explanation
    from snapset.frontend.base.source_model import ReadOptions
    from snapset.frontend.ir import Program

FIRST = "lazy"
"""The strategy whose choice is explained where none is asked for."""

ANALYSED = 0.8
"""How much of explaining is done once the head is analysed; the rest is the search for evidence."""


def explain(paths: Iterable[str], head: str, at: str, variable: str, choices: Choices | None = None, *,
            read: ReadOptions | None = None, regions: Iterable[Region] = ()) -> tuple[Explanation, ...]:
    """Why a variable is saved at a part, or is not, with the statements that are the reason.

    ``at``: a part's id (``burgers@13``), a line in it (``burgers.f90:14``), or the procedure that it calls.
    ``variable``: as the part's procedure names it; a section means the array, an object of derived type all its parts.
    ``choices``: its strategies are explained one by one (default: lazy).

    Raises InputError for a head, part or variable that is not there.
    """
    collections("explain", paths=paths, regions=regions)
    choices = choices or Choices(strategies=FIRST)
    heads = parse_heads([head])
    if len(heads) != 1:
        raise InputError(f"{head}: {len(heads)} heads where one is wanted")
    program = load(paths, read, regions=regions, heads=[head], effects=choices.effects)
    return tuple(explanations(program, heads, choices, at, variable))


def explanations(program: Program, heads: Sequence[Head], choices: Choices, at: str, variable: str,
                 share: Callable[[float], None] = lambda done: None) -> Iterator[Explanation]:
    """The same of a program that is loaded, for the first of some heads that has such a part. ``share`` hears how much
    is done, from 0 to 1."""
    from snapset.analysis.evidence.part_explanation import HeadExplainer

    missing: InputError | None = None
    strategies = parse_strategies(choices.strategies)
    for number, head in enumerate(heads):
        for place, strategy in enumerate(strategies):
            share((number + place/len(strategies))/len(heads))
            explainer = HeadExplainer(program, head, strategy, analysis_options(choices))
            try:
                places = explainer.parts_at(at)
            except InputError as error:
                missing = error
                break
            share((number + (place + ANALYSED)/len(strategies))/len(heads))
            for one in places:
                yield from explainer.explained(one, variable)
        else:
            return
    if missing is not None:
        raise missing

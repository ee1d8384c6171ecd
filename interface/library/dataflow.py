"""Data-flow problems as the analyses of some heads solve them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import TYPE_CHECKING

from snapset.library.analysis import Choices, analyse_all

if TYPE_CHECKING:
    from snapset.analysis.activity.differentiation_head import Head
    from snapset.analysis.dataflow.observation import SolvedProblem
    from snapset.frontend.ir.statements import Program


def solved_problems(program: Program, heads: Sequence[Head], choices: Choices, name: str,
                    share: Callable[[float], None] = lambda done: None) -> list[SolvedProblem]:
    """Each problem of that name, as it was solved; nothing of it comes from an earlier run. ``share`` hears how much is
    done, from 0 to 1."""
    from snapset.analysis.dataflow.observation import watching

    numbers = count(1)
    with watching(name) as found:
        analyse_all(program, heads, choices, done=lambda _: share(next(numbers)/len(heads)))
    return found

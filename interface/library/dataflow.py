"""Data-flow problems as the analyses of some heads solve them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from snapset.library.analysis import Choices, analyse_all

if TYPE_CHECKING:
    from snapset.analysis.activity.differentiation_head import Head
    from snapset.analysis.dataflow.observation import SolvedProblem
    from snapset.frontend.ir.statements import Program


def solved_problems(program: Program, heads: Sequence[Head], choices: Choices, name: str) -> list[SolvedProblem]:
    """Each problem of that name, as it was solved; nothing of it comes from an earlier run."""
    from snapset.analysis.dataflow.observation import watching

    with watching(name) as found:
        analyse_all(program, heads, choices)
    return found

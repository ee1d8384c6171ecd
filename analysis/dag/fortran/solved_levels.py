"""The store-or-recompute problems of a head with their answers. Made by
:mod:`snapset.analysis.dag.fortran.head_problems`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Literal

from snapset.analysis.costs.profile_counts import Lines
from snapset.analysis.dag.fortran.level_problem import LevelProblem
from snapset.analysis.dag.problem.vertex_elimination import Order
from snapset.analysis.dag.solvers.solve import Answer, Options
from snapset.frontend.base.collection_arguments import collections
from snapset.frontend.base.diagnostics import Diagnostic, Span
from snapset.frontend.base.frozen_records import frozen

Unit = Literal["values", "bytes"]


@frozen
class Wanted:
    """``order``: of the eliminations. ``unit``: what is counted, |S| + |U| or bytes times executions.

    ``assume``: numbers for sizes and trip counts; ``lines``: execution counts of a run (then ``unit`` is bytes).
    ``price``: what one recomputed operation costs, in that unit. ``only``: ids of the regions wanted, all if empty.
    """

    options: Options = field(default_factory=Options)
    order: Order = "markowitz"
    unit: Unit = "values"
    assume: Mapping[str, int] | None = None
    lines: Lines | None = None
    price: int = 0
    only: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        collections("Wanted", assume=self.assume, lines=self.lines, only=self.only)


@frozen
class SolvedLevel:
    """One level with its answer: a procedure's own code (``kind`` procedure, level 0), or a marked part.

    ``parent``: the id of the part or procedure around a marked part. ``key`` and ``index``: of the procedure in the
    program, and of the level in it.
    """

    id: str
    kind: Literal["procedure", "region"]
    key: str
    index: int
    procedure: str
    parent: str | None
    first: Span
    last_line: int
    level: LevelProblem
    answer: Answer


@frozen
class HeadRegions:
    """``defaulted``: names that counted 100 for want of a number. ``uncounted``: (file, line) of which the given run
    does not tell how often they ran. ``used``: all names that counted, in lower case."""

    head: str
    unit: Unit
    regions: tuple[SolvedLevel, ...]
    diagnostics: tuple[Diagnostic, ...]
    defaulted: tuple[str, ...] = ()
    uncounted: tuple[tuple[str, int], ...] = ()
    used: frozenset[str] = frozenset()

    def total(self, of: Callable[[Answer], int | None]) -> int | None:
        """A figure's sum over the regions, None as soon as one is not known."""
        figures = [of(region.answer) for region in self.regions]
        known = [figure for figure in figures if figure is not None]
        return sum(known) if len(known) == len(figures) else None

"""Adjoint liveness and To Be Recorded of all levels of a head's codes, as they were solved last."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from snapset.analysis.adjoint.adjoint_liveness import AdjointLiveness
from snapset.analysis.dataflow.bitsets import EMPTY, May
from snapset.analysis.dataflow.framework import DataFlowProblem, FixedPoint, observing
from snapset.analysis.dataflow.solver import DirectedGraph
from snapset.analysis.recording.to_be_recorded import ToBeRecorded

Level = tuple[str, int]  # an adjoint code's key, the number of a level


@dataclass(slots=True)
class SolvedLevels:
    """What holds at each node; what has not been solved holds nowhere."""

    liveness: dict[Level, tuple[AdjointLiveness, FixedPoint[tuple[May, May]]]] = field(default_factory=dict)
    required: dict[Level, dict[May, tuple[ToBeRecorded, FixedPoint[May]]]] = field(default_factory=dict)

    def note(self, problem: DataFlowProblem[Any], graph: DirectedGraph, solution: FixedPoint[Any]) -> None:
        """Keep one solution; a later one of the same level counts."""
        if isinstance(problem, AdjointLiveness):
            self.liveness[problem.scope.code, problem.graph.index] = problem, solution
        elif isinstance(problem, ToBeRecorded):
            level = self.required.setdefault((problem.scope.code, problem.level.graph.index), {})
            level[problem.boundary] = problem, solution

    def used(self, level: Level, node: int) -> May:
        """use(D̄), D being what begins with the node."""
        return self._live(level, node)[0]

    def changed(self, level: Level, node: int) -> May:
        """out(D̄), D being what begins with the node."""
        return self._live(level, node)[1]

    def _live(self, level: Level, node: int) -> tuple[May, May]:
        if level not in self.liveness:
            return EMPTY, EMPTY
        problem, solution = self.liveness[level]
        use, out = solution.at_entry(node)
        return problem.maker.lives.fold(use), problem.maker.lives.fold(out)

    def to_be_recorded(self, level: Level, entering: May) -> ToBeRecorded | None:
        """Req's problem of a level. ``entering``: Req where the level begins."""
        solutions = self.required.get(level, {})
        if not solutions:
            return None
        return (solutions.get(entering) or list(solutions.values())[-1])[0]

    def kept_for(self, level: Level, node: int, entering: May, behind: bool) -> May:
        """Req before or behind a node; ``entering``: Req where the level begins."""
        solutions: Mapping[May, tuple[ToBeRecorded, FixedPoint[May]]] = self.required.get(level, {})
        if not solutions:
            return EMPTY
        problem, solution = solutions.get(entering) or list(solutions.values())[-1]
        return May(problem.lives.fold(solution.at_exit(node) if behind else solution.at_entry(node)))


@contextmanager
def levels_watched() -> Iterator[SolvedLevels]:
    """What is solved meanwhile, in this thread."""
    found = SolvedLevels()
    with observing(found.note):
        yield found

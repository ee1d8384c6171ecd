"""Choices of S and U for all regions of a head: the solved ones, the bounds, random ones that keep (CR)."""

from __future__ import annotations

from random import Random

from snapset.analysis.dag.fortran.level_problem import LevelProblem, level_problem
from snapset.analysis.dag.problem.choice import Choice, evaluate
from snapset.analysis.dag.problem.graphs import Prepared, Problem, prepare
from snapset.analysis.dag.problem.vertex_elimination import ORDERS
from snapset.analysis.dag.solvers.algorithm1_cuts import Tie, complete
from snapset.analysis.dag.solvers.algorithm2_descent import bounds
from snapset.analysis.dag.solvers.solve import Options, solve
from snapset.analysis.head_analysis import Analysis
from snapset.analysis.replay.dag.section_plans import Where

TIES: tuple[Tie, ...] = ("arguments", "required")
WAYS = ("solved", "tbr", "required", "statements", "random", "random")


def choices(analysis: Analysis, way: str, random: Random) -> dict[Where, tuple[LevelProblem, Choice]]:
    """A choice of one kind for every region, each with an elimination of its own."""
    found = {}
    for key in analysis.order:
        for index in range(len(analysis.adjoints.by_key[key].levels)):
            level = level_problem(analysis.adjoints.by_key[key], index, random.choice(ORDERS),
                                  scarce=random.random() < 0.5)
            found[key, index] = level, one(level.problem, way, random)
    return found


def one(problem: Problem, way: str, random: Random) -> Choice:
    """A choice for one region."""
    if way == "solved":
        return solve(problem, Options(method="biclique")).choice
    ready = prepare(problem)
    known = bounds(ready)
    if way == "statements":
        assert known.statements is not None
        return known.statements
    return {"tbr": known.tbr, "required": known.required}.get(way) or any_choice(ready, random)


def any_choice(ready: Prepared, random: Random) -> Choice:
    """A random S, completed, and some more of U."""
    share = random.random()
    S = frozenset(o for o in sorted(ready.places) if random.random() < share)
    more = frozenset(v for graph in ready.graphs for v in graph.order if random.random() < 0.1)
    found = evaluate(ready, S, complete(ready, S, random.choice(TIES)).U | more)
    assert found is not None
    return found

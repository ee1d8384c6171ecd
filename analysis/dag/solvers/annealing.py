"""The moves of Algorithm 2 under a search that can leave a local minimum: seeded annealing with restarts."""

from __future__ import annotations

from math import exp
from random import Random

from snapset.analysis.dag.problem.choice import Choice, pruned, stored
from snapset.analysis.dag.problem.graphs import Prepared
from snapset.analysis.dag.solvers.algorithm1_cuts import Completion
from snapset.analysis.dag.solvers.algorithm2_descent import algorithm2
from snapset.analysis.dag.solvers.bicliques import augmented, cover
from snapset.frontend.base.frozen_records import frozen

STEPS = 2000
RESTARTS = 3
STORE = "\0"  # begins no place's name


@frozen
class Effort:
    """How hard to search: the same effort and seed give the same result.

    ``steps``: moves tried in each of ``restarts`` runs (fewer where there are few moves).
    """

    seed: int = 0
    steps: int = STEPS
    restarts: int = RESTARTS


def search(problem: Prepared, effort: Effort | None = None) -> Choice:
    """A choice that is never worse than Algorithm 2's.

    A move adds a group of places to S or takes it away: the augmented bicliques of the cover, and the places of
    single vertices; or it stores a vertex that several graphs share. Each run anneals from Algorithm 2's choice,
    then descends; what no cut uses is dropped.
    """
    effort = effort or Effort()
    start = pruned(problem, algorithm2(problem).choice)
    best = start
    run = _Run(problem)
    if run.moves:
        for restart in range(effort.restarts):
            random = Random(f"{effort.seed} {restart}")
            S = run.descend(run.anneal(start.S, random, min(effort.steps, 60 * len(run.moves))))
            found = pruned(problem, run.choice(S))
            best = found if found.cost < best.cost else best
    return best


class _Run:
    """Costs of states: sets S, and which of the vertices that several graphs share are stored for all of them.

    (Algorithm 1 sees one graph at a time, so it cannot know that.)
    """

    def __init__(self, problem: Prepared) -> None:
        self.problem = problem
        self.completion = Completion(problem)
        self.shared = {f"{STORE}{v}": v for v in sorted(self.completion.shared)}
        groups = {b.places for b in augmented(cover(problem.overwrites).bicliques, problem.overwrites)}
        groups |= {places for places in problem.overwrites.values() if places}
        self.moves = [*sorted(groups, key=sorted), *(frozenset({name}) for name in self.shared)]
        self.costs: dict[frozenset[str], int] = {}

    def go(self, state: frozenset[str]) -> Completion:
        held = frozenset(self.shared[name] for name in state & self.shared.keys())
        self.completion.move(state - self.shared.keys(), held)
        return self.completion

    def cost(self, state: frozenset[str]) -> int:
        if state not in self.costs:
            self.costs[state] = self.go(state).cost()
        return self.costs[state]

    def choice(self, state: frozenset[str]) -> Choice:
        return self.go(state).choice()

    def anneal(self, S: frozenset[str], random: Random, steps: int) -> frozenset[str]:
        """The best S met on one walk, whose temperature falls from the cost of a typical move to nothing."""
        here = self.cost(S)
        best, least = S, here
        hot = max(1, sum(stored(self.problem.costs, m, frozenset()) for m in self.moves) // len(self.moves))
        for step in range(steps):
            group = random.choice(self.moves)
            trial = S - group if group <= S else S | group
            cost = self.cost(trial)
            heat = hot * (1 - step / steps) / 2
            if cost <= here or random.random() < exp((here - cost) / heat):
                S, here = trial, cost
                best, least = (S, here) if here < least else (best, least)
        return best

    def descend(self, S: frozenset[str]) -> frozenset[str]:
        """The end of a steepest descent."""
        while True:
            trials = [S - group if group <= S else S | group for group in self.moves]
            better = min(trials, key=self.cost)
            if self.cost(better) >= self.cost(S):
                return S
            S = better

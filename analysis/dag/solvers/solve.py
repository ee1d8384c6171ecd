"""One problem by all means: the bounds, Algorithm 2, the search, and the optimum or a bound on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from typing import Any, Literal

from snapset.analysis.dag.problem.choice import Choice, pruned
from snapset.analysis.dag.problem.graphs import Problem, prepare
from snapset.analysis.dag.solvers.algorithm1_cuts import Tie
from snapset.analysis.dag.solvers.algorithm2_descent import DELTA, Bounds, algorithm2
from snapset.analysis.dag.solvers.annealing import Effort, search
from snapset.analysis.dag.solvers.bicliques import BicliqueCover
from snapset.analysis.dag.solvers.integer_program import SECONDS, optimum
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.frozen_records import frozen

Method = Literal["biclique", "search", "optimum"]
METHODS: tuple[Method, ...] = ("biclique", "search", "optimum")


@frozen
class Options:
    """``method``: how far to go: Algorithm 2; also the search; or the integer program, for ``seconds``, and the search
    where that proves nothing.

    ``delta`` and ``tie``: of Algorithms 2 and 1. ``effort``: of the search.
    """

    method: Method = "optimum"
    seconds: float = SECONDS
    delta: Fraction = DELTA
    tie: Tie = "arguments"
    effort: Effort = field(default_factory=Effort)


@frozen
class Answer:
    """``choice``: the cheapest found, by ``method``. ``heuristic``: Algorithm 2's own.

    ``lower``: no choice costs less, None where that was not asked for. ``proved``: the choice is an optimum.
    ``cover``: Algorithm 2's biclique cover.
    """

    choice: Choice
    method: Method
    heuristic: Choice
    bounds: Bounds
    lower: int | None
    proved: bool
    cover: BicliqueCover

    @property
    def optimum(self) -> int | None:
        return self.choice.cost if self.proved else None

    @property
    def gap(self) -> float | None:
        """How far the choice may be from the optimum, as a fraction of its cost; None where no bound is known."""
        if self.lower is None:
            return None
        return (self.choice.cost - self.lower) / self.choice.cost if self.choice.cost else 0.0


def solve(problem: Problem, options: Options | None = None) -> Answer:
    """Choose S and U for user-built graphs. Raises InputError for what :func:`prepare` refuses or an unknown method."""
    options = options or Options()
    if options.method not in METHODS:
        raise InputError(f"unknown method {options.method}: one of {', '.join(METHODS)}")
    ready = prepare(problem)
    descent = algorithm2(ready, options.delta, options.tie)
    best, method = pruned(ready, descent.choice), METHODS[0]
    lower, proved = None if best.cost else 0, not best.cost
    if options.method == "optimum" and not proved:
        exact = optimum(ready, options.seconds, best)
        lower, proved = exact.lower, exact.proved
        if exact.choice is not None and exact.choice.cost < best.cost:
            best, method = exact.choice, "optimum"
    if options.method != "biclique" and not proved:
        found = search(ready, options.effort)
        if found.cost < best.cost:
            best, method = found, "search"
            proved = lower == best.cost
    return Answer(best, method, descent.choice, descent.bounds, lower, proved, descent.cover)


def to_json(id_: str, answer: Answer) -> Mapping[str, Any]:
    """One region of ``snapset.dag/1`` (docs/json.md)."""
    return {
        "id": id_,
        "S": sorted(answer.choice.S),
        "U": sorted(answer.choice.U),
        "cuts": {graph: sorted(cut) for graph, cut in sorted(answer.choice.cuts.items())},
        "cost": answer.choice.cost,
        "heuristic": answer.heuristic.cost,
        "bounds": {
            "tbr": answer.bounds.tbr.cost,
            "required": answer.bounds.required.cost,
            "statements": answer.bounds.by_statement,
        },
        "optimum": answer.optimum,
        "lower_bound": answer.lower,
        "gap": answer.gap,
        "method": answer.method,
    }

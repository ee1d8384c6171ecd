"""The least cost of all (S, U) under (CR), as an integer program for HiGHS."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from snapset.analysis.dag.problem.choice import Choice, evaluate
from snapset.analysis.dag.problem.graphs import Prepared
from snapset.frontend.base.frozen_records import frozen

SECONDS = 60.0
TOLERANCE = 1e-6


@frozen(kw_only=True)
class OptimalChoice:
    """``choice``: the best found (None: none in time). ``lower``: no choice costs less than this.

    ``proved``: the choice is optimal. ``gap``: how far it may be from the optimum, as a fraction of its cost.
    """

    choice: Choice | None
    lower: int
    proved: bool

    @property
    def gap(self) -> float | None:
        if self.choice is None:
            return None
        return (self.choice.cost - self.lower) / self.choice.cost if self.choice.cost else 0.0


def optimum(problem: Prepared, seconds: float = SECONDS, start: Choice | None = None) -> OptimalChoice:
    """Minimise the cost of S, U and recomputations under (CR), within a limit of time.

    ``start``: a choice in hand, returned where the time is too short to find a better one.

    Variables: s_o and u_v (stored or not, integers); y_v <= s_o for every place o of v (restored); for each
    graph r_v (recomputed) <= u_a + y_a + r_a for every argument a of v; a required v has
    u_v + y_v + r_v >= 1. Given s and u, the least y and r are integers by themselves.
    """
    program = _Program(problem)
    proved, values, bound = program.solve(seconds)
    choice = None
    if values is not None:
        S = frozenset(o for o, column in program.s.items() if values[column] > 0.5)
        U = frozenset(v for v, column in program.u.items() if values[column] > 0.5)
        choice = evaluate(problem, S, U)
    lower = max(0, _up(bound))
    if proved and choice is not None:
        return OptimalChoice(choice=choice, lower=choice.cost, proved=True)
    if start is not None and (choice is None or start.cost < choice.cost):
        choice = start
    return OptimalChoice(choice=choice, lower=lower, proved=choice is not None and choice.cost <= lower)


def _up(bound: float) -> int:
    """Costs are integers: the next one above a bound, short of its rounding errors."""
    return -int(-(bound - TOLERANCE * max(1.0, abs(bound))) // 1) if abs(bound) < 1e15 else 0


class _Program:
    """The columns and rows, collected for one call."""

    def __init__(self, problem: Prepared) -> None:
        self.problem = problem
        self.prices: list[int] = []
        self.whole: list[bool] = []
        self.rows: list[tuple[float, float, dict[int, float]]] = []
        costs = problem.costs
        self.s = {o: self.column(costs.of_place(o), True) for o in sorted(problem.places)}
        vertices = sorted({v for g in problem.graphs for v in g.order})
        self.u = {v: self.column(costs.of(v), True) for v in vertices}
        self.y = {v: self.column(0, False) for v in problem.overwrites}
        for v, places in problem.overwrites.items():
            for o in sorted(places):
                self.rows.append((float("-inf"), 0.0, {self.y[v]: 1.0, self.s[o]: -1.0}))
        for graph in problem.graphs:
            again = {v: self.column(costs.again(v), False) for v in graph.order if graph.arguments[v]}
            for v, column in again.items():
                for a in graph.arguments[v]:
                    self.rows.append((float("-inf"), 0.0, {column: 1.0, **self.sources(a, again, -1.0)}))
            for v in sorted(graph.required):
                self.rows.append((1.0, float("inf"), self.sources(v, again, 1.0)))

    def column(self, price: int, whole: bool) -> int:
        self.prices.append(price)
        self.whole.append(whole)
        return len(self.prices) - 1

    def sources(self, vertex: str, again: dict[str, int], sign: float) -> dict[int, float]:
        """What a vertex's value can come from."""
        columns = [self.u[vertex], *(table[vertex] for table in (self.y, again) if vertex in table)]
        return dict.fromkeys(columns, sign)

    def solve(self, seconds: float) -> tuple[bool, list[float] | None, float]:
        """(proved optimal, the columns' values or None, lower bound)."""
        if not self.rows:
            return True, [0.0] * len(self.prices), 0.0
        highspy: Any = import_module("highspy")
        solver = highspy.Highs()
        solver.setOptionValue("output_flag", False)
        solver.setOptionValue("time_limit", seconds)
        solver.setOptionValue("mip_rel_gap", 0.0)
        solver.setOptionValue("mip_abs_gap", 0.999)
        solver.setOptionValue("random_seed", 0)
        solver.setOptionValue("threads", 1)
        self.fill(solver, highspy)
        solver.run()
        info = solver.getInfo()
        found = info.primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible
        proved = solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
        values = list(solver.getSolution().col_value) if found else None
        return proved, values, info.mip_dual_bound

    def fill(self, solver: Any, module: Any) -> None:
        for price, whole in zip(self.prices, self.whole, strict=True):
            solver.addCol(float(price), 0.0, 1.0, 0, [], [])
            if whole:
                solver.changeColIntegrality(solver.getNumCol() - 1, module.HighsVarType.kInteger)
        for low, high, row in self.rows:
            solver.addRow(low, high, len(row), list(row), list(row.values()))

"""The integer program against brute force, and the heuristics against the integer program."""

from __future__ import annotations

import pytest
from snapset.analysis.dag.problem.choice import evaluate
from snapset.analysis.dag.problem.graphs import Costs, Problem, prepare
from snapset.analysis.dag.solvers.algorithm2_descent import algorithm2
from snapset.analysis.dag.solvers.integer_program import OptimalChoice, optimum

from tests.generators.dag.dag_cases import (
    FIG5,
    FIG5_GB,
    FIG6B,
    FIG6C,
    direct,
    least,
    random_code,
    random_problem,
    recomputable,
    subsets,
)


def test_figures() -> None:
    assert optimum(prepare(Problem((FIG5,), FIG5_GB))).lower == 2
    assert optimum(prepare(direct(FIG6B))).lower == 2
    assert optimum(prepare(direct(FIG6C))).lower == 4


@pytest.mark.parametrize("seed", range(80))
def test_the_optimum_is_that_of_brute_force(seed: int) -> None:
    problem = prepare(random_problem(seed, graphs=2, vertices=4, places=3, priced=False))
    found = optimum(problem)
    assert found.proved
    assert found.choice is not None
    assert recomputable(problem, found.choice.S, found.choice.U)
    assert found.choice.cost == found.lower == least(problem)


@pytest.mark.parametrize("seed", range(40))
def test_with_weights_and_prices(seed: int) -> None:
    problem = prepare(random_problem(seed, graphs=2, vertices=4, places=3, priced=True))
    found = optimum(problem)
    vertices = frozenset(v for g in problem.graphs for v in g.order)
    pairs = (evaluate(problem, S, U) for S in subsets(problem.places) for U in subsets(vertices))
    assert found.choice is not None
    assert found.choice.cost == min(choice.cost for choice in pairs if choice is not None)


def test_no_heuristic_beats_it() -> None:
    for seed in range(100):
        problem = prepare(random_problem(seed, priced=seed % 2 == 1) if seed % 3 else random_code(seed))
        found = optimum(problem)
        assert found.choice is not None
        assert found.lower == found.choice.cost <= algorithm2(problem).choice.cost


def test_without_time_what_it_says_is_still_true() -> None:
    for seed in range(10):
        problem = prepare(random_problem(seed, graphs=6, vertices=12, places=12))
        start = algorithm2(problem).choice
        rushed, full = optimum(problem, 0.0, start), optimum(problem)
        assert rushed.choice is not None
        assert rushed.lower <= full.lower <= rushed.choice.cost <= start.cost
        assert rushed.proved == (rushed.gap == 0)


def test_the_gap() -> None:
    choice = evaluate(prepare(direct(FIG6B, Costs())), frozenset({"o5"}), frozenset({"v1"}))
    assert OptimalChoice(choice=choice, lower=1, proved=False).gap == 0.5
    assert OptimalChoice(choice=choice, lower=2, proved=True).gap == 0
    assert OptimalChoice(choice=None, lower=1, proved=False).gap is None


def test_nothing_required_costs_nothing() -> None:
    assert optimum(prepare(Problem((), {}))).lower == 0

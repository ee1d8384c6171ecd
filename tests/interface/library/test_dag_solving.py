"""``snapset.dag``: graphs an AD tool built itself."""

from __future__ import annotations

import subprocess
import sys

import pytest
import snapset
from snapset import dag
from snapset.analysis.dag.problem.choice import pruned
from snapset.analysis.dag.problem.graphs import prepare
from snapset.analysis.dag.solvers import solve
from snapset.analysis.dag.solvers.integer_program import OptimalChoice

from tests.generators.dag.dag_cases import FIG6B, direct, least, random_problem


def section() -> dag.Problem:
    code = (dag.Operation("t", ("d", "e"), {"d": dag.CONSTANT, "e": dag.CONSTANT}),
            dag.Operation("r", ("t",), {"t": dag.Partial(frozenset({"t"}))}))
    made = dag.extend("section", code)
    places = {"d": frozenset({"o1"}), "e": frozenset({"o2"}), "t": frozenset({"o3"})}
    return dag.Problem((made.graph,), places, recorded=made.recorded)


def test_the_example_of_the_docstring() -> None:
    answer = dag.solve(section())
    assert answer.choice.cost == answer.optimum == answer.lower == 1
    assert (answer.bounds.tbr.cost, answer.bounds.required.cost) == (2, 1)
    assert answer.bounds.statements is not None
    assert answer.bounds.statements.cost == 1


def test_json() -> None:
    found = dag.to_json("here", dag.solve(direct(FIG6B)))
    assert found == {
        "id": "here", "S": ["o5"], "U": ["v1"], "cost": 2, "heuristic": 2, "optimum": 2, "lower_bound": 2,
        "gap": 0.0,
        "bounds": {"tbr": 5, "required": 5, "statements": None}, "method": "biclique",
        "cuts": {f"v{i}": [f"v{i}"] for i in range(1, 6)}}


def test_what_was_not_asked_for_is_not_known() -> None:
    answer = dag.solve(direct(FIG6B), dag.Options(method="biclique"))
    assert (answer.lower, answer.optimum, answer.proved) == (None, None, False)
    assert dag.to_json("here", answer)["optimum"] is None


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(snapset.InputError, match="biclique, search, optimum"):
        dag.solve(section(), dag.Options(method="best"))  # type: ignore[arg-type]


def test_every_method_in_turn_costs_no_more() -> None:
    for seed in range(30):
        problem = random_problem(seed, graphs=2, vertices=4, places=3)
        costs = [dag.solve(problem, dag.Options(method=method)).choice.cost
                 for method in ("biclique", "search", "optimum")]  # type: ignore[arg-type]
        assert costs == sorted(costs, reverse=True)
        assert costs[-1] == least(prepare(problem))


def test_the_integer_program_is_better_where_the_heuristic_is_not_optimal() -> None:
    found = [dag.solve(random_problem(seed, graphs=5, vertices=9, places=8)) for seed in range(30)]
    assert all(answer.proved and answer.optimum == answer.lower == answer.choice.cost for answer in found)
    better = [answer for answer in found if answer.choice.cost < answer.heuristic.cost]
    assert better
    assert "optimum" in {answer.method for answer in better}  # or pruning is enough
    assert all(answer.gap == 0 for answer in found)


def test_nothing_to_store_is_optimal_without_asking() -> None:
    problem = dag.Problem((dag.Graph("G", (("a", "r"),), frozenset({"r"})),), {"a": frozenset()})
    answer = dag.solve(problem, dag.Options(method="biclique"))
    assert (answer.choice.cost, answer.lower, answer.optimum, answer.gap) == (0, 0, 0, 0.0)


def test_the_search_goes_on_where_nothing_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = next(p for p in (random_problem(seed, graphs=5, vertices=9, places=8) for seed in range(30))
                   if dag.solve(p).method == "optimum")
    least = dag.solve(problem).choice.cost
    for lower in (least, least - 1):
        monkeypatch.setattr(solve, "optimum", lambda ready, seconds, start,
                            lower=lower: OptimalChoice(choice=start, lower=lower, proved=False))
        answer = dag.solve(problem)
        assert (answer.method, answer.choice.cost, answer.lower) == ("search", least, lower)
        assert answer.proved == (lower == least)


def test_the_heuristics_answer_is_pruned() -> None:
    # With a price on recomputing, what another cut makes needless is dropped.
    for seed in range(200):
        problem = random_problem(seed, graphs=4, vertices=8, places=6, priced=True)
        answer = dag.solve(problem, dag.Options(method="biclique"))
        assert answer.choice == pruned(prepare(problem), answer.heuristic)


def test_heavy_libraries_are_imported_only_for_the_integer_program() -> None:
    code = ("import sys; from snapset import dag\n"
            "graph = dag.Graph('G', (('a', 'r'),), frozenset({'r'}))\n"
            "dag.solve(dag.Problem((graph,), {'a': frozenset({'o'})}), dag.Options(method='search'))\n"
            "print(sorted({'highspy', 'numpy', 'networkx', 'sympy', 'fparser'} & set(sys.modules)))")
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert run.stdout.strip() == "[]"

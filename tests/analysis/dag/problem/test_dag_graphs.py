"""The problem's data: reduction to what precedes R, and what is refused."""

from __future__ import annotations

import pytest
from snapset.analysis.dag.problem.choice import evaluate
from snapset.analysis.dag.problem.graphs import Costs, Graph, Problem, placeholder, prepare, reduced, weighted
from snapset.frontend.base.diagnostics import InputError

from tests.generators.dag.dag_cases import FIG5, FIG5_GB, edges, gb


def test_only_what_precedes_the_required_set_is_left() -> None:
    graph = reduced(FIG5)
    assert set(graph.order) == {"c", "d", "e", "t", "r/t", "p/c"}
    assert graph.minimal == {"c", "d", "e"}
    assert graph.arguments["t"] == ("d", "e")
    assert graph.uses["t"] == ("r/t",)
    assert graph.order.index("t") < graph.order.index("r/t")


def test_gb_is_induced_by_what_is_left() -> None:
    problem = prepare(Problem((FIG5,), {**FIG5_GB, "a": frozenset({"o1", "o4"})}))
    assert problem.places == {"o1", "o3", "o4", "o5", "o6"}
    assert problem.restored(frozenset({"o4", "o6"})) == {"c"}
    assert problem.required == {"r/t", "p/c"}


def test_figure_4_graphs_share_restored_values() -> None:
    first = Graph("G1", edges("a>r b>r"), frozenset({"r"}))
    problem = prepare(Problem((first, FIG5), {**FIG5_GB, "a": frozenset({"o1", "o4"}), "b": frozenset({"o2"})}))
    assert problem.restored(frozenset({"o1", "o4"})) == {"a", "d"}
    together = evaluate(problem, frozenset({"o1", "o2", "o4", "o6"}), frozenset({"t"}))
    assert together is not None
    assert together.cuts == {"G1": {"a", "b"}, "G2": {"c", "t"}}


def test_the_condition_for_recomputation() -> None:
    problem = prepare(Problem((FIG5,), FIG5_GB))
    assert evaluate(problem, frozenset({"o4"}), frozenset({"t"})) is None
    assert evaluate(problem, frozenset({"o4", "o6"}), frozenset()) is None
    choice = evaluate(problem, frozenset({"o4", "o6"}), frozenset({"d", "e"}))
    assert choice is not None
    assert choice.cuts["G2"] == {"c", "d", "e"}
    assert choice.cost == 4


def test_recomputing_has_its_price() -> None:
    problem = prepare(Problem((FIG5,), FIG5_GB, Costs(prices={"t": 10}, price=2)))
    dear = evaluate(problem, frozenset({"o4", "o6"}), frozenset({"d", "e"}))
    cheap = evaluate(problem, frozenset({"o4", "o6"}), frozenset({"t"}))
    assert dear is not None
    assert cheap is not None
    assert (dear.cost, cheap.cost) == (4 + 10 + 2 + 2, 3 + 2 + 2)


def test_bytes_times_executions() -> None:
    costs = weighted({"v": 8, "w": 4}, {"v": 100}, {"o": (8, 50)}, price=1)
    assert (costs.of("v"), costs.of("w"), costs.of_place("o")) == (800, 4, 400)
    assert (costs.again("v"), costs.again("w"), costs.again("x")) == (100, 1, 1)


def test_placeholders_are_one_to_a_variable() -> None:
    assert placeholder("a") == placeholder("a") != placeholder("b")


@pytest.mark.parametrize(("problem", "message"), [
    (Problem((Graph("G", edges("a>b b>a"), frozenset({"a"})),), {}), "graph G has a cycle"),
    (Problem((Graph("G", edges("a>r b>r"), frozenset({"r"})),), gb("a: o")), "nothing says what overwrites b"),
    (Problem((FIG5,), FIG5_GB, Costs({"t": 0})), "the cost of t is 0"),
    (Problem((FIG5,), FIG5_GB, Costs(places={"o1": -1})), "the cost of o1 is -1"),
    (Problem((FIG5,), FIG5_GB, Costs(price=-1)), "the cost of price is -1"),
])
def test_what_is_refused(problem: Problem, message: str) -> None:
    with pytest.raises(InputError, match=message):
        prepare(problem)

"""Algorithm 1: the vertices to store so that everything required can be recomputed from them and from S."""

from __future__ import annotations

import pytest
from snapset.analysis.dag.problem.choice import evaluate, pruned
from snapset.analysis.dag.problem.graphs import Costs, Graph, Problem, prepare
from snapset.analysis.dag.solvers.algorithm1_cuts import complete

from tests.generators.dag.dag_cases import FIG5, FIG5_GB, edges, gb, random_problem, recomputable, subsets

NOTHING: frozenset[str] = frozenset()


def one(arcs: str, required: str, overwrites: str, costs: Costs | None = None) -> Problem:
    return Problem((Graph("G", edges(arcs), frozenset(required.split())),), gb(overwrites), costs or Costs())


def test_figure_5_stores_t() -> None:
    choice = complete(prepare(Problem((FIG5,), FIG5_GB)), frozenset({"o4", "o6"}))
    assert choice.U == {"t"}
    assert choice.cuts["G2"] == {"c", "t"}
    assert choice.recomputed["G2"] == {"r/t", "p/c"}
    assert choice.cost == 3


def test_figure_5_by_the_letter_of_the_tie_break() -> None:
    choice = complete(prepare(Problem((FIG5,), FIG5_GB)), frozenset({"o4", "o6"}), "required")
    assert choice.U == {"r/t"}


def test_of_equal_cuts_the_nearest_to_the_required_set() -> None:
    chain = prepare(one("a>b b>c c>d d>r", "r", "a: o"))
    assert complete(chain, NOTHING).U == {"d"}
    assert complete(chain, NOTHING, "required").U == {"r"}


def test_the_tie_break_counts_all_of_a_cut() -> None:
    # {x, y} at distances 1 + 3 beats {p, q} at 2 + 3 and any cut with more vertices.
    problem = prepare(one("a>p p>x x>r b>q q>y y>s s>t t>r2 x>r2", "r r2", "a: o1; b: o2"))
    assert complete(problem, NOTHING).U == {"x", "t"}


def test_fewer_vertices_come_before_nearer_ones() -> None:
    problem = prepare(one("a>b b>c b>d b>e c>r1 d>r2 e>r3", "r1 r2 r3", "a: o"))
    assert complete(problem, NOTHING).U == {"b"}


def test_weights_decide() -> None:
    arcs, places = "a>b b>c c>r", "a: o"
    assert complete(prepare(one(arcs, "r", places, Costs({"c": 3, "b": 2, "r": 9, "a": 7}))), NOTHING).U == {"b"}


def test_an_intact_value_needs_no_store() -> None:
    choice = complete(prepare(one("a>r b>r", "r", "a: ; b: o")), NOTHING)
    assert choice.U == {"b"}
    assert complete(prepare(one("a>r", "r", "a: ")), NOTHING).cost == 0


def test_a_required_minimal_vertex_is_stored_itself() -> None:
    problem = prepare(Problem((Graph("G", (), frozenset({"i"})),), gb("i: o1 o2")))
    assert complete(problem, frozenset({"o1"})).U == {"i"}
    assert complete(problem, frozenset({"o1", "o2"})).U == NOTHING


def test_a_restored_intermediate_cuts() -> None:
    problem = prepare(one("d>t e>t t>r", "r", "d: o1; e: o2; t: o3"))
    assert complete(problem, frozenset({"o3"})).cost == 1
    assert complete(problem, frozenset({"o3"})).U == NOTHING


def test_a_price_moves_the_cut_towards_the_required_set() -> None:
    arcs, places = "a>b b>c c>r1 c>r2", "a: o"
    assert complete(prepare(one(arcs, "r1 r2", places)), NOTHING).U == {"c"}
    dear = complete(prepare(one(arcs, "r1 r2", places, Costs(price=3))), NOTHING)
    assert (dear.U, dear.cost) == ({"r1", "r2"}, 2)


@pytest.mark.parametrize("seed", range(120))
def test_no_other_set_costs_less(seed: int) -> None:
    problem = prepare(random_problem(seed, graphs=1, vertices=7, priced=seed % 2 == 1))
    vertices = frozenset(problem.graphs[0].order)
    for S in subsets(problem.places):
        choice = complete(problem, S)
        assert recomputable(problem, S, choice.U)
        others = (evaluate(problem, S, U) for U in subsets(vertices))
        assert choice.cost == min(other.cost for other in others if other is not None)


@pytest.mark.parametrize("seed", range(60))
def test_the_nearest_of_the_cheapest(seed: int) -> None:
    problem = prepare(random_problem(seed, graphs=1, vertices=7))
    (graph,) = problem.graphs
    chosen = complete(problem, NOTHING)

    def rank(U: frozenset[str]) -> tuple[int, int]:
        return len(U & graph.required), sum(distance(v) for v in U)

    def distance(v: str) -> int:
        return 0 if v in graph.required else 1 + min(distance(u) for u in graph.uses[v])

    free = problem.restored(NOTHING)
    rivals = [U for U in subsets(frozenset(graph.order) - free)
              if len(U) == len(chosen.U) and recomputable(problem, NOTHING, U)]
    if not free:  # what is free would shorten paths, not the distances above
        assert rank(chosen.U) == min(map(rank, rivals))


def test_pruning_needs_no_place_for_what_is_stored_itself() -> None:
    problem = prepare(one("a>b b>r", "r", "a: o1 o2; b: o3"))
    choice = evaluate(problem, frozenset({"o3"}), frozenset({"b"}))
    assert choice is not None
    assert (pruned(problem, choice).S, pruned(problem, choice).U) == (NOTHING, {"b"})


def test_pruning_drops_what_no_cut_uses() -> None:
    problem = prepare(one("a>b b>r", "r", "a: o1 o2; b: o3"))
    choice = evaluate(problem, frozenset({"o1", "o2", "o3"}), NOTHING)
    assert choice is not None
    assert pruned(problem, choice).S == {"o3"}
    assert pruned(problem, choice).cost == 1

"""The flow that follows changes, against networkx from the start, and Algorithm 1's cut against networkx's."""

from __future__ import annotations

from random import Random

import networkx
import pytest
from snapset.analysis.dag.problem.graphs import Costs, Graph, Problem, Reduced, prepare
from snapset.analysis.dag.solvers.algorithm1_cuts import Completion, complete
from snapset.analysis.dag.solvers.max_flow import FlowNetwork

from tests.generators.dag.dag_cases import edges, random_code, random_problem


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(60))
def test_flows_after_every_change(seed: int) -> None:
    random = Random(seed)
    size = random.randint(3, 12)
    flow = FlowNetwork(size, 0, size - 1)
    pairs = [(a, b) for a in range(size) for b in range(a + 1, size) if random.random() < 0.5]
    arcs = {pair: flow.add(*pair, 0) for pair in pairs}
    net = networkx.DiGraph()
    net.add_nodes_from((0, size - 1))
    for _ in range(40):
        if not pairs:
            break
        pair, capacity = random.choice(pairs), random.choice((0, 1, 3, 10, 10**9))
        flow.change(arcs[pair], capacity)
        net.add_edge(*pair, capacity=capacity)
        assert flow.maximise() == networkx.maximum_flow_value(net, 0, size - 1)
        _, (_, far) = networkx.minimum_cut(net, 0, size - 1)
        if size - 1 in far:
            reaches = {node for node, can in enumerate(flow.far()) if can}
            assert reaches == far


def by_networkx(graph: Reduced, known: frozenset[str], costs: dict[str, int]) -> int:
    """The cost of a cheapest vertex cut."""
    net = networkx.DiGraph()
    net.add_nodes_from(("source", "sink"))
    for v in graph.order:
        net.add_edge((v, 0), (v, 1), capacity=0 if v in known else costs.get(v, 1))
        net.add_edges_from(((a, 1), (v, 0)) for a in graph.arguments[v])
        if not graph.arguments[v]:
            net.add_edge("source", (v, 0))
        if v in graph.required:
            net.add_edge((v, 1), "sink")
    return int(networkx.maximum_flow_value(net, "source", "sink"))


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(60))
def test_costs_along_a_walk_over_sets_s(seed: int) -> None:
    random = Random(seed)
    problem = prepare(random_problem(seed, graphs=3, vertices=9, places=6) if seed % 2 else random_code(seed))
    completion = Completion(problem)
    for _ in range(30):
        S = frozenset(o for o in sorted(problem.places) if random.random() < 0.5)
        completion.move(S)
        one, fresh = completion.choice(), complete(problem, S)
        assert (one.S, one.U, one.cost) == (fresh.S, fresh.U, fresh.cost)
        assert completion.cost() == fresh.cost
        known = problem.restored(S)
        least = [by_networkx(graph, known, dict(problem.costs.vertices)) for graph in problem.graphs]
        assert [len(one.cuts[g.name] - known) for g in problem.graphs] == least or completion.shared


@pytest.mark.parametrize("seed", range(40))
def test_costs_with_prices_are_those_of_the_choice(seed: int) -> None:
    random = Random(seed)
    problem = prepare(random_problem(seed, graphs=4, vertices=8, places=5, priced=True))
    completion = Completion(problem)
    for _ in range(15):
        held = frozenset(v for v in sorted(completion.shared) if random.random() < 0.5)
        completion.move(frozenset(o for o in sorted(problem.places) if random.random() < 0.5), held)
        assert completion.cost() == completion.choice().cost


def test_what_one_graph_stores_spares_another_the_recomputation() -> None:
    graphs = (Graph("G1", edges("a>b b>s s>r1"), frozenset({"r1"})),
              Graph("G2", edges("a>b b>s b>q s>r2"), frozenset({"q", "r2"})))
    costs = Costs({"s": 2, "r1": 9, "r2": 9, "q": 9, "a": 9}, prices={"s": 2})
    completion = Completion(prepare(Problem(graphs, {"a": frozenset({"o"})}, costs)))
    assert completion.choice().U == {"b", "s"}
    assert completion.cost() == completion.choice().cost == 3


def test_held_vertices_are_paid_once() -> None:
    for seed in range(40):
        problem = prepare(random_problem(seed))
        completion = Completion(problem)
        for v in sorted(completion.shared):
            completion.move(frozenset(), frozenset({v}))
            choice = completion.choice()
            assert v in choice.U
            assert completion.cost() == choice.cost == len(choice.U)

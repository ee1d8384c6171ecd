"""Graphs that an AD tool built with networkx, judged by going through every choice."""

from __future__ import annotations

from itertools import chain, combinations
from random import Random

import networkx as nx
import pytest
from snapset import InputError, dag


def figure() -> nx.DiGraph:
    """``t = 5*d + 4*e; r = cos(t)``, each variable overwritten afterwards."""
    graph = nx.DiGraph([("d", "t"), ("e", "t"), ("t", "sin t")], name="section")
    for vertex in "det":
        graph.add_node(vertex, overwrites=[f"{vertex} later"])
    graph.add_node("sin t", required=True)
    return graph


def test_one_value_is_stored_and_not_two() -> None:
    (answer,) = dag.choose(figure())
    assert answer.graph["cost"] == 1
    assert answer.graph["proved"]
    assert set(answer.edges) == set(figure().edges)
    assert answer.graph["name"] == "section"
    kept = {v for v, stored in answer.nodes(data="stored") if stored}
    kept |= {v for v, restored in answer.nodes(data="restored") if restored}
    assert len(kept) == 1
    assert kept <= {"t", "sin t"}


def test_bytes_and_counts_decide() -> None:
    graph = figure()
    graph.nodes["sin t"]["bytes"] = graph.nodes["d"]["bytes"] = graph.nodes["e"]["bytes"] = 80
    graph.nodes["t"]["bytes"] = 8
    graph.nodes["t"]["count"] = 100
    graph.graph["places"] = {"t later": (8, 100), "d later": 8, "e later": (4, 3)}
    (answer,) = dag.choose(graph)
    assert answer.graph["cost"] == 20
    assert answer.graph["S"] == ["d later", "e later"]
    assert answer.graph["U"] == []
    assert {v for v, again in answer.nodes(data="recomputed") if again} == {"t", "sin t"}
    assert {v for v, cut in answer.nodes(data="cut") if cut} == {"d", "e"}


def test_a_vertex_in_two_graphs_is_stored_once() -> None:
    one = nx.DiGraph([("x", "p")])
    other = nx.DiGraph([("x", "q")])
    for graph, last in ((one, "p"), (other, "q")):
        graph.add_node("x", overwrites=["x later"])
        graph.add_node(last, required=True)
    found = dag.choose([one, other])
    assert [graph.graph["cost"] for graph in found] == [1, 1]
    assert [graph.graph["name"] for graph in found] == ["graph 1", "graph 2"]


def random_graph(random: Random) -> nx.DiGraph:
    graph = nx.DiGraph(price=random.choice((0, 0, 1)))
    names = [f"v{i}" for i in range(random.randint(3, 7))]
    for at, vertex in enumerate(names):
        graph.add_node(vertex, required=random.random() < 0.3, bytes=random.randint(1, 4))
        for before in random.sample(names[:at], min(at, random.randint(0, 2))):
            graph.add_edge(before, vertex)
    graph.nodes[names[-1]]["required"] = True
    for vertex in [v for v in graph if not graph.degree(v) and not graph.nodes[v]["required"]]:
        graph.remove_node(vertex)
    for vertex in graph:
        if not graph.in_degree(vertex) or random.random() < 0.3:
            graph.nodes[vertex]["overwrites"] = random.sample(("a", "b", "c"), random.randint(0, 2))
    graph.graph["places"] = {place: random.randint(1, 4) for place in "abc"}
    return graph


def least_cost(graph: nx.DiGraph) -> int:
    """By trying every S and U, with networkx alone."""
    places = graph.graph["places"]

    def subsets(names: list[str]) -> chain[tuple[str, ...]]:
        return chain.from_iterable(combinations(names, size) for size in range(len(names) + 1))

    best = 10**9
    for kept in subsets(sorted(places)):
        for stored in subsets(sorted(graph)):
            known = {v for v, given in graph.nodes(data="overwrites") if given is not None and set(given) <= set(kept)}
            known |= set(stored)
            again, work, fine = set(), [v for v in graph if graph.nodes[v]["required"]], True
            while work and fine:
                vertex = work.pop()
                if vertex in known or vertex in again:
                    continue
                again.add(vertex)
                fine = graph.in_degree(vertex) > 0
                work.extend(graph.predecessors(vertex))
            if fine:
                cost = sum(places[p] for p in kept) + sum(graph.nodes[v]["bytes"] for v in stored)
                best = min(best, cost + graph.graph["price"] * len(again))
    return best


@pytest.mark.parametrize("seed", range(40))
def test_the_optimum_is_that_of_every_choice(seed: int) -> None:
    graph = random_graph(Random(seed))
    (answer,) = dag.choose(graph)
    assert answer.graph["proved"]
    assert answer.graph["cost"] == least_cost(graph)
    for vertex, attributes in graph.nodes(data=True):
        assert answer.nodes[vertex]["required"] == attributes["required"]
        assert not (answer.nodes[vertex]["cut"] and answer.nodes[vertex]["recomputed"])


@pytest.mark.parametrize("seed", range(20))
def test_there_and_back(seed: int) -> None:
    problem = dag.from_networkx(random_graph(Random(seed)))
    again = dag.from_networkx(dag.to_networkx(problem))
    assert (again.graphs[0].required, set(again.graphs[0].edges)) == (
        problem.graphs[0].required, set(problem.graphs[0].edges))
    assert (again.overwrites, dict(again.costs.vertices), dict(again.costs.places)) == (
        problem.overwrites, dict(problem.costs.vertices), dict(problem.costs.places))


def numbered() -> nx.DiGraph:
    return nx.DiGraph([(1, 2)])


def with_attributes(**attributes: object) -> nx.DiGraph:
    graph = figure()
    graph.nodes["t"].update(attributes)
    return graph


def without_places() -> nx.DiGraph:
    graph = figure()
    del graph.nodes["d"]["overwrites"]
    return graph


BAD = [
    (numbered(), "relabel_nodes"), (with_attributes(bytes=0), "1 or more"), (with_attributes(count=1.5), "1 or more"),
    (with_attributes(overwrites="o1"), "a list of places"), (with_attributes(price=-1), "cost of t"),
    (nx.Graph([("a", "b")]), "DiGraph"), (nx.MultiDiGraph([("a", "b")]), "DiGraph"), (without_places(), "d"),
]  # fmt: skip


@pytest.mark.parametrize(("graph", "said"), BAD)
def test_what_is_no_problem_is_refused(graph: nx.Graph, said: str) -> None:
    with pytest.raises(InputError, match=said):
        dag.choose(graph)


def test_a_cycle_is_refused() -> None:
    graph = nx.DiGraph([("a", "b"), ("b", "a")])
    graph.nodes["b"]["required"] = True
    with pytest.raises(InputError, match="cycle"):
        dag.choose(graph)


def test_graphs_must_agree() -> None:
    other = figure()
    other.nodes["t"]["bytes"] = 5
    with pytest.raises(InputError, match="vertex t"):
        dag.choose([figure(), other])

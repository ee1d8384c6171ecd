"""Components and dominators against networkx's, on random graphs."""

from __future__ import annotations

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st
from snapset.analysis.dataflow.dominators import immediate_dominators, postdominators
from snapset.analysis.dataflow.solver import make_graph
from snapset.frontend.interprocedural.strongly_connected import components

GRAPHS = st.integers(1, 9).flatmap(
    lambda size: st.lists(st.lists(st.integers(0, size - 1), max_size=4), min_size=size, max_size=size)
)


def as_networkx(graph: list[list[int]]) -> nx.DiGraph:
    made = nx.DiGraph()
    made.add_nodes_from(range(len(graph)))
    made.add_edges_from((node, target) for node, targets in enumerate(graph) for target in targets)
    return made


@given(GRAPHS)
def test_components(graph: list[list[int]]) -> None:
    found = components(dict(enumerate(graph)))
    expected = nx.strongly_connected_components(as_networkx(graph))
    assert sorted(map(sorted, found)) == sorted(map(sorted, expected))
    place = {node: at for at, group in enumerate(found) for node in group}
    assert all(place[target] <= place[node] for node, targets in enumerate(graph) for target in targets)


def test_components_of_a_long_chain() -> None:
    chain = {node: [node + 1] for node in range(5000)} | {5000: [0]}
    assert [len(group) for group in components(chain)] == [5001]


@given(GRAPHS)
def test_immediate_dominators(graph: list[list[int]]) -> None:
    expected = nx.immediate_dominators(as_networkx(graph), 0)
    made = make_graph(0, dict(enumerate(graph)))
    assert immediate_dominators(made) == {n: d for n, d in expected.items() if n != 0}


@given(GRAPHS)
def test_postdominators(graph: list[list[int]]) -> None:
    """Of nodes that never get to the last one, an edge to it is assumed."""
    leave, whole = len(graph) - 1, as_networkx(graph)
    whole.add_edges_from((node, leave) for node in set(whole) - nx.ancestors(whole, leave) - {leave})
    expected = nx.immediate_dominators(whole.reverse(), leave)
    assert postdominators(dict(enumerate(graph)), leave) == {n: d for n, d in expected.items() if n != leave}

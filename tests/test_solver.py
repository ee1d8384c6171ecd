"""The data-flow solver on graphs drawn by hand."""

from snapset.analysis.dataflow.solver import make_graph, solve

DIAMOND = {0: (1, 2), 1: (3,), 2: (3,), 3: (4,), 4: (3, 5), 5: ()}  # with a loop 3 <-> 4


def test_order_is_a_reverse_postorder() -> None:
    graph = make_graph(0, DIAMOND)
    place = {n: i for i, n in enumerate(graph.order)}
    assert place[0] == 0
    assert all(place[a] < place[b] for a, b in [(0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (4, 5)])


def test_unreachable_nodes_are_left_out() -> None:
    assert 7 not in make_graph(0, {**DIAMOND, 7: (3,)}).order


def test_forward_union() -> None:
    found = solve(make_graph(0, DIAMOND), 0, 0, int.__or__, lambda node, state: state | 1 << node)
    assert found.before[3] == 0b11111  # both branches, and around the loop
    assert found.after[5] == 0b111111


def test_forward_intersection() -> None:
    found = solve(make_graph(0, DIAMOND), 0, -1, int.__and__, lambda node, state: state | 1 << node)
    assert found.before[3] == 0b1
    assert found.before[5] == 0b11001


def test_backward() -> None:
    graph = make_graph(0, DIAMOND)
    found = solve(graph.reversed(5), 0, 0, int.__or__, lambda node, state: state | 1 << node)
    assert found.after[0] == 0b111111
    assert found.before[4] == 0b111000


def test_backward_reaches_what_never_gets_to_the_end() -> None:
    graph = make_graph(0, {0: (1, 2), 1: (1,), 2: ()})  # 1 is an endless loop
    found = solve(graph.reversed(2), 0, 0, int.__or__, lambda node, state: state | 1 << node)
    assert found.after[0] == 0b111

"""The data-flow solver on graphs drawn by hand, asked in execution order."""

from __future__ import annotations

import pytest
from snapset.analysis.dataflow.bitsets import EMPTY
from snapset.analysis.dataflow.framework import Direction, FixedPoint, MayProblem, MustProblem, ProblemScope
from snapset.analysis.dataflow.solver import make_graph
from snapset.frontend.cfg.graph import FlowGraph

DIAMOND = {0: (1, 2), 1: (3,), 2: (3,), 3: (4,), 4: (3, 5), 5: ()}  # with a loop 3 <-> 4
NOWHERE = ProblemScope("drawn", FlowGraph((), (), (), (), (), {}, {}, frozenset()), lambda bits: (bin(bits),))


class Before(MayProblem):
    """The nodes that may have run."""

    name = "before"
    direction = Direction.FORWARD

    def transfer(self, node: int, state: int) -> int:
        return state | 1 << node


class CertainlyBefore(MustProblem):
    """The nodes that certainly have run."""

    name = "certainly-before"
    direction = Direction.FORWARD

    def transfer(self, node: int, state: int) -> int:
        return state | 1 << node


class Behind(MayProblem):
    """The nodes that may run yet."""

    name = "behind"
    direction = Direction.BACKWARD

    def transfer(self, node: int, state: int) -> int:
        return state | 1 << node


def forward(kind: type[Before | CertainlyBefore]) -> FixedPoint[int]:
    return kind(NOWHERE, EMPTY).solve(make_graph(0, DIAMOND))


def test_order_is_a_reverse_postorder() -> None:
    graph = make_graph(0, DIAMOND)
    place = {n: i for i, n in enumerate(graph.order)}
    assert place[0] == 0
    assert all(place[a] < place[b] for a, b in [(0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (4, 5)])


def test_unreachable_nodes_are_left_out() -> None:
    assert 7 not in make_graph(0, {**DIAMOND, 7: (3,)}).order


def test_forward_union() -> None:
    found = forward(Before)
    assert found.at_entry(3) == 0b11111  # both branches, and around the loop
    assert found.at_exit(5) == 0b111111


def test_forward_intersection() -> None:
    found = forward(CertainlyBefore)
    assert found.at_entry(3) == 0b1
    assert found.at_entry(5) == 0b11001


def test_backward() -> None:
    found = Behind(NOWHERE, EMPTY).solve(make_graph(0, DIAMOND).reversed(5))
    assert found.at_entry(0) == 0b111111
    assert found.at_exit(4) == 0b111000


def test_backward_reaches_what_never_gets_to_the_end() -> None:
    graph = make_graph(0, {0: (1, 2), 1: (1,), 2: ()})  # 1 is an endless loop
    found = Behind(NOWHERE, EMPTY).solve(graph.reversed(2))
    assert found.at_entry(0) == 0b111


def test_what_holds_at_the_border() -> None:
    assert Before(NOWHERE, 1 << 9).solve(make_graph(0, DIAMOND)).at_entry(0) == 1 << 9
    assert Behind(NOWHERE, 1 << 9).solve(make_graph(0, DIAMOND).reversed(5)).at_exit(5) == 1 << 9


def test_of_nodes_that_no_path_reaches_nothing_is_said() -> None:
    assert forward(Before).at_entry(7) == 0
    assert forward(CertainlyBefore).at_exit(7) == 0


@pytest.mark.parametrize("kind", [Before, CertainlyBefore])
def test_a_forward_problem_is_not_solved_against_control(kind: type[Before | CertainlyBefore]) -> None:
    with pytest.raises(AssertionError, match="runs forward"):
        kind(NOWHERE, EMPTY).solve(make_graph(0, DIAMOND).reversed(5))


def test_a_backward_problem_is_not_solved_with_control() -> None:
    with pytest.raises(AssertionError, match="runs backward"):
        Behind(NOWHERE, EMPTY).solve(make_graph(0, DIAMOND))

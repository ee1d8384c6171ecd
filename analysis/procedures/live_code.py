"""What runs first for a checkpointed part: the statements of C that adjoint liveness keeps (equations.md section 3).

Ordinary dead-code elimination: what D̄ uses is demanded at C's end. use(C), out(C), kill(C) are those of
the statements kept. With ``whole`` everything runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from snapset.analysis.dataflow.bitsets import union
from snapset.analysis.dataflow.control_dependence import with_deciders
from snapset.analysis.dataflow.solver import DirectedGraph, solve
from snapset.analysis.procedures.array_lives import Lives
from snapset.analysis.procedures.statement_effects import Effect


@dataclass(frozen=True, slots=True)
class FirstRun:
    """``live``: use(C) ∪ (use(D̄) \\ kill(C)), with extra bits. ``kept``: the nodes that run."""

    live: int
    out_c: int
    kept: frozenset[int]


@dataclass(frozen=True, slots=True)
class ControlDependence:
    """What decides what: tests by node, and the nodes that go with a test (a loop's init and step)."""

    deciding: Mapping[int, frozenset[int]]
    partners: Mapping[int, frozenset[int]]

    def tests_for(self, nodes: frozenset[int]) -> frozenset[int]:
        return with_deciders(nodes, self.deciding, self.partners)


def first_run(graph: DirectedGraph, backward: DirectedGraph, effects: tuple[Effect, ...], lives: Lives,
              control: ControlDependence, demanded: int, whole: bool = False) -> FirstRun:
    """The first run of the part whose (flat) graph is given, when ``demanded`` = use(D̄)."""
    tests: frozenset[int] = frozenset()
    while True:
        fixed = tests

        def runs(node: int, after: int, fixed: frozenset[int] = fixed) -> bool:
            e = effects[node]
            return whole or e.keep or node in fixed or bool(e.out & lives.touchable(node, after))

        def transfer(node: int, after: int, fixed: frozenset[int] = fixed) -> int:
            after = lives.closed_backward(node, after)
            if runs(node, after, fixed):
                after = read_before(node, after, effects[node], lives)
            return lives.opened_backward(node, after)

        live = solve(backward, demanded, 0, int.__or__, transfer)
        kept = frozenset(n for n in graph.order
                         if runs(n, lives.closed_backward(n, live.before.get(n, 0))))
        working = frozenset(n for n in kept if whole or effects[n].out or effects[n].keep)
        needed_tests = control.tests_for(working)
        if needed_tests <= fixed or whole:
            return FirstRun(live.after.get(graph.entry, 0), union(effects[n].out for n in kept), kept)
        tests = fixed | needed_tests


def read_before(node: int, after: int, e: Effect, lives: Lives) -> int:
    """use(I) ∪ (after \\ kill(I)): what may be read from a statement on, the statement running."""
    return lives.own(node, e.use) | (after & ~e.kill & ~lives.element_kills(node))


def exposed(graph: DirectedGraph, backward: DirectedGraph, effects: tuple[Effect, ...], lives: Lives,
            kept: frozenset[int], demanded: int = 0) -> int:
    """use(C) alone: what the kept statements may read before writing it; with ``demanded`` behind them,
    use(C) ∪ (demanded \\ kill(C)) with extra bits."""

    def transfer(node: int, after: int) -> int:
        after = lives.closed_backward(node, after)
        if node in kept:
            after = read_before(node, after, effects[node], lives)
        return lives.opened_backward(node, after)

    live = solve(backward, demanded, 0, int.__or__, transfer).after.get(graph.entry, 0)
    return live if demanded else lives.fold(live)

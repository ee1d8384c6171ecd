"""What runs first for a checkpointed part: the statements of C whose values are needed later (equations.md section 3).

Ordinary dead-code elimination: what D̄ uses is demanded at C's end. use(C), out(C), kill(C) are those of
the statements that run. With ``whole`` everything runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeAlias

from snapset.analysis.dataflow.bitsets import EMPTY, May, Must, union
from snapset.analysis.dataflow.control_dependence import with_deciders
from snapset.analysis.dataflow.framework import Direction, MayProblem, MustProblem, ProblemScope
from snapset.analysis.dataflow.solver import DirectedGraph
from snapset.analysis.procedures.array_lives import ArrayLives
from snapset.analysis.procedures.effect_sets import Effect, Summary
from snapset.frontend.base.frozen_records import frozen

Needs: TypeAlias = Callable[[int, May], May]


@frozen(kw_only=True)
class FirstRun:
    """The first run of a part C. Statements that give only values which nothing needs behind C are left out of it.

    ``live``: what is live before it, use(C) ∪ (use(D̄) \\ kill(C)), with the extra bits of arrays. ``out_c``: out(C) of
    what runs. ``running``: the nodes that run.
    """

    live: May
    out_c: May
    running: frozenset[int]


@frozen
class ControlDependence:
    """What decides what: tests by node, and the nodes that go with a test (a loop's init and step)."""

    deciding: Mapping[int, frozenset[int]]
    partners: Mapping[int, frozenset[int]]

    def tests_for(self, nodes: frozenset[int]) -> frozenset[int]:
        return with_deciders(nodes, self.deciding, self.partners)


@frozen(eq=False)
class ExposedReads(MayProblem):
    """What may be read before it is written: the upward exposed uses of a stretch of code.

        exposed(entry I) = use(I) ∪ (exposed(exit I) \\ kill(I))    if I runs
                           exposed(exit I)                          otherwise

    Use(C) of what is known to run. ``running``: the nodes that run (None: all do).
    """

    name = "exposed-reads"
    direction = Direction.BACKWARD

    effects: tuple[Effect, ...]
    lives: ArrayLives
    running: frozenset[int] | None = None

    def transfer(self, node: int, state: May) -> May:
        lives = self.lives
        state = lives.closed_backward(node, state)
        if self.running is None or node in self.running:
            state = read_before(node, state, self.effects[node], lives)
        return lives.opened_backward(node, state)

    def plain(self, state: May) -> int:
        return self.lives.fold(state)


@frozen(eq=False)
class CertainWrites(MustProblem):
    """What has certainly been written whole since the code was entered.

        written(exit I) = written(entry I) ∪ kill(I)
    """

    name = "certain-writes"
    direction = Direction.FORWARD

    effects: tuple[Effect, ...]
    lives: ArrayLives

    def transfer(self, node: int, state: Must) -> Must:
        return state | self.effects[node].kill | self.lives.kills(node)


@frozen(eq=False)
class LiveCode(MayProblem):
    """Which values are demanded by what runs later, and so which statements run first.

        demanded(entry I) = use(I) ∪ (demanded(exit I) \\ kill(I))    if out(I) ∩ demanded(exit I) ≠ ∅
                            demanded(exit I)                          otherwise

    What must run in any case (an ALLOCATE that something may notice, a test that decides about a statement that runs)
    counts as wanted.
    ``needs``: what a node that runs must find where that is less than it reads, what is demanded behind it being known.
    """

    name = "live-code"
    direction = Direction.BACKWARD

    effects: tuple[Effect, ...]
    lives: ArrayLives
    tests: frozenset[int]
    whole: bool
    needs: Needs | None = None

    def runs(self, node: int, state: May) -> bool:
        """Does the node run, ``state`` being demanded behind it?"""
        e = self.effects[node]
        return self.whole or e.keep or node in self.tests or bool(self.lives.touched(node, e.out, state))

    def transfer(self, node: int, state: May) -> May:
        lives = self.lives
        state = lives.closed_backward(node, state)
        if self.runs(node, state):
            e = self.effects[node]
            if self.needs is not None:
                e = replace(e, use=self.needs(node, lives.fold(state)))
            state = read_before(node, state, e, lives)
        return lives.opened_backward(node, state)

    def plain(self, state: May) -> int:
        return self.lives.fold(state)


def first_run(scope: ProblemScope, graph: DirectedGraph, backward: DirectedGraph, effects: tuple[Effect, ...],
              lives: ArrayLives, control: ControlDependence, demanded: May, whole: bool = False,
              needs: Needs | None = None) -> FirstRun:
    """The first run of the part whose (flat) graph is given, when ``demanded`` = use(D̄)."""
    tests: frozenset[int] = frozenset()
    while True:
        problem = LiveCode(scope, demanded, effects, lives, tests, whole, needs)
        live = problem.solve(backward)
        running = frozenset(n for n in graph.order if problem.runs(n, lives.closed_backward(n, live.at_exit(n))))
        working = frozenset(n for n in running if whole or effects[n].out or effects[n].keep)
        needed_tests = control.tests_for(working)
        if needed_tests <= tests or whole:
            out_c = union(effects[n].out for n in running)
            return FirstRun(live=live.at_entry(graph.entry), out_c=out_c, running=running)
        tests |= needed_tests


def read_before(node: int, after: May, e: Effect, lives: ArrayLives) -> May:
    """use(I) ∪ (after \\ kill(I)): what may be read from a statement on, the statement running."""
    return lives.demanded(node, e.use) | (after & ~lives.ended(e.kill) & ~lives.element_kills(node))


def exposed(scope: ProblemScope, graph: DirectedGraph, backward: DirectedGraph, effects: tuple[Effect, ...],
            lives: ArrayLives, running: frozenset[int], demanded: May = EMPTY) -> May:
    """use(C) alone: what the running statements may read before writing it; with ``demanded`` behind them,
    use(C) ∪ (demanded \\ kill(C)) with extra bits."""
    live = ExposedReads(scope, demanded, effects, lives, running).solve(backward).at_entry(graph.entry)
    return live if demanded else lives.fold(live)


def summarise(scope: ProblemScope, graph: DirectedGraph, backward: DirectedGraph, effects: tuple[Effect, ...],
              lives: ArrayLives) -> Summary:
    """use, out and kill of a procedure in which every statement runs (equations.md section 1)."""
    exposed = ExposedReads(scope, EMPTY, effects, lives).solve(backward)
    written = CertainWrites(scope, EMPTY, effects, lives).solve(graph)
    return Summary(use=lives.fold(exposed.at_entry(scope.flow.entry)), out=union(effects[n].out for n in graph.order),
                   kill=written.at_entry(scope.flow.exit), shaped=union(effects[n].shaped for n in graph.order),
                   unseen=any(effects[n].unseen for n in graph.order),
                   completes=union(effects[n].completes for n in graph.order),
                   talks=any(effects[n].talks for n in graph.order))

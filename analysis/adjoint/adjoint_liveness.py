"""Adjoint liveness: what the backward sweep from here on reads and overwrites, with checkpointed parts.

    y = x*x         ! behind it, D̄ reads what the rest reads
    z = y*w         ! its derivative reads y and w: before it use(D̄) holds y and w, but for what is restored

One backward problem for each level of a procedure. Its state is the pair (use(D̄), out(D̄)), where D is everything that
runs after a point until the adjoint turns. Both sets may be too large, neither too small. The equations are in
docs/equations.md, sections 2 and 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from snapset.analysis.adjoint.level_adjoint import NOTHING_BEHIND, LevelAdjoint, PartFacts
from snapset.analysis.adjoint.split_calls import (
    SplitCallSite,
    State,
)
from snapset.analysis.dataflow.bitsets import EMPTY, May
from snapset.analysis.dataflow.framework import DataFlowProblem, Direction, SafeSide
from snapset.analysis.dataflow.part_graphs import LevelGraph
from snapset.analysis.procedures.array_lives import ArrayLives
from snapset.analysis.reversal.recorded_control import Reversal
from snapset.frontend.base.frozen_records import frozen


class Sweeps(Protocol):
    """What the problems ask about the adjoint code they are solved for. The one that answers is
    :class:`snapset.analysis.adjoint.code_maker.AdjointBuilder`."""

    @property
    def lives(self) -> ArrayLives: ...

    @property
    def reversal(self) -> Reversal: ...

    @property
    def split_calls(self) -> Mapping[int, SplitCallSite]: ...

    def is_part(self, node: int, graph: LevelGraph) -> bool: ...

    def through_part(self, node: int, graph: LevelGraph, use: May, out: May) -> State: ...

    def through_call(self, node: int, use: May, out: May) -> State: ...

    def through_statement(self, node: int, use: May, out: May, tests: frozenset[int]) -> State: ...

    def through_fixed(self, node: int, graph: LevelGraph, facts: PartFacts, use: May, out: May) -> State: ...

    def swept(self, node: int, use: May, out: May, runs: bool) -> State: ...


@frozen(eq=False)
class _Sweep(DataFlowProblem[State]):
    """use(D̄) and out(D̄), D being all that runs after a point until the turn."""

    direction = Direction.BACKWARD
    safe = SafeSide.OVER
    joining = "∪ of each"
    bottom = NOTHING_BEHIND
    unreached = NOTHING_BEHIND

    maker: Sweeps

    def join(self, one: State, other: State, /) -> State:
        return one[0] | other[0], one[1] | other[1]

    def through(self, node: int, use: May, out: May) -> State:
        """use and out before a node from those behind it."""
        raise NotImplementedError

    def transfer(self, node: int, state: State) -> State:
        """In a loop the DO variable is what the reversed loop makes it, whatever overwrites it behind the loop. Before
        the loop it is not, be it that neither sweep runs a loop whose body has nothing to do for them.
        """
        lives, reversal = self.maker.lives, self.maker.reversal
        use, out = self.through(node, lives.closed_backward(node, state[0]), state[1])
        begun = reversal.beginning.get(node, EMPTY)
        out = lives.turned_backward(node, May(out & ~reversal.regenerated(node) | begun))
        return lives.opened_backward(node, use), out

    def shown(self, state: State) -> Mapping[str, tuple[str, ...]]:
        fold, names = self.maker.lives.fold, self.scope.names
        return {"use": names(fold(state[0])), "out": names(fold(state[1]))}


@frozen(eq=False)
class AdjointLiveness(_Sweep):
    """Adjoint liveness: what the adjoint of all that follows reads and overwrites, and so which statements run.

        use(entry I) = use(I') ∪ use(I) ∪ (use(exit I) \\ kill(I))      if out(I) ∩ use(exit I) ≠ ∅
                       use(I') ∪ use(exit I)                            otherwise
        out(entry I) = (out(exit I) ∪ out(I)) \\ use(I')                if out(I) ∩ use(exit I) ≠ ∅
                       out(exit I) \\ use(I')                          otherwise
        use(entry C) = use(C) ∪ (use(exit C) \\ kill(C)) ∪ use(C̄)      for a checkpointed part C
        out(entry C) = out(C̄) ∪ ((out(exit C) ∪ out(C)) \\ use(C̄))

    (equations.md sections 2 and 3.) ``tests``: the tests that decide about what runs, which run too.
    """

    name = "adjoint-liveness"

    graph: LevelGraph
    tests: frozenset[int]

    def through(self, node: int, use: May, out: May) -> State:
        maker = self.maker
        if maker.is_part(node, self.graph):
            return maker.through_part(node, self.graph, use, out)
        if node in maker.split_calls:
            return maker.through_call(node, use, out)
        return maker.through_statement(node, use, out, self.tests)


@frozen(eq=False)
class SplitSweep(_Sweep):
    """use(D̄) and out(D̄) inside a code in split mode, from what lies behind its exit at one call.

        as adjoint-liveness, but what runs is known: what all calls of the code together need
    """

    name = "split-sweep"

    level: LevelAdjoint

    def through(self, node: int, use: May, out: May) -> State:
        maker, level = self.maker, self.level
        if node in level.parts:
            return maker.through_fixed(node, level.graph, level.parts[node], use, out)
        if node in maker.split_calls:
            return maker.through_call(node, use, out)
        return maker.swept(node, use, out, node in level.running)

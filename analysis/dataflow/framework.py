"""The framework of all data-flow problems: what a problem is, and its solution in execution order.

A problem is a class. It says its direction, what holds at the border, its join, what one node makes of a state, and
which side is safe; its docstring holds the equation. For example ::

    class Live(MayProblem):
        \"""What may be read before it is written again.

            live(entry I) = use(I) ∪ (live(exit I) \\ kill(I))
        \"""

        name = "live"
        direction = Direction.BACKWARD

        def transfer(self, node, state):
            return self.effects[node].use | (state & ~self.effects[node].kill)

``Live(...).solve(graph).at_entry(node)`` is asked in the order of execution, whatever the direction. The list of all
problems is :mod:`snapset.analysis.problems`.
"""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from enum import Enum
from inspect import cleandoc
from textwrap import dedent
from typing import ClassVar, Generic, TypeVar

from snapset.analysis.dataflow.bitsets import EMPTY, EVERYTHING, May, Must
from snapset.analysis.dataflow.solver import DirectedGraph, fixpoint
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.cfg.graph import FlowGraph

S = TypeVar("S")


class Direction(Enum):
    """Which way facts travel: with control, or against it."""

    FORWARD = "forward"
    BACKWARD = "backward"


class SafeSide(Enum):
    """On which side an answer may be wrong without harm."""

    OVER = "over-approximation"
    UNDER = "under-approximation"


@frozen(quick=True)
class ProblemScope:
    """The code a problem is about. ``code``: its name; ``names``: those of a set of its locations."""

    code: str
    flow: FlowGraph
    names: Callable[[int], tuple[str, ...]]

    def of_code(self, code: str) -> ProblemScope:
        """The same procedure, one of its adjoint codes."""
        return ProblemScope(code, self.flow, self.names)


@frozen
class FixedPoint(Generic[S]):
    """What holds at the entry and at the exit of each node, in execution order. ``unreached``: what is said of nodes
    that no path leads to (may: nothing happens there; must: nothing is certain there)."""

    entries: Mapping[int, S]
    exits: Mapping[int, S]
    unreached: S

    def at_entry(self, node: int) -> S:
        """What holds right before the node runs."""
        return self.entries.get(node, self.unreached)

    def at_exit(self, node: int) -> S:
        """What holds right after the node has run."""
        return self.exits.get(node, self.unreached)


@frozen(eq=False)
class DataFlowProblem(ABC, Generic[S]):
    """One data-flow problem, with what it is asked of.

    ``scope``: the code; ``boundary``: what holds where control enters (forward) or leaves (backward).
    """

    name: ClassVar[str]
    direction: ClassVar[Direction]
    safe: ClassVar[SafeSide]
    joining: ClassVar[str]  # the join in words

    scope: ProblemScope
    boundary: S

    @property
    @abstractmethod
    def bottom(self) -> S:
        """The join's neutral element: what holds before any path has been followed."""

    @property
    @abstractmethod
    def unreached(self) -> S:
        """What is said of nodes that no path leads to."""

    @abstractmethod
    def join(self, one: S, other: S, /) -> S:
        """What holds where two paths meet."""

    def merge(self, node: int, arriving: Sequence[S], known: S | None) -> S:
        """As :meth:`join`, for joins that depend on the place. ``known``: what was found there before."""
        raise NotImplementedError

    @abstractmethod
    def transfer(self, node: int, state: S) -> S:
        """What one node makes of a state; monotone."""

    @abstractmethod
    def shown(self, state: S) -> Mapping[str, tuple[str, ...]]:
        """A state as sets of names, by what each set is called ("" where there is only one)."""

    def solve(self, graph: DirectedGraph) -> FixedPoint[S]:
        """The least fixed point over a graph of the problem's own direction."""
        backward = self.direction is Direction.BACKWARD
        assert graph.against_control == backward, f"{self.name} runs {self.direction.value}"
        merge = self.merge if type(self).merge is not DataFlowProblem.merge else None
        first, second = fixpoint(graph, self.boundary, self.bottom, self.join, self.transfer, merge)
        solution = FixedPoint(second, first, self.unreached) if backward else FixedPoint(first, second, self.unreached)
        observer = _OBSERVER.get()
        if observer is not None:
            observer(self, graph, solution)
        return solution

    @classmethod
    def summary(cls) -> str:
        """The first sentence of the docstring."""
        return " ".join(cleandoc(cls.__doc__ or "").split("\n\n")[0].split())

    @classmethod
    def equation(cls) -> str:
        """The equation: the second paragraph of the docstring."""
        return dedent(cleandoc(cls.__doc__ or "").split("\n\n")[1]).rstrip()


class SetProblem(DataFlowProblem[S]):
    """A problem whose states are sets of locations."""

    def plain(self, state: S) -> int:
        """The set without what stands for the ages and elements of an array."""
        assert isinstance(state, int)
        return state

    def shown(self, state: S) -> Mapping[str, tuple[str, ...]]:
        return {"": self.scope.names(self.plain(state))}


class MayProblem(SetProblem[May]):
    """What may happen on some path: sets unite, and are safe when they grow."""

    safe = SafeSide.OVER
    joining = "∪"
    bottom = EMPTY
    unreached = EMPTY
    join = staticmethod(operator.or_)


class MustProblem(SetProblem[Must]):
    """What certainly happens on every path: sets are intersected, and are safe when they shrink."""

    safe = SafeSide.UNDER
    joining = "∩"
    bottom = EVERYTHING
    unreached = EMPTY
    join = staticmethod(operator.and_)


# ---------------------------------------------------------------- watching

Observer = Callable[["DataFlowProblem[object]", DirectedGraph, "FixedPoint[object]"], None]
_OBSERVER: ContextVar[Callable[..., None] | None] = ContextVar("observer", default=None)


@contextmanager
def observing(observer: Observer) -> Iterator[None]:
    """Show ``observer`` every problem that is solved meanwhile, in this thread."""
    token = _OBSERVER.set(observer)
    try:
        yield
    finally:
        _OBSERVER.reset(token)

"""Flow graphs: one flat graph per procedure, with the marked parts as single-entry single-exit levels.

Every analysis walks these nodes. A node is one evaluation: a simple statement, a test, or one of the
three of a counted loop (``init``, ``test``, ``step``). ``join`` nodes have no effect; they mark where
a construct, a part or the procedure begins or ends.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from snapset.frontend.base.diagnostics import Span
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir import Do, Expr, Marked, Stmt, While

Edge: TypeAlias = tuple[int, int]
NodeKind = Literal["join", "simple", "call", "test", "init", "loop-test", "step", "stop"]


@frozen
class Mask:
    """A WHERE mask in force: that of the statement with id ``where``. ``holds``: where it is true, else (ELSEWHERE)
    where it is false."""

    expr: Expr
    where: int
    holds: bool


@frozen(quick=True)
class Node:
    """One evaluation.

    ``stmt`` is None for a join. ``test`` is what a test evaluates. ``masks`` are the WHERE masks in
    force, outermost first. ``loops`` are the enclosing loops, outermost first, as indices into :attr:`FlowGraph.loops`;
    the step of a loop is inside it, its init and test are not. ``level`` is the innermost marked part
    that holds the node, as an index into :attr:`FlowGraph.levels` (0: the procedure itself).
    """

    index: int
    kind: NodeKind
    span: Span
    level: int
    loops: tuple[int, ...]
    stmt: Stmt | None = None
    test: tuple[Expr, ...] = ()
    masks: tuple[Mask, ...] = ()


@frozen
class Loop:
    """A loop of the flow graph, by its nodes.

    ``init``, ``test`` and ``step`` are -1 where the loop has none; ``end`` is the join behind it.

    ``entering``, ``leaving``: the edges into its body and out of it, in the order they were made. ``structured``: its
    body is entered through its init only, so its reversal can regenerate the DO variable.
    """

    index: int
    stmt: Do | While
    init: int
    test: int
    step: int
    end: int
    structured: bool
    body: frozenset[int]
    entering: tuple[Edge, ...]
    leaving: tuple[Edge, ...]


@frozen
class Level:
    """The procedure's body (index 0) or one marked part. ``parent`` is -1 for the body.

    ``nodes`` are all nodes inside, those of inner parts included; ``enter`` and ``leave`` are joins
    and among them. ``after`` is the join behind the part, in the parent's level.
    """

    index: int
    parent: int
    enter: int
    leave: int
    after: int
    marked: Marked | None
    nodes: tuple[int, ...]
    children: tuple[int, ...]


@frozen
class FlowGraph:
    """The flow graph of one procedure. Unreachable nodes are kept, without predecessors from outside.

    ``first_node`` and ``last_node`` give, for a statement of the tree (by its ``id``), the node where its
    evaluation begins and the one where it is complete; the array-kill proof uses them.
    ``jumps_into``: labels that some jump in the procedure leads to.
    """

    nodes: tuple[Node, ...]
    succs: tuple[tuple[int, ...], ...]
    preds: tuple[tuple[int, ...], ...]
    levels: tuple[Level, ...]
    loops: tuple[Loop, ...]
    first_node: Mapping[int, int]
    last_node: Mapping[int, int]
    jumps_into: frozenset[int]

    @property
    def entry(self) -> int:
        return self.levels[0].enter

    @property
    def exit(self) -> int:
        return self.levels[0].leave

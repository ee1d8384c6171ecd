"""One level of a procedure: its own nodes, each inner marked part as a single node.

A checkpointed part is analysed as a level of its own, with nothing behind it (the turn is at its end);
what encloses it sees it through the equations only.
"""

from __future__ import annotations

from collections.abc import Mapping

from snapset.analysis.dataflow.solver import DirectedGraph, make_graph
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.memo import Memo
from snapset.frontend.cfg.graph import FlowGraph


@frozen
class LevelGraph:
    """``forward`` and ``backward``: the level's graph. ``parts``: the node that stands for an inner part
    (its entry join) to that part's level."""

    index: int
    forward: DirectedGraph
    backward: DirectedGraph
    leave: int
    parts: Mapping[int, int]


def level_graph(flow: FlowGraph, index: int) -> LevelGraph:
    """The graph of one level."""
    return _GRAPHS.get(flow, _every_level)[index]


def _every_level(flow: FlowGraph) -> tuple[LevelGraph, ...]:
    return tuple(_level_graph(flow, level.index) for level in flow.levels)


_GRAPHS: Memo[FlowGraph, tuple[LevelGraph, ...]] = Memo(1 << 12)  # several analyses ask


def _level_graph(flow: FlowGraph, index: int) -> LevelGraph:
    level = flow.levels[index]
    parts = {flow.levels[c].enter: c for c in level.children}
    inside = {n.index for n in flow.nodes if n.level == index} | set(parts)
    succs = {n: flow.succs[n] for n in inside}
    for enter, child in parts.items():
        succs[enter] = (flow.levels[child].after,)
    forward = make_graph(level.enter, succs, inside)
    return LevelGraph(index, forward, forward.reversed(level.leave), level.leave, parts)


def flat_graph(flow: FlowGraph, index: int) -> DirectedGraph:
    """All nodes of a level, those of inner parts included: the code run plainly, without checkpoints."""
    level = flow.levels[index]
    return make_graph(level.enter, dict(enumerate(flow.succs)), set(level.nodes))

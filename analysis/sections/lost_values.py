"""What a checkpointed part overwrites and needs no saving all the same: nothing of it is lost.

The second run takes the way of the first. An element that C wrote before C̄ reads it is written again before it is
read again; one that C never writes still has its value. So of use(C̄) ∩ out(C) only what C overwrites *after* it may
have been read with its entry value is lost: DH (4) may take that in place of out(C), as long as D̄ overwrites nothing
of it either. Forward may-analysis; "lost" may hold too much.
"""

from __future__ import annotations

from collections.abc import Callable

from snapset.analysis.dataflow.bitsets import EVERYTHING, members
from snapset.analysis.dataflow.solver import DirectedGraph, solve
from snapset.analysis.procedures.array_lives import Lives
from snapset.analysis.procedures.call_binding import Target
from snapset.analysis.procedures.statement_effects import Effect


def lost_in(graph: DirectedGraph, effects: tuple[Effect, ...], lives: Lives, reads: Callable[[int], int],
            inside: Callable[[int], int]) -> int:
    """What the code of a (flat) graph loses.

    ``reads(node)``: what the second run or its adjoint read of the values right before a node. ``inside(node)``:
    of what a call reads, what it may overwrite itself afterwards; for a statement, what it reads and writes.
    """

    def rewritten(node: int, before: int) -> int:
        return before | effects[node].kill | lives.kills(node)

    new = solve(graph, 0, int(EVERYTHING), int.__and__, rewritten).before

    def seen(node: int, before: int) -> int:
        return before | (reads(node) & ~new[node])

    read = solve(graph, 0, 0, int.__or__, seen)
    lost = 0
    for node in graph.order:
        lost |= (effects[node].out & read.before[node]) | (inside(node) & ~new[node])
    return lost


def lost_through(target: Target, use: int, out: int, lost: int) -> int:
    """A callee's loss in the caller's terms.

    Where several locations of the callee are one of the caller's (elements, components), reading one and
    writing another counts as losing it.
    """
    found = target.outs(lost)
    readers: dict[int, int] = {}
    for i in members(use):
        for bit in members(target.links[i].use):
            readers[bit] = readers.get(bit, 0) | 1 << i
    for i in members(out):
        for bit in members(target.links[i].out):
            if readers.get(bit, 0) & ~(1 << i):
                found |= 1 << bit
    return found

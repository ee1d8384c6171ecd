"""What a checkpointed part overwrites and needs no saving all the same, since nothing of it is lost.

    b = 2*x         ! C writes b first ...
    t = b*b         ! ... and then reads it: run again, C makes b again. Nothing is lost
    a = 2*a         ! but this reads the a that C was entered with, and overwrites it: that a is lost

The second run of C takes the same way as the first. An element that C writes before it reads it is written again before
it is read again; one that C never writes still has its value. So of what C overwrites and its adjoint reads only that
has to be saved which is overwritten *after* it may have been read with its entry value: DH (4) may take that in place
of out(C), as long as D̄ overwrites nothing of it either. A forward analysis; "lost" may hold too much.
"""

from __future__ import annotations

from collections.abc import Callable

from snapset.analysis.dataflow.bitsets import EMPTY, May, Must, members, union
from snapset.analysis.dataflow.framework import Direction, FixedPoint, MayProblem, ProblemScope
from snapset.analysis.dataflow.solver import DirectedGraph
from snapset.analysis.memory.locations import Space
from snapset.analysis.procedures.array_lives import ArrayLives
from snapset.analysis.procedures.call_binding import Target
from snapset.analysis.procedures.effect_sets import Effect
from snapset.analysis.procedures.live_code import CertainWrites
from snapset.frontend.base.frozen_records import frozen


@frozen(eq=False)
class EntryReads(MayProblem):
    """What may have been read with the value that it had where the code was entered.

        read(exit I) = read(entry I) ∪ (reads(I) \\ written(entry I))

    ``reads``: what the second run, or its adjoint, reads of the values right before a node. ``written``: what is
    certainly written whole before it.
    """

    name = "entry-reads"
    direction = Direction.FORWARD

    reads: Callable[[int], May]
    written: FixedPoint[Must]

    def transfer(self, node: int, state: May) -> May:
        return state | (self.reads(node) & ~self.written.entries[node])


def lost_in(scope: ProblemScope, graph: DirectedGraph, effects: tuple[Effect, ...], lives: ArrayLives,
            reads: Callable[[int], May], inside: Callable[[int], May]) -> May:
    """What the code of a (flat) graph loses.

    ``reads(node)``: what the second run or its adjoint read of the values right before a node. ``inside(node)``:
    of what a call reads, what it may overwrite itself afterwards; for a statement, what it reads and writes.
    """
    written = CertainWrites(scope, EMPTY, effects, lives).solve(graph)
    read = EntryReads(scope, EMPTY, reads, written).solve(graph)
    return union((effects[node].out & read.entries[node]) | (inside(node) & ~written.entries[node])
                 for node in graph.order)


def lost_through(target: Target, use: May, out: May, lost: May, space: Space) -> May:
    """A callee's loss in the caller's terms.

    Where several locations of the callee are one of the caller's (elements, components), reading one and
    writing another counts as losing it. What is the same memory, perhaps, by pointers, counts, too: of
    ``call set(2*p, q)`` the value may be read of q.

    What both reach is looked at in groups, whose members reach the same but for themselves: any of two members
    reads what they reach by pointers, and each of them is read by itself alone.
    """
    read: May = EMPTY
    often: May = EMPTY  # by two or more
    own: dict[int, May] = {}
    for common, among in space.alike(target.hidden.outward(use)):
        often |= (read & (common | among)) | (common if among & (among - 1) else EMPTY)
        read |= common | among
    for i in members(use & ~target.hidden.inside):
        own[i] = bits = space.with_aliases(target.link(i).use)
        often |= read & bits
        read |= bits
    hidden = target.hidden.outward(out & ~use) & read | target.hidden.outward(out) & often
    found = May(target.outs(lost) | hidden)
    for i in members(out & ~target.hidden.inside):
        others = May(often | (read & ~own.get(i, 0)))  # what others read of the caller's memory
        found |= target.link(i).out & others
    return found


def found_again(space: Space, found: Must, used: May, same: Must) -> Must:
    """Of what need not be saved (``found``, of all that is ``used`` and overwritten) the allocations and associations
    only where nothing that they lead to is saved, which would have to be put back where it was; but for the ``same``,
    allocations that are what they were. ``do k = 1, n; g = h; end do; if (allocated(g%e)) y = sum(g%e)``: saved g%e
    needs g%e[], though that is written before it is read, or not at all."""
    while broken := found & ~same & space.descriptors_of(May(used & ~found)):
        found = Must(found & ~broken)
    return found

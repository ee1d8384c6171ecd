"""What following needs to know of a program, found once for all ranks."""

from __future__ import annotations

from collections.abc import Mapping

from snapset.analysis.messages.mpi_calls import is_message_passing, known_call
from snapset.analysis.messages.skeleton.aborting_branches import AbortingBranches
from snapset.analysis.messages.skeleton.closed_exchanges import ClosedExchanges
from snapset.analysis.messages.skeleton.skeleton_program import allocated_from, leaves, talking
from snapset.analysis.messages.skeleton.written_variables import OwnToRanks, Writes, own_to_ranks, written_variables
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.statement_walk import statements


@frozen
class FollowedProgram:
    """``talks``: the procedures that call MPI, ``speaks``: those that communicate; themselves, or by what they call.
    ``allocated``: the lower bounds of allocatable arrays, where they are the same everywhere. ``own``: what each rank
    has for itself before the head begins."""

    program: ir.Program
    writes: Mapping[str, Writes]
    talks: frozenset[str]
    speaks: frozenset[str]
    ends: AbortingBranches
    closing: ClosedExchanges
    allocated: Mapping[str, tuple[int, ...]]
    own: OwnToRanks

    def matters(self, block: ir.Block) -> bool:
        """Does it communicate, or leave what is around it?"""
        return leaves(block) or any(isinstance(one, ir.Call) and self.communicates(one) for one in statements(block))

    def communicates(self, call: ir.Call) -> bool:
        """Does a call, or what it runs?"""
        found = known_call(call)
        if found is not None:
            return found.communicates
        return is_message_passing(call.name) or any(key in self.speaks for key in call.targets)

    @staticmethod
    def of(program: ir.Program, root: str) -> FollowedProgram:
        """All of them, for runs from a procedure."""
        writes = written_variables(program)
        return FollowedProgram(program, writes, talking(program), talking(program, asking=False),
                               AbortingBranches(program), ClosedExchanges(program, root), allocated_from(program),
                               own_to_ranks(program, writes))

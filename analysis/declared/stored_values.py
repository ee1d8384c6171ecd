"""Which values a list elsewhere holds: ``CADJ STORE a`` behind a part keeps what the statements after it read of a.

    CALL BUDGET(t, a)         overwrites a in each turn
    CADJ STORE a = tape
    y(k) = a*a                reads a of this turn: the list has it, so that none needs to stand before the call
"""

from __future__ import annotations

from collections.abc import Mapping

from snapset.analysis.adjoint.level_adjoint import LevelAdjoint
from snapset.analysis.dataflow.bitsets import EMPTY, May, Must
from snapset.analysis.dataflow.framework import Direction, MayProblem, MustProblem
from snapset.analysis.procedures.effect_sets import Effect
from snapset.analysis.recording.to_be_recorded import ToBeRecorded
from snapset.frontend.base.frozen_records import frozen


@frozen(eq=False)
class StoredValues(MustProblem):
    """What has, on every path, the value that a list has stored.

        stored(exit I) = (stored(entry I) ∪ lists(I)) \\ out(I)
    """

    name = "stored-values"
    direction = Direction.FORWARD

    level: LevelAdjoint
    effects: tuple[Effect, ...]
    lists: Mapping[int, May]

    def transfer(self, node: int, state: Must) -> Must:
        out = self.level.parts[node].out_c if node in self.level.parts else self.effects[node].out
        return Must(self.before(node, state) & ~out)

    def before(self, node: int, state: Must) -> Must:
        """What is stored when the node runs, what stands right before it included."""
        return Must(state | self.lists.get(node, EMPTY))


@frozen(eq=False)
class RequiredOfLists(MayProblem):
    """To Be Recorded, without what derivatives read of values that a list before them has stored.

        Req(exit I) = as to-be-recorded, with use(I') \\ stored(entry I)
    """

    name = "required-of-lists"
    direction = Direction.FORWARD

    required: ToBeRecorded
    stored: Mapping[int, Must]

    def transfer(self, node: int, state: May) -> May:
        behind = self.required.transfer(node, state)
        held = self.required.lives.own(node, May(self.stored.get(node, EMPTY)))
        return May(behind & ~(behind & ~state & held))

    def plain(self, state: May) -> int:
        return self.required.plain(state)


def required_of_lists(required: ToBeRecorded, lists: Mapping[int, May], node: int) -> May:
    """Req before a node of a level, if the lists before some of its nodes store what they say."""
    level, model = required.level, required.adjoint.model
    problem = StoredValues(required.scope, Must(EMPTY), level, model.effects, lists)
    solution = problem.solve(level.graph.forward)
    stored = {n: problem.before(n, solution.at_entry(n)) for n in level.graph.forward.order}
    found = RequiredOfLists(required.scope, required.boundary, required, stored).solve(level.graph.forward)
    return May(required.lives.fold(found.at_entry(node)))

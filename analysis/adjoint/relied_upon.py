"""Who may need what an adjoint code leaves: what of a part must be as it found it, whatever any strategy chooses.

``b = sin(a); call grow(a)``: grow's derivatives read a, so adjoint liveness takes it that its adjoint puts a back, and
nothing of a is saved at the call; the sine's derivative relies on that. Where nobody outside can read a before it is
set again, grow's writes of elements may go untaped (:mod:`snapset.analysis.adjoint.element_tape`).
"""

from __future__ import annotations

from snapset.analysis.adjoint.level_adjoint import LevelAdjoint, ProcedureAdjoint
from snapset.analysis.adjoint.repeatable_groups import Computable, Ending
from snapset.analysis.dataflow.bitsets import EMPTY, May, union
from snapset.analysis.dataflow.framework import Direction, MayProblem
from snapset.analysis.procedures.array_lives import ArrayLives
from snapset.frontend.base.frozen_records import frozen


@frozen(eq=False)
class ReliedUpon(MayProblem):
    """What the backward sweep reads after it has taken back a point, whatever the strategy.

        relied(exit I) = (relied(entry I) ∪ use(I')) \\ kill(I)     if the forward sweep runs I
                         relied(entry I) ∪ use(I')                otherwise
        relied(exit C) = (relied(entry C) \\ out(C)) ∪ use(C̄)      for a checkpointed part C

    What C overwrites and somebody before requires is in Snp or Sbk, DH (3), (5); what it overwrites and C̄ uses is in
    Snp, DH (2): neither relies on what is behind C, but for an array of which a piece alone is saved. Operands of what
    may be computed again count as use(I'). ``boundary``: from outside the level.
    """

    name = "relied-upon"
    direction = Direction.FORWARD

    adjoint: ProcedureAdjoint
    level: LevelAdjoint
    lives: ArrayLives
    computable: Computable | None

    def transfer(self, node: int, state: May) -> May:
        adjoint, lives = self.adjoint, self.lives
        state = self.met(node, state)
        if node in self.level.parts:
            facts = self.level.parts[node]
            kept = May(lives.fold(state) & ~facts.whole)
            state = lives.behind_part(node, state, facts.touched, kept)
            state |= lives.own(node, self.aliased(facts.left_to_d(self.computed(node))))
        else:
            state |= lives.own(node, self.aliased(adjoint.derivative.get(node, EMPTY)))
            if node in self.level.running:
                state &= ~(adjoint.model.effects[node].kill | lives.element_kills(node))
        return lives.closed_forward(node, May(state | lives.own(node, self.behind(node))))

    def met(self, node: int, state: May) -> May:
        """What is read later in the backward sweep than a node is taken back, what runs again there included."""
        again = self.lives.own(node, self.at(node))
        return May(self.lives.opened_forward(node, May(state | again)) | again)

    def computed(self, node: int) -> May:
        return May(EMPTY if self.computable is None else self.computable.before_part(self.level.graph.index, node))

    def plain(self, state: May) -> int:
        return self.lives.fold(state)

    def aliased(self, bits: May) -> May:
        return self.adjoint.model.space.with_aliases(bits)

    def at(self, node: int) -> May:
        """What is read where assignments run again at a node, or for its snapshot."""
        ends = None if self.computable is None else self.computable.levels[self.level.graph.index]
        return EMPTY if ends is None else self.operands(ends.at.get(node), ends.parts.get(node, ()))

    def behind(self, node: int) -> May:
        ends = None if self.computable is None else self.computable.levels[self.level.graph.index]
        return EMPTY if ends is None else self.operands(ends.behind.get(node), ends.parts.get(node, ()))

    def operands(self, ending: Ending | None, others: tuple[int, ...]) -> May:
        assert self.computable is not None
        again = others if ending is None else (*ending.lost, *ending.makers, *others)
        read = union(self.computable.operands[one] for one in again)
        return self.aliased(read)


def relied_upon(adjoint: ProcedureAdjoint, level: LevelAdjoint, computable: Computable | None,
                outside: May) -> dict[int, May]:
    """By part of a level, what may be read in the backward sweep when the part has been taken back."""
    lives = adjoint.model.lives(level.running)
    problem = ReliedUpon(adjoint.scope, outside, adjoint, level, lives, computable)
    before = problem.solve(level.graph.forward).entries
    conditions = problem.aliased(union(one.reads for one in adjoint.branches.values()))  # read where others stand
    return {node: May(lives.own_of(node, problem.met(node, before[node]), facts.touched)
                      | problem.aliased(facts.passed) | conditions)
            for node, facts in level.parts.items() if node in before}

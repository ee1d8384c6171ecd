"""Computing again instead of taping: which values, and where in the backward sweep.

Where ``v = e`` is available for the last time (:mod:`snapset.analysis.adjoint.available_expressions`), the backward
sweep may run it once more: v is not required from there on, what e reads is. That is done only where it is free: every
operand is required there already, or nothing overwrites it any more. So no location is taped that would not be taped
without, and every value that is computed again is one less. In the same way a part's snapshot does without what its
adjoint can compute when the snapshot is back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from snapset.analysis.adjoint.available_expressions import Computable
from snapset.analysis.adjoint.level_adjoint import LevelAdjoint, ProcedureAdjoint
from snapset.analysis.dataflow.bitsets import EMPTY, Exact, May, exactly, union
from snapset.analysis.dataflow.framework import Direction, FixedPoint, MayProblem
from snapset.analysis.equations import PartSets, SnapshotChoice
from snapset.analysis.procedures.array_lives import ArrayLives
from snapset.analysis.procedures.effect_sets import Effect


@dataclass(frozen=True, slots=True, kw_only=True)
class Rerun:
    """Assignments (nodes) that run again in the order given; the locations that gain a value, what that needs."""

    assignments: tuple[int, ...] = ()
    value: Exact = EMPTY
    operands: May = EMPTY

    def required(self, lives: ArrayLives, node: int, before: May) -> May:
        """Req without what is computed again, whichever life of it, and with what that needs."""
        if not self.assignments:
            return before
        return (before & ~exactly(lives.spread(self.value))) | needed(lives, node, self.operands)


NOT_AGAIN = Rerun()


def needed(lives: ArrayLives, node: int, operands: May) -> May:
    """What is required for operands to be had as they are right before a node, or behind it."""
    own = lives.own(node, operands)
    return own if own & ~operands else lives.opened_forward(node, own)


@dataclass(frozen=True, slots=True)
class Reruns:
    """The assignments that the backward sweep of one level runs again, by node.

    ``at``: after it has restored what the node overwrote, before the node's derivative. ``behind``: before it restores
    that."""

    at: Mapping[int, Rerun] = field(default_factory=dict)
    behind: Mapping[int, Rerun] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.at or self.behind)

    @property
    def operands(self) -> May:
        """All that is read where something is computed again."""
        return union(one.operands for one in (*self.at.values(), *self.behind.values()))


NOTHING_AGAIN = Reruns()


def choose_reruns(adjoint: ProcedureAdjoint, level: LevelAdjoint, computable: Computable, lives: ArrayLives,
                  required: FixedPoint[May], wanted: May, recorded: frozenset[int]) -> Reruns:
    """What is computed again in a level. ``required``: Req there with everything taped; ``wanted``: the locations that
    are taped or saved then, the others being none worth it; ``recorded``: the tests whose outcome is known then."""
    ends, later = computable.levels[level.graph.index], None
    found: tuple[dict[int, Rerun], dict[int, Rerun]] = {}, {}
    entries, exits = required.entries, required.exits
    for into, candidates, states in ((found[0], ends.at, entries), (found[1], ends.behind, exits)):
        for node, assignments in candidates.items():
            state = lives.opened_forward(node, states[node]) if states is entries else states[node]
            known = lives.fold(state) | adjoint.derivative.get(node, EMPTY) | _passed(level, node)
            useful = [n for n in assignments if computable.value[n] & wanted & known]
            if not useful or not adjoint.control.tests_for(frozenset((node,))) <= recorded:
                continue
            if later is None:
                later = overwritten_later(adjoint, level)
            useful = [n for n in useful if computable.value[n] & later[node]]
            rerun = _rerun(useful, computable, _taped_for(adjoint, lives, node, state, later[node]))
            if rerun.assignments:
                into[node] = replace(rerun, operands=rerun.operands & ~adjoint.reversal.regenerated(node))
    return Reruns(*found)


def rerun_for_snapshot(computable: Computable, available: Iterable[int], sets: PartSets, choice: SnapshotChoice,
                       given: Exact) -> Rerun:
    """What of a part's snapshot is computed once it is back: from what it holds, and from what neither C nor D̄ has
    changed. ``available``: before the part; ``given``: the DO variables that the reversal gives back there."""
    alone = choice.snp & ~choice.sbk
    changed = (sets.out_c | (sets.out_dbar & ~choice.req_d)) & ~given
    useful = [n for n in available if computable.value[n] & alone]
    return _rerun(useful, computable, lambda operands: operands & changed & ~choice.snp)


def _passed(level: LevelAdjoint, node: int) -> May:
    return level.parts[node].passed if node in level.parts else EMPTY


def _taped_for(adjoint: ProcedureAdjoint, lives: ArrayLives, node: int, state: May, later: May) -> Callable[[May], May]:
    """What of some operands would have to be taped for their own sake."""
    given = adjoint.reversal.regenerated(node)

    def costly(bits: May) -> May:
        bits &= ~given & later
        return bits if needed(lives, node, bits) & ~state else EMPTY

    return costly


def _rerun(assignments: Iterable[int], computable: Computable, costly: Callable[[May], May]) -> Rerun:
    """As many of the assignments as are free, those first whose values others read."""
    left, chosen, value = list(assignments), list[int](), EMPTY
    while True:
        ready = next((n for n in left if not costly(computable.operands[n] & ~value)), None)
        if ready is None:
            break
        left.remove(ready)
        chosen.append(ready)
        value |= computable.value[ready]
    ordered = _in_order(chosen, computable)
    operands, done = May(EMPTY), EMPTY
    for n in ordered:
        operands |= computable.operands[n] & ~done
        done |= computable.value[n]
    return Rerun(assignments=ordered, value=value, operands=operands)


def _in_order(chosen: list[int], computable: Computable) -> tuple[int, ...]:
    """What gives an operand its value comes first. There is such an order: it is one the program ran them in."""
    ordered: list[int] = []
    left = list(chosen)
    while left:
        made = union(computable.value[n] for n in left)
        ready = next(n for n in left if not computable.operands[n] & made)
        left.remove(ready)
        ordered.append(ready)
    return tuple(ordered)


@dataclass(frozen=True, eq=False)
class OverwrittenLater(MayProblem):
    """What may still be overwritten until the turn.

        later(entry I) = later(exit I) ∪ out(I)               if the forward sweep runs I
                         later(exit I)                        otherwise
        later(entry C) = later(exit C) ∪ out(C) ∪ out(C̄)      for a checkpointed part C
    """

    name = "overwritten-later"
    direction = Direction.BACKWARD

    effects: tuple[Effect, ...]
    level: LevelAdjoint

    def transfer(self, node: int, state: May) -> May:
        if node in self.level.parts:
            facts = self.level.parts[node]
            return state | facts.out_c | facts.out_cbar
        return state | self.effects[node].out if node in self.level.running else state


def overwritten_later(adjoint: ProcedureAdjoint, level: LevelAdjoint) -> Mapping[int, May]:
    """By node: what the node or one that runs after it may overwrite until the turn."""
    return OverwrittenLater(adjoint.scope, EMPTY, adjoint.model.effects, level).solve(level.graph.backward).entries

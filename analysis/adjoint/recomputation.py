"""Computing again instead of taping: which values, and where in the backward sweep.

Where ``v = e`` is available for the last time (:mod:`snapset.analysis.adjoint.available_expressions`), the backward
sweep may run it once more: v is not required from there on, what e reads is. That is done only where it is free: every
operand is required there already, or nothing overwrites it any more. So no location is taped that would not be taped
without, and every value that is computed again is one less. In the same way a part's snapshot does without what its
adjoint can compute when the snapshot is back.

Then it is looked over, for what is required has become less. Let ``d = x(j) - q; r = d*d`` run in a loop over j. Where
j is about to change both are computed again; where the next iteration overwrites d, nobody requires r any more: to make
it there once more would only have d taped. And where r is required there, d is taped for its sake: then r is taped, if
it is the smaller. At each point that is a choice among assignments, each with what it gives (the bytes of its value, if
that is required), what it needs (values that others give there) and what it costs (the bytes of operands that nothing
else requires): the closure of greatest weight, found exactly by a minimum cut (Picard 1976).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from snapset.analysis.adjoint.level_adjoint import LevelAdjoint, ProcedureAdjoint
from snapset.analysis.adjoint.repeatable_groups import Computable
from snapset.analysis.adjoint.reruns import NOT_AGAIN, Rerun, Reruns, needed
from snapset.analysis.dataflow.bitsets import EMPTY, May, Must, exactly, members, singleton, union
from snapset.analysis.dataflow.framework import Direction, FixedPoint, MayProblem, MustProblem
from snapset.analysis.equations import SnapshotChoice
from snapset.analysis.memory.byte_sizes import constant_bytes
from snapset.analysis.memory.locations import Space
from snapset.analysis.procedures.array_lives import ArrayLives
from snapset.analysis.procedures.effect_sets import Effect
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen

EXTENT = 100  # stands for every extent that no constant gives
ROUNDS = 4  # the reruns are looked over at most so often


def choose_reruns(adjoint: ProcedureAdjoint, level: LevelAdjoint, computable: Computable, lives: ArrayLives,
                  required: FixedPoint[May], wanted: May, recorded: frozenset[int]) -> Reruns:
    """What is computed again in a level. ``required``: Req there with everything taped; ``wanted``: the locations that
    are taped or saved then, the others being none worth it; ``recorded``: the tests whose outcome is known then."""
    ends, later = computable.levels[level.graph.index], None
    found: tuple[dict[int, Rerun], dict[int, Rerun]] = {}, {}
    entries, exits = required.entries, required.exits
    for into, candidates, states in ((found[0], ends.at, entries), (found[1], ends.behind, exits)):
        for node, ending in candidates.items():
            state = lives.opened_forward(node, states[node]) if states is entries else states[node]
            known = lives.fold(state) | read_at(adjoint, level, node)
            useful = [n for n in ending.lost if computable.value[n] & wanted & known]
            if not useful or not adjoint.control.tests_for(frozenset((node,))) <= recorded:
                continue
            if later is None:
                later = overwritten_later(adjoint, level)
            useful = [n for n in useful if computable.value[n] & later[node]]
            makers = [n for n in (*ending.lost, *ending.makers) if n not in useful]
            if states is entries and (finding := finding_target(adjoint, node)):
                useful, makers = ([n for n in some if not computable.value[n] & finding] for some in (useful, makers))
            there = May(state | (lives.own(node, read_at(adjoint, level, node)) if states is entries else EMPTY))
            rerun = _rerun(useful, makers, computable, taped_for(adjoint, lives, node, there, later[node]))
            if rerun.assignments:
                into[node] = replace(rerun, operands=rerun.operands & ~adjoint.reversal.regenerated(node))
    return Reruns(*found)


def rerun_for_snapshot(computable: Computable, available: Iterable[int], choice: SnapshotChoice,
                       changed: May) -> Rerun:
    """What of a part's snapshot is computed once it is back: from what it holds, and from what neither C nor D̄ has
    ``changed``. ``available``: before the part."""
    alone = choice.snp & ~choice.sbk
    useful = [n for n in available if computable.value[n] & alone]
    makers = [n for n in available if n not in useful]
    return _rerun(useful, makers, computable, lambda operands: operands & changed & ~choice.snp)


def read_at(adjoint: ProcedureAdjoint, level: LevelAdjoint, node: int) -> May:
    """What the node's own derivative reads, when the backward sweep has taken the node back: behind it that is in Req,
    but for what is computed again at the node."""
    return adjoint.derivative.get(node, EMPTY) | (level.parts[node].passed if node in level.parts else EMPTY)


def finding_target(adjoint: ProcedureAdjoint, node: int) -> May:
    """What the target of an assignment is found by. What it overwrites is put back before anything runs again at the
    node: of ``k = nint(b(1)); b(k) = b(k)*s`` the k that finds b(k) has to be there by then."""
    stmt = adjoint.model.flow.nodes[node].stmt
    return adjoint.model.refs.subscripts(stmt.target) if isinstance(stmt, ir.Assign) else May(EMPTY)


def taped_for(adjoint: ProcedureAdjoint, lives: ArrayLives, node: int, state: May, later: May) -> Callable[[May], May]:
    """What of some operands would have to be taped for their own sake."""
    given = adjoint.reversal.regenerated(node)

    def costly(bits: May) -> May:
        bits &= ~given & later
        return bits if needed(lives, node, bits) & ~state else EMPTY

    return costly


def _rerun(useful: Iterable[int], makers: Iterable[int], computable: Computable,
           costly: Callable[[May], May]) -> Rerun:
    """As many of the useful assignments as are free, those first whose values others read. Of the ``makers``, which
    give a value that nothing here requires, those that a useful one cannot do without."""
    wanted = list(useful)
    left, free, value = [*wanted, *makers], list[int](), EMPTY
    while wanted:
        ready = next((n for n in left if not costly(computable.operands[n] & ~value)), None)
        if ready is None:
            break
        left.remove(ready)
        free.append(ready)
        value |= computable.value[ready]
    chosen, read = list[int](), May(EMPTY)
    for n in reversed(free):
        if n in wanted or computable.value[n] & read:
            chosen.append(n)
            read |= costly(computable.operands[n])
    return rerun_of(_in_order(chosen, computable), computable)


def rerun_of(assignments: tuple[int, ...], computable: Computable) -> Rerun:
    """Assignments that run in this order."""
    operands, done = May(EMPTY), EMPTY
    for n in assignments:
        operands |= computable.operands[n] & ~done
        done |= computable.value[n]
    return Rerun(assignments=assignments, steps=computable.steps(assignments), value=done, operands=operands)


def _in_order(chosen: list[int], computable: Computable) -> tuple[int, ...]:
    """What gives an operand its value comes first; of several that give the same, which is what is there, one does.

    A group may begin to give what another reads before it has ended: ``u = 0.3; w = u*a; IF (w > b) u = w`` is u, made
    with w, which is made with u. Where that goes round it is left out.
    """
    ordered: list[int] = []
    left, done = list(chosen), EMPTY
    while left:
        awaited = union(computable.value[n] for n in left) & ~done
        ready = next((n for n in left if not computable.operands[n] & awaited), None)
        if ready is None:
            left.remove(next(n for n in left if n in computable.groups))
            continue
        left.remove(ready)
        ordered.append(ready)
        done |= computable.value[ready]
    return tuple(ordered)


def look_over(adjoint: ProcedureAdjoint, level: LevelAdjoint, lives: ArrayLives, computable: Computable,
              chosen: Reruns, before: Callable[[int], May], behind: Callable[[int], May]) -> Reruns:
    """What of a level's reruns pays. ``before``, ``behind``: Req before and behind a node, but for its own rerun."""
    later = overwritten_later(adjoint, level)
    anyway = RequiredAnyway(adjoint.scope, EMPTY, adjoint, level, chosen.at).solve(level.graph.backward)
    found: tuple[dict[int, Rerun], dict[int, Rerun]] = {}, {}
    for into, reruns, state_of, taken_back in ((found[0], chosen.at, before, True),
                                               (found[1], chosen.behind, behind, False)):
        for node, every in reruns.items():
            kept = anyway.at_exit(node) & ~(overwritten_at(adjoint, level, node) if taken_back else EMPTY)
            rerun = rerun_of(tuple(n for n in every.assignments if computable.value[n] & ~kept), computable)
            state = May(state_of(node) | kept & rerun.operands)
            read = read_at(adjoint, level, node) if taken_back else EMPTY
            required, there = May(lives.fold(state) | read), May(state | lives.own(node, read))
            paying = worthwhile(rerun, computable, adjoint.model.space, required, adjoint.reversal.regenerated(node),
                                taped_for(adjoint, lives, node, there, later[node]))
            if paying.assignments:
                into[node] = paying
    return Reruns(*found)


def worthwhile(rerun: Rerun, computable: Computable, space: Space, required: May, given: May,
               costly: Callable[[May], May]) -> Rerun:
    """What of a rerun pays. ``required``: the locations whose value is needed there; ``given``: the DO variables that
    the reversal gives back; ``costly``: what of some operands would be taped for this rerun alone."""
    gain, needs, extra = dict[int, int](), dict[int, list[int]](), dict[int, May]()
    made: dict[int, int] = {}  # by location: the assignment that gives it a value here
    for n in rerun.assignments:
        value, operands = computable.value[n], computable.operands[n]
        gain[n] = _bytes(space, May(value & required))
        needs[n] = [made[index] for index in members(operands) if index in made]
        extra[n] = costly(operands & ~union(computable.value[m] for m in needs[n]))
        made |= dict.fromkeys(members(value), n)
    chosen = _closure(gain, needs, extra, space) if any(extra.values()) else {n for n in gain if gain[n]}
    read, kept = May(EMPTY), list[int]()
    for n in reversed(rerun.assignments):
        if n in chosen or computable.value[n] & read:  # what is chosen without a gain others need
            kept.append(n)
            read |= computable.operands[n]
    left = rerun_of(tuple(reversed(kept)), computable)
    return replace(left, operands=May(left.operands & ~given))


def _bytes(space: Space, bits: May) -> int:
    return sum(constant_bytes(space.infos[index], EXTENT) for index in members(bits))


def _closure(gain: Mapping[int, int], needs: Mapping[int, list[int]], extra: Mapping[int, May],
             space: Space) -> set[int]:
    """The assignments of the closure of greatest weight: of those of equal weight the smallest."""
    import networkx  # slow to start

    graph = networkx.DiGraph()
    graph.add_node("gain")
    graph.add_node("cost")
    for n, value in gain.items():
        if value:
            graph.add_edge("gain", n, capacity=value)
        for other in needs[n]:
            graph.add_edge(n, other)
        for index in members(extra[n]):
            graph.add_edge(n, ("operand", index))
            graph.add_edge(("operand", index), "cost", capacity=_bytes(space, singleton(index)))
    _, (near, _) = networkx.minimum_cut(graph, "gain", "cost")
    return {n for n in gain if n in near}


@frozen(eq=False)
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


@frozen(eq=False)
class RequiredAnyway(MustProblem):
    """What somebody requires on every way before it is overwritten: to compute it again here is of no use.

        anyway(entry I) = (anyway(exit I) \\ out(I)) ∪ use(I')              but for what is computed again at I
        anyway(entry C) = anyway(exit C) \\ (out(C) ∪ out(C̄))              for a checkpointed part C

    ``again``: by node, what is computed again once the node is taken back.
    """

    name = "required-anyway"
    direction = Direction.BACKWARD

    adjoint: ProcedureAdjoint
    level: LevelAdjoint
    again: Mapping[int, Rerun]

    def transfer(self, node: int, state: Must) -> Must:
        left = exactly(state & ~overwritten_at(self.adjoint, self.level, node))
        if node in self.level.parts:
            return left
        rerun = self.again.get(node, NOT_AGAIN)
        return exactly(left | self.adjoint.derivative.get(node, EMPTY) & ~rerun.value)


def overwritten_at(adjoint: ProcedureAdjoint, level: LevelAdjoint, node: int) -> May:
    """What the forward sweep may overwrite at a node, or both runs of a part."""
    if node in level.parts:
        return level.parts[node].out_c | level.parts[node].out_cbar
    return adjoint.model.effects[node].out if node in level.running else EMPTY


def overwritten_later(adjoint: ProcedureAdjoint, level: LevelAdjoint) -> Mapping[int, May]:
    """By node: what the node or one that runs after it may overwrite until the turn."""
    return OverwrittenLater(adjoint.scope, EMPTY, adjoint.model.effects, level).solve(level.graph.backward).entries

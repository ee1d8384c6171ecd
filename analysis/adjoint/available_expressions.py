"""Values that can be computed again: where the assignment that made one would still give the same.

Available expressions, forward, a must-analysis: ``v = e`` is available where every way there has run that one
assignment, and since then nothing wrote v or what e reads. Where the backward sweep comes by the last such point, it
may run the assignment again instead of having v taped (:mod:`snapset.analysis.adjoint.recomputation`).

Assignments make chains: of ``d = p(j) - q; r = d*d`` in a loop over j, d can be had where j is about to change, and
r, which waits for d to be overwritten, can be had there as well: later it has lost what it is made of.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import partial

from snapset.analysis.adjoint.level_adjoint import LevelAdjoint, ProcedureAdjoint
from snapset.analysis.adjoint.recomputation import overwritten_later
from snapset.analysis.adjoint.repeatable_groups import Computable, Ending, Group, LastAvailable, find_groups
from snapset.analysis.adjoint.untouched_elements import spared_reads
from snapset.analysis.dataflow.bitsets import (
    EMPTY,
    Exact,
    May,
    Must,
    exactly,
    members,
    union,
)
from snapset.analysis.dataflow.framework import Direction, FixedPoint, MustProblem
from snapset.analysis.memory.locations import HIGHEST, LOWEST
from snapset.analysis.memory.subscript_intervals import constants, declared
from snapset.analysis.operation_counts import MOST_OPERATIONS, operations
from snapset.analysis.procedures.effect_sets import Effect
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen


@frozen(eq=False)
class AvailableAssignments(MustProblem):
    """The assignments ``v = e`` that have run on every way, and since then nothing wrote v or what e reads.

        available(exit I) = {J ∈ available(entry I) : out(I) ∩ (out(J) ∪ use(J)) = ∅} ∪ ({I} if I can be repeated)

    ``bit``: by node, what is available behind it; ``touching``: by location, the assignments that write or read it;
    ``concerned``: these locations; ``spared``: by node, those that read no element that it writes. A set is one of
    assignments.
    """

    name = "available-assignments"
    direction = Direction.FORWARD

    effects: tuple[Effect, ...]
    bit: Mapping[int, int]
    touching: Mapping[int, int]
    concerned: int
    spared: Mapping[int, int] = field(default_factory=dict)

    def transfer(self, node: int, state: Must) -> Must:
        e, killed = self.effects[node], 0
        if e.everything:
            return EMPTY
        for index in members((e.out | e.kill) & self.concerned):
            killed |= self.touching[index]
        return exactly(state & ~(killed & ~self.spared.get(node, 0)) | self.bit.get(node, 0))

    def shown(self, state: Must) -> Mapping[str, tuple[str, ...]]:
        nodes = self.scope.flow.nodes
        found = (nodes[node] for node, own in self.bit.items() if own & state and self.effects[node].out)
        return {"": tuple(f"{self.scope.names(self.effects[n.index].out)[0]}@{n.span.line}" for n in found)}


def find_private(adjoint: ProcedureAdjoint, called: bool) -> Computable | None:
    """The assignments, in loops or in a procedure that others call, to scalars and small arrays that one level of a
    code has for itself: no other level reads or writes one. The level's own parts may: whoever computes it again has it
    when the adjoints of those run that read it, and what a part overwrites is not available behind it. But none that a
    part overwrites and another of these reads: its sets do not know that it is needed on the part's other side. An
    argument may be one, too: see :mod:`snapset.analysis.recording.private_scalars`."""
    model, kept = adjoint.model, set[int]()
    for level in adjoint.levels:
        own = frozenset(level.graph.forward.order) - level.parts.keys() - level.graph.parts.keys()
        loops = {loop.index for loop in model.flow.loops if loop.init in own}
        candidates = [n for n in own & level.running if (called or not loops.isdisjoint(model.flow.nodes[n].loops))
                      and n not in model.calls and repeatable(model, n)]
        elsewhere = _touched_elsewhere(adjoint, level, own) if candidates else EMPTY
        elsewhere |= union(model.effects[n].use for n in candidates) & union(
            part.out_c | part.out_cbar for part in level.parts.values())
        kept.update(n for n in candidates if model.effects[n].out & ~elsewhere)
    return find_computable(adjoint, only=frozenset(kept)) if kept else None


def _touched_elsewhere(adjoint: ProcedureAdjoint, level: LevelAdjoint, own: frozenset[int]) -> int:
    """What other levels read or write, but in a level's own parts."""
    model, inside, work = adjoint.model, set[int](), [level]
    while work:
        inside.update(below := work.pop().graph.parts.values())
        work += (adjoint.levels[index] for index in below)
    return union(e.use | e.out for n, e in enumerate(model.effects)
                 if n not in own and n not in level.parts and model.flow.nodes[n].level not in inside)


def find_computable(adjoint: ProcedureAdjoint, by_value: bool = False,
                    only: frozenset[int] | None = None) -> Computable | None:
    """What a code may compute again; None where there is nothing, or where its sweeps run apart or hold calls whose
    sweeps do (what happens between them is not seen). ``by_value``: also what several statements make together, and
    arrays are told apart by their elements. ``only``: these assignments."""
    model = adjoint.model
    if adjoint.code.split or adjoint.split_calls:
        return None
    nodes = [n for n in model.graph.order if (repeatable(model, n) if only is None else n in only)]
    found = find_groups(model, partial(_cheap, model), partial(_cheap_test, model)) if by_value else []
    groups = dict(enumerate(found, len(model.flow.nodes)))
    if not nodes and not groups:
        return None
    value = {n: exactly(model.effects[n].out) for n in nodes} | {n: one.value for n, one in groups.items()}
    operands = {n: model.effects[n].use for n in nodes} | {n: one.operands for n, one in groups.items()}
    bit = {n: 1 << i for i, n in enumerate(value)}
    reading = {n: groups[n].nodes if n in groups else frozenset((n,)) for n in value}
    spared = spared_reads(model, bit, value, operands, reading) if by_value else {}
    solved = _available(model, bit, value, operands, groups, spared)
    levels = tuple(_ends(adjoint, level, solved, bit, value, operands, groups) for level in adjoint.levels)
    return Computable(value, operands, levels, groups)


def worth_having(adjoint: ProcedureAdjoint, computable: Computable) -> Computable | None:
    """The assignments whose value a derivative, a part's adjoint or the reversal of control may read, and those that
    make what they read. No other is ever run again, whatever is required at the code's entry: each gives its location
    a new value. Nor is one of which an operand is overwritten, and required by nobody. None if there is none."""
    read = union(adjoint.derivative.values()) | union(adjoint.reversal.preserved.values())
    read |= union(one.reads for one in adjoint.branches.values())
    read |= union(facts.use_cbar for level in adjoint.levels for facts in level.parts.values())
    computable = computable.of_those(_possible(adjoint, computable, May(read)))
    found, left = set[int](), list(computable.value)
    while new := [n for n in left if computable.value[n] & read]:
        found.update(new)
        read |= union(computable.operands[n] for n in new)
        left = [n for n in left if n not in found]
    return computable.of_those(frozenset(found)) if found else None


def _possible(adjoint: ProcedureAdjoint, computable: Computable, read: May) -> frozenset[int]:
    """Those each of whose operands is read by others in the backward sweep, is perhaps required from outside, is given
    back by the reversal of a loop, is made by another one, or stands there, where its value can be had for the last
    time: nothing that runs from there to the turn overwrites it."""
    changed = union(e.out for e in adjoint.model.effects) | union(
        facts.out_c | facts.out_cbar for level in adjoint.levels for facts in level.parts.values())
    given = union(adjoint.reversal.regenerated(node) for node in adjoint.model.graph.order)
    lost = changed & ~(read | given | adjoint.model.visible)
    standing = _standing(adjoint, computable, lost)
    kept = frozenset(computable.value)
    while gone := {n for n in kept if computable.operands[n] & lost & ~standing.get(n, EMPTY)
                   & ~union(computable.value[m] for m in kept)}:
        kept -= gone
    return kept


def _standing(adjoint: ProcedureAdjoint, computable: Computable, lost: int) -> Mapping[int, Exact]:
    """By assignment, those of its operands that nothing overwrites from one of the places on where it may run again."""
    found: dict[int, Exact] = {}
    doubted = {n for n, bits in computable.operands.items() if bits & lost}
    for level, ends in zip(adjoint.levels, computable.levels, strict=True):
        places = [(node, n) for some in (ends.at, ends.behind) for node, end in some.items()
                  for n in (*end.lost, *end.makers) if n in doubted]
        places += [(node, n) for node, some in ends.parts.items() for n in some if n in doubted]
        later = overwritten_later(adjoint, level) if places else {}
        for node, n in places:
            found[n] = exactly(found.get(n, EMPTY) | (computable.operands[n] & ~later[node]))
    return found


def repeatable(model: ProcedureModel, node: int) -> bool:
    """Is the node a cheap assignment to a scalar, or to all of an array that keeps its memory, that no pointer leads to
    and no other variable overlays, of operands of that kind, itself none of them? Or a call that gives such values?"""
    e = model.effects[node]
    return _cheap(model, node) and int(e.out) == e.kill and not e.out & e.use


def _cheap(model: ProcedureModel, node: int) -> bool:
    """Is it such an assignment, perhaps to elements, and perhaps reading its own target? Or a call, as cheap, of what
    gives values to nothing else?

    What depends on more than its operands (the state of random numbers, a file) or decides what runs next is never run
    again (``keep``). Pointers, targets and allocatables are left out for brevity of what an adjoint has to run, not
    because it would be wrong: what may be changed by another name, or with the memory, is in use and out."""
    at, e, space = model.flow.nodes[node], model.effects[node], model.space
    if e.keep or _at_once(model, node):
        return False
    if not e.out or e.use & space.other_names or e.out & (space.aliasable | space.allocatable):
        return False
    if any(space.infos[index].type.kind not in ("real", "integer", "logical") for index in members(e.out)):
        return False
    if node in model.calls:
        return _cheap_call(model, node)
    return at.kind == "simple" and isinstance(at.stmt, ir.Assign) and not e.out & (e.out - 1) \
        and operations(at.stmt.value, partial(_extent, model)) <= MOST_OPERATIONS


def _cheap_call(model: ProcedureModel, node: int) -> bool:
    """An array as a function's result has memory of its own at each call."""
    site, result = model.calls[node], model.calls[node].stmt.result
    return site.effort <= MOST_OPERATIONS and (result is None or not model.procedure.variables[result.name].shape.rank)


def _cheap_test(model: ProcedureModel, node: int) -> bool:
    """A test that changes nothing, and takes no longer."""
    at, e = model.flow.nodes[node], model.effects[node]
    if e.out or e.keep or e.use & model.space.other_names or _at_once(model, node):
        return False
    return sum(operations(expr) for expr in at.test) <= MOST_OPERATIONS


def _extent(model: ProcedureModel, ref: ir.Ref) -> int:
    """How many elements a reference to a whole array, or to whole dimensions of it, selects."""
    variable = model.procedure.variables.get(ref.name)
    if variable is None or len(ref.parts) > 1:
        return MOST_OPERATIONS + 1
    constant, found = constants(model.procedure.variables), 1
    for dim, one in zip(variable.shape.dims, ref.parts[0].subscripts or (ir.Range(),)*ref.rank, strict=False):
        if isinstance(one, ir.Range):
            low, high = declared(dim, constant)
            found *= high - low + 1 if one == ir.Range() and LOWEST < low and high < HIGHEST else MOST_OPERATIONS + 1
    return found


def _at_once(model: ProcedureModel, node: int) -> bool:
    """Does the node stand in a FORALL or DO CONCURRENT, whose iterations have no order?"""
    loops = (model.flow.loops[i].stmt for i in model.flow.nodes[node].loops)
    return any(isinstance(stmt, ir.Do) and stmt.kind != "do" for stmt in loops)


def _available(model: ProcedureModel, bit: Mapping[int, int], value: Mapping[int, int], operands: Mapping[int, int],
               groups: Mapping[int, Group], spared: Mapping[int, int]) -> FixedPoint[Must]:
    """The available assignments before and behind each node of the procedure, inner parts run plainly."""
    touching: dict[int, int] = {}  # by location: the assignments that give it a value or read it
    for n, own in bit.items():
        for index in members(value[n] | operands[n]):
            touching[index] = touching.get(index, 0) | own
    concerned = sum(1 << index for index in touching)
    made = {n: own for n, own in bit.items() if n not in groups}
    for n, group in groups.items():
        for end in group.ends:
            made[end] = made.get(end, 0) | bit[n]
    return AvailableAssignments(model.scope, EMPTY, model.effects, made, touching, concerned, spared).solve(model.graph)


class _Chains:
    """Which assignments read what others give a value, of those that run in a level."""

    def __init__(self, bit: Mapping[int, int], value: Mapping[int, int], operands: Mapping[int, int]) -> None:
        self.node = {own: n for n, own in bit.items()}
        self.value, self.operands = value, operands
        self.making: dict[int, int] = {}  # by location: the assignments that give it a value
        self.reading: dict[int, int] = {}
        for n, own in bit.items():
            for index in members(value[n]):
                self.making[index] = self.making.get(index, 0) | own
        for n, own in bit.items():
            for index in members(operands[n]):
                if index in self.making:
                    self.reading[index] = self.reading.get(index, 0) | own

    def ending(self, lost: int, available: int) -> Ending:
        """Of the assignments available at a point some are lost there."""
        with_readers = self._closed(lost, available, self.value, self.reading)
        makers = self._closed(with_readers, available, self.operands, self.making) & ~with_readers
        return Ending(self._those(with_readers), self._those(makers))

    def _closed(self, start: int, among: int, locations: Mapping[int, int], following: Mapping[int, int]) -> int:
        """What is reached from some assignments, by what they read or give a value."""
        reached = left = start
        while left:
            own = left & -left
            left &= left - 1
            for index in members(locations[self.node[own]]):
                new = following.get(index, 0) & among & ~reached
                reached |= new
                left |= new
        return reached

    def _those(self, found: int) -> tuple[int, ...]:
        ordered = list[int]()
        while found:
            ordered.append(self.node[found & -found])
            found &= found - 1
        return tuple(ordered)


def _ends(adjoint: ProcedureAdjoint, level: LevelAdjoint, solved: FixedPoint[Must], bit: Mapping[int, int],
          value: Mapping[int, int], operands: Mapping[int, int], groups: Mapping[int, Group]) -> LastAvailable:
    """Only assignments that run in the level count: its own, and those of its parts' first runs."""
    model, graph = adjoint.model, level.graph.forward
    running = {n for n in level.running if n in graph.preds}.union(*(
        facts.first_run_nodes for node, facts in level.parts.items() if node in level.graph.parts))
    counting = {n: own for n, own in bit.items() if (groups[n].nodes <= running if n in groups else n in running)}
    half_made: dict[int, int] = {}  # by node: the groups that it is inside of
    for n in groups.keys() & counting.keys():
        for node in groups[n].inner:
            half_made[node] = half_made.get(node, 0) | counting[n]
    valid = sum(counting.values())
    if not valid:
        return LastAvailable({}, {}, {})
    chains = _Chains(counting, value, operands)
    at: dict[int, Ending] = {}
    behind: dict[int, Ending] = {}
    for node in graph.order:
        if model.effects[node].keep or _at_once(model, node) or node == level.graph.leave:
            continue
        last = model.flow.levels[level.graph.parts[node]].leave if node in level.graph.parts else node
        if last not in solved.exits:
            continue  # a part that never ends
        here = valid & ~half_made.get(node, 0)
        left = solved.exits[last] & here
        if lost := solved.entries[node] & here & ~left:
            at[node] = chains.ending(lost, solved.entries[node] & here)
        joined = left
        for follower in graph.succs[node]:
            joined &= solved.entries[follower]
        if lost := left & ~joined:
            behind[node] = chains.ending(lost, left)
    parts = {node: found for node in level.parts if (found := _those(counting, solved.entries[node] & valid))}
    return LastAvailable(at, behind, parts)


def _those(bit: Mapping[int, int], found: int) -> tuple[int, ...]:
    return tuple(n for n, own in bit.items() if own & found)

"""The plan of one procedure as tables the plan machine looks up while running."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from snapset.analysis.adjoint import ProcedureAdjoint
from snapset.analysis.bits import members
from snapset.analysis.levels import flat_graph
from snapset.analysis.locations import Location
from snapset.analysis.recorded import ProcedureRecord
from snapset.analysis.replay.lower import Lowering
from snapset.analysis.replay.partials import Moves
from snapset.analysis.solver import Graph
from snapset.analysis.taping import Taping
from snapset.frontend import ir


@dataclass(frozen=True, slots=True)
class PartPlan:
    """A part (or active call): what is saved, and what is free to be destroyed at which moment.

    ``only_snp``: what is in Snp and not in Sbk too, so takes room of its own.
    ``lost_before``: between D̄ and POP(Snp); ``idle``: those of them D̄ does not use; ``lost_after``:
    between C̄ and POP(Sbk).
    """

    level: int | None
    snp: tuple[Location, ...]
    only_snp: tuple[Location, ...]
    sbk: tuple[Location, ...]
    first: frozenset[int]
    idle: tuple[Location, ...]
    lost_before: tuple[Location, ...]
    lost_after: tuple[Location, ...]


@dataclass(frozen=True, slots=True)
class LevelPlan:
    """One level: what runs, what each node's writes tape (by written piece), its parts, where control goes on.

    ``counted``: what the analysis records of control at a node, in bytes.
    """

    enter: int
    leave: int
    kept: frozenset[int]
    taped: Mapping[int, tuple[bool, ...]]
    whole: Mapping[int, tuple[Location, ...]]
    parts: Mapping[int, PartPlan]
    skip: Mapping[int, int]
    flat_skip: Mapping[int, int]
    counted: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class ProcedurePlan:
    """``derivatives``: compiled statement adjoints; ``regenerated``: slots of the DO variables given back at a node."""

    levels: tuple[LevelPlan, ...]
    derivatives: Mapping[int, Callable[..., Any]]
    regenerated: Mapping[int, tuple[int, ...]]
    stored_masks: frozenset[int]


class Planner:
    """Makes the plan of one procedure."""

    def __init__(self, adjoint: ProcedureAdjoint, record: ProcedureRecord, lowering: Lowering) -> None:
        self.adjoint = adjoint
        self.record = record
        self.model = adjoint.model
        self.lowering = lowering
        self.taping = Taping(adjoint, record)

    def plan(self) -> ProcedurePlan:
        levels = tuple(self.level(i) for i in range(len(self.adjoint.levels)))
        derivatives = self.lowering.adjoints(self.moves, "p")
        regenerated = {n.index: found for n in self.model.flow.nodes if (found := self.regenerated(n.index))}
        return ProcedurePlan(levels, derivatives, regenerated, self.model.stored_masks)

    def moves(self, node: int) -> Moves | None:
        """What varies before a node that has a derivative; None where it has none."""
        active, model = self.adjoint.active, self.model
        if node not in active.derivative and node not in active.active_calls:
            return None
        varied = active.varied[node]
        return lambda ref: bool(model.space.with_aliases(model.refs.touch(ref).bits) & varied)

    def level(self, index: int) -> LevelPlan:
        level, record, flow = self.adjoint.levels[index], self.record.levels[index], self.model.flow
        taped, whole = {}, {}
        for node in level.kept:
            bits = record.taped.get(node, 0)
            stmt = flow.nodes[node].stmt
            if isinstance(stmt, ir.Call):
                whole[node] = self.locations(bits)
            elif node in self.lowering.code.spots:
                taped[node] = self.pieces(node, stmt, bits)
        parts = {node: self.part(index, node) for node in level.parts}
        return LevelPlan(flow.levels[index].enter, flow.levels[index].leave, level.kept, taped, whole, parts,
                         postdominators(level.graph.forward, level.graph.leave),
                         postdominators(flat_graph(flow, index), flow.levels[index].leave), self.counted(index))

    def locations(self, bits: int) -> tuple[Location, ...]:
        space = self.model.space
        return tuple(space.locations[i] for i in members(bits) if i < len(space))

    def pieces(self, node: int, stmt: ir.Stmt | None, bits: int) -> tuple[bool, ...]:
        """For each piece of memory a node writes: is it taped?"""
        touch = self.model.refs.touch
        if isinstance(stmt, ir.Assign):
            return tuple(bool(touch(piece.target).bits & bits) for piece in self.lowering.pieces(stmt))
        if isinstance(stmt, ir.Do):
            return (bool(touch(stmt.var).bits & bits),)
        assert isinstance(stmt, ir.Allocate | ir.Deallocate)
        return tuple(bool(touch(ref).bits & bits) for ref in stmt.objects)

    def part(self, index: int, node: int) -> PartPlan:
        level, solved = self.adjoint.levels[index], self.record.levels[index].solved[node]
        facts, choice, sets = level.parts[node], solved.choice, solved.sets
        before = sets.out_c | (sets.out_dbar & ~choice.req_d)
        first = facts.first_kept
        if node not in level.graph.parts and node in level.kept:
            first |= {node}  # a call that decides where control goes on
        return PartPlan(level.graph.parts.get(node), self.locations(choice.snp),
                        self.locations(choice.snp & ~choice.sbk), self.locations(choice.sbk), first,
                        self.locations(before & ~facts.use_dbar), self.locations(before),
                        self.locations(sets.out_cbar & ~choice.req_c))

    def regenerated(self, node: int) -> tuple[int, ...]:
        """Slots of the DO variables that the reversal of the loops around a node gives back."""
        bits, flow, model = self.adjoint.reversal.regenerated(node), self.model.flow, self.model
        found = []
        for loop in flow.loops:
            if loop.structured and node in loop.body and isinstance(loop.stmt, ir.Do) \
                    and model.effects[loop.step].kill & bits:
                found.append(self.lowering.values.slot(loop.stmt.var).number)
        return tuple(found)

    def counted(self, index: int) -> dict[int, int]:
        """The bytes of control recorded where a node runs: a loop's at its entry, a test's at the test."""
        found: dict[int, int] = {}
        for node in self.taping.recorded_tests[index]:
            recorded = self.taping.recorded_at(node)
            if recorded is None:
                continue
            loop = next((x for x in self.model.flow.loops if x.test == node), None)
            if loop is None:
                found[node] = recorded[1]
            else:
                found[loop.init if loop.init >= 0 else self.model.flow.first_node[id(loop.stmt)]] = recorded[1]
        return found


def postdominators(graph: Graph, leave: int) -> dict[int, int]:
    """Where control certainly comes by behind each node, first."""
    import networkx as nx

    back = nx.DiGraph()
    back.add_node(leave)
    for node in graph.order:
        back.add_edges_from((succ, node) for succ in graph.succs[node])
    if leave not in back:
        return {}
    finishing = nx.descendants(back, leave) | {leave}
    for node in graph.order:
        if node not in finishing:
            back.add_edge(leave, node)
    return {n: d for n, d in nx.immediate_dominators(back, leave).items() if d is not None}

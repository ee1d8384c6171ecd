"""From the analysis to the plan: the tables of :mod:`snapset.analysis.replay.machine.plan_tables`, procedure by
procedure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from operator import itemgetter
from typing import Any

from snapset.analysis.adjoint.level_adjoint import LevelAdjoint, ProcedureAdjoint
from snapset.analysis.dataflow.bitsets import EMPTY, May, exactly, members, singleton, union
from snapset.analysis.dataflow.dominators import postdominators
from snapset.analysis.dataflow.part_graphs import flat_graph
from snapset.analysis.head_analysis import Analysis
from snapset.analysis.memory.locations import Location
from snapset.analysis.memory.references import Piece
from snapset.analysis.recording.tape_sites import Taping
from snapset.analysis.recording.to_be_recorded import ProcedureRecord
from snapset.analysis.replay.codegen.partial_derivatives import Moves
from snapset.analysis.replay.machine.plan_tables import (
    IN_SBK,
    NOT_TAPED,
    Kind,
    LevelPlan,
    PartPlan,
    Plans,
    ProcedurePlan,
    Row,
    SavedLocation,
    SplitCallPlan,
)
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.machine.reevaluated_branches import Deciding
from snapset.analysis.replay.memory.runtime_support import SlotFinder
from snapset.analysis.replay.statements.allocation import is_move, pieces
from snapset.analysis.replay.statements.external_stubs import received
from snapset.analysis.replay.statements.message_calls import executed
from snapset.analysis.replay.statements.message_calls import received as received_from_ranks
from snapset.analysis.replay.statements.node_functions import NodeFunctions
from snapset.analysis.sections.snapshot_sections import repeated
from snapset.frontend import ir


def make_plans(machine: Machine, analysis: Analysis, records: Mapping[str, ProcedureRecord]) -> Plans:
    """The plans of all adjoint codes under one strategy's records."""
    rows: list[Row] = []
    procedures = {key: Planner(analysis.adjoints.by_key[key], records[key],
                               machine.lowerings[analysis.adjoints.codes.by_key[key].procedure], rows).plan()
                  for key in analysis.order}
    return Plans(procedures, tuple(rows))


class Planner:
    """Makes the plan of one code; ``rows`` of all procedures so far, to which it adds its own."""

    def __init__(self, adjoint: ProcedureAdjoint, record: ProcedureRecord, lowering: NodeFunctions,
                 rows: list[Row]) -> None:
        self.rows = rows
        self.adjoint = adjoint
        self.record = record
        self.model = adjoint.model
        self.lowering = lowering
        self.taping = Taping(adjoint, record)

    def plan(self) -> ProcedurePlan:
        levels = tuple(self.level(i) for i in range(len(self.adjoint.levels)))
        once, adjoint = self.lowering.once, self.adjoint  # the same for every strategy
        derivatives = once(f"derivatives {adjoint.key}", adjoint,
                           lambda: self.lowering.adjoints(self.moves, "p", adjoint.sides.keys()))
        regenerated = once(f"regenerated {adjoint.key}", adjoint, lambda: {
            n.index: found for n in self.model.flow.nodes if (found := self.regenerated(n.index))})
        nodes = self.model.flow.nodes
        masks = {n: self.row(nodes[n].level, n, "mask", "mask") for n in sorted(adjoint.masks)}
        recorders = once(f"sides {adjoint.key}", adjoint, lambda: self.lowering.sides(self.moves, adjoint.sides.keys()))
        sides = {n: (recorders[n], self.row(nodes[n].level, n, "control", "side")) for n in sorted(adjoint.sides)}
        own = self.locations(adjoint.dying & ~self.model.visible)
        return ProcedurePlan(adjoint.key, levels, derivatives, regenerated, masks, own, sides)

    def row(self, level: int, node: int, kind: Kind, location: str, size: int = 0) -> int:
        """A new row's number."""
        self.rows.append(Row(self.adjoint.key, level, node, kind, location, size))
        return len(self.rows) - 1

    def keep(self, level: int, node: int, kind: Kind, bits: int) -> tuple[SavedLocation, ...]:
        """The locations of a set, each with a row."""
        space = self.model.space
        return tuple((space.locations[i], self.row(level, node, kind, space.infos[i].name,
                                                   space.infos[i].type.bytes or 0 if space.allocations >> i & 1 else 0))
                     for i in members(bits) if i < len(space))

    def moves(self, node: int) -> Moves | None:
        """What varies before a node that has a derivative; None where it has none."""
        active, model = self.adjoint.active, self.model
        if node not in active.derivative and node not in active.active_calls:
            return None
        varied = active.varied[node]
        return lambda ref: bool(model.refs.touch(ref).bits & varied)

    def level(self, index: int) -> LevelPlan:
        level, record, flow = self.adjoint.levels[index], self.record.levels[index], self.model.flow
        taped, whole = dict[int, tuple[int, ...]](), dict[int, tuple[SavedLocation, ...]]()
        split_calls = {
            node: SplitCallPlan(self.callees(node), self.keep(index, node, "tape", record.taped.get(node, 0)),
                                self.locations(self.passive(node)))
            for node in self.adjoint.split_calls if node in level.graph.forward.preds}
        for node in level.running - split_calls.keys():
            bits = record.taped.get(node, 0)
            stmt = flow.nodes[node].stmt
            starts_any = node in self.lowering.code.messages and self.model.effects[node].everything
            if (isinstance(stmt, ir.Call) and node in self.lowering.code.binds) or node == flow.exit or starts_any:
                whole[node] = self.keep(index, node, "tape", bits)
            elif node in self.lowering.code.spots and node not in self.lowering.code.refused:
                taped[node] = tuple(self.row(index, node, "tape", name) if name else NOT_TAPED
                                    for name in self.pieces(stmt, bits))
        parts = {node: self.part(index, node) for node in level.parts}
        return LevelPlan(flow.levels[index].enter, flow.levels[index].leave,
                         self.lowering.code.with_masks(level.running), taped, whole, parts, split_calls,
                         *self.lowering.once(f"behind {index} {self.adjoint.key}", self.adjoint, lambda: (
                             postdominators(level.graph.forward.succs, level.graph.leave),
                             postdominators(flat_graph(flow, index).succs, flow.levels[index].leave))),
                         self.counted(index),
                         {n: self.locations(bits) for n, bits in self.adjoint.active.resets.items()},
                         *self.deciding(index),
                         {n: rerun.steps for n, rerun in record.again.at.items()},
                         {n: rerun.steps for n, rerun in record.again.behind.items()})

    @property
    def endless(self) -> int:
        """The locations that hold allocations besides values: what lies below recursive types."""
        return union(singleton(i) for i, info in enumerate(self.model.space.infos) if info.type.kind == "unknown")

    def locations(self, bits: int) -> tuple[Location, ...]:
        space = self.model.space
        return tuple(space.locations[i] for i in members(bits) if i < len(space))

    def lost(self, bits: int) -> tuple[Location, ...]:
        """The locations that may be destroyed: what a pointer leads to, or a shared dummy argument is, only where
        no other name that may lead there is of something kept."""
        space = self.model.space
        shared = (singleton(i) for i in members(bits & (space.indirect | space.shared)))
        return self.locations(bits & ~union(one for one in shared if space.with_aliases(one) & ~bits))

    def pieces(self, stmt: ir.Stmt | None, bits: int) -> tuple[str, ...]:
        """For each piece of memory a node writes the name it is taped under, '' where it is not."""
        refs: tuple[ir.Ref, ...]
        if isinstance(stmt, ir.Assign):
            return tuple(self.descriptor_as(ref, bits) if descriptor else self.taped_as(self.written(ref), bits, ref)
                         for ref, descriptor in self.lowering.changed(stmt))
        if isinstance(stmt, ir.Do):
            refs = (stmt.var,)
        elif isinstance(stmt, ir.Allocate | ir.Deallocate | ir.PointerAssign | ir.Nullify) or is_move(stmt):
            objects = pieces(stmt, self.lowering.values)
            return tuple(self.descriptor_as(ref, bits) if descriptor or ref.type.kind == "association"
                         else self.taped_as(self.written(ref), bits, ref) for ref, descriptor in objects)
        else:
            assert stmt is not None
            refs = (received_from_ranks(stmt, self.model.procedure) if isinstance(stmt, ir.Call) and executed(stmt)
                    else received(stmt))
        return tuple(self.taped_as(self.associated(ref) if ref.type.kind == "association" else self.written(ref), bits,
                                   ref) for ref in refs)

    def taped_as(self, written: int, bits: int, ref: ir.Ref) -> str:
        """The name under which a written piece is taped, '' where it is not."""
        return (", ".join(self.model.space.names(written & bits)) or ref.name) if written & bits else ""

    def descriptor_as(self, ref: ir.Ref, bits: int) -> str:
        """The name under which an association or allocation is taped, '' where it is not. One without a location, below
        a recursive type, is part of the next one above that has one."""
        found, space = self.associated(ref), self.model.space
        for count in range(len(ref.parts), 0, -1):
            own = self.model.refs.descriptor(replace(ref, parts=ref.parts[:count])).bits & space.descriptors
            if own:
                return self.taped_as(found | space.with_aliases(own), bits, ref)
        return self.taped_as(found, bits, ref)

    def associated(self, ref: ir.Ref) -> int:
        """The locations of what a pointer is associated with, or of an allocation, under all its names."""
        return self.model.space.with_aliases(self.model.refs.descriptor(ref).bits)

    def written(self, ref: ir.Ref) -> int:
        """The locations behind a written reference; through a pointer or to a target, all it may be."""
        bits = self.model.refs.touch(ref).bits
        return self.model.space.with_aliases(bits) if bits & self.model.space.other_names else bits

    def part(self, index: int, node: int) -> PartPlan:
        level, solved = self.adjoint.levels[index], self.record.levels[index].solved[node]
        facts, choice, sets = level.parts[node], solved.choice, solved.sets
        again = self.record.levels[index].read_again()  # by D̄, besides use(D̄)
        own, unclear = self.own_elements(level, node)
        before = ((sets.out_c & ~facts.intact) | (facts.out_within & ~choice.req_d)) & ~unclear
        first = facts.first_run_nodes
        if node not in level.graph.parts and node in level.running:
            first |= {node}  # a call that decides where control goes on
        above = exactly(choice.snp & ~choice.sbk)
        space, pieces = self.model.space, solved.pieces
        snp = (*self.keep(index, node, "snp", above & ~repeated(space, pieces, above)),
               *((location, IN_SBK) for location in self.locations(choice.snp & choice.sbk)))
        sbk = self.keep(index, node, "sbk", choice.sbk & ~repeated(space, pieces, choice.sbk))
        return PartPlan(level.graph.parts.get(node), self.callees(node), snp, sbk,
                        self.lowering.code.with_masks(first),
                        self.lost(before & ~facts.use_dbar & ~again), self.lost(before),
                        self.lost(sets.out_cbar & ~choice.req_c & ~unclear),
                        self.locations(0 if node in level.graph.parts else self.passive(node)),
                        self.pieces_of(node, solved.pieces),
                        frozenset(self.locations(sets.out_dbar & ~choice.req_d & ~solved.inside)),
                        solved.again.steps, frozenset(self.locations(solved.inside)),
                        bool((self.model.effects[node].out if node not in level.graph.parts else sets.out_c
                              | sets.out_cbar) & (self.model.space.allocations | self.endless)),
                        self.pieces_of(node, own))

    def own_elements(self, level: LevelAdjoint, node: int) -> tuple[Mapping[int, Piece], May]:
        """Of the arrays that the iterations of a loop share out, what one of them touches at a part; those of which
        that is not known."""
        facts, lives = level.parts[node], self.model.lives(level.running)
        shared = union(singleton(i) for i in members(facts.touched | facts.changed)
                       if lives.own(node, singleton(i)) != singleton(i))
        own = {i: piece for i, piece in facts.pieces.items() if shared >> i & 1}
        return own, May(shared & ~union(singleton(i) for i in own))

    def pieces_of(self, node: int, pieces: Mapping[int, Piece]) -> dict[Location, Callable[..., Any]]:
        """What finds the elements that are saved of a location."""
        found = self.lowering.once(f"pieces {node} {sorted(pieces.items())}", self.adjoint,
                                   lambda: self.lowering.selections(node, pieces))
        return {self.model.space.locations[i]: function for i, function in found.items()}

    def callees(self, node: int) -> dict[str, str]:
        """By procedure the code a call may run."""
        return {procedure: key for (at, procedure), key in self.adjoint.code.callees.items() if at == node}

    def passive(self, node: int) -> int:
        """What flows into a call's targets and does not vary before it."""
        site, space = self.model.calls.get(node), self.model.space
        entering = May(space.all()) if site is not None and site.everything else May(EMPTY)
        for target in site.targets if site is not None else ():
            entering |= target.flows(exactly((1 << target.size) - 1))
        return entering & self.model.smooth & ~self.adjoint.active.varied[node]

    def loop_variable(self, init: int, var: ir.Ref) -> SlotFinder:
        """What finds a DO variable, perhaps behind a pointer, in a frame's slots."""
        place, code = self.lowering.values.slot(var), self.lowering.code
        if place.code == f"s[{place.number}]":
            return itemgetter(place.number)
        return lambda s: code.spots[init](s, None)[0][0]

    def regenerated(self, node: int) -> tuple[SlotFinder, ...]:
        """What finds the DO variables that the reversal of the loops around a node gives back."""
        bits, flow, model = self.adjoint.reversal.regenerated(node), self.model.flow, self.model
        found = []
        for loop in flow.loops:
            if loop.structured and node in loop.body and isinstance(loop.stmt, ir.Do) \
                    and model.effects[loop.step].kill & bits:
                found.append(self.loop_variable(loop.init, loop.stmt.var))
        return tuple(found)

    def counted(self, index: int) -> dict[int, tuple[int, int]]:
        """The bytes of control recorded where a node runs, and their row: a loop's at its entry, a test's at the
        test."""
        found: dict[int, tuple[int, int]] = {}
        for node in sorted(self.taping.recorded_tests[index]):
            recorded = self.taping.recorded_at(node)
            if recorded is None:
                continue
            found[self.taping.recorded_where(node)] = recorded[1], self.row(index, node, "control", recorded[0])
        return found

    def deciding(self, index: int) -> tuple[dict[int, Deciding], dict[int, tuple[int, ...]]]:
        """The tests, and the beginnings of loops, that a level evaluates again; by node those that are then."""
        found: dict[int, Deciding] = {}
        meets: dict[int, tuple[int, ...]] = {}
        loops = {loop.test: loop for loop in self.model.flow.loops if loop.init >= 0}
        for test in sorted(self.taping.recorded_tests[index]):
            if test in self.adjoint.branches:
                one = self.adjoint.branches[test]
                found[test] = Deciding(test, self.locations(one.reads))
                meets[one.meet] = (*meets.get(one.meet, ()), test)
            elif test in loops and self.taping.recorded_at(test) is None:
                loop, stmt = loops[test], loops[test].stmt
                if isinstance(stmt, ir.Do) and stmt.kind != "forall" and loop.init not in self.lowering.code.foralls:
                    found[loop.init] = Deciding(loop.init, (), (loop.index, self.loop_variable(loop.init, stmt.var)))
                    meets[loop.end] = (*meets.get(loop.end, ()), loop.init)
        return found, meets

"""From a time loop's analysis to its plan."""


from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from snapset.analysis.dataflow.bitsets import EMPTY, May, exactly, set_of, union
from snapset.analysis.loops.loop_analysis import LoopAnalysis
from snapset.analysis.loops.step_dependencies import RecordedStep
from snapset.analysis.memory.locations import Location
from snapset.analysis.recording.strategies import LAZY
from snapset.analysis.replay.machine.plan_builder import Planner, make_plans
from snapset.analysis.replay.machine.plan_tables import (
    Kind,
    PartPlan,
    Plans,
    ProcedurePlan,
    Row,
    SavedLocation,
)
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.timeloop.loop_plan import LoopPlan, StepPlan
from snapset.frontend import ir


def plan_loop(machine: Machine, found: LoopAnalysis) -> tuple[Plans, LoopPlan]:
    """The plans of all codes of the head, the loop run whole, and that of the loop under schedules."""
    analysis = found.analysis
    records = analysis.records.under(LAZY.name)
    base = make_plans(machine, analysis.prepared(), {key: records[key] for key in analysis.planning.order()})
    rows = list(base.rows)
    builder = _LoopPlanner(machine, found, rows)
    plan = builder.plan()
    return Plans(builder.around(base), tuple(rows)), plan


class _LoopPlanner:
    def __init__(self, machine: Machine, found: LoopAnalysis, rows: list[Row]) -> None:
        self.found = found
        self.loop = found.loop
        self.rows = rows
        self.lowering = machine.lowerings[found.loop.model.procedure.key]
        record = found.analysis.records.under(LAZY.name)[found.loop.key]
        self.solved = record.levels[found.loop.around].solved[found.loop.node]
        self.planner = Planner(found.loop.adjoint, record, self.lowering, rows)

    def plan(self) -> LoopPlan:
        loop, found = self.loop, self.found
        first_run = found.runs.first_run(found.first_demand).running
        overwritten = self.overwritten(first_run)
        lost = frozenset(self.planner.locations(overwritten & ~found.invariant))
        first = self.step(found.first, first_run, lost)
        again = tuple(self.step(one, running, lost)
                      for one, running in zip(found.recorded_again, found.running_again, strict=True))
        chain = found.restart.chain
        stmt = loop.loop.stmt
        counter = self.lowering.values.slot(stmt.var).number if isinstance(stmt, ir.Do) else None
        around, across = self.frame(overwritten)
        limited = {i: (ref,) for i, ref in found.stretches.items()
                   if overwritten >> i & 1}  # the limits of others may be dead
        kept = self.planner.pieces_of(loop.node, {i: one.others for i, one in found.dead.items()})
        return LoopPlan(loop, first, again,
                        tuple(self.keep("snp", one & ~before) for before, one in pairwise((EMPTY, *chain))),
                        kept, self.planner.pieces_of(loop.node, limited), self.planner.lost(overwritten),
                        self.planner.locations(loop.written),
                        self.planner.lost(overwritten & ~found.invariant),
                        self.keep("sbk", around), self.keep("snp", across), counter, found.shared)

    def around(self, plans: Plans) -> dict[str, ProcedurePlan]:
        """The plans of all codes: the one with the loop does not destroy what its adjoint finds as a step left it."""
        loop, invariant = self.loop, frozenset(self.planner.locations(self.found.invariant))
        plan = plans.procedures[loop.key]
        level = plan.levels[loop.around]
        part = level.parts[loop.node]
        part = replace(part, idle=tuple(one for one in part.idle if one not in invariant),
                       lost_before=tuple(one for one in part.lost_before if one not in invariant))
        levels = list(plan.levels)
        levels[loop.around] = replace(level, parts={**level.parts, loop.node: part})
        return {**plans.procedures, loop.key: replace(plan, levels=tuple(levels))}

    def step(self, recorded: RecordedStep, running: frozenset[int], lost: frozenset[Location]) -> StepPlan:
        planner = Planner(recorded.adjoint, recorded.record, self.lowering, self.rows)
        procedure = planner.plan()
        effects, invariant = self.loop.model.effects, self.found.invariant
        staying = frozenset(node for node in self.loop.step.nodes if effects[node].out & invariant)
        levels = tuple(replace(level, parts={n: _within(part, lost) for n, part in level.parts.items()},
                               staying=staying) for level in procedure.levels)
        procedure = replace(procedure, levels=levels)
        planes = self.planner.pieces_of(self.loop.node, recorded.planes)
        return StepPlan(procedure, procedure.levels[self.loop.step.index], self.keep("snp", recorded.at_end), planes,
                        self.lowering.code.with_masks(running))

    def keep(self, kind: Kind, bits: int) -> tuple[SavedLocation, ...]:
        return self.planner.keep(self.loop.around, self.loop.node, kind, bits)

    def overwritten(self, first_run: frozenset[int]) -> May:
        """What the loop's runs overwrite, plain and recorded: less than all of it where they are trimmed."""
        found, effects = self.found, self.loop.model.effects
        nodes = set(first_run.union(*found.restart.running))
        again: May = EMPTY
        for recorded in (found.first, *found.recorded_again):
            for level in recorded.adjoint.levels:
                if level.graph.index == self.loop.step.index or level.graph.forward.entry in self.loop.step.nodes:
                    nodes |= level.running.union(*(part.first_run_nodes for part in level.parts.values()))
                    again |= union(part.out_cbar for part in level.parts.values())
        nodes |= set(self.loop.whole.nodes) - set(self.loop.step.nodes)
        return exactly((union(effects[node].out for node in nodes) | again) & self.loop.changed)

    def frame(self, overwritten: May) -> tuple[May, May]:
        """What is saved around the loop whatever the schedule: what the code before it requires, or takes to be as it
        was, and the loop overwrites; and the parameters of its steps that the code behind it destroys."""
        loop, choice, sets = self.loop, self.solved.choice, self.solved.sets
        destroyed = sets.out_dbar & ~choice.req_d
        stretched = set_of(self.found.stretches)
        read = loop.facts.use_cbar | self.found.restart.read
        across = read & destroyed & (~exactly(loop.changed) | stretched)
        around: int = sets.req & (loop.written | destroyed)
        if self.others_rely():
            facts = loop.facts
            kept = facts.use_cbar & ~facts.intact
            around |= overwritten & ~(facts.out_cbar | ((facts.out_dbar | facts.out_c) & ~kept))
        return exactly(around), exactly(across)

    def others_rely(self) -> bool:
        """Does a part that comes before the loop, or a caller, take what the loop restores to be as it was?"""
        loop, order = self.loop, self.found.analysis.planning.order()
        if loop.key != order[0] or loop.around != 0:
            return True
        return len(loop.adjoint.levels[0].parts) > 1 or bool(loop.model.flow.nodes[loop.node].loops)


def _within(part: PartPlan, lost: frozenset[Location]) -> PartPlan:
    """A part of a step. What other steps overwrite before its adjoint runs is what their runs do, which are trimmed:
    the code around the loop takes the rest to be as it was."""
    def destroyed(locations: tuple[Location, ...]) -> tuple[Location, ...]:
        return tuple(one for one in locations if one in lost)

    return replace(part, idle=destroyed(part.idle), lost_before=destroyed(part.lost_before))

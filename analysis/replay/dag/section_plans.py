"""From choices of S and U to the plan of a whole program: what each node saves, and the code of its sections."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from snapset.analysis.adjoint.level_adjoint import ProcedureAdjoint
from snapset.analysis.dag.fortran.level_problem import Flattened, LevelProblem
from snapset.analysis.dag.fortran.overwrite_places import Places
from snapset.analysis.dag.problem.choice import Choice
from snapset.analysis.dataflow.bitsets import EMPTY, Exact, exactly, singleton
from snapset.analysis.equations import SnapshotChoice, opt_sets
from snapset.analysis.head_analysis import Analysis
from snapset.analysis.memory.locations import Location
from snapset.analysis.recording.program_recording import record_program
from snapset.analysis.recording.strategies import LAZY
from snapset.analysis.recording.to_be_recorded import LevelRecord, PartRecord, ProcedureRecord
from snapset.analysis.replay.dag.section_code import Chosen, SectionCode, SectionCodeBuilder, Write
from snapset.analysis.replay.machine.plan_builder import Planner
from snapset.analysis.replay.machine.plan_tables import IN_SBK, PartPlan, Plans, ProcedurePlan, Row
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.statements.node_functions import NodeFunctions
from snapset.analysis.sections.snapshot_sections import applicable
from snapset.frontend.base.frozen_records import frozen

Where = tuple[str, int]
Choices = Mapping[Where, tuple[LevelProblem, Choice]]  # by procedure and level


@frozen
class WholePlan:
    """A required location of a node that is not flattened. ``row``: where it is counted if it is stored (U).
    ``intact``: a part that reads it leaves it as good as it was, if not the same. ``passed``: it is read behind a
    call's adjoint too."""

    vertex: str
    location: Location
    row: int | None
    intact: bool
    passed: bool


@frozen
class DagPlans:
    """``sections`` and ``wholes`` by procedure and (first) node; ``rows``: by the same, of the sections' U.
    ``held``: the rows that are for U."""

    plans: Plans
    sections: Mapping[Where, SectionCode]
    rows: Mapping[Where, tuple[int, ...]]
    wholes: Mapping[Where, tuple[WholePlan, ...]]
    lent: Mapping[Where, tuple[Location, ...]]
    snapshots: frozenset[int]

    @property
    def held(self) -> frozenset[int]:
        wholes = {one.row for found in self.wholes.values() for one in found if one.row is not None}
        return frozenset(row for rows in self.rows.values() for row in rows) | wholes | self.snapshots


def dag_plans(machine: Machine, analysis: Analysis, choices: Choices) -> DagPlans:
    """The plans of all procedures with an adjoint; every level of them must have its choice."""
    rows: list[Row] = []
    plans: dict[str, ProcedurePlan] = {}
    sections: dict[Where, SectionCode] = {}
    stored: dict[Where, tuple[int, ...]] = {}
    wholes: dict[Where, tuple[WholePlan, ...]] = {}
    lent: dict[Where, tuple[Location, ...]] = {}
    snapshots: set[int] = set()
    base = record_program(analysis.adjoints, analysis.order, LAZY, tape_all=True)
    for key in analysis.order:
        adjoint = analysis.adjoints.by_key[key]
        own = [choices[key, index] for index in range(len(adjoint.levels))]
        planner = _Planner(adjoint, base[key], machine.lowerings[adjoint.model.procedure.key], rows, own)
        plans[key] = planner.plan()
        for node, code in planner.sections().items():
            sections[key, node] = code
            stored[key, node] = tuple(planner.row(planner.level_of(node), node, "tape", v) for v in code.chosen.stored)
        wholes |= {(key, node): found for node, found in planner.wholes.items()}
        lent |= {(key, node): planner.lent(node) for node in planner.at_parts}
        snapshots |= planner.snapshots
    return DagPlans(Plans(plans, tuple(rows)), sections, stored, wholes, lent, frozenset(snapshots))


class _Planner(Planner):
    """As for a strategy, but what is saved is S, and beside it U."""

    def __init__(self, adjoint: ProcedureAdjoint, base: ProcedureRecord, lowering: NodeFunctions, rows: list[Row],
                 own: list[tuple[LevelProblem, Choice]]) -> None:
        self.own = own
        self.restored = [frozenset(v for v, places in level.problem.overwrites.items() if places <= choice.S)
                         for level, choice in own]
        self.places = [Places(adjoint, level) for level in adjoint.levels]
        self.at_parts: dict[int, Exact] = {}  # what of U parts store, as bits
        self.in_S: list[dict[int, Exact]] = []  # by level and node
        self.wholes: dict[int, tuple[WholePlan, ...]] = {}
        self.snapshots: set[int] = set()
        self.base = base
        self.allocations = adjoint.model.space.allocations
        levels = tuple(self.recorded(adjoint, index) for index in range(len(own)))
        super().__init__(adjoint, replace(base, levels=levels), lowering, rows)
        for index in range(len(own)):
            self.find_wholes(index)

    def level_of(self, node: int) -> int:
        return self.model.flow.nodes[node].level

    # ------------------------------------------------------------ what is saved

    def recorded(self, adjoint: ProcedureAdjoint, index: int) -> LevelRecord:
        """S as what nodes tape and parts save; U of parts is their snapshot's. What is allocated is saved as under
        lazy."""
        level, (problem, choice) = adjoint.levels[index], self.own[index]
        saved: dict[int, Exact] = {}
        for name in choice.S:
            place = problem.places[name]
            saved[place.node] = saved.get(place.node, EMPTY) | singleton(place.index)
        self.in_S.append(saved)
        lazy = self.base.levels[index]
        taped = {n: bits for n, bits in saved.items() if n not in level.parts}
        for node, bits in lazy.taped.items():
            if bits & self.allocations:
                taped[node] = exactly(taped.get(node, EMPTY) | bits & self.allocations)
        for vertex, whole in (problem.wholes or {}).items():
            if whole.node in level.parts and vertex in choice.U - self.restored[index]:
                self.at_parts[whole.node] = self.at_parts.get(whole.node, EMPTY) | singleton(whole.index)
        solved = {}
        for node, facts in level.parts.items():
            own = self.at_parts.get(node, EMPTY)
            sbk = saved.get(node, EMPTY) | exactly(own & facts.passed)
            sets = facts.with_req(sbk)
            snp = exactly(sbk & facts.use_cbar) | own
            snp |= exactly(lazy.solved[node].choice.snp & self.allocations)
            sbk |= exactly(lazy.solved[node].choice.sbk & self.allocations)
            solved[node] = PartRecord(
                sets=sets, options=opt_sets(sets),
                choice=SnapshotChoice(sbk=sbk, snp=snp, req_d=EMPTY, req_c=EMPTY),
                pieces=applicable(facts.given, {}, sbk | snp, own))  # what U holds, D may have lost whole
        return LevelRecord(taped=taped, solved=solved)

    def part(self, index: int, node: int) -> PartPlan:
        facts = self.adjoint.levels[index].parts[node]
        provided = self.adjoint.reversal.regenerated(node) | self.own_elements(self.adjoint.levels[index], node)[1]
        preserved = self.base.levels[index].solved[node].choice.req_c & self.allocations
        lost = self.places[index].written(node) & ~preserved
        made = super().part(index, node)
        of_u = self.locations(self.at_parts.get(node, 0) & ~self.in_S[index].get(node, 0))
        self.snapshots |= {row for location, row in (*made.snp, *made.sbk) if row != IN_SBK and location in of_u}
        return replace(made, idle=(), lost_whole=frozenset(),  # D's places lose what they overwrite themselves
                       lost_before=self.locations(facts.out_c & ~facts.intact & ~provided),
                       lost_after=self.locations(lost & ~provided))

    def lent(self, node: int) -> tuple[Location, ...]:
        """What of U at a part is still there when it is done, though good for its own adjoint only."""
        index = self.level_above(node)
        passed = self.adjoint.levels[index].parts[node].passed
        return self.locations(self.at_parts[node] & (passed | ~self.places[index].written(node))
                              & ~self.in_S[index].get(node, 0))

    def level_above(self, node: int) -> int:
        """The level that has a part or call as a node."""
        return next(n for n, level in enumerate(self.adjoint.levels) if node in level.parts)

    def find_wholes(self, index: int) -> None:
        """The locations required as a whole; those that U stores get a row."""
        level, (problem, choice) = self.adjoint.levels[index], self.own[index]
        space = self.model.space
        for vertex, whole in (problem.wholes or {}).items():
            part = level.parts.get(whole.node)
            stores = vertex in choice.U - self.restored[index] and part is None
            row = self.row(index, whole.node, "tape", vertex) if stores else None
            passed = part is not None and bool(part.passed >> whole.index & 1)
            intact = part is not None and bool(part.intact >> whole.index & 1)
            one = WholePlan(vertex, space.locations[whole.index], row, intact and not passed, passed)
            self.wholes[whole.node] = (*self.wholes.get(whole.node, ()), one)

    # ------------------------------------------------------------ sections

    def sections(self) -> dict[int, SectionCode]:
        coder = SectionCodeBuilder(self.lowering)
        for index, (problem, choice) in enumerate(self.own):
            for flat in problem.flattened:
                coder.add(flat, self.chosen(index, flat, choice))
        return coder.compile()

    def chosen(self, index: int, flat: Flattened, choice: Choice) -> Chosen:
        level, taped = self.adjoint.levels[index], self.record.levels[index].taped
        writes = []
        for node in flat.nodes:
            vertex = flat.results[node]
            cell = flat.cells[vertex]
            if node in level.running:
                writes.append(Write(node, vertex, cell, bool(taped.get(node, 0) & cell.bits)))
        own = flat.extended.graph.vertices | flat.required
        last = {flat.cells[flat.results[n]]: n for n in flat.nodes}
        taken = frozenset(flat.results[n] for n in last.values() if n in self.adjoint.active.derivative)
        return Chosen(self.restored[index] & flat.held.keys(), tuple(sorted(choice.U & own)), tuple(writes),
                      taken & flat.outputs)


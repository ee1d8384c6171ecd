r"""What one step's forward sweep leaves for its adjoint: its *dependencies*.

The tape of S, recorded with nothing required before it, its control and inner snapshots; and of what its derivatives
read, the locations that S leaves as they were read and other steps overwrite: these are copied when S has run ::

    left(S) = taped in S  ∪  (Req(exit S) ∩ out(loop))         Req(entry S) = ∅

So the backward sweep over S needs nothing else but parameters, wherever the forward has gone meanwhile.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from snapset.analysis.adjoint.available_expressions import find_computable
from snapset.analysis.adjoint.interprocedural import Adjoints
from snapset.analysis.adjoint.level_adjoint import ProcedureAdjoint
from snapset.analysis.dataflow.bitsets import EMPTY, May, union
from snapset.analysis.loops.step_model import step_adjoint
from snapset.analysis.loops.time_loop import TimeLoop
from snapset.analysis.memory.references import Piece
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.recording.asked import NOTHING_ASKED
from snapset.analysis.recording.strategies import LAZY, Strategy
from snapset.analysis.recording.to_be_recorded import (
    LevelRecord,
    PartRecord,
    ProcedureRecord,
    record_procedure,
    solve_required,
)
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen


@frozen
class RecordedStep:
    """One step recorded. ``adjoint``, ``record``: of the loop's procedure; only the levels of a step count.
    ``at_end``: the locations that are copied when the step has run. ``demanded``: what it had to leave for the
    forward."""

    adjoint: ProcedureAdjoint
    record: ProcedureRecord
    at_end: May
    demanded: May


def record_step(adjoints: Adjoints, loop: TimeLoop, model: ProcedureModel, stretches: Mapping[int, ir.Ref],
                demanded: May = EMPTY, strategy: Strategy = LAZY) -> RecordedStep:
    """Record a step behind which ``demanded`` is read. Whatever is lost of an array in the loop is in its stretch."""
    adjoint = step_adjoint(adjoints, loop, model, demanded)
    computable = find_computable(adjoint, adjoints.rules.dag) if adjoints.rules.recompute else None
    record = record_procedure(adjoint, NOTHING_ASKED, strategy, computable=computable, alone=loop.step.index)
    own = _levels(loop, adjoint)
    levels = tuple(_within(one, stretches) if i in own else one for i, one in enumerate(record.levels))
    return RecordedStep(adjoint, replace(record, levels=levels), _required_at_end(loop, adjoint, record), demanded)


def _within(level: LevelRecord, stretches: Mapping[int, ir.Ref]) -> LevelRecord:
    """Inner snapshots that hold no more of an array than its stretch."""
    def pieces(part: PartRecord) -> Mapping[int, Piece]:
        saved = part.choice.snp | part.choice.sbk
        return {**{i: (ref,) for i, ref in stretches.items() if saved >> i & 1}, **part.pieces}

    return replace(level, solved={n: replace(part, pieces=pieces(part)) for n, part in level.solved.items()})


def _required_at_end(loop: TimeLoop, adjoint: ProcedureAdjoint, record: ProcedureRecord) -> May:
    level, found = adjoint.levels[loop.step.index], record.levels[loop.step.index]
    flow = solve_required(adjoint, level, EMPTY, lambda node, before: found.solved[node], lambda key, req: EMPTY,
                          found.again)
    required = adjoint.model.lives(level.running).fold(flow.at_exit(level.graph.leave)) | found.read_again()
    return adjoint.model.space.with_descriptors(required) & loop.changed


def read_by_adjoint(loop: TimeLoop, adjoint: ProcedureAdjoint) -> May:
    """What the derivatives of a step read, those of what it calls too."""
    found: May = EMPTY
    for level in _levels(loop, adjoint):
        here = adjoint.levels[level]
        nodes = here.graph.forward.order
        found |= union(adjoint.derivative.get(n, EMPTY) for n in nodes)
        found |= union(facts.use_cbar for node, facts in here.parts.items() if node not in here.graph.parts)
    return found


def taped_locations(loop: TimeLoop, step: RecordedStep) -> Mapping[int, May]:
    """By level of a step, the locations that are taped or in snapshots."""
    found = {}
    for level in _levels(loop, step.adjoint):
        record = step.record.levels[level]
        saved = union(s.choice.snp | s.choice.sbk for s in record.solved.values())
        found[level] = union(record.taped.values()) | saved
    return found


def _levels(loop: TimeLoop, adjoint: ProcedureAdjoint) -> list[int]:
    """The levels of a step: its own, and those of marked parts in it."""
    found, work = [], [loop.step.index]
    while work:
        index = work.pop()
        found.append(index)
        work.extend(adjoint.levels[index].graph.parts.values())
    return found

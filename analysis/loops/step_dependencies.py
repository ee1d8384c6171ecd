r"""What one step's forward sweep leaves for its adjoint: its *dependencies*.

The tape of S, recorded with nothing required before it, its control and inner snapshots; and of what its derivatives
read, the locations that S leaves as they were read and other steps overwrite: these are copied when S has run ::

    left(S) = taped in S  ∪  (Req(exit S) ∩ out(loop) \ invariant)         Req(entry S) = ∅

So the backward sweep over S needs nothing else but parameters, wherever the forward has gone meanwhile. *Invariant* is
what every step computes anew of parameters alone, ``b(i) = 1 + 2*lam``: whatever step ran last, it is as S left it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace

from snapset.analysis.adjoint.available_expressions import find_computable
from snapset.analysis.adjoint.interprocedural import Adjoints
from snapset.analysis.adjoint.level_adjoint import ProcedureAdjoint
from snapset.analysis.dataflow.bitsets import EMPTY, May, Must, exactly, members, singleton, union
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
from snapset.analysis.sections.rotating_planes import RotatingPlanes
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen


@frozen
class RecordedStep:
    """One step recorded. ``adjoint``, ``record``: of the loop's procedure; only the levels of a step count.
    ``at_end``: the locations that are copied when the step has run; ``planes``: of which these sections alone, of
    values that there are when it begins. ``demanded``: what it had to leave for the forward."""

    adjoint: ProcedureAdjoint
    record: ProcedureRecord
    at_end: May
    demanded: May
    planes: Mapping[int, tuple[ir.Ref, ...]] = field(default_factory=dict)


def record_step(adjoints: Adjoints, loop: TimeLoop, model: ProcedureModel, stretches: Mapping[int, ir.Ref],
                demanded: May = EMPTY, invariant: Must = EMPTY, strategy: Strategy = LAZY) -> RecordedStep:
    """Record a step behind which ``demanded`` is read. Whatever is lost of an array in the loop is in its stretch.
    ``invariant``: what other steps leave as this one does."""
    adjoint = step_adjoint(adjoints, loop, model, demanded, invariant)
    computable = find_computable(adjoint, adjoints.rules.dag) if adjoints.rules.recompute else None
    record = record_procedure(adjoint, NOTHING_ASKED, strategy, computable=computable, alone=loop.step.index)
    own = _levels(loop, adjoint)
    levels = tuple(_within(one, stretches) if i in own else one for i, one in enumerate(record.levels))
    return RecordedStep(adjoint, replace(record, levels=levels), _required_at_end(loop, adjoint, record) & ~invariant,
                        demanded)


def with_planes(step: RecordedStep, loop: TimeLoop, planes: RotatingPlanes,
                stretches: Mapping[int, ir.Ref]) -> RecordedStep:
    """The step, of arrays whose planes take turns keeping those that its derivatives read: what it writes of others is
    not taped."""
    levels, active = list(step.record.levels), step.adjoint.active
    own = levels[loop.step.index]
    found = planes.read(step.at_end & ~own.read_again(), stretches, active.derivative, active.varied)
    taped = {node: bits & ~union(singleton(i) for i, one in found.items() if node in one.spared)
             for node, bits in own.taped.items()}
    levels[loop.step.index] = replace(own, taped={node: bits for node, bits in taped.items() if bits})
    return replace(step, record=replace(step.record, levels=tuple(levels)),
                   planes={i: one.sections for i, one in found.items()})


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


def invariant_values(loop: TimeLoop, model: ProcedureModel, exposed: May) -> Must:
    """The locations that each step gives the same values, reading nothing that another step wrote.

    Each statement that writes one is an assignment, or the head of a loop in the step, that reads parameters and others
    of these only, and so do the tests that decide whether it runs. ``exposed``: what a step reads before it writes it.
    """
    space, effects, nodes = model.space, model.effects, frozenset(loop.step.nodes)
    writing = {node: effects[node].out & loop.written for node in nodes if effects[node].out & loop.written}
    deciding = {node: tests & nodes for node, tests in loop.adjoint.control.deciding.items() if node in nodes}
    control = replace(loop.adjoint.control, deciding=deciding)
    read = {}
    for node in writing:
        tests = control.tests_for(frozenset((node,))) & nodes
        every = union(effects[one].use for one in (node, *tests))
        read[node] = space.with_descriptors(space.with_aliases(every)) & loop.written
    others = union(bits for node, bits in writing.items()
                   if model.flow.nodes[node].level != loop.step.index or not _is_computed(model, node))
    shared = union(bits for bits in map(singleton, members(loop.changed)) if space.with_aliases(bits) & ~bits)
    found = exactly(loop.changed) & ~(exposed | others | shared | space.descriptors | space.indirect)
    while True:
        lost = union(bits for node, bits in writing.items() if read[node] & ~found)
        if not found & lost:
            return found
        found &= ~lost


def _is_computed(model: ProcedureModel, node: int) -> bool:
    """Is it an assignment that computes from what it reads alone, or the head of a loop?"""
    one, effect = model.flow.nodes[node], model.effects[node]
    assigns = isinstance(one.stmt, ir.Assign) and not one.masks and not one.stmt.initial
    more = effect.keep or effect.shaped or effect.unseen or effect.everything or effect.globals or effect.varies
    return (assigns or one.kind in ("init", "step")) and node not in model.calls and not more


def kept_by_steps(loop: TimeLoop, steps: Iterable[RecordedStep], running: Iterable[frozenset[int]],
                  candidates: Must) -> Must:
    """Of invariant values those that stay when steps are run and reversed: the backward sweeps write nothing to them,
    and of the statements that write one a step runs either all or none. ``running``: plain runs."""
    runs = [nodes & frozenset(loop.step.nodes) for nodes in running]
    found = candidates
    for step in steps:
        runs.append(step.adjoint.levels[loop.step.index].running)
        for level, taped in taped_locations(loop, step).items():
            found &= ~(taped | _written_again(step, level))
    for index in members(found):
        writers = frozenset(n for n in loop.step.nodes if step.adjoint.model.effects[n].out >> index & 1)
        if any(writers & nodes not in (frozenset(), writers) for nodes in runs):
            found &= ~singleton(index)
    return found


def _written_again(step: RecordedStep, level: int) -> May:
    """What is computed again in a backward sweep."""
    again, solved = step.record.levels[level].again, step.record.levels[level].solved
    return union(one.value for one in (*again.at.values(), *again.behind.values(),
                                       *(part.again for part in solved.values())))


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

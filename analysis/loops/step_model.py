"""One step as the analyses see it: of an array that the loop writes in ``2:n-1`` only, that stretch is all there is.

The elements that no step writes are parameters of the loop. So within the loop a statement that certainly writes
``u(2:n-1)`` kills u: what it leaves of u is the same before and behind. This holds for the loop's own levels alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import replace
from typing import TypeVar

from snapset.analysis.activity.active_sets import Active
from snapset.analysis.activity.code_table import AdjointCode
from snapset.analysis.adjoint.adjoint_liveness import AdjointLiveness
from snapset.analysis.adjoint.code_maker import AdjointBuilder
from snapset.analysis.adjoint.interprocedural import AdjointFixpoint, Adjoints
from snapset.analysis.adjoint.level_adjoint import ProcedureAdjoint
from snapset.analysis.adjoint.split_calls import State
from snapset.analysis.dataflow.bitsets import EMPTY, May, Must, members, singleton
from snapset.analysis.dataflow.framework import FixedPoint
from snapset.analysis.dataflow.part_graphs import LevelGraph
from snapset.analysis.incremental.query_engine import LazyTable
from snapset.analysis.loops.time_loop import TimeLoop
from snapset.analysis.memory.locations import Info
from snapset.analysis.procedures.array_kills import find_array_kills
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.reversal.do_loops import plan_reversal
from snapset.analysis.sections.bounded_arrays import bounded
from snapset.analysis.sections.snapshot_sections import Pieces
from snapset.frontend import ir

V = TypeVar("V")


def loop_stretches(adjoints: Adjoints, loop: TimeLoop) -> Mapping[int, ir.Ref]:
    """By location, the elements that the loop writes, where that is not all of it; their limits are the same all the
    time that it runs. A loop that does not run saves nothing, so its own test decides about nothing."""
    own = frozenset((loop.loop.test,))
    deciding = {node: tests - own for node, tests in loop.adjoint.control.deciding.items()}
    return Pieces(adjoints.stretches, loop.model, deciding).stretches(loop.whole.index)


def step_model(loop: TimeLoop, stretches: Mapping[int, ir.Ref]) -> ProcedureModel:
    """The model with the kills of these stretches too."""
    model, written = loop.model, loop.written

    def places(ref: ir.Ref) -> Mapping[int, Info]:
        bits, infos = model.refs.touch(ref).bits, model.space.infos
        return {i: bounded(infos[i], stretches[i]) for i in members(bits) if i in stretches}

    def steady(ref: ir.Ref) -> bool:
        return not model.space.with_aliases(model.refs.values(ref)) & written

    marked = loop.step.marked
    assert marked is not None
    kills = find_array_kills(replace(model.procedure, body=marked.body), model.flow, places, steady,
                             lambda node: ())
    effects = list(model.effects)
    for kill in kills:
        if kill.opens == kill.closes:
            one = effects[kill.closes]
            effects[kill.closes] = replace(one, kill=one.kill | singleton(kill.index))
    several = tuple(kill for kill in kills if kill.opens != kill.closes)
    proofs = replace(model.proofs, array_kills=(*model.proofs.array_kills, *several))
    return replace(model, effects=tuple(effects), proofs=proofs)


class StepBuilder(AdjointBuilder):
    """Makes the adjoint of a step behind which more of the forward runs: later steps, restarted from what it leaves.

    ``demanded``: what they read; ``written``: what other steps overwrite before the adjoint of this one runs.
    """

    def __init__(self, owner: AdjointFixpoint, code: AdjointCode, active: Active, step: int, demanded: May,
                 written: May) -> None:
        super().__init__(owner, code, active)
        self.step = step
        self.others: State = demanded, written
        self.reversal = plan_reversal(self.model, active, written, step)
        self.derivative = self.reversal.read(active.derivative)

    def solve_level(self, graph: LevelGraph, tests: frozenset[int]) -> FixedPoint[State]:
        if graph.index != self.step:
            return super().solve_level(graph, tests)
        return AdjointLiveness(self.scope, self.others, self, graph, tests).solve(graph.backward)


def adjoints_with(adjoints: Adjoints, loop: TimeLoop, model: ProcedureModel, found: ProcedureAdjoint) -> Adjoints:
    """All adjoint codes, the loop's being another."""
    models, own = copy(adjoints.models), copy(adjoints)
    models.by_key = with_other(adjoints.models.by_key, model.procedure.key, model)
    own.models = models
    own.by_key = with_other(adjoints.by_key, loop.key, found)
    return own


def with_other(table: Mapping[str, V], key: str, value: V) -> Mapping[str, V]:
    """A table with another value for one key."""
    return LazyTable(lambda: tuple(table), lambda asked: value if asked == key else table[asked])


def step_adjoint(adjoints: Adjoints, loop: TimeLoop, model: ProcedureModel, demanded: May = EMPTY,
                 invariant: Must = EMPTY) -> ProcedureAdjoint:
    """The loop's code, of which the levels of a step, and those in it, are as they are with ``demanded`` behind it.
    ``invariant``: what other steps leave as it is."""
    code = adjoints.planning.code(loop.key)
    own = adjoints_with(adjoints, loop, model, loop.adjoint)
    fixpoint = AdjointFixpoint(own, (loop.key,))
    fixpoint.by_key[loop.key] = loop.adjoint
    active = adjoints.activity.within(code.procedure, code.border)[0]
    return StepBuilder(fixpoint, code, active, loop.step.index, demanded,
                       loop.changed & ~invariant).build()

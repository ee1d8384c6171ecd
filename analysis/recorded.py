"""To Be Recorded, forward: what is required, what is taped where, what each part's choice is (sections 2, 3).

May-analysis: Req may hold too much. Req enters a checkpointed part's own adjoint as Req_C, and goes on
behind it as Req_D, so it depends on the strategy.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from snapset.analysis.adjoint import Adjoints, LevelAdjoint, ProcedureAdjoint
from snapset.analysis.equations import Choice, OptSets, PartSets, opt_sets, solution
from snapset.analysis.lives import Lives
from snapset.analysis.solver import solve
from snapset.analysis.strategies import Strategy


@dataclass(frozen=True, slots=True)
class Solved:
    """A part under one strategy: its sets with Req, DH (6), and the choice."""

    sets: PartSets
    options: OptSets
    choice: Choice


@dataclass(frozen=True, slots=True)
class LevelRecord:
    """One level under one strategy. ``taped``: the locations each node tapes (none: absent)."""

    taped: Mapping[int, int]
    solved: Mapping[int, Solved]


@dataclass(frozen=True, slots=True)
class ProcedureRecord:
    """``levels`` by index; ``entering``: Req at the procedure's entry."""

    entering: int
    levels: tuple[LevelRecord, ...]


def record_program(adjoints: Adjoints, order: tuple[str, ...], strategy: Strategy) -> Mapping[str, ProcedureRecord]:
    """Req through all procedures, callers before callees (``order``), nothing required at the head's entry."""
    entering: dict[str, int] = dict.fromkeys(order, 0)
    result: dict[str, ProcedureRecord] = {}
    for key in order:
        adjoint = adjoints.by_key[key]
        record = record_procedure(adjoint, entering[key], strategy)
        result[key] = record
        for level in record.levels:
            for node, solved in level.solved.items():
                if node in adjoint.model.calls:
                    for target in adjoint.model.calls[node].targets:
                        if target.key in entering:
                            entering[target.key] |= target.holding(solved.choice.req_c)
    return result


def record_procedure(adjoint: ProcedureAdjoint, entering: int, strategy: Strategy) -> ProcedureRecord:
    """All levels of a procedure: a part's own adjoint starts from its Req_C."""
    required: dict[int, int] = {0: entering}
    levels: list[LevelRecord] = []
    for index, level in enumerate(adjoint.levels):
        record = _record_level(adjoint, level, required[index], strategy)
        levels.append(record)
        for node, child in level.graph.parts.items():
            required[child] = record.solved[node].choice.req_c if node in record.solved else 0
    return ProcedureRecord(entering, tuple(levels))


def _record_level(adjoint: ProcedureAdjoint, level: LevelAdjoint, entering: int, strategy: Strategy) -> LevelRecord:
    model = adjoint.model
    lives: Lives = model.lives(level.kept)

    def part(node: int, before: int) -> Solved:
        sets = level.parts[node].with_req(lives.fold(before))
        place = model.procedure.key, level.graph.index, node
        return Solved(sets, opt_sets(sets), solution(sets, strategy.partition(sets, model.space, place)))

    def transfer(node: int, before: int) -> int:
        before = lives.opened_forward(node, before)
        if node in level.parts:
            found = part(node, before)
            # An array the part does not touch keeps what is known of its elements.
            after = (before & lives.spread(found.choice.req_d)) | (found.choice.req_d & found.sets.use_cbar)
        else:
            after = before | lives.own(node, adjoint.derivative.get(node, 0))
            if node in level.kept:
                after &= ~(model.effects[node].kill | lives.element_kills(node))
        return lives.closed_forward(node, after)

    required = solve(level.graph.forward, entering, 0, int.__or__, transfer)
    taped: dict[int, int] = {}
    solved: dict[int, Solved] = {}
    for node in level.graph.forward.order:
        before = lives.opened_forward(node, required.before[node])
        if node in level.parts:
            solved[node] = part(node, before)
        elif node in level.kept:
            needed = lives.touchable(node, before) | adjoint.derivative.get(node, 0)
            if model.effects[node].out & needed:
                taped[node] = model.effects[node].out & needed
    return LevelRecord(taped, solved)

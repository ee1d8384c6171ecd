"""To Be Recorded, forward: what is required, what is taped where, what each part's choice is (sections 2, 3).

May-analysis: Req may hold too much. Req enters a checkpointed part's own adjoint as Req_C, and goes on
behind it as Req_D, so it depends on the strategy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from snapset.analysis.adjoint import LevelAdjoint, ProcedureAdjoint
from snapset.analysis.adjoints import Adjoints
from snapset.analysis.equations import Choice, OptSets, Partition, PartSets, opt_sets, solution
from snapset.analysis.lives import Lives
from snapset.analysis.pieces import applicable, left_to_d
from snapset.analysis.solver import Solution, solve
from snapset.analysis.strategies import Place, Strategy
from snapset.frontend import ir


@dataclass(frozen=True, slots=True)
class Solved:
    """A part under one strategy: its sets with Req, DH (6), and the choice. ``pieces``: of what is saved, the locations
    of which only some elements are (:mod:`snapset.analysis.pieces`)."""

    sets: PartSets
    options: OptSets
    choice: Choice
    pieces: Mapping[int, ir.Ref] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LevelRecord:
    """One level under one strategy. ``taped``: the locations each node tapes (none: absent)."""

    taped: Mapping[int, int]
    solved: Mapping[int, Solved]


@dataclass(frozen=True, slots=True)
class ProcedureRecord:
    """``levels`` by index; ``entering``: Req at the procedure's entry. ``passed_on``: by code what is required at the
    entry of its callees."""

    entering: int
    levels: tuple[LevelRecord, ...]
    passed_on: Mapping[str, int]


Through: TypeAlias = Callable[[str, int], int]
Known: TypeAlias = dict[tuple[str, int, frozenset[tuple[Place, Partition]]], ProcedureRecord]


def record_program(adjoints: Adjoints, order: tuple[str, ...], strategy: Strategy,
                   known: Known | None = None) -> Mapping[str, ProcedureRecord]:
    """Req through all codes, callers before callees (``order``), nothing required at the head's entry.

    What a callee in split mode requires at its exit goes on in its callers: then again, until nothing grows.
    ``known``: records kept from one chosen strategy to the next, by code, Req at its entry and its parts' partitions.
    """
    return _Recording(adjoints, order, strategy, known).run()


def record_code(adjoints: Adjoints, key: str, entering: int, strategy: Strategy) -> ProcedureRecord:
    """One code, from what is required at its entry; all its calls are in joint mode."""
    return record_procedure(adjoints.by_key[key], entering, strategy)


class _Recording:
    def __init__(self, adjoints: Adjoints, order: tuple[str, ...], strategy: Strategy,
                 known: Known | None = None) -> None:
        self.adjoints = adjoints
        self.order = order
        self.strategy = strategy
        self.entering: dict[str, int] = dict.fromkeys(order, 0)
        self.found: dict[str, ProcedureRecord] = {}
        self._through: dict[tuple[str, int], int] = {}
        self.known = known if strategy.kind == "chosen" else None
        self.chosen: dict[str, set[tuple[Place, Partition]]] = {}
        for place, partition in strategy.chosen.items():
            self.chosen.setdefault(place[0], set()).add((place, partition))

    def run(self) -> Mapping[str, ProcedureRecord]:
        stale = set(self.order)
        while stale:
            for key in self.order:
                if key in stale:
                    stale.discard(key)
                    stale |= self._recorded(key)
        return self.found

    def _recorded(self, key: str) -> set[str]:
        """Record one code; those that have to be recorded again."""
        record = self._record(key)
        stale: set[str] = set()
        if self.adjoints.codes.by_key[key].split and self.found.get(key) != record:
            above = self.adjoints.codes.above(key)
            stale |= above
            self._through = {at: r for at, r in self._through.items() if at[0] != key and at[0] not in above}
        self.found[key] = record
        for callee, required in record.passed_on.items():
            if required & ~self.entering[callee]:
                self.entering[callee] |= required
                stale.add(callee)
        return stale

    def _record(self, key: str) -> ProcedureRecord:
        adjoint, entering = self.adjoints.by_key[key], self.entering[key]
        if self.known is None or adjoint.apart:  # what runs apart depends on other codes' records
            return record_procedure(adjoint, entering, self.strategy, self.through)
        inputs = key, entering, frozenset(self.chosen.get(key, ()))
        if inputs not in self.known:
            self.known[inputs] = record_procedure(adjoint, entering, self.strategy, self.through)
        return self.known[inputs]

    def through(self, key: str, required: int) -> int:
        """Req at the exit of a code in split mode from Req at its entry at one call."""
        if key not in self.found:
            return 0  # it stands behind its callers in the order, which come again
        if (key, required) not in self._through:
            adjoint, record = self.adjoints.by_key[key], self.found[key].levels[0]
            level = adjoint.levels[0]

            def part(node: int, before: int) -> Solved:
                return record.solved[node]

            flow = solve_required(adjoint, level, required, part, self.through)
            left = flow.after.get(level.graph.leave, 0)
            self._through[key, required] = adjoint.model.lives().fold(left) & adjoint.model.visible
        return self._through[key, required]


def record_procedure(adjoint: ProcedureAdjoint, entering: int, strategy: Strategy,
                     through: Through = lambda key, required: 0) -> ProcedureRecord:
    """All levels of a procedure: a part's own adjoint starts from its Req_C."""
    required: dict[int, int] = {0: entering}
    levels: list[LevelRecord] = []
    passed_on: dict[str, int] = {}
    for index, level in enumerate(adjoint.levels):
        record = _record_level(adjoint, level, required[index], strategy, through, passed_on)
        levels.append(record)
        for node, child in level.graph.parts.items():
            required[child] = record.solved[node].choice.req_c if node in record.solved else 0
        for node, solved in record.solved.items():
            if node in adjoint.model.calls:
                for target in adjoint.model.calls[node].targets:
                    key = adjoint.code.callees[node, target.key]
                    passed_on[key] = passed_on.get(key, 0) | target.holding(solved.choice.req_c)
    return ProcedureRecord(entering, tuple(levels), passed_on)


def solve_required(adjoint: ProcedureAdjoint, level: LevelAdjoint, entering: int,
                   part: Callable[[int, int], Solved], through: Through) -> Solution[int]:
    """Req before and behind each node of a level. ``part``: a part's choice, from Req before it."""
    model = adjoint.model
    lives: Lives = model.lives(level.kept)
    dying = adjoint.dying if not level.graph.index else 0

    def transfer(node: int, before: int) -> int:
        before = lives.opened_forward(node, before)
        if node in level.parts:
            found = part(node, before)
            # An array the part does not touch keeps what is known of its elements.
            after = (before & lives.spread(found.choice.req_d)) | (found.choice.req_d & found.sets.use_cbar)
        elif node in adjoint.apart:
            after = adjoint.apart[node].forward(before, lives.fold(before), model.space, through)
            after &= ~adjoint.reversal.regenerated(node)
        else:
            after = before | lives.own(node, adjoint.derivative.get(node, 0))
            if node in level.kept:
                after &= ~(model.effects[node].kill | lives.element_kills(node))
        if dying and node == level.graph.leave:
            after = lives.fold(after) & ~dying
        return lives.closed_forward(node, after)

    return solve(level.graph.forward, entering, 0, int.__or__, transfer)


def _record_level(adjoint: ProcedureAdjoint, level: LevelAdjoint, entering: int, strategy: Strategy,
                  through: Through, passed_on: dict[str, int]) -> LevelRecord:
    model = adjoint.model
    lives: Lives = model.lives(level.kept)

    def part(node: int, before: int) -> Solved:
        sets = level.parts[node].with_req(lives.fold(before))
        place = adjoint.key, level.graph.index, node
        choice, facts = solution(sets, strategy.partition(sets, model.space, place)), level.parts[node]
        if facts.pieces and model.flow.nodes[node].loops and node not in level.graph.parts:
            choice = replace(choice, req_d=choice.req_d | left_to_d(facts.pieces, sets, choice))
        pieces = applicable(facts.pieces, choice.snp | choice.sbk, sets.out_dbar & ~choice.req_d,
                            facts.alone & sets.out_cbar & ~sets.req & ~choice.sbk)
        return Solved(sets, opt_sets(sets), choice, pieces)

    required = solve_required(adjoint, level, entering, part, through)
    taped: dict[int, int] = {}
    solved: dict[int, Solved] = {}
    for node in level.graph.forward.order:
        before = lives.opened_forward(node, required.before[node])
        if node in level.parts:
            solved[node] = part(node, before)
        elif node in adjoint.apart:
            for key, found in adjoint.apart[node].requiring(lives.fold(before)).items():
                passed_on[key] = passed_on.get(key, 0) | found
            if adjoint.apart[node].taped:
                taped[node] = adjoint.apart[node].taped
        elif node == level.graph.leave and not level.graph.index and lives.fold(before) & adjoint.dying:
            taped[node] = lives.fold(before) & adjoint.dying
        elif node in level.kept:
            needed = lives.touchable(node, before) | adjoint.derivative.get(node, 0)
            if model.effects[node].out & needed:
                taped[node] = model.effects[node].out & needed
    return LevelRecord(taped, solved)

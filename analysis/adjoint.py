"""Adjoint liveness and the use and out sets of adjoint code, with checkpointed parts (equations.md sections 2, 3).

A backward analysis per level. Its state is (use(D̄), out(D̄)), D being everything after a node until the
turn. May-analysis: more is safe in both sets.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from snapset.analysis.activity import Active, Activity
from snapset.analysis.bits import union
from snapset.analysis.control import control_dependence
from snapset.analysis.equations import PartSets, out_of_part
from snapset.analysis.first_run import Control, FirstRun, exposed, first_run, read_before
from snapset.analysis.levels import LevelGraph, flat_graph, level_graph
from snapset.analysis.lives import Lives
from snapset.analysis.model import Model, Models
from snapset.analysis.reversal import Reversal, plan_reversal
from snapset.analysis.solver import Graph, Solution, solve
from snapset.frontend import ir

State = tuple[int, int]
NOTHING_BEHIND: State = (0, 0)


@dataclass(frozen=True, slots=True)
class PartFacts:
    """A checkpointed part at its node: what the equations start from (Req apart).

    ``first_kept``: the nodes of a marked part's first run; for a call, its own node where it runs first.
    """

    use_c: int
    out_c: int
    use_cbar: int
    out_cbar: int
    use_dbar: int
    out_dbar: int
    first_kept: frozenset[int]

    def with_req(self, req: int) -> PartSets:
        return PartSets(req, self.out_c, self.out_dbar, self.out_cbar, self.use_cbar)


@dataclass(frozen=True, slots=True)
class LevelAdjoint:
    """One level's adjoint with nothing behind it.

    ``kept``: the nodes its forward sweep runs. ``entry``: use and out of the whole level's adjoint.
    ``parts``: the facts of the marked parts and active calls directly in it, by node.
    """

    graph: LevelGraph
    kept: frozenset[int]
    entry: State
    parts: Mapping[int, PartFacts]


@dataclass(frozen=True, slots=True)
class ProcedureAdjoint:
    """All levels of one procedure; ``use`` and ``out`` are use(C̄) and out(C̄) of a call of it."""

    model: Model
    active: Active
    levels: tuple[LevelAdjoint, ...]
    reversal: Reversal
    control: Control
    derivative: Mapping[int, int]
    use: int
    out: int


FirstRunMode = Literal["trimmed", "whole"]


class Adjoints:
    """The adjoints of the procedures below one head, callees before callers."""

    def __init__(self, models: Models, activity: Activity, mode: FirstRunMode) -> None:
        self.models = models
        self.activity = activity
        self.mode = mode
        self.by_key: dict[str, ProcedureAdjoint] = {}

    def build(self, key: str) -> ProcedureAdjoint:
        result = _Procedure(self, self.models.by_key[key], self.activity.of[key]).build()
        self.by_key[key] = result
        return result


class _Procedure:
    def __init__(self, owner: Adjoints, model: Model, active: Active) -> None:
        self.owner = owner
        self.model = model
        self.active = active
        self.lives: Lives = model.lives()
        partners = {x.test: frozenset((x.init, x.step)) for x in model.flow.loops if x.init >= 0}
        self.control = Control(control_dependence(model.flow), partners)
        self.reversal = plan_reversal(model, active)
        self.derivative = {n: bits & ~self.reversal.regenerated(n) for n, bits in active.derivative.items()}
        self.derivative |= self.reversal.preserved
        self.levels: dict[int, LevelAdjoint] = {}
        self.flat: dict[int, tuple[Graph, Graph]] = {}
        self.first_runs: dict[tuple[int, int], FirstRun] = {}

    def build(self) -> ProcedureAdjoint:
        for level in reversed(self.model.flow.levels):  # inner parts have higher indices
            self.levels[level.index] = self.level(level.index)
        use, out = self.levels[0].entry
        seen = self.model.visible
        ordered = tuple(self.levels[i] for i in range(len(self.levels)))
        return ProcedureAdjoint(self.model, self.active, ordered, self.reversal, self.control, self.derivative,
                                use & seen, out & seen)

    # ------------------------------------------------------------ one level

    def level(self, index: int) -> LevelAdjoint:
        graph = level_graph(self.model.flow, index)
        tests = self.evaluated_masks(graph)
        while True:
            solved = self.solve_level(graph, tests)
            kept = frozenset(n for n in graph.forward.order if self.runs(n, self.behind(solved, n)[0], tests))
            needed_tests = self.control.tests_for(self.content(graph, kept))
            if needed_tests <= tests:
                break
            tests |= needed_tests
        use, out = solved.after.get(graph.forward.entry, NOTHING_BEHIND)
        facts = {n: self.facts(n, graph, self.behind(solved, n)) for n in graph.forward.order if self.is_part(n, graph)}
        return LevelAdjoint(graph, kept, (self.lives.fold(use), self.lives.fold(out)), facts)

    def evaluated_masks(self, graph: LevelGraph) -> frozenset[int]:
        """The WHERE statements whose mask derivatives need and which is recorded: it must be right."""
        nodes = self.model.flow.nodes
        recorded = self.model.stored_masks & self.derivative.keys()
        masks = [mask for n in recorded for mask in nodes[n].masks]
        found = set()
        for n in graph.forward.order:
            stmt = nodes[n].stmt
            if isinstance(stmt, ir.Where) and any(stmt.mask is mask for mask in masks):
                found.add(n)
        return frozenset(found)

    def behind(self, solved: Solution[State], node: int) -> State:
        """use(D̄) and out(D̄) right behind a node; covers that end there are closed."""
        use, out = solved.before.get(node, NOTHING_BEHIND)
        return self.lives.closed_backward(node, use), out

    def content(self, graph: LevelGraph, kept: frozenset[int]) -> frozenset[int]:
        """The nodes for whose sake a test must be evaluated or remembered."""
        effects = self.model.effects
        return frozenset(n for n in graph.forward.order
                         if (n in kept and (effects[n].out or effects[n].keep)) or n in self.active.derivative
                         or self.is_part(n, graph))

    def is_part(self, node: int, graph: LevelGraph) -> bool:
        return node in graph.parts or node in self.active.active_calls

    def runs(self, node: int, use: int, tests: frozenset[int]) -> bool:
        """Is the statement in the forward sweep? (adjoint liveness)"""
        e = self.model.effects[node]
        return e.keep or node in tests or bool(e.out & self.lives.touchable(node, use))

    def solve_level(self, graph: LevelGraph, tests: frozenset[int]) -> Solution[State]:

        def transfer(node: int, state: State) -> State:
            use, out = self.lives.closed_backward(node, state[0]), state[1]
            if self.is_part(node, graph):
                use, out = self.through_part(node, graph, use, out)
            else:
                use, out = self.through_statement(node, use, out, tests)
            out = self.lives.turned_backward(node, out & ~self.reversal.regenerated(node))
            return self.lives.opened_backward(node, use), out

        return solve(graph.backward, NOTHING_BEHIND, NOTHING_BEHIND, _either, transfer)

    def through_statement(self, node: int, use: int, out: int, tests: frozenset[int]) -> State:
        """equations.md section 2: use(I;D adj) and out(I;D adj)."""
        e, lives = self.model.effects[node], self.lives
        derivative = lives.own(node, self.derivative.get(node, 0))
        if self.runs(node, use, tests):
            return derivative | read_before(node, use, e, lives), (out | lives.own(node, e.out)) & ~derivative
        return derivative | use, out & ~derivative

    # ------------------------------------------------------------ checkpointed parts

    def through_part(self, node: int, graph: LevelGraph, use: int, out: int) -> State:
        """What encloses a part sees of it: use([C];D adj) and out([C];D adj), equations.md section 3."""
        use_cbar, out_cbar = self.of_cbar(node, graph)
        live, out_c = self.first(node, graph, use)
        return live | use_cbar, out_of_part(PartSets(0, out_c, out, out_cbar, use_cbar))

    def first(self, node: int, graph: LevelGraph, use: int) -> tuple[int, int]:
        """use(C) ∪ (use(D̄) \\ kill(C)), and out(C), of what runs first."""
        if node in graph.parts:
            run = self.first_run(graph.parts[node], use)
            return run.live, run.out_c
        e = self.model.effects[node]
        if e.keep or e.out & self.lives.fold(use):
            return e.use | (use & ~e.kill), e.out
        return use, 0

    def first_run(self, level: int, demanded: int) -> FirstRun:
        if level not in self.flat:
            graph = flat_graph(self.model.flow, level)
            self.flat[level] = graph, graph.reversed(self.model.flow.levels[level].leave)
        memo = level, demanded
        if memo not in self.first_runs:
            graph, backward = self.flat[level]
            self.first_runs[memo] = first_run(graph, backward, self.model.effects, self.lives, self.control,
                                              demanded, whole=self.owner.mode == "whole")
        return self.first_runs[memo]

    def of_cbar(self, node: int, graph: LevelGraph) -> State:
        """use(C̄) and out(C̄): the part's own adjoint with nothing behind it."""
        if node in graph.parts:
            return self.levels[graph.parts[node]].entry
        site, e = self.model.calls[node], self.model.effects[node]
        if not site.targets:
            return e.use, e.out
        varied = self.active.varied[node]
        use = site.index_reads | union(self.model.refs.partials(a.value, varied) for a in site.stmt.args)
        out = 0
        for target in site.targets:
            callee = self.owner.by_key.get(target.key)
            if callee is not None:
                use |= target.uses(callee.use)
                out |= target.outs(callee.out)
        space = self.model.space
        return space.with_aliases(use), space.with_aliases(out)

    def facts(self, node: int, graph: LevelGraph, behind: State) -> PartFacts:
        use_cbar, out_cbar = self.of_cbar(node, graph)
        use_dbar = self.lives.fold(behind[0])
        _, out_c = self.first(node, graph, behind[0])
        if node in graph.parts:
            level = graph.parts[node]
            run = self.first_run(level, behind[0])
            kept = run.kept
            use_c = exposed(*self.flat[level], self.model.effects, self.lives, kept)
        else:
            e = self.model.effects[node]
            kept = frozenset((node,)) if e.keep or e.out & use_dbar else frozenset()
            use_c = e.use if kept else 0
        return PartFacts(use_c, out_c, use_cbar, out_cbar, use_dbar, self.lives.fold(behind[1]), kept)


def _either(a: State, b: State) -> State:
    return a[0] | b[0], a[1] | b[1]

"""Makes the adjoint of one procedure, level by level: what runs, what it reads and overwrites, its parts' sets. Of
``t = x*x; y = sin(t)``, y wanted, the forward sweep runs ``t = x*x`` alone: no derivative reads y."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from snapset.analysis.activity.active_sets import Active
from snapset.analysis.activity.code_table import AdjointCode
from snapset.analysis.adjoint.adjoint_liveness import AdjointLiveness, SplitSweep
from snapset.analysis.adjoint.available_expressions import repeatable
from snapset.analysis.adjoint.level_adjoint import NOTHING_BEHIND, LevelAdjoint, PartFacts, ProcedureAdjoint
from snapset.analysis.adjoint.partial_reads import rewritten
from snapset.analysis.adjoint.split_calls import (
    State,
    alternate_returns,
    dying_arguments,
    passed_partials,
    split_call_sites,
)
from snapset.analysis.allocation.final_deallocations import without_idle_and_final
from snapset.analysis.dataflow.bitsets import EMPTY, EVERYTHING, Exact, May, Must, exactly, set_of, union
from snapset.analysis.dataflow.control_dependence import control_dependence
from snapset.analysis.dataflow.framework import FixedPoint
from snapset.analysis.dataflow.part_graphs import LevelGraph, flat_graph, level_graph
from snapset.analysis.dataflow.solver import DirectedGraph
from snapset.analysis.equations import PartSets, out_of_part, use_of_part
from snapset.analysis.memory.references import Piece
from snapset.analysis.procedures.array_lives import ArrayLives
from snapset.analysis.procedures.call_binding import temporary_result
from snapset.analysis.procedures.live_code import ControlDependence, FirstRun, exposed, first_run, read_before
from snapset.analysis.reversal.branch_conditions import choose_branches, recorded_tests
from snapset.analysis.reversal.do_loops import evaluated_masks, plan_reversal
from snapset.analysis.reversal.recorded_control import NO_BRANCHES, NO_SIDES
from snapset.analysis.reversal.recorded_masks import choose_statements
from snapset.analysis.reversal.weighed_requirements import Weighing, joined
from snapset.analysis.sections.dependence_distance import not_overwritten_after_read
from snapset.analysis.sections.lost_values import found_again, lost_in, lost_through
from snapset.analysis.sections.snapshot_sections import Pieces, read_alone

if TYPE_CHECKING:
    from snapset.analysis.adjoint.interprocedural import AdjointFixpoint


class AdjointBuilder:
    """Makes one adjoint code; ``owner`` knows the others."""

    def __init__(self, owner: AdjointFixpoint, code: AdjointCode, active: Active) -> None:
        self.owner = owner
        self.code = code
        self.model = model = owner.models.by_key[code.procedure]
        self.scope = model.scope.of_code(code.key)
        self.active = active
        self.lives: ArrayLives = model.lives()
        self.own = model.space.all() & ~model.visible  # gone when the procedure ends
        self.dying = self.own | owner.dying.get(code.key, EMPTY) if code.split else EMPTY
        self.answers = alternate_returns(model) if code.split else frozenset()
        self.end = self.behind_exit(owner.behind.get(code.key, NOTHING_BEHIND))
        partners = {x.test: frozenset((x.init, x.step)) for x in model.flow.loops if x.init >= 0}
        self.control = ControlDependence(control_dependence(model.flow), partners)
        self.reversal = plan_reversal(model, active, self.end[1])
        self.derivative = self.reversal.read(active.derivative)
        self.sides, self.branches, self.masks = NO_SIDES, NO_BRANCHES, model.stored_masks
        self.levels: dict[int, LevelAdjoint] = {}
        self.flat: dict[int, tuple[DirectedGraph, DirectedGraph]] = {}
        self.first_runs: dict[tuple[int, May], FirstRun] = {}
        self.intact: Mapping[int, Must] = {}
        self.split_calls = split_call_sites(model, code, active, owner.models, self.reversal)
        self.effects = model.effects if code.split or owner.rules.first_run == "whole" else without_idle_and_final(
            model, (*active.derivative, *active.active_calls, *self.split_calls), self.control)
        self.states: dict[int, State] = {}
        self.pieces = Pieces(owner.stretches, model, self.control.deciding)
        self._through: dict[State, State] = {}

    def build(self) -> ProcedureAdjoint:
        self.build_levels()
        if self.choose_recorded():
            self.build_levels()
        use, out = self.levels[0].entry
        if self.code.split:
            use, out = self.through(NOTHING_BEHIND)
            self.levels[0] = replace(self.levels[0], parts=self.within())
        seen = self.model.visible
        return ProcedureAdjoint(
            code=self.code, model=self.model, active=self.active, reversal=self.reversal, control=self.control,
            levels=tuple(self.levels[index] for index in range(len(self.levels))), derivative=self.derivative,
            use=use & seen, out=out & seen, lost=self.lost_in_level(0) & seen, split_calls=self.split_calls,
            dying=self.dying, sides=self.sides, branches=self.branches, masks=self.masks)

    def build_levels(self) -> None:
        for level in reversed(self.model.flow.levels):  # inner parts have higher indices
            self.levels[level.index] = self.level(level.index)

    def choose_recorded(self) -> bool:
        """Choose what records sides and masks, the branches that need not be recorded. Is anything else read?"""
        running = frozenset[int]().union(*(level.running for level in self.levels.values()))
        weighing = Weighing(self.model, self.code, self.active, self.reversal, self.lives, self.end[1], running)
        self.sides, self.masks, read = choose_statements(weighing, rewritten, repeatable, self.owner.rules.record_sides)
        self.derivative |= {n: bits & ~self.reversal.regenerated(n) for n, bits in read.items()}
        if self.owner.rules.record_branches:
            return bool(read)
        tests = recorded_tests(weighing, self.control, self.levels.values(), self.split_calls.keys())
        self.branches, saved = choose_branches(weighing, tests, read)
        self.derivative = joined(self.derivative, saved)
        return bool(read or saved)

    def evaluated(self, node: int) -> May:
        """What the forward sweep reads to record sides, whether the statement itself runs or not."""
        return self.active.derivative[node] if node in self.sides else EMPTY

    # ------------------------------------------------------------ one level

    def level(self, index: int) -> LevelAdjoint:
        graph = level_graph(self.model.flow, index)
        self.intact = {}
        tests = evaluated_masks(self.model, graph.forward, self.masks & self.derivative.keys())
        while True:
            solved = self.solve_level(graph, tests)
            running = frozenset(n for n in graph.forward.order if self.runs(n, self.behind(solved, n)[0], tests))
            needed_tests = self.control.tests_for(self.content(graph, running))
            if needed_tests <= tests:
                break
            tests |= needed_tests
        solved, intact = self.with_intact(graph, tests, solved)
        running |= self.always(graph)
        self.states |= {n: self.behind(solved, n) for n in graph.forward.order}
        use, out = solved.at_entry(graph.forward.entry)
        facts = {n: self.facts(n, graph, self.behind(solved, n), intact.get(n, EMPTY)) for n in graph.forward.order
                 if self.is_part(n, graph)}
        entry = self.model.space.with_descriptors(self.lives.fold(use)), self.lives.fold(out)
        return LevelAdjoint(graph=graph, running=running, entry=entry, parts=facts,
                            lost_behind=self.lives.fold(self.behind(solved, graph.leave)[1]))

    def with_intact(self, graph: LevelGraph, tests: frozenset[int],
                    solved: FixedPoint[State]) -> tuple[FixedPoint[State], Mapping[int, Must]]:
        """The level solved with what its parts need not save, which D̄ must leave alone, and that by part.

        Such a location the part's adjoint leaves changed, so out(D̄) grows for those before it, in a loop for
        itself: what is hit then is saved after all, until all that is left is left alone.
        """
        assumed: Mapping[int, Must] = {}
        left: Mapping[int, Must] = {}
        saved: Mapping[int, tuple[May, Must]] = {}
        if not self.owner.rules.save_intact:
            saved = {n: self.overwritten(n, graph) for n in graph.forward.order if self.is_part(n, graph)}
            left = {n: self.never_lost(n, graph, *both) for n, both in saved.items()}
        while True:
            changed = {n: self.lives.touchable(n, self.behind(solved, n)[1]) for n in left}
            kept = {n: found_again(self.model.space, bits & ~changed[n], *saved[n]) for n, bits in left.items()}
            left = {n: free for n, free in kept.items() if free}
            if left == assumed:
                return solved, left
            self.intact = assumed = left
            solved = self.solve_level(graph, tests)

    def overwritten(self, node: int, graph: LevelGraph) -> tuple[May, Must]:
        """use(C̄) ∩ out(C), and of what is written the allocations that are at C's end what they were."""
        used, allocating = self.of_cbar(node, graph)[0], self.owner.hazards.allocating
        if node not in graph.parts:
            out = self.effects[node].out
            return used & out, allocating.kept(self.model, out, (node,), node, node)
        part = self.model.flow.levels[graph.parts[node]]
        written = union(self.effects[n].out for n in self.flat_graphs(part.index)[0].order)
        return used & written, allocating.kept(self.model, written, part.nodes, part.enter, part.leave)

    def never_lost(self, node: int, graph: LevelGraph, used: May, same: Must) -> Must:
        """Of use(C̄) ∩ out(C), what C does not overwrite after it may have been read, and the allocations that are at
        its end what they were; nothing where a second run does something else than the first."""
        part = graph.parts.get(node)
        lost = self.lost_in_call(node) if part is None else self.lost_in_level(part)
        found = found_again(self.model.space, Must(used & (~lost | same)), used, same)
        spoilt = found and (self.owner.hazards.spoils_call(self.model, node) if part is None else
                            self.owner.hazards.spoils_part(self.model, part))
        return EMPTY if spoilt else found

    def lost_in_level(self, index: int) -> May:
        """What all the code of a level may overwrite after its adjoint may have read it."""
        effects, running = self.effects, self.running(index)

        def reads(node: int) -> May:
            found = self.derivative.get(node, EMPTY) | self.evaluated(node)
            found |= effects[node].use if node in running else EMPTY
            return found | (self.call_cbar(node)[0] if node in self.active.active_calls else EMPTY)

        def inside(node: int) -> May:
            if node not in self.active.active_calls:
                return reads(node) & effects[node].out
            again = effects[node].use & effects[node].out if node in running else EMPTY
            return again | self.lost_in_call(node)

        graph = self.flat_graphs(index)[0]
        lost = self.lives.fold(lost_in(self.scope, graph, effects, self.lives, reads, inside))
        return lost & ~not_overwritten_after_read(self.model, graph.order, lost)

    def running(self, index: int) -> frozenset[int]:
        """The nodes that run when the adjoint of a level does: its forward sweep, and the first runs of inner parts."""
        level = self.levels[index]
        found = level.running.union(*(facts.first_run_nodes for facts in level.parts.values()))
        return found.union(*(self.running(child) for child in level.graph.parts.values()))

    def lost_in_call(self, node: int) -> May:
        """What a call may overwrite after the callee's adjoint, or the arguments', may have read it."""
        site, out = self.model.calls[node], self.effects[node].out
        lost = self.argument_reads(node) & out
        if not site.targets:
            return lost | (self.effects[node].use & out)
        for target in site.targets:
            callee = self.owner.callee(self.code, node, target.key)
            if callee is not None:
                written = self.owner.models.seen[target.key].summary.out
                lost |= lost_through(target, callee.use, written, callee.lost, self.model.space)
        return self.model.space.with_aliases(lost)

    def behind(self, solved: FixedPoint[State], node: int) -> State:
        """use(D̄) and out(D̄) right behind a node; covers that end there are closed."""
        use, out = solved.at_exit(node)
        return self.lives.closed_backward(node, use), out

    def content(self, graph: LevelGraph, running: frozenset[int]) -> frozenset[int]:
        """The nodes for whose sake a test must be evaluated or remembered."""
        working = frozenset(n for n in running if self.effects[n].out or self.effects[n].keep)
        return frozenset(n for n in graph.forward.order if n in working or n in self.active.derivative
                         or self.is_part(n, graph) or n in self.split_calls or n in self.answers)

    def is_part(self, node: int, graph: LevelGraph) -> bool:
        return node in graph.parts or (node in self.active.active_calls and node not in self.split_calls)

    def always(self, graph: LevelGraph) -> frozenset[int]:
        """What every forward sweep runs: calls in split mode, and the end, where the procedure's variables go."""
        ends = {graph.leave} if self.code.split and graph.index == 0 else frozenset()
        return frozenset(n for n in self.split_calls if n in graph.forward.preds) | ends

    def runs(self, node: int, use: May, tests: frozenset[int]) -> bool:
        """Is the statement in the forward sweep? (adjoint liveness)"""
        e = self.effects[node]
        return e.keep or node in tests or node in self.answers or bool(self.lives.touched(node, e.out, use))

    def solve_level(self, graph: LevelGraph, tests: frozenset[int]) -> FixedPoint[State]:
        start = NOTHING_BEHIND if graph.index else self.end
        return AdjointLiveness(self.scope, start, self, graph, tests).solve(graph.backward)

    # ------------------------------------------------------------ calls in split mode

    def behind_exit(self, behind: State) -> State:
        """use and out behind the exit; the procedure's own variables are gone then."""
        return behind[0], behind[1] | self.dying

    def plain(self, node: int, state: State) -> State:
        """What lies behind a call in split mode, as its callee is told."""
        return self.lives.fold(state[0]), self.lives.fold(state[1]) & ~self.reversal.regenerated(node)

    def through_call(self, node: int, use: May, out: May) -> State:
        plain, call = self.plain(node, (use, out)), self.split_calls[node]
        before = call.backward((use, out), plain, self.model.space, self.owner.through)
        return before[0] | self.model.calls[node].reads, before[1]

    def passed_on(self) -> Iterator[tuple[str, State, Exact]]:
        """For each call in split mode the callee's code, what lies behind its exit, and which of its arguments die
        with its forward sweep."""
        for node, call in self.split_calls.items():
            for key, state in call.behind(self.plain(node, self.states.get(node, NOTHING_BEHIND))).items():
                yield key, state, dying_arguments(call, key, self.owner.models)

    def through(self, behind: State) -> State:
        """use and out at the entry from those behind the exit at one of several calls: what runs is what all of them
        together need."""
        if behind not in self._through:
            solved = self.passing(behind)
            use, out = solved.at_entry(self.levels[0].graph.forward.entry)
            seen = self.model.visible
            self._through[behind] = self.lives.fold(use) & seen, self.lives.fold(out) & seen
        return self._through[behind]

    def within(self) -> Mapping[int, PartFacts]:
        """The parts of a code in split mode, knowing what is overwritten at every call of it."""
        solved = self.passing(NOTHING_BEHIND)
        return {n: replace(facts, out_within=self.lives.own_of(n, self.behind(solved, n)[1], facts.touched))
                for n, facts in self.levels[0].parts.items()}

    def passing(self, behind: State) -> FixedPoint[State]:
        """use and out everywhere, what runs being known."""
        level = self.levels[0]
        return SplitSweep(self.scope, self.behind_exit(behind), self, level).solve(level.graph.backward)

    def through_fixed(self, node: int, graph: LevelGraph, facts: PartFacts, use: May, out: May) -> State:
        """As :meth:`through_part`, its first run being known."""
        if node in graph.parts:
            flat = self.flat_graphs(graph.parts[node])
            live = exposed(self.scope, *flat, self.effects, self.lives, facts.first_run_nodes, use)
        else:
            live = read_before(node, use, self.effects[node], self.lives) if facts.first_run_nodes else use
        return self.around(node, (live, out), facts.out_c, (facts.use_cbar, facts.out_cbar), facts.intact)

    def through_statement(self, node: int, use: May, out: May, tests: frozenset[int]) -> State:
        """equations.md section 2: use(I;D adj) and out(I;D adj)."""
        return self.swept(node, use, out, self.runs(node, use, tests))

    def swept(self, node: int, use: May, out: May, runs: bool) -> State:
        e, lives = self.effects[node], self.lives
        read = self.derivative.get(node, EMPTY)
        restored = exactly(lives.own(node, read))  # what I' uses is put back for it
        use |= lives.demanded(node, self.evaluated(node))
        if runs:
            use, out = read_before(node, use, e, lives), out | lives.own(node, e.out)
        return lives.demanded(node, read) | use, out & ~restored

    # ------------------------------------------------------------ checkpointed parts

    def through_part(self, node: int, graph: LevelGraph, use: May, out: May) -> State:
        """What encloses a part sees of it: use([C];D adj) and out([C];D adj), equations.md section 3."""
        use_cbar, out_cbar = self.of_cbar(node, graph)
        live, out_c = self.first(node, graph, use)
        return self.around(node, (live, out), out_c, (use_cbar, out_cbar), self.intact.get(node, EMPTY))

    def around(self, node: int, behind: State, out_c: May, of_cbar: State, intact: Must) -> State:
        """use([C];D adj) and out([C];D adj). ``behind``: what is live before C's first run, and out(D̄)."""
        own, (use_cbar, out_cbar) = self.lives.own, of_cbar
        sets = PartSets(req=EMPTY, out_c=own(node, out_c), out_dbar=behind[1], out_cbar=own(node, out_cbar),
                        use_cbar=own(node, use_cbar & ~intact))
        return use_of_part(behind[0], self.lives.demanded(node, use_cbar)), out_of_part(sets)

    def first(self, node: int, graph: LevelGraph, use: May) -> tuple[May, May]:
        """use(C) ∪ (use(D̄) \\ kill(C)), and out(C), of what runs first."""
        if node in graph.parts:
            run = self.first_run(graph.parts[node], use)
            return run.live, run.out_c
        e = self.effects[node]
        if e.keep or self.lives.touched(node, e.out, use):
            return read_before(node, use, e, self.lives), e.out
        return use, EMPTY

    def first_run(self, level: int, demanded: May) -> FirstRun:
        memo = level, demanded
        if memo not in self.first_runs:
            graph, backward = self.flat_graphs(level)
            self.first_runs[memo] = first_run(self.scope, graph, backward, self.effects, self.lives,
                                              self.control, demanded, whole=self.owner.rules.first_run == "whole")
        return self.first_runs[memo]

    def flat_graphs(self, level: int) -> tuple[DirectedGraph, DirectedGraph]:
        if level not in self.flat:
            graph = flat_graph(self.model.flow, level)
            self.flat[level] = graph, graph.reversed(self.model.flow.levels[level].leave)
        return self.flat[level]

    def of_cbar(self, node: int, graph: LevelGraph) -> State:
        """use(C̄) and out(C̄): the part's own adjoint with nothing behind it."""
        return self.levels[graph.parts[node]].entry if node in graph.parts else self.call_cbar(node)

    def argument_reads(self, node: int) -> May:
        """What the derivative call reads to evaluate its arguments."""
        site, varied = self.model.calls[node], self.active.varied[node]
        return site.index_reads | union(self.model.refs.partials(a.value, varied) for a in site.stmt.args)

    def call_cbar(self, node: int) -> State:
        site, space = self.model.calls[node], self.model.space
        if not site.targets:
            return self.effects[node].use, self.effects[node].out
        use, out = self.argument_reads(node), May(EMPTY)
        for target in site.targets:
            if (callee := self.owner.callee(self.code, node, target.key)) is not None:
                use |= target.uses(callee.use)
                out |= target.outs(callee.out)
        made = temporary_result(site.stmt, self.model.refs)  # C̄ has a result of its own
        if not made & (space.aliasable | space.allocatable | space.descriptors):
            out &= ~made
        return space.with_descriptors(space.with_aliases(use & ~made)), space.with_aliases(out)

    def facts(self, node: int, graph: LevelGraph, behind: State, intact: Must) -> PartFacts:
        use_cbar, out_cbar = self.of_cbar(node, graph)
        e, plain, lives = self.effects[node], node not in graph.parts, self.lives
        effects = [e] if plain else [self.effects[n] for n in self.model.flow.levels[graph.parts[node]].nodes]
        touched = May(union(one.use | one.out for one in effects) | use_cbar | out_cbar)
        use_dbar, out_dbar = (lives.own_of(node, bits, touched) for bits in behind)
        out_c = self.first(node, graph, behind[0])[1]
        if node in graph.parts:
            running = self.first_run(graph.parts[node], behind[0]).running
            use_c = exposed(self.scope, *self.flat_graphs(graph.parts[node]), self.effects, self.lives, running)
        else:
            running = frozenset((node,)) if e.keep or e.out & use_dbar else frozenset()
            use_c = e.use if running else EMPTY
        changed = lives.fold(behind[1])
        no_use = May(changed & ~use_cbar)
        given = self.pieces.given(node) if plain else self.pieces.touched(graph.parts[node], no_use)
        passed = passed_partials(self.model, self.active, self.owner.models, node) if plain else EMPTY
        pieces = self.pieces.least(node, graph.parts.get(node), given, no_use)
        alone = self.read_alone(node, given) if plain else Must(set_of(given))
        return PartFacts(
            use_c=use_c, out_c=out_c, use_cbar=use_cbar, out_cbar=out_cbar, use_dbar=use_dbar, out_dbar=out_dbar,
            first_run_nodes=running, intact=Must(intact & out_c), out_within=out_dbar, changed=changed, touched=touched,
            passed=self.model.space.with_aliases(passed & ~self.reversal.regenerated(node)), pieces=pieces, given=given,
            alone=alone, untaped=EVERYTHING if plain and e.everything else EMPTY)

    def read_alone(self, node: int, pieces: Mapping[int, Piece]) -> Must:
        targets = self.model.calls[node].targets if pieces else ()
        callees = ((t.key, self.owner.callee(self.code, node, t.key)) for t in targets)
        uses = {key: callee.use for key, callee in callees if callee is not None}
        return read_alone(self.owner.models, self.model, node, pieces, uses) if pieces else EMPTY

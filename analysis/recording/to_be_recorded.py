"""To Be Recorded: what is required before each statement, what is taped where, what each part saves.

    b = sin(a)      ! the derivative reads a: from here on a is required
    c = 2*a         ! overwrites nothing that is required
    a = c + 1       ! overwrites a: the old value is taped here. Behind it a is not required any more

It goes forward through each level. Req may hold too much, which costs bytes. At a checkpointed part Req splits (DH 7):
Req_C is required of the part's own adjoint, Req_D of what runs behind the part; which location goes where is the
strategy's choice, and so Req depends on the strategy. docs/equations.md, sections 2 and 3.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import TypeAlias

from snapset.analysis.adjoint.element_tape import ElementTape, relied_on
from snapset.analysis.adjoint.level_adjoint import LevelAdjoint, PartFacts, ProcedureAdjoint
from snapset.analysis.adjoint.recomputation import ROUNDS, choose_reruns, look_over, rerun_for_snapshot
from snapset.analysis.adjoint.repeatable_groups import Computable
from snapset.analysis.adjoint.reruns import NOT_AGAIN, NOTHING_AGAIN, Rerun, Reruns, needed
from snapset.analysis.dataflow.bitsets import EMPTY, Exact, May, Must, exactly, members, set_of, singleton, union
from snapset.analysis.dataflow.framework import Direction, FixedPoint, MayProblem
from snapset.analysis.equations import OptSets, Partition, PartSets, SnapshotChoice, opt_sets, solution
from snapset.analysis.memory.references import Piece
from snapset.analysis.procedures.array_lives import ArrayLives
from snapset.analysis.recording.asked import NOTHING_ASKED, Asked
from snapset.analysis.recording.pieces_behind import PiecesBehind
from snapset.analysis.recording.pieces_inside import PiecesInside
from snapset.analysis.recording.strategies import Strategy
from snapset.analysis.sections.snapshot_sections import alike, applicable, beside
from snapset.frontend.base.frozen_records import frozen, replace


@frozen(kw_only=True, quick=True)
class PartRecord:
    """A checkpointed part under one strategy: its sets with Req, DH (6), and what the strategy chose of DH (7).

    ``pieces``: the locations of which only some elements are saved, ``u(2:n-1)`` for u
    (:mod:`snapset.analysis.sections.snapshot_sections`). ``again``: the assignments that run again once the snapshot
    is restored; what they give a value is not in the snapshot. ``inside``: the arrays of which D̄ overwrites nothing but
    the piece.
    """

    sets: PartSets
    options: OptSets
    choice: SnapshotChoice
    pieces: Mapping[int, Piece] = field(default_factory=dict)
    again: Rerun = NOT_AGAIN
    inside: Exact = EMPTY

    def wholly(self, saved: May) -> May:
        """Of what is saved the locations of which that is everything."""
        return May(saved & ~union(singleton(i) for i in self.pieces))

    def read_behind(self, facts: PartFacts, killed: Must) -> May:
        """What is left to D and C̄ reads. ``killed``: the arrays of which the calls of a loop, the parts, write every
        element: nothing of these where each piece is all that its C̄ reads. Such a call runs first (else its loop kills
        nothing), so what C̄ reads of the array is in out(C), hence in Snp: together the pieces put all of it back."""
        held = union(singleton(i) for i, piece in self.pieces.items() if facts.given.get(i) == piece)
        return self.choice.req_d & self.sets.use_cbar & ~(held & facts.alone & killed)


@frozen(kw_only=True)
class LevelRecord:
    """One level under one strategy. ``taped``: by node, the locations that it tapes. ``solved``: by node, the parts.
    ``again``: the assignments that the backward sweep runs again instead of popping their value."""

    taped: Mapping[int, May]
    solved: Mapping[int, PartRecord]
    again: Reruns = NOTHING_AGAIN

    def read_again(self) -> May:
        """All that is read where something is computed again."""
        return self.again.operands | union(solved.again.operands for solved in self.solved.values())


@frozen(kw_only=True)
class ProcedureRecord:
    """All levels of one adjoint code under one strategy. ``entering``: Req at the procedure's entry. ``passed_on``: by
    code called, what is asked of that code."""

    entering: May
    levels: tuple[LevelRecord, ...]
    passed_on: Mapping[str, Asked]


Through: TypeAlias = Callable[[str, May], May]


def record_procedure(adjoint: ProcedureAdjoint, entering: Asked, strategy: Strategy,
                     through: Through = lambda key, required: EMPTY, computable: Computable | None = None,
                     alone: int = 0, tapes: Sequence[ElementTape] = (), by_value: bool = False,
                     keeping: PiecesInside | None = None) -> ProcedureRecord:
    """All levels of a procedure: a part's own adjoint starts from its Req_C, that of the level ``alone`` from nothing.
    ``computable``: what may be computed again instead of taped (None: nothing). ``tapes``: by level, what writes need
    not tape; ``by_value``: that goes by what others rely on under this strategy, too. ``keeping``: lazy keeps to the
    end what it saves and C̄ would have to put back (:meth:`LevelRecorder.kept`); None: it is DH (9)."""
    asked: dict[int, Asked] = {0: entering}
    levels: list[LevelRecord] = []
    passed_on: dict[str, Asked] = {}
    for index, level in enumerate(adjoint.levels):
        recorder = LevelRecorder(adjoint, level, asked[index], strategy, through, tapes[index] if tapes else None,
                                 keeping)
        levels.append(record := recorder.record(computable, by_value))
        recorder.pass_on(passed_on)
        inside = recorder.asked_inside(record, by_value)
        for node, child in level.graph.parts.items():
            asked[child] = inside[node] if node in inside and child != alone else NOTHING_ASKED
        for node in inside.keys() & adjoint.model.calls.keys():
            for target in adjoint.model.calls[node].targets:
                key = adjoint.code.callees[node, target.key]
                passed_on[key] = passed_on.get(key, NOTHING_ASKED) | inside[node].mapped(target.holding)
    return ProcedureRecord(entering=entering.required, levels=tuple(levels), passed_on=passed_on)


@frozen(eq=False)
class ToBeRecorded(MayProblem):
    """To Be Recorded: what derivatives before a point read, and so must be overwritten only after it was taped.

        Req(exit I) = (Req(entry I) ∪ use(I')) \\ kill(I)    if the forward sweep runs I
                      Req(entry I) ∪ use(I')                otherwise
        Req(exit C) = Req_D                                  for a checkpointed part C: DH (7), from Req(entry C)

    (equations.md sections 2 and 3.) ``part``: a part's choice, from Req before it; ``through``: Req at the exit of a
    callee in split mode; ``again``: what is computed again instead of being taped.
    """

    name = "to-be-recorded"
    direction = Direction.FORWARD

    adjoint: ProcedureAdjoint
    level: LevelAdjoint
    lives: ArrayLives
    part: Callable[[int, May], PartRecord]
    through: Through
    again: Reruns

    def transfer(self, node: int, state: May) -> May:
        adjoint, lives = self.adjoint, self.lives
        state = lives.opened_forward(node, state)
        rerun = self.again.at.get(node, NOT_AGAIN)
        state = rerun.required(lives, node, state)
        if node in self.level.parts:
            found = self.part(node, state)
            state = lives.behind_part(node, state, self.level.parts[node].touched, found.choice.req_d)
            state |= lives.own(node, found.read_behind(self.level.parts[node], lives.killed_by_calls(node)))
        elif node in adjoint.split_calls:
            state = adjoint.split_calls[node].forward(state, lives.fold(state), adjoint.model.space, self.through)
            state &= ~adjoint.reversal.regenerated(node)
        else:
            state |= lives.own(node, adjoint.derivative.get(node, EMPTY) & ~rerun.value)
            if node in self.level.running:
                put_back_by = adjoint.model.put_back_by(node, lives.fold(state))
                state = state & ~(adjoint.model.effects[node].kill | lives.element_kills(node)) | put_back_by
        return self.ended(node, state)

    def ended(self, node: int, state: May) -> May:
        """What is required behind a node whose own transfer has been made."""
        lives, level, space = self.lives, self.level, self.adjoint.model.space
        if self.adjoint.dying and not level.graph.index and node == level.graph.leave:
            state = lives.fold(state) & ~self.adjoint.dying
        if node in self.again.behind:
            state = self.again.behind[node].required(lives, node, state)
        if space.descriptors:
            state |= space.descriptors_of(lives.fold(state))
        return lives.closed_forward(node, state)

    def plain(self, state: May) -> int:
        return self.lives.fold(state)


def solve_required(adjoint: ProcedureAdjoint, level: LevelAdjoint, entering: May,
                   part: Callable[[int, May], PartRecord], through: Through,
                   again: Reruns = NOTHING_AGAIN) -> FixedPoint[May]:
    """Req before and behind each node of a level. ``part``: a part's choice, from Req before it."""
    lives = adjoint.model.lives(level.running)
    problem = ToBeRecorded(adjoint.scope, entering, adjoint, level, lives, part, through, again)
    return problem.solve(level.graph.forward)


def undone(adjoint: ProcedureAdjoint, level: LevelAdjoint, record: LevelRecord) -> frozenset[int]:
    """The nodes that the backward sweep over a level has something to do for."""
    return frozenset(n for n in level.graph.forward.order
                     if n in adjoint.active.derivative or n in level.parts or n in record.taped
                     or n in adjoint.split_calls or n in record.again.at or n in record.again.behind)


class LevelRecorder:
    """One level under one strategy, from what is asked of it: Req at its beginning. ``tape``: what writes need not tape
    (None: as by variables). ``keeping``: lazy keeps to the end what it saves (None: it is DH (9))."""

    def __init__(self, adjoint: ProcedureAdjoint, level: LevelAdjoint, asked: Asked, strategy: Strategy,
                 through: Through, tape: ElementTape | None = None, keeping: PiecesInside | None = None) -> None:
        self.adjoint, self.level, self.asked, self.tape = adjoint, level, asked, tape
        self.keeping = keeping
        self.computable: Computable | None = None
        self.entering = asked.required
        self.strategy, self.through = strategy, through
        self.lives: ArrayLives = adjoint.model.lives(level.running)
        self.again = NOTHING_AGAIN
        self.required: FixedPoint[May]
        self.behind = PiecesBehind(adjoint.model, level)
        self._parts: dict[tuple[int, May, Must], PartRecord] = {}
        self.private = None if tape is None else tape.private
        self.spared: Mapping[int, Exact] = self.private.spared if self.private else {} if tape is None else tape.spared

    def record(self, computable: Computable | None, by_value: bool = False) -> LevelRecord:
        """Everything that is required is taped, but what is free to be computed again, or not lost."""
        self.computable = computable
        found = self.with_reruns(computable)
        if self.private is not None:
            found = replace(found, again=self.private.reruns)
        if self.tape is None or not (computable or by_value):
            return found
        places, parts = found.again.places, {
            n: May((self.left_to_d(n, s) & self.tape.parts[n]) | s.again.operands) for n, s in found.solved.items()}
        spared = self.private.spared if self.private else self.tape.sparing(places, parts, self.tape.outside)
        self.spared = spared
        if by_value:
            more = self.tape.sparing(places, parts, May(self.lives.fold(self.entering) | self.asked.relied))
            self.spared = {n: exactly(spared.get(n, EMPTY) | more.get(n, EMPTY)) for n in {**spared, **more}}
        return replace(found, taped=self.tapes())

    def asked_inside(self, record: LevelRecord, by_value: bool) -> dict[int, Asked]:
        """By part, what is required before its own adjoint, Req_C, and by value what others rely on."""
        needed = union(self.left_to_d(n, one) | self.passed_by(n, one)
                       for n, one in record.solved.items()) if by_value else EMPTY
        needed |= self.asked.relied | record.again.operands
        return {n: Asked(May(one.choice.req_c), self.relied(n, one, needed) if by_value else EMPTY)
                for n, one in record.solved.items()}

    def relied(self, node: int, solved: PartRecord, needed: int) -> May:
        required, kept = May(self.lives.fold(self.opened(node)) | needed), solved.wholly(solved.choice.sbk)
        return relied_on(self.adjoint.model, self.level, node, kept, required)

    def passed_by(self, node: int, solved: PartRecord) -> May:
        """What is required before a part that does not put it back: D̄ leaves it as it found it, and so it may be in
        no Req behind the part, where out(D̄) does not have it. A part behind must know of it all the same."""
        return May(self.lives.fold(self.opened(node)) & ~solved.wholly(exactly(solved.choice.snp | solved.choice.sbk)))

    def left_to_d(self, node: int, solved: PartRecord) -> May:
        """What a part's adjoint finds where D̄ has left it; a piece of an array is not all of it."""
        return May((self.level.parts[node].use_cbar & ~solved.wholly(solved.choice.snp)) | solved.again.operands)

    def with_reruns(self, computable: Computable | None) -> LevelRecord:
        found = self.recorded()
        if computable is None:
            return found
        wanted = union(found.taped.values()) | union(s.choice.snp | s.choice.sbk for s in found.solved.values())
        self.again = choose_reruns(self.adjoint, self.level, computable, self.lives, self.required, wanted,
                                   self.adjoint.control.tests_for(undone(self.adjoint, self.level, found)))
        before, rounds = NOTHING_AGAIN, ROUNDS
        while self.again != before:
            found, before = self.recorded(), self.again
            if rounds:  # where less is computed again, less is required, and again less may pay
                self.again, rounds = look_over(self.adjoint, self.level, self.lives, computable, before, self.opened,
                                               self.left), rounds - 1
        return replace(found, solved={n: self.computing(n, s, computable) for n, s in found.solved.items()})

    def opened(self, node: int) -> May:
        """Req before a node, whatever is computed again there."""
        return self.lives.opened_forward(node, self.required.entries[node])

    def left(self, node: int) -> May:
        """Req behind a node, whatever is computed again behind it."""
        behind = {n: rerun for n, rerun in self.again.behind.items() if n != node}
        problem = ToBeRecorded(self.adjoint.scope, self.entering, self.adjoint, self.level, self.lives, self.part,
                               self.through, replace(self.again, behind=behind))
        return problem.transfer(node, self.required.entries[node])

    def recorded(self) -> LevelRecord:
        self.required = solve_required(self.adjoint, self.level, self.entering, self.part, self.through, self.again)
        solved = {n: self.part(n, self.before(n)) for n in self.level.graph.forward.order if n in self.level.parts}
        return LevelRecord(taped=self.tapes(), solved=solved, again=self.again)

    def tapes(self) -> dict[int, May]:
        return {n: bits for n in self.level.graph.forward.order if (bits := self.taped(n, self.before(n)))}

    def computing(self, node: int, solved: PartRecord, computable: Computable) -> PartRecord:
        """A part without what its snapshot need not hold."""
        pieces, refs = solved.pieces, self.adjoint.model.refs
        found = union(refs.all_subscripts(piece) for piece in pieces.values())  # found before anything runs again
        available = [n for n in computable.levels[self.level.graph.index].parts.get(node, ())
                     if not computable.value[n] & found]
        if not available:
            return solved
        lost, given = self.lost_in_d(node, solved), self.adjoint.reversal.regenerated(node)
        again = rerun_for_snapshot(computable, available, solved.choice, May((solved.sets.out_c | lost) & ~given))
        if not again.assignments:
            return solved
        choice = solved.choice
        return replace(solved, choice=replace(choice, snp=choice.snp & ~again.value), again=again,
                       pieces=beside(pieces, again.operands & lost))

    def lost_in_d(self, node: int, solved: PartRecord) -> May:
        """What D̄ leaves changed. Of an array with several lives Req_D may be another one, the elements of other
        iterations: D̄ puts back those that are meant here only where they are required, too."""
        changed, behind = self.level.parts[node].changed, None
        lost = May(changed & ~solved.choice.req_d)
        for index in members(changed & solved.choice.req_d):
            bit = May(singleton(index))
            if self.lives.spread(bit) != bit:
                behind = self.left(node) if behind is None else behind
                lost |= bit if needed(self.lives, node, bit) & ~behind else EMPTY
        return lost

    def before(self, node: int) -> May:
        """Req before a node that nothing is computed again at."""
        return self.rerun(node).required(self.lives, node, self.opened(node))

    def rerun(self, node: int) -> Rerun:
        return self.again.at.get(node, NOT_AGAIN)

    def part(self, node: int, before: May) -> PartRecord:
        """The sets of a part from Req before it."""
        value = self.rerun(node).value
        if (node, before, value) not in self._parts:
            self._parts[node, before, value] = self._part(node, before, value)
        return self._parts[node, before, value]

    def _part(self, node: int, before: May, value: Exact) -> PartRecord:
        model, facts = self.adjoint.model, self.level.parts[node]
        sets = facts.with_req(self.lives.own_of(node, before, facts.touched), value)
        place = self.adjoint.key, self.level.graph.index, node
        partition, options = self.strategy.partition(sets, model.space, place), opt_sets(sets)
        choice = solution(sets, partition)
        if self.keeping is not None and self.strategy.here(place).kind == "lazy":
            kept = self.kept(node, sets, options, choice, self.keeping)
            partition = Partition(plus1=kept, plus2=kept)
            choice = solution(sets, partition)
        freely = Must(facts.alone & sets.out_cbar & ~sets.req & ~choice.sbk)
        others, inside = self.behind.others(node, sets, freely), self.behind.at(node).inside
        kept_by_d = exactly(others & (choice.snp | choice.sbk) & ~self.strategy.snapshot_side(sets, partition, place))
        choice = replace(choice, req_d=choice.req_d | kept_by_d)
        options = replace(options, opt3=options.opt3 | others)
        lost = sets.out_dbar & ~choice.req_d & ~inside
        pieces = applicable(facts.pieces, facts.given, choice.snp | choice.sbk, lost, freely)
        whole = choice.sbk & self.astray(node, choice) if choice.sbk else EMPTY
        pieces = alike(model.space, {i: piece for i, piece in pieces.items() if not whole >> i & 1}, facts.given)
        return PartRecord(sets=sets, options=options, choice=choice, pieces=pieces, inside=inside)

    def astray(self, node: int, choice: SnapshotChoice) -> Exact:
        """The locations of which a piece is not found behind C̄, where what is in Sbk is put back. ``call mend(v(k),
        k)`` gives k another value, and C̄ does so again: POP(Sbk) would put v(k) into another element, if nobody puts
        back k first. A marked part's limits are such as it leaves as they are."""
        model, facts = self.adjoint.model, self.level.parts[node]
        if node not in model.calls:
            return EMPTY
        moved = (facts.out_c | facts.out_cbar | model.effects[node].out) & ~(choice.sbk | choice.req_c)
        return set_of(i for pieces in (facts.pieces, facts.given) for i, piece in pieces.items()
                      if model.space.with_aliases(model.refs.all_subscripts(piece)) & moved)

    def kept(self, node: int, sets: PartSets, options: OptSets, lazy: SnapshotChoice, inside: PiecesInside) -> Exact:
        """What lazy keeps to the end, in Sbk, where bytes count: what it saves anyway and C̄ would have to put back.

        Of Opt1 and Opt2 DH (9) takes the minus side: v is in Req_C, so that C̄ tapes what it overwrites of v, or its own
        parts save it. Where v is in Snp all the same, the plus side saves the same elements of v, once for both sets,
        and asks nothing of C̄: no push is added, and those for Req_C fall away. (7) is valid for every partition; and
        Req_D, on which Req behind this part depends, is the same on both sides, for Opt3 is without out(C). The stack
        is higher by v while C̄ runs, unless C̄ would have taped it.

        As (9) has it stays what is computed when the snapshot is back, and so is not in it; what is allocated or
        associated, whose memory has to come back before its values; an array of which parts inside save pieces; and one
        of which all would be saved, since its piece is not found behind C̄.
        """
        space, snapshot = self.adjoint.model.space, self.computable
        computed = EMPTY if snapshot is None else snapshot.before_part(self.level.graph.index, node)
        kept = exactly((options.opt1 | options.opt2) & lazy.snp & sets.out_c
                       & ~(computed | space.descriptors | space.allocatable))
        return exactly(kept & ~self.astray(node, lazy) & ~inside.of(self.adjoint, self.level, node)) if kept else kept

    def taped(self, node: int, before: May) -> May:
        """The locations a node tapes, from Req before it."""
        adjoint, level, lives = self.adjoint, self.level, self.lives
        if node in level.parts:
            return EMPTY
        if node in adjoint.split_calls:
            return adjoint.split_calls[node].taped
        if node == level.graph.leave and not level.graph.index and lives.fold(before) & adjoint.dying:
            return lives.fold(before) & adjoint.dying
        if node not in level.running:
            return EMPTY
        needed = lives.touchable(node, before) | (adjoint.derivative.get(node, EMPTY) & ~self.rerun(node).value)
        return May(adjoint.model.effects[node].out & needed & ~self.spared.get(node, EMPTY))

    def pass_on(self, passed_on: dict[str, Asked]) -> None:
        """What the callees of calls in split mode find required at their entry."""
        for node in self.level.graph.forward.order:
            if node in self.adjoint.split_calls:
                for key, found in self.adjoint.split_calls[node].requiring(self.lives.fold(self.before(node))).items():
                    passed_on[key] = passed_on.get(key, NOTHING_ASKED) | Asked(found)

"""Scalars that the backward sweep computes again in any case, as it does a branch's condition.

    do i = 1, n
      q = u(i + 1) - u(i)          ! overwritten in the next iteration, when the derivative of the next line needs it
      f(i) = k(i)*q*q
    end do

q is nobody's but this loop's: no other level reads it. Where i is about to change, u is what it was; so running
``q = u(i + 1) - u(i)`` there once more costs a subtraction, and taping q a push for each iteration.
Which of these assignments run again, and where, is the same under every strategy: an operand counts as there only if
nothing overwrites it any more, or if a derivative requires it behind the last part on the way (there Req_D may be
empty); what is computed again, there or in another iteration, does not make it so. Req, and with it all sets and
snapshots of DH (1) to (9), are what they are without: only the tape is smaller.
An argument or a module's variable may be one (``call accel(ynew, k2); ynew = y + h*k2``): the adjoint of a procedure
overwrites it in its forward sweep in any case, and the value computed again is the one that taping would bring back, so
what stands there at each point, and at the end, is the same. Only what it was at the beginning is not computed: it may
be required there by whoever relies on the code (:mod:`snapset.analysis.adjoint.relied_upon`, which holds for every
strategy), and is taped where it is first overwritten.
A part may read q (``call flux(f(i), q)``, ``call limit(u(l))``): then a strategy may leave it to D, or save it, as it
may save what is required before a part that does not touch it. So two things are asked: what is required of such
scalars at most, for what need not be taped, and at least, for what is there: behind a part nothing but what its D
requires.
A part may write q, too, before or behind that: ``src = 0.1*rain(i); call pump(src); ...; src = 0``. Where q is computed
again it is what the assignment gave it, on every way there, and no part between has overwritten it (available
expressions). What a part that overwrites q saves or leaves to its own adjoint is what the equations say, which take it
that q is taped: so q is not computed again for the sake of that part, but only where a statement overwrites q or an
operand.
``--tape-scalars`` does without; ``--recompute`` goes further (:mod:`snapset.analysis.adjoint.recomputation`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial

from snapset.analysis.adjoint.element_tape import ElementTape, Place
from snapset.analysis.adjoint.level_adjoint import LevelAdjoint, ProcedureAdjoint
from snapset.analysis.adjoint.recomputation import choose_reruns, overwritten_later, read_at, rerun_of, taped_for
from snapset.analysis.adjoint.repeatable_groups import Computable
from snapset.analysis.adjoint.reruns import NOT_AGAIN, NOTHING_AGAIN, PrivateAgain, Rerun, Reruns
from snapset.analysis.dataflow.bitsets import EMPTY, Exact, May, exactly, union
from snapset.analysis.dataflow.framework import FixedPoint
from snapset.analysis.equations import SnapshotChoice, opt_sets
from snapset.analysis.recording.to_be_recorded import PartRecord, ToBeRecorded

MOST_PLACES = 20  # of one level, of which each is tried alone


def with_private(adjoint: ProcedureAdjoint, tapes: Sequence[ElementTape]) -> None:
    """Tell the tapes of a code's levels what is computed again under every strategy."""
    for level, tape in zip(adjoint.levels, tapes, strict=False):
        if tape.private is None and tape.computable is not None:
            tape.private = _Selection(adjoint, level, tape.computable, tape).found()


class _Solved:
    """What is required where some assignments run again: at most, and at least, which is solved when it is asked for.
    """

    def __init__(self, again: Reruns, most: FixedPoint[May], least: Callable[[Reruns], FixedPoint[May]]) -> None:
        self.again, self.most, self._least = again, most, least

    @cached_property
    def least(self) -> FixedPoint[May]:
        return self._least(self.again)


class _Selection:
    def __init__(self, adjoint: ProcedureAdjoint, level: LevelAdjoint, computable: Computable,
                 tape: ElementTape) -> None:
        self.adjoint, self.level, self.computable, self.tape = adjoint, level, computable, tape
        self.lives = adjoint.model.lives(level.running)
        inside = frozenset(level.graph.forward.order)  # what others compute again may be required where this one begins
        self.own = exactly(union(value for n, value in computable.value.items() if n in inside))
        self.worth = self.own  # what is taped less for being computed again
        self.seen = May(self.own & adjoint.model.visible & tape.outside)  # a caller may require what they were
        self.solved: list[_Solved] = []
        self.now: _Solved

    def found(self) -> PrivateAgain:
        """As many assignments as are free, none that reads an array of which more would be taped for it."""
        ends, control = self.computable.levels[self.level.graph.index], self.adjoint.control
        reruns = NOTHING_AGAIN
        if ends.at or ends.behind:
            self.solve(NOTHING_AGAIN)
            derivative = self.level.parts.keys() | (self.adjoint.active.derivative.keys()
                                                    & frozenset(self.level.graph.forward.order))
            every = choose_reruns(self.adjoint, self.level, self.computable, self.lives, self.required,
                                  May(self.own), control.tests_for(frozenset(derivative)))
            at = {n: self.unsaved(n, one) for n, one in every.at.items()}
            reruns = self.free(Reruns({n: one for n, one in at.items() if one.assignments}, every.behind))
        if reruns:
            without, now = self.all_dropped(NOTHING_AGAIN), self.all_dropped(reruns)
            self.worth = exactly(union(bits & ~without[n] for n, bits in now.items()))
            reruns = self.free(reruns)
        spared = self.tape.spared
        while reruns:
            spared = self.tape.sparing(reruns.places, self.tape.parts, self.tape.outside)
            lost = union(bits & ~spared.get(n, EMPTY) for n, bits in self.tape.spared.items())
            if not lost:
                break
            reruns = self.free(self.without(reruns, lost, self.losing(reruns, lost)))
        if not reruns:
            return PrivateAgain(NOTHING_AGAIN, self.tape.spared)
        return PrivateAgain(reruns, {n: exactly(spared.get(n, EMPTY) | bits)
                                     for n, bits in self.all_dropped(reruns).items() if bits or n in spared})

    def unsaved(self, node: int, rerun: Rerun) -> Rerun:
        """Without what the part overwrites of which this is the node: its sets are what they are without, and so it
        saves that."""
        if node not in self.level.parts:
            return rerun
        facts = self.level.parts[node]
        return self.rerun(node, tuple(n for n in rerun.assignments
                                      if not self.computable.value[n] & (facts.out_c | facts.out_cbar)))

    def all_dropped(self, reruns: Reruns) -> dict[int, Exact]:
        self.solve(reruns)
        return {n: self.dropped(n, reruns) for n in self.level.graph.forward.order}

    def dropped(self, node: int, reruns: Reruns) -> Exact:
        """What a node overwrites of these scalars and nobody needs until it is computed again. A part tapes none.
        """
        if node not in self.level.running or node in self.level.parts:
            return EMPTY
        rerun = reruns.at.get(node, NOT_AGAIN)
        before = rerun.required(self.lives, node, self.required.entries[node])  # whichever lives: the array counts
        needed = self.lives.touchable(node, before) | (self.adjoint.derivative.get(node, EMPTY) & ~rerun.value)
        return exactly(self.adjoint.model.effects[node].out & self.own & ~needed)

    def free(self, reruns: Reruns) -> Reruns:
        """What of them is free where all that is left runs again.

        ``jg = q/r`` is not free where r, too, is to be computed again: then nobody requires r there. If r's own
        assignment turns out not to be free, jg may be: what reads a value that was left out is tried once more
        without it, and stands if nothing else has to go for it. Whatever it began with, what is found is free.
        """
        found = self.settled(reruns)
        while (fewer := self.readers_of_dropped(reruns, found)) not in (reruns, found):
            reruns, other = fewer, self.settled(fewer)
            if all(place in other.runs for place in found.runs):
                found = other
        return found

    def readers_of_dropped(self, reruns: Reruns, found: Reruns) -> Reruns:
        """What was found, and of what was not that which reads a value of it that is computed at another place."""
        dropped = reruns.runs - found.runs
        values = {n: {(node, moved) for node, moved, m in dropped if m == n} for _, _, n in dropped}

        def tried(moved: bool, those: Mapping[int, Rerun]) -> dict[int, Rerun]:
            kept = {node: tuple(n for n in one.assignments if (node, moved, n) in found.runs or any(
                self.computable.operands[n] & self.computable.value[m] and places - {(node, moved)}
                for m, places in values.items())) for node, one in those.items()}
            return {node: self.rerun(node, some) for node, some in kept.items() if some}

        return Reruns(tried(False, reruns.at), tried(True, reruns.behind))

    def settled(self, reruns: Reruns) -> Reruns:
        """The same, each left out for good when it is not free."""
        before = None
        while reruns != before:
            before = reruns
            self.solve(reruns)
            reruns = Reruns(self.looked_over(reruns.at, self.opened, self.opened, True),
                            self.looked_over(reruns.behind, partial(self.left, again=before),
                                             partial(self.left, again=NOTHING_AGAIN), False))
        return reruns

    def looked_over(self, reruns: Mapping[int, Rerun], state_of: Callable[[int, FixedPoint[May]], May],
                    without_any: Callable[[int, FixedPoint[May]], May], at: bool) -> dict[int, Rerun]:
        found = dict[int, Rerun]()
        for node, rerun in reruns.items():
            there = May(state_of(node, self.certain) & without_any(node, self.by_derivatives))
            costly = taped_for(self.adjoint, self.lives, node, there, self.later[node])
            required = May(self.lives.fold(state_of(node, self.required))
                           | (read_at(self.adjoint, self.level, node) if at else EMPTY))
            made, ready = EMPTY, list[int]()
            for n in rerun.assignments:
                if not costly(May(self.computable.operands[n] & ~made)):
                    ready.append(n)
                    made |= self.computable.value[n]
            kept, read = list[int](), May(EMPTY)
            for n in reversed(ready):
                if self.computable.value[n] & (required & self.worth | read):
                    kept.append(n)
                    read |= self.computable.operands[n]
            if kept:
                found[node] = self.rerun(node, tuple(reversed(kept)))
        return found

    def losing(self, reruns: Reruns, lost: int) -> frozenset[Place]:
        """The places that alone are enough to have more taped; all that read these locations, where there are many of
        them or it takes several."""
        reading = [place for place in reruns.places if any(self.computable.operands[n] & lost for n in place[2])]
        alone = frozenset(place for place in reading if len(reading) <= MOST_PLACES and self.loses(place))
        return alone or frozenset(reading)

    def loses(self, place: Place) -> bool:
        spared = self.tape.sparing((place,), self.tape.parts, self.tape.outside)
        return any(bits & ~spared.get(n, EMPTY) for n, bits in self.tape.spared.items())

    def without(self, reruns: Reruns, lost: int, places: frozenset[Place]) -> Reruns:
        """Those that read none of these locations at these places."""
        def kept(moved: bool, those: Mapping[int, Rerun]) -> dict[int, Rerun]:
            found = {node: tuple(n for n in one.assignments if not self.computable.operands[n] & lost
                                 or (node, moved, one.assignments) not in places)
                     for node, one in those.items()}
            return {node: self.rerun(node, some) for node, some in found.items() if some}

        return Reruns(kept(False, reruns.at), kept(True, reruns.behind))

    def rerun(self, node: int, assignments: tuple[int, ...]) -> Rerun:
        found = rerun_of(assignments, self.computable)
        return replace(found, operands=May(found.operands & ~self.adjoint.reversal.regenerated(node)))

    # ------------------------------------------------------------ Req, at most and at least

    def solve(self, again: Reruns) -> None:
        """Mostly one that was solved before: nothing computed again, and what was found free last."""
        known = next((one for one in self.solved if one.again == again), None)
        if known is None:
            most = self.problem(again, self.part, self.seen).solve(self.level.graph.forward)
            known = _Solved(again, most, self.solve_least if self.level.parts or self.seen else lambda _: most)
            self.solved.append(known)
        self.now = known

    def solve_least(self, again: Reruns) -> FixedPoint[May]:
        return self.problem(again, self.leaving_nothing, May(EMPTY)).solve(self.level.graph.forward)

    @property
    def required(self) -> FixedPoint[May]:
        return self.now.most

    @property
    def certain(self) -> FixedPoint[May]:
        return self.now.least

    @property
    def by_derivatives(self) -> FixedPoint[May]:
        """Req at least where nothing is computed again: on that all strategies' sets and tapes are made. An operand
        that is required only because something reads it again, in another iteration say, nobody puts back."""
        return self.solved[0].least

    @cached_property
    def later(self) -> Mapping[int, May]:
        return overwritten_later(self.adjoint, self.level)

    def problem(self, again: Reruns, part: Callable[[int, May], PartRecord], entering: May) -> ToBeRecorded:
        return ToBeRecorded(self.adjoint.scope, entering, self.adjoint, self.level, self.lives, part,
                            lambda key, required: EMPTY, again)

    def part(self, node: int, before: May) -> PartRecord:
        """The part of a strategy that leaves of these scalars to D all that it can."""
        return self.leaving(node, exactly(self.lives.fold(before) | self.level.parts[node].use_cbar))

    def leaving_nothing(self, node: int, before: May) -> PartRecord:
        """The part of a strategy that leaves nothing to D: not even what the part does not touch, ``Opt3+=*``."""
        return self.leaving(node, EMPTY)

    def leaving(self, node: int, left: Exact) -> PartRecord:
        sets = self.level.parts[node].with_req(EMPTY)
        return PartRecord(sets=sets, options=opt_sets(sets),
                          choice=SnapshotChoice(sbk=EMPTY, snp=EMPTY, req_d=left, req_c=EMPTY))

    def opened(self, node: int, required: FixedPoint[May]) -> May:
        return self.lives.opened_forward(node, required.entries[node])

    def left(self, node: int, required: FixedPoint[May], again: Reruns) -> May:
        """Req behind a node, whatever is computed again behind it."""
        behind = {n: rerun for n, rerun in again.behind.items() if n != node}
        part = self.part if required is self.required else self.leaving_nothing
        return self.problem(replace(again, behind=behind), part, May(EMPTY)).transfer(node, required.entries[node])

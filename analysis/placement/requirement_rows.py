"""What is required, taped and saved as rows of an integer program: one column for each decision of the head.

Req of a location is a yes or no before each node. What no decision changes is found by two runs of To Be Recorded:
all decisions on the minus side (lazy: Req is largest there) and all on the plus side. Only what differs between them
gets a column. How a node hands it on is asked of To Be Recorded itself, one location at a time; joins are "either".
At a part the eight cases of (required before it, Opt1 or Opt2 on the plus side, Opt3 on the plus side) are columns.

The rows hold for every choice, so the least solution is a lower bound of all choices. (More may satisfy them: what goes
round a loop might require itself.) They presume that a location's record depends on that location's decisions alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import TypeAlias

from snapset.analysis.adjoint.element_tape import ElementTape
from snapset.analysis.adjoint.interprocedural import Adjoints
from snapset.analysis.adjoint.level_adjoint import LevelAdjoint, ProcedureAdjoint
from snapset.analysis.adjoint.reruns import NOTHING_AGAIN
from snapset.analysis.costs.stack_model import CostModel
from snapset.analysis.costs.tape_pushes import Pushes
from snapset.analysis.dataflow.bitsets import EMPTY, EVERYTHING, Exact, May, exactly, members, singleton
from snapset.analysis.dataflow.framework import FixedPoint
from snapset.analysis.equations import Partition
from snapset.analysis.placement.decision_rows import NotSeparableError, RequirementRows, SavedAtPart
from snapset.analysis.placement.linear_program import NO, YES, LinearProgram, LinearSum, total
from snapset.analysis.recording.asked import Asked
from snapset.analysis.recording.private_scalars import with_private
from snapset.analysis.recording.program_recording import record_program
from snapset.analysis.recording.strategies import Place, Strategy
from snapset.analysis.recording.to_be_recorded import (
    LevelRecorder,
    PartRecord,
    ProcedureRecord,
    ToBeRecorded,
    solve_required,
    undone,
)
from snapset.analysis.symbolic.polynomials import Quantity

Case: TypeAlias = tuple[bool, bool, bool]
CASES: tuple[Case, ...] = tuple(product((False, True), (False, True), (False, True)))


def sided(places: Iterable[Place], a: Exact, b: Exact) -> Strategy:
    """All parts with one partition: ``a`` the plus sides of Opt1 and Opt2, ``b`` that of Opt3."""
    return Strategy("", "chosen", chosen={place: Partition.of((a, a, b)) for place in places})


def requirement_rows(adjoints: Adjoints, order: tuple[str, ...], places: Sequence[Place],
                     columns: Mapping[tuple[Place, bool, int], LinearSum], program: LinearProgram,
                     lazy: CostModel, plain: bool = False) -> RequirementRows:
    """The rows of all codes. ``lazy``: the costs with all decisions on the minus side; ``plain``: those are of an
    adjoint that computes nothing again.

    Raises NotSeparableError.
    """
    why = adjoints.inseparable(order, plain)
    if why is not None:
        raise NotSeparableError(why)
    decided: dict[Place, list[int]] = {}
    for place, _, at in columns:
        decided.setdefault(place, []).append(at)
    rows = RequirementRows(program, columns, decided)
    least = record_program(adjoints, order, sided(places, EVERYTHING, EVERYTHING), plain=plain)
    for key in order:
        between = members(lazy.records[key].entering & ~least[key].entering)
        rows.entry[key] = {bit: program.column(1.0) for bit in between}
    for key in order:
        with_private(adjoints.by_key[key], tapes := adjoints.tapes(key, True))
        _Code(rows, adjoints.by_key[key], least[key], lazy.records[key], lazy.pushes_of(key), tapes).add()
    for key in order:
        for bit, column in rows.entry[key].items():
            program.is_either(column, rows.entered.get((key, bit), []))
    return rows


class _Code:
    def __init__(self, rows: RequirementRows, adjoint: ProcedureAdjoint, least: ProcedureRecord,
                 most: ProcedureRecord, pushes: Pushes, tapes: Sequence[ElementTape]) -> None:
        self.rows = rows
        self.adjoint = adjoint
        self.least = least
        self.most = most
        self.pushes = pushes
        self.tapes = tapes

    def add(self) -> None:
        entering: dict[int, tuple[May, May]] = {0: (self.least.entering, self.most.entering)}
        entry: dict[int, dict[int, LinearSum]] = {0: self.rows.entry[self.adjoint.key]}
        for index, level in enumerate(self.adjoint.levels):
            if index not in entering:  # inside a part that nothing leads to, in another ENTRY's statements
                continue
            added = _LevelRows(self, level, *entering[index])
            added.add(entry[index])
            for node, child in level.graph.parts.items():
                if node not in added.parts:
                    continue
                low, high = added.parts[node]
                entering[child] = low.choice.req_c, high.choice.req_c
                entry[child] = added.required_inside[node]


class _LevelRows:
    """One level between the least and the most that may be required."""

    def __init__(self, code: _Code, level: LevelAdjoint, least: May, most: May) -> None:
        self.code = code
        self.rows = code.rows
        self.program = code.rows.program
        self.adjoint = code.adjoint
        self.level = level
        self.index = level.graph.index
        places = [(self.adjoint.key, self.index, node) for node in level.parts]
        tape = code.tapes[self.index] if code.tapes else None
        self.recorders = {(a, b): LevelRecorder(
            self.adjoint, level, Asked(least), sided(places, EVERYTHING if a else EMPTY, EVERYTHING if b else EMPTY),
            lambda key, required: EMPTY, tape) for a, b in product((False, True), repeat=2)}
        self.recorder = self.recorders[True, True]
        self.lives = self.recorder.lives
        self.low = self._solved(least, self.recorder)
        self.high = self._solved(most, self.recorders[False, False])
        self.before: dict[int, dict[int, LinearSum]] = {}
        self.behind: dict[int, dict[int, LinearSum]] = {}
        self.parts: dict[int, tuple[PartRecord, PartRecord]] = {}
        self.required_inside: dict[int, dict[int, LinearSum]] = {}

    def _solved(self, entering: May, recorder: LevelRecorder) -> FixedPoint[May]:
        return solve_required(self.adjoint, self.level, entering, recorder.part, lambda key, required: EMPTY)

    def add(self, entry: Mapping[int, LinearSum]) -> None:
        graph, later = self.level.graph.forward, list[tuple[int, int, LinearSum]]()
        done: set[int] = set()
        for node in graph.order:
            found = self.before[node] = {}
            for bit in members(self.low_high(node)):
                if done.issuperset(graph.preds[node]):
                    found[bit] = self.program.either(self._arriving(node, bit, entry))
                else:
                    found[bit] = self.program.column(1.0)
                    later.append((node, bit, found[bit]))
            self._add_node(node)
            done.add(node)
        for node, bit, column in later:
            self.program.is_either(column, self._arriving(node, bit, entry))
        self._add_control()

    def low_high(self, node: int) -> May:
        return May(self.high.entries[node] & ~self.low.entries[node])

    def _arriving(self, node: int, bit: int, entry: Mapping[int, LinearSum]) -> list[LinearSum]:
        graph = self.level.graph.forward
        first = [entry.get(bit, NO)] if node == graph.entry else []
        return first + [self.behind[before].get(bit, NO) for before in graph.preds[node]]

    def _add_node(self, node: int) -> None:
        if node in self.level.parts:
            self._add_part(node)
            return
        low, high, here = self.low.entries[node], self.high.entries[node], self.before[node]
        wanted = self.high.exits[node] & ~self.low.exits[node]
        self.behind[node] = self._handed_on(wanted, {bit: self._transfer(node, low | 1 << bit) for bit in here}, here)
        opened = self.lives.opened_forward
        tapes, most = (self.recorder.taped(node, opened(node, state)) for state in (low, high))
        by_bit = {bit: self.recorder.taped(node, opened(node, May(low | 1 << bit))) for bit in here}
        self._add_taped(node, tapes, self._handed_on(most & ~tapes, by_bit, here))

    def _handed_on(self, wanted: int, by_bit: Mapping[int, int], here: Mapping[int, LinearSum]) -> dict[int, LinearSum]:
        """Which of ``here`` leads to what is ``wanted``."""
        found = {}
        for bit in members(wanted):
            sources = [here[one] for one, leads in by_bit.items() if leads >> bit & 1]
            if not sources:
                raise NotSeparableError("locations that are required together")
            found[bit] = self.program.either(sources)
        return found

    def _transfer(self, node: int, state: int, part: PartRecord | None = None) -> May:
        recorder = self.recorder
        problem = ToBeRecorded(self.adjoint.scope, recorder.entering, self.adjoint, self.level, self.lives,
                               recorder.part if part is None else lambda node, before: part, recorder.through,
                               NOTHING_AGAIN)
        return problem.transfer(node, May(state))

    def _add_taped(self, node: int, always: May, sometimes: Mapping[int, LinearSum]) -> None:
        values, pushes = self.code.pushes.values_of, [(YES, self.code.pushes.values_of(self.index, node, always))]
        apart = [(yes, values(self.index, node, always | 1 << bit) - pushes[0][1]) for bit, yes in sometimes.items()]
        if len(apart) > 1:
            most = values(self.index, node, always | sum(1 << bit for bit in sometimes)) - pushes[0][1]
            if all(amount == most for _, amount in apart):  # one entry under several names
                apart = [(self.program.either(yes for yes, _ in apart), most)]
            elif sum((amount for _, amount in apart[1:]), apart[0][1]) != most:
                raise NotSeparableError("locations that are taped together")
        self.rows.taped[self.adjoint.key, self.index, node] = tuple(pushes + apart)

    # ------------------------------------------------------------ parts

    def _add_part(self, node: int) -> None:
        opened = [self.lives.opened_forward(node, state) for state in (self.low.entries[node], self.high.entries[node])]
        records = {(r, a, b): self.recorders[a, b].part(node, opened[r]) for r, a, b in CASES}
        low, high = self.parts[node] = records[False, True, True], records[True, False, False]
        here, place = self.before[node], (self.adjoint.key, self.index, node)
        with_bit = {bit: self.lives.opened_forward(node, May(self.low.entries[node] | 1 << bit)) for bit in here}
        required = self._handed_on(high.sets.req & ~low.sets.req, {
            bit: self.recorder.part(node, state).sets.req for bit, state in with_bit.items()}, here)
        columns = self.rows.columns
        concerned = sorted({*required, *self.rows.decided.get(place, ())})
        cases = {at: self.program.cases((
            required.get(at, YES if low.sets.req >> at & 1 else NO),
            columns.get((place, True, at), NO), columns.get((place, False, at), NO))) for at in concerned}
        self._add_snapshot(node, records, cases)
        by_d = {case: record.choice.req_d for case, record in records.items()}
        by_c = {case: record.choice.req_c for case, record in records.items()}
        kept = {at: _where(cases[at], by_d, at) for at in concerned}
        inside = {at: _where(cases[at], by_c, at) for at in concerned}
        self._hand_behind(node, low, kept)
        self._hand_inside(node, low, high, inside)

    def _hand_behind(self, node: int, low: PartRecord, kept: Mapping[int, LinearSum]) -> None:
        """Req behind a part: of what is kept by D, what was required before it, and what C-bar reads."""
        state, here = self.low.entries[node], self.before[node]
        plain = self._transfer(node, state, low)
        with_kept = {at: replace(low, choice=replace(low.choice, req_d=exactly(low.choice.req_d | 1 << at)))
                     for at in kept}
        sources: dict[int, list[LinearSum]] = {}
        by_kept = {at: self._transfer(node, state, one) for at, one in with_kept.items()}
        by_bit = {bit: self._transfer(node, state | 1 << bit, low) for bit in here}
        for table, given in ((by_kept, kept), (by_bit, here)):
            for at, leads in table.items():
                for bit in members(leads & ~plain):
                    sources.setdefault(bit, []).append(given[at])
        for bit in here:
            at = next(members(self.lives.fold(May(1 << bit))))
            if at in kept:
                both = self._transfer(node, state | 1 << bit, with_kept[at])
                for target in members(both & ~by_kept[at] & ~by_bit[bit]):
                    sources.setdefault(target, []).append(self._both(here[bit], kept[at]))
        wanted = self.high.exits[node] & ~self.low.exits[node]
        if any(bit not in sources for bit in members(wanted)):
            raise NotSeparableError("locations that are required together")
        self.behind[node] = {bit: self.program.either(sources[bit]) for bit in members(wanted)}

    def _both(self, one: LinearSum, other: LinearSum) -> LinearSum:
        cases = self.program.cases((one, other))
        return cases.get((True, True), NO)

    def _hand_inside(self, node: int, low: PartRecord, high: PartRecord, inside: Mapping[int, LinearSum]) -> None:
        between = members(high.choice.req_c & ~low.choice.req_c)
        if any(at not in inside for at in between):
            raise NotSeparableError("locations that are required together")
        found = self.required_inside[node] = {
            at: inside[at] for at in members(high.choice.req_c & ~low.choice.req_c)}
        if node in self.adjoint.model.calls:
            for target in self.adjoint.model.calls[node].targets:
                key = self.adjoint.code.callees[node, target.key]
                for at, yes in found.items():
                    for bit in members(target.holding(May(1 << at))):
                        self.rows.entered.setdefault((key, bit), []).append(yes)

    def _add_snapshot(self, node: int, records: Mapping[Case, PartRecord],
                      cases: Mapping[int, Mapping[tuple[bool, ...], LinearSum]]) -> None:
        low = records[False, True, True]
        others = ~exactly(sum(1 << at for at in cases))
        for record in records.values():  # of what no decision concerns, all cases save the same
            if (record.choice.sbk ^ low.choice.sbk | record.choice.snp ^ low.choice.snp) & others:
                raise NotSeparableError("locations that are saved together")
        fixed = self._snapshot(node, low, exactly(others))
        sbk, snp = [(YES, fixed[0])], [(YES, fixed[1])]
        for at, of in cases.items():
            for case, yes in of.items():
                here = self._snapshot(node, records[case[0], case[1], case[2]], singleton(at))
                sbk.append((yes, here[0]))
                snp.append((yes, here[1]))
        self.rows.saved[self.adjoint.key, self.index, node] = SavedAtPart(
            *(tuple(one for one in side if one[1].terms) for side in (sbk, snp)))

    def _snapshot(self, node: int, record: PartRecord, bits: Exact) -> tuple[Quantity, Quantity]:
        choice = replace(record.choice, sbk=exactly(record.choice.sbk & bits), snp=exactly(record.choice.snp & bits))
        found = self.code.pushes.snapshot(replace(record, choice=choice), node)
        return found.sbk, found.snp

    # ------------------------------------------------------------ control

    def _add_control(self) -> None:
        """A test is recorded where it decides on something to be undone."""
        adjoint, level, pushes = self.adjoint, self.level, self.code.pushes
        most, least = self.code.most.levels[self.index], self.code.least.levels[self.index]
        always = undone(adjoint, level, least)
        least_tests = adjoint.control.tests_for(always)
        places: dict[int, tuple[Quantity, list[LinearSum]]] = {}
        for node, amount in pushes.control(self.index).items():
            places[node] = amount, []
        for test in least_tests:
            places.get(pushes.taping.recorded_where(test), (None, []))[1].append(YES)
        if adjoint.control.tests_for(undone(adjoint, level, most)) != least_tests:
            for node in undone(adjoint, level, most) - always:
                some = self.program.either(yes for yes, _ in self.rows.taped[adjoint.key, self.index, node][1:])
                for test in adjoint.control.tests_for(always | {node}) - least_tests:
                    places.get(pushes.taping.recorded_where(test), (None, []))[1].append(some)
        for node, (amount, when) in places.items():
            self.rows.control[adjoint.key, self.index, node] = ((self.program.either(when), amount),)


def _where(cases: Mapping[tuple[bool, ...], LinearSum], chosen: Mapping[Case, Exact], at: int) -> LinearSum:
    """Does a set hold a location, by the case?"""
    return total(yes for case, yes in cases.items() if chosen[case[0], case[1], case[2]] >> at & 1)

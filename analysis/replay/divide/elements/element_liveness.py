"""Which elements of arrays are live where a run has stopped: read on some way from there before they are written.

A procedure has stopped in iteration 37 of ``do i = 1, 100; b(i) = f(a(i)); end do``, and b is read behind the loop. The
rest of that iteration is followed node by node, backward. What is left of the loop is looked at as a whole: it reads
a(38:100), and certainly writes b(38:100), as nothing leaves it early, so that of b what was live behind the loop and
lies not in there is live, b(1:37):

    live(loop) = what its iterations read  ∪  (live behind it \\ what they certainly write)

In between there are statements and other loops of this kind, in the order of control (Tarjan's components, last ones
first); what goes in circles otherwise, a WHILE, is one component, which reads all that its nodes read and writes
nothing for certain. Where the liveness of whole arrays says that one is dead, none of its elements is live.

Of x(i) = x(i - 1) in a loop the elements that the iterations before have written need not be there when it begins
(:func:`~snapset.analysis.replay.divide.elements.known_integers.written_earlier`).

A number in a subscript counts only if no way from where the run has stopped to the statement writes its variable.
Everything is what may be read, at most; what is not known is all of the array.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from snapset.analysis.dataflow.bitsets import EMPTY, Exact, May, exactly, members
from snapset.analysis.replay.divide.elements.control_units import ControlOrder, ControlUnit, ControlUnits
from snapset.analysis.replay.divide.elements.element_masks import Box, Live, added, bounded, subtracted, united
from snapset.analysis.replay.divide.elements.known_integers import (
    Form,
    LoopValues,
    Subscripts,
    form_of,
    is_box,
    selected,
    written_earlier,
)
from snapset.analysis.replay.divide.elements.node_accesses import named_alone
from snapset.frontend import ir
from snapset.frontend.cfg.graph import Loop


@dataclass(frozen=True)
class StoppedProcedure:
    """A procedure that has stopped. ``node``: what it runs next, or the call that runs (``calls``). ``left``:
    iterations left and step of the loops that run. ``ends``: iterations left of the loops that run where the interval
    ends, if it ends in this procedure. ``bits``: which arrays are live as wholes before a node. ``arrays``: lower
    bounds and extents. ``at_exit``: what is live at the procedure's end. ``number``: what an integer variable holds."""

    node: int
    calls: bool
    left: Mapping[int, Sequence[int]]
    ends: Mapping[int, int] | None
    bits: Callable[[int], May]
    arrays: Mapping[int, tuple[tuple[int, ...], tuple[int, ...]]]
    at_exit: Live
    number: Callable[[int], int | None]


@dataclass(frozen=True)
class _Place:
    """Where an expression is evaluated. ``changed``: what may have been written since the run has stopped; ``known``:
    DO variables that run; ``unknown``: those of which nothing is known."""

    changed: Exact
    known: dict[str, LoopValues] = field(default_factory=dict)
    unknown: frozenset[str] = frozenset()


class ElementLiveness:
    """What is live of the arrays of one procedure that has stopped."""

    def __init__(self, order: ControlOrder, at: StoppedProcedure) -> None:
        self.order = order
        self.accesses = order.accesses
        self.at = at
        self.flow = self.accesses.flow
        self.none: Live = dict.fromkeys(at.arrays, False)

    def live(self) -> Live:
        """Of each array the elements that may be read before they are written."""
        accesses, node = self.accesses, self.at.node
        chain = accesses.nests[node]
        header = None
        if not self.at.calls:
            header = next((loop for loop in accesses.counted.values() if loop.test == node), None)
        if header is not None:
            chain = (*chain, header.index)
        depth, more = self._ending(chain, header)
        starts = dict.fromkeys(self.flow.succs[node], accesses.changes(node)) if self.at.calls else {node: EMPTY}
        if header is not None:
            starts = {}
        return self._inside(chain, len(chain), starts, header, depth, more)

    def _ending(self, chain: Sequence[int], header: Loop | None) -> tuple[int, int | None]:
        """How many of the loops around are left before the interval ends is not to be looked at, and how many more
        iterations of the innermost of them may begin until then (None: as many as are left): a loop that runs at both
        ends, and is not begun anew in between, is not left."""
        depth, more = 0, None
        for index in chain:
            if self.at.ends is None or index not in self.at.ends or index not in self.at.left or \
                    self.accesses.recurs(index) or any(loop not in self.accesses.counted for loop in
                                                       self.flow.nodes[self.accesses.counted[index].test].loops):
                break
            depth, more = depth + 1, self.at.left[index][0] - self.at.ends[index]
            if header is not None and index == header.index:
                more += 1
            if more:
                break
        return depth, more

    def _inside(self, chain: Sequence[int], depth: int, starts: Mapping[int, Exact], header: Loop | None, cut: int,
                more: int | None) -> Live:
        """What is live where control is at ``starts``, inside the first ``depth`` loops of the chain; by node what may
        have been written until there."""
        loop = chain[depth - 1] if depth else None
        units = self.order.units(loop, chain[:depth], starts)
        changed = self._changes(units, starts)
        behind, back = self._around(chain, depth, header, cut, more)
        found: dict[int, Live] = {}

        def after(nodes: Iterable[int]) -> Live:
            every = []
            for node in nodes:
                if loop is not None and node == self.accesses.counted[loop].test:
                    every.append(back)
                elif node in units.of:
                    every.append(found[units.of[node]])
                else:
                    every.append(behind)
            return united(every) or self.none

        for number, unit in enumerate(units.order):
            found[number] = self._unit(unit, after(unit.leaving), changed[number])
        if header is not None and depth == len(chain):
            return back
        return after(starts)

    def _around(self, chain: Sequence[int], depth: int, header: Loop | None, cut: int,
                more: int | None) -> tuple[Live, Live]:
        """What is live behind the innermost loop, and where its test begins again."""
        if not depth:
            return self.none, self.none
        index = chain[depth - 1]
        one = self.accesses.counted[index]
        until = exactly(self.accesses.all_changes(index))
        if cut >= depth:
            behind = self.none
        else:
            outside = {after: until for node in (one.test, *one.body) for after in self.flow.succs[node]
                       if after != one.test and after not in one.body}
            behind = self._inside(chain, depth - 1, outside, header, cut, more)
        if cut > depth or (cut == depth and more == 0):
            return behind, self.none
        trips = self._left(index, header is not None and header.index == index and depth == len(chain),
                           more if cut == depth else None)
        return behind, bounded(self.at.bits(one.test), self._loop(index, trips, until, behind))

    def _left(self, index: int, before: bool, more: int | None) -> LoopValues | None:
        """The iterations of a loop that are to come; ``before``: its test is next."""
        state, var = self.at.left.get(index), self.accesses.counted[index].stmt
        assert isinstance(var, ir.Do)
        bits = self.accesses.model.refs.touch(var.var).bits
        if state is None or not self.accesses.keeps_its_variable(index) or not named_alone(var.var):
            return None
        places = members(bits)
        now = self.at.number(next(iter(places))) if bits and bits & (bits - 1) == 0 else None
        if now is None:
            return None
        left, step = state
        count = left if before else left - 1
        if more is not None:
            count = min(count, more)
        return LoopValues(now if before else now + step, max(count, 0), step)

    # ------------------------------------------------------------ units

    def _changes(self, units: ControlUnits, starts: Mapping[int, Exact]) -> list[Exact]:
        """By unit what may have been written before it begins; of what goes in circles, also by itself."""
        found = [EMPTY]*len(units.order)
        for node, until in starts.items():
            if node in units.of:
                found[units.of[node]] = exactly(found[units.of[node]] | until)
        for number in reversed(range(len(units.order))):
            unit, own = units.order[number], EMPTY
            for node in unit.nodes:
                own = exactly(own | self.accesses.changes(node))
            for loop in unit.loops:
                own = exactly(own | self.accesses.all_changes(loop))
            behind = exactly(found[number] | own)
            if unit.circles:
                found[number] = behind
            for node in unit.leaving:
                if node in units.of and units.of[node] != number:
                    found[units.of[node]] = exactly(found[units.of[node]] | behind)
        return found

    def _unit(self, unit: ControlUnit, behind: Live, changed: Exact) -> Live:
        if unit.circles:
            found = dict(behind)
            for node in unit.nodes:
                self._read(found, node, _Place(changed))
                if node == self.flow.exit:
                    found = united([found, self.at.at_exit])
            for loop in unit.loops:
                found = united([found, self._loop(loop, None, changed, self.none)])
                self._read(found, self.accesses.counted[loop].init, _Place(changed))
            whole = EMPTY
            for node in unit.every(self.accesses):
                whole = exactly(whole | self.at.bits(node))
            return bounded(whole, found)
        if unit.loops:
            (loop,) = unit.loops
            return self._entered(loop, behind, changed)
        (node,) = unit.nodes
        if node == self.flow.exit:
            behind = self.at.at_exit
        return self._before(node, behind, changed)

    def _before(self, node: int, behind: Live, changed: Exact) -> Live:
        """What is live before a node that is no loop's."""
        access, place = self.accesses.nodes[node], _Place(changed)
        found = dict(behind)
        for index in members(access.kills):
            if index in found:
                found[index] = False
        if access.writes is not None and access.writes[0] in found:
            box = self._written(*access.writes, place)
            if box is not None:
                found[access.writes[0]] = subtracted(
                    found[access.writes[0]], box, self.at.arrays[access.writes[0]][1])
        self._read(found, node, place)
        return bounded(self.at.bits(node), found)

    def _entered(self, index: int, behind: Live, changed: Exact) -> Live:
        """What is live before a loop begins."""
        one = self.accesses.counted[index]
        place = _Place(changed)
        found = bounded(self.at.bits(one.test), self._loop(index, self._trips(index, place), changed, behind))
        found = dict(found)
        self._read(found, one.init, place)
        return bounded(self.at.bits(one.init), found)

    def _trips(self, index: int, place: _Place) -> LoopValues | None:
        """The iterations that a loop has when it begins there."""
        stmt = self.accesses.counted[index].stmt
        assert isinstance(stmt, ir.Do)
        first, last, step = (form_of(one, self._value(place)) for one in
                             (stmt.start, stmt.stop, stmt.step or ir.Literal_(1, ir.INTEGER)))
        if first is None or last is None or step is None or step.factors or not step.constant:
            return None
        if not self.accesses.keeps_its_variable(index):
            return None
        if not first.factors and not last.factors:
            return LoopValues(first.constant, max(0, (last.constant - first.constant + step.constant)//step.constant),
                         step.constant)
        lows, highs = first.limits(place.known), last.limits(place.known)
        low, high = (lows[0], highs[1]) if step.constant > 0 else (highs[0], lows[1])
        return LoopValues(low, max(0, high - low + 1), 1, False)

    # ------------------------------------------------------------ loops

    def _loop(self, index: int, trips: LoopValues | None, changed: Exact, behind: Live) -> Live:
        """What is live before some iterations of a loop, all that are left of it (None: nobody knows how many)."""
        if trips is not None and trips.exact and not trips.count:
            return behind
        until = exactly(changed | self.accesses.all_changes(index))
        places = self._places(index, trips, until)
        found, writes = dict(behind), []
        if trips is not None and trips.exact and index in self.accesses.complete \
                and index not in self.accesses.deferred:
            writes = list(self._certain_writes(index, places))
            for array, box, _, _ in writes:
                found[array] = subtracted(found[array], box, self.at.arrays[array][1])
        stmt = self.accesses.counted[index].stmt
        assert isinstance(stmt, ir.Do)
        for node in self.accesses.running[index]:
            place = places.get(self.accesses.nests[node])
            if place is not None:
                self._read(found, node, place, (stmt, writes))
        return found

    def _places(self, index: int, trips: LoopValues | None, changed: Exact) -> dict[tuple[int, ...], _Place]:
        """By the loops around a node of a loop, where its expressions are evaluated; not of those that never run."""
        outer = self.accesses.around[index]
        first = self._running(_Place(changed), index, trips)
        found = {outer: first, outer[:-1]: first}
        for nest in self.accesses.within[index]:
            if nest in found or nest[:-1] not in found:
                continue
            before = found[nest[:-1]]
            inner = self._trips(nest[-1], before)
            if inner is None or inner.count:
                found[nest] = self._running(before, nest[-1], inner)
        return found

    def _running(self, place: _Place, index: int, trips: LoopValues | None) -> _Place:
        stmt = self.accesses.counted[index].stmt
        assert isinstance(stmt, ir.Do)
        name = stmt.var.name
        if trips is None:
            known = {one: value for one, value in place.known.items() if one != name}
            return _Place(place.changed, known, place.unknown | {name})
        return _Place(place.changed, {**place.known, name: trips}, place.unknown - {name})

    def _certain_writes(self, index: int, places: Mapping[tuple[int, ...], _Place]
                        ) -> Iterator[tuple[int, Box, tuple[Subscripts, ...], int]]:
        """What each iteration certainly writes: arrays, what all iterations together write, by dimension, where."""
        for node in self.accesses.running[index]:
            access = self.accesses.nodes[node]
            place = places.get(self.accesses.nests[node])
            if access.writes is None or access.writes[0] not in self.at.arrays or place is None \
                    or node == self.accesses.counted[index].test or not self.accesses.certain(node, index):
                continue
            if not all(one.exact for one in place.known.values()) or place.unknown:
                continue
            array, ref = access.writes
            chosen = self._selected(array, ref, place)
            if chosen is not None and is_box(chosen):
                yield array, tuple(one.places for one in chosen), chosen, node

    # ------------------------------------------------------------ elements

    def _read(self, found: Live, node: int, place: _Place,
              within: tuple[ir.Do, Sequence[tuple[int, Box, tuple[Subscripts, ...], int]]] | None = None
              ) -> None:
        """Add what a node reads. ``within``: a loop, and what each of its iterations certainly writes."""
        for array, refs in self.accesses.nodes[node].reads:
            now = found.get(array)
            if now is None or now is True:
                continue
            if not self.at.bits(node) >> array & 1:
                continue  # the interval has ended before
            if refs is None:
                found[array] = True
                continue
            for ref in refs:
                chosen = self._selected(array, ref, place)
                if chosen is None:
                    found[array] = True
                    break
                without = [] if within is None else [
                    box for which, box, written, _ in within[1]
                    if which == array and written_earlier(within[0], chosen, written)]
                found[array] = added(found[array], tuple(one.places for one in chosen), without,
                                     self.at.arrays[array][1])

    def _selected(self, array: int, ref: ir.Ref, place: _Place) -> tuple[Subscripts, ...] | None:
        """What a reference selects; None where that is not told by dimensions."""
        lows, extents = self.at.arrays[array]
        given = ref.parts[0].subscripts
        if given is None:
            return tuple(Subscripts(slice(0, extent, 1), None, True) for extent in extents)
        if len(given) != len(extents):
            return None
        value = self._value(place)
        return tuple(selected(one, low, extent, place.known, value)
                     for one, low, extent in zip(given, lows, extents, strict=True))

    def _written(self, array: int, ref: ir.Ref, place: _Place) -> Box | None:
        """What an assignment certainly writes."""
        chosen = self._selected(array, ref, place)
        return tuple(one.places for one in chosen) if chosen is not None and is_box(chosen) else None

    def _value(self, place: _Place) -> Callable[[ir.Ref], Form | None]:
        def value(ref: ir.Ref) -> Form | None:
            if not named_alone(ref) or ref.type.kind != "integer" or ref.name in place.unknown:
                return None
            if ref.name in place.known:
                return Form(0, ((ref.name, 1),))
            refs = self.accesses.model.refs
            bits = refs.touch(ref).bits
            if not bits:
                constant = refs.constant(ref)
                return None if constant is None else Form(int(constant))
            if bits & (bits - 1) or bits & place.changed:
                return None
            number = self.at.number(next(iter(members(bits))))
            return None if number is None else Form(number)

        return value

"""The lives of an array: extra bits that say which elements, or which age of them, a bit of an array stands for.

An array is one location, so one bit. Two proofs give it more bits where they hold:

* An *array kill* (:mod:`snapset.analysis.procedures.array_kills`), such as ``f(1) = 0; do i = 2, n; f(i) = ...``.
  Between its first and its last statement the old values of f have a bit of their own, the **shadow**. Backward, what
  is demanded behind the array kill is demanded of its writers, not of what lies before. Forward, what was required
  before it has been saved when it ends.
* An *iteration-private* array of a loop (:mod:`snapset.analysis.procedures.iteration_private`), such as w in
  ``do i = 1, n; w(:, i) = ...``. Inside the loop the elements of the iteration that runs are the **current** life, and
  those of all other iterations the **other** life, which no write of this iteration touches. The plain bit stands for
  what the code around the loop demands.
* An *earlier write* (:mod:`snapset.analysis.procedures.earlier_writes`), such as that of ``cp(k - 1)`` read by ``do k =
  2, n; cp(k) = c(k)/(b(k) - a(k)*cp(k - 1))`` behind ``cp(1) = ...``. Backward, what such a read demands has a bit of
  its own, the **young** life, which is not demanded before the node since which it has been written. Forward it is as
  any read.

The extra bits are numbered behind those of the locations. ``fold`` turns them back into plain bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from snapset.analysis.dataflow.bitsets import EMPTY, Exact, May, Must, exactly, singleton, union
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.cfg.graph import Loop

Move: TypeAlias = tuple[Exact, Exact]  # bits that become, bit they become
Moves: TypeAlias = dict[int, list[Move]]  # by node


@frozen
class ArrayKill:
    """Several statements together write every element of an array: ``f(1) = 0; do i = 2, n; f(i) = ...``.

    ``index``: the array's location. Before node ``opens`` none of these statements has run, behind node ``closes`` all
    have. ``writers``: their nodes. ``by_calls``: they are the calls of one place in a loop, ``do i = 1, n; call
    step(f(i))``, where nothing else in the loop touches the array.
    """

    index: int
    opens: int
    closes: int
    writers: frozenset[int]
    by_calls: bool = False


@frozen
class IterationPrivate:
    """No two iterations of a loop touch the same element of an array: w in ``do i = 1, n; w(:, i) = ...``.

    ``index``: the array's location. ``killers``: the nodes that write all the elements that one iteration touches.
    ``opens``: a node since which all has been written that the iterations read of before, if there is one.
    """

    index: int
    loop: Loop
    killers: frozenset[int]
    opens: int | None = None


@frozen
class EarlierWrites:
    """Some nodes read of an array only elements that have been written since another node began.

    ``index``: the array's location. ``opens``: the node before which nothing is demanded for their sake.
    """

    index: int
    opens: int
    readers: frozenset[int]


@frozen
class ArrayProofs:
    """All proofs about the arrays of one procedure. ``first_bit``: the first bit that no location of the procedure has;
    :class:`ArrayLives` numbers its extra bits from there."""

    array_kills: tuple[ArrayKill, ...]
    iteration_private: tuple[IterationPrivate, ...]
    first_bit: int
    earlier_writes: tuple[EarlierWrites, ...] = ()


@frozen
class _Private:
    """The iteration-private arrays of the loops around a node, and the current life of each."""

    arrays: Exact
    current: Mapping[Exact, Exact]


_NONE_PRIVATE: Final = _Private(EMPTY, {})


class ArrayLives:
    """The extra bits of the arrays of one procedure, and how they change along its flow graph.

    ``holding``: the array kills, by place, all of whose writers run (None: all). The others kill nothing.
    """

    def __init__(self, proofs: ArrayProofs, holding: frozenset[int] | None = None) -> None:
        self.bases: dict[int, Exact] = {}
        self._kills: dict[int, Exact] = {}
        self._called = EMPTY  # shadows of what calls write
        self._by_calls: dict[int, Exact] = {}
        self._opening: Moves = {}
        self._closing: Moves = {}
        self._own: dict[int, _Private] = {}
        self._others: dict[int, Exact] = {}
        self._turning: Moves = {}
        self._entering: Moves = {}
        self._leaving: Moves = {}
        self._element_kills: dict[int, Exact] = {}
        self._young: Moves = {}
        self._youngs: dict[Exact, Exact] = {}  # by array
        self._entering_young: Moves = {}
        self._beginning: Moves = {}
        bit = singleton(proofs.first_bit)
        for place, array_kill in enumerate(proofs.array_kills):
            self.bases[bit] = singleton(array_kill.index)
            if holding is None or place in holding:
                self._add_array_kill(array_kill, bit)
            bit = exactly(bit << 1)
        pairs: list[tuple[IterationPrivate, Exact, Exact]] = []
        for private in proofs.iteration_private:
            other = exactly(bit << 1)
            self.bases[bit] = self.bases[other] = singleton(private.index)
            pairs.append((private, bit, other))
            bit = exactly(bit << 2)
        young: dict[tuple[int, int], Exact] = {}
        for earlier in proofs.earlier_writes:
            young[earlier.index, earlier.opens], self.bases[bit] = bit, singleton(earlier.index)
            bit = exactly(bit << 1)
        self._add_private(pairs, young)
        self._add_young(proofs, young)
        self._with_young = exactly(union(self._youngs))
        self.mask = exactly(union(self.bases))
        self._extras: dict[int, Exact] = {}  # by array: all its extra bits
        for extra, base in self.bases.items():
            self._extras[base] = exactly(self._extras.get(base, EMPTY) | extra)
        self._divided = exactly(union(self._extras))
        self._turned_backward = _one_by_one(self._turning, self._entering)
        self._opened_backward = _one_by_one(_dropped(self._opening), self._entering_young, self._turned_backward,
                                            self._beginning)
        self._opened_forward = _one_by_one(self._leaving, self._opening)
        self._closed_forward = _one_by_one(_dropped(self._closing), self._turning)

    def _add_array_kill(self, array_kill: ArrayKill, shadow: Exact) -> None:
        base = singleton(array_kill.index)
        if array_kill.by_calls:
            self._called |= shadow
            self._by_calls |= {n: self._by_calls.get(n, EMPTY) | base for n in array_kill.writers}
        self._opening.setdefault(array_kill.opens, []).append((base, shadow))
        self._closing.setdefault(array_kill.closes, []).append((base, shadow))
        self._kills[array_kill.closes] = self._kills.get(array_kill.closes, EMPTY) | base

    def _add_private(self, pairs: Sequence[tuple[IterationPrivate, Exact, Exact]],
                     young: Mapping[tuple[int, int], Exact]) -> None:
        """With the bits of the current and the other iterations' lives; outer loops first. The nodes within the same
        loops have the same lives. ``young``: the bits of young lives, by array and opening."""
        loops = {private.loop.index: private.loop for private, _, _ in pairs}
        place = {index: at for at, index in enumerate(loops)}
        nests: dict[int, tuple[int, ...]] = {}
        for index, loop in loops.items():
            for node in loop.body:
                nests[node] = (*nests.get(node, ()), index)
        inside: dict[tuple[int, ...], tuple[dict[Exact, Exact], Exact]] = {(): ({}, EMPTY)}
        of_loop: dict[int, list[tuple[Exact, Exact, Exact]]] = {}
        for private, current, other in pairs:
            of_loop.setdefault(private.loop.index, []).append((singleton(private.index), current, other))
        for nest in set(nests.values()):
            here = [one for index in sorted(nest, key=place.__getitem__) for one in of_loop[index]]
            inside[nest] = {base: current for base, current, _ in here}, union(other for _, _, other in here)
        found = {nest: _Private(exactly(union(own)), own) for nest, (own, _) in inside.items()}
        self._own = {node: found[nest] for node, nest in nests.items()}
        self._others = {node: inside[nest][1] for node, nest in nests.items()}
        within = {current: private.loop.body for private, current, _ in pairs}
        for private, current, other in pairs:
            base, loop = singleton(private.index), private.loop
            for node, moves in ((loop.init, self._entering), (loop.end, self._leaving)):
                around = inside[nests.get(node, ())][0].get(base, base)  # of the surrounding loop
                moves.setdefault(node, []).append((current | other, around))
                if node == loop.init and private.opens is not None and private.opens in within.get(
                        around, (private.opens,)):
                    demanded = young[private.index, private.opens]
                    self._entering_young.setdefault(node, []).append((current | other, demanded))
            self._turning.setdefault(loop.step, []).append((current, other))
            for node in private.killers & loop.body:
                self._element_kills[node] = exactly(self._element_kills.get(node, EMPTY) | current)

    def _add_young(self, proofs: ArrayProofs, young: Mapping[tuple[int, int], Exact]) -> None:
        """What an iteration reads of its own elements is young where they were written in it, else current."""
        around: dict[tuple[int, int], list[IterationPrivate]] = {}  # by array, and by each node of the loop
        for private in proofs.iteration_private:
            for node in private.loop.body:
                around.setdefault((private.index, node), []).append(private)
        for earlier in proofs.earlier_writes:
            base, bit = singleton(earlier.index), young[earlier.index, earlier.opens]
            self._youngs[base] = exactly(self._youngs.get(base, EMPTY) | bit)
            self._beginning.setdefault(earlier.opens, []).append((bit, EMPTY))
            for node in earlier.readers:
                if all(earlier.opens in one.loop.body for one in around.get((earlier.index, node), ())):
                    self._young.setdefault(node, []).append((base, bit))
            opening = around.get((earlier.index, earlier.opens), ())
            for node in (n for one in opening for n in one.killers & one.loop.body):
                self._element_kills[node] = exactly(self._element_kills.get(node, EMPTY) | bit)

    # ------------------------------------------------------------ what a bit means

    def fold(self, bits: May) -> May:
        """The set with every extra bit given back to its array."""
        left = bits & self.mask
        if not left:
            return bits
        plain = bits & ~self.mask
        while left:  # one round for each array concerned, however many proofs there are
            base = self.bases[left & -left]
            plain |= base
            left &= ~self._extras[base]
        return plain

    def touchable(self, node: int, bits: May) -> May:
        """The plain set of what a write at ``node`` may touch: not the elements of other iterations."""
        return self.fold(bits & ~self.others(node))

    def touched(self, node: int, arrays: May, bits: May) -> May:
        """Of some plain ``arrays`` those of which a write at ``node`` may touch what is in ``bits``."""
        left = bits & ~self.others(node)
        found = arrays & left
        unsure = arrays & ~left & self._divided
        while unsure:
            array = exactly(unsure & -unsure)
            if left & self._extras[array]:
                found |= array
            unsure &= ~array
        return found

    def own_of(self, node: int, bits: May, arrays: May) -> May:
        """The plain set without other iterations' elements of some arrays."""
        others = self.others(node)
        return self.fold(bits & ~exactly(others & self.spread(arrays)) if others else bits)

    def behind_part(self, node: int, bits: May, touched: May, kept: May) -> May:
        """Of what is required before a part, what is behind it: of arrays in ``kept`` all, of others that it touches
        the elements of other iterations."""
        left = self.without_own(node, bits, May(touched & ~kept))
        return left & (self.spread(kept) | exactly(self.others(node) & self.spread(touched)))

    def without_own(self, node: int, bits: May, arrays: May) -> May:
        """``bits`` without the elements that an iteration has of some arrays: of all elements others' are left. Old
        values of which a loop of calls leaves nothing stay in the shadow: no other node of it could touch them."""
        for plain, current in self._own.get(node, _NONE_PRIVATE).current.items():
            every = (plain | self._extras[plain]) & ~self._called
            if arrays & plain and bits & every:
                others = every & self.others(node)
                around = bits & every & ~others & ~current
                bits = (bits & ~(every & ~others)) | (others if around else EMPTY)
        return bits

    def others(self, node: int) -> Exact:
        """The lives at a node that are elements of other iterations."""
        return self._others.get(node, EMPTY)

    def own(self, node: int, bits: May) -> May:
        """What an access at ``node`` concerns: inside a loop with private arrays the current iteration's elements."""
        private = self._own.get(node)
        if private is None or not (left := bits & private.arrays):
            return bits
        bits &= ~private.arrays
        while left:  # one round for each array concerned, however many are private
            plain = exactly(left & -left)
            bits |= private.current[plain]
            left &= ~plain
        return bits

    def demanded(self, node: int, bits: May) -> May:
        """As :meth:`own`, backward, of what a node reads: what it has been proved to have been given since is young."""
        if node not in self._young:
            return self.own(node, bits)
        young: May = EMPTY
        for base, bit in self._young[node]:
            if bits & base:
                bits, young = bits & ~base, young | bit
        return self.own(node, bits) | young

    def spread(self, plain: May) -> May:
        """``plain`` with all extra bits of its arrays."""
        return plain | union(extras for base, extras in self._extras.items() if base & plain)

    def element_kills(self, node: int) -> Must:
        """The current lives a single-element write at ``node`` ends."""
        return self._element_kills.get(node, EMPTY)

    def ended(self, arrays: Must) -> Must:
        """The lives that end, backward, where some arrays are written whole: they, and what is demanded younger."""
        if not arrays & self._with_young:
            return arrays
        return arrays | union(bits for base, bits in self._youngs.items() if base & arrays)

    def kills(self, node: int) -> Must:
        """The arrays certainly written whole once ``node`` has run (besides what it kills itself)."""
        return self._kills.get(node, EMPTY)

    def killed_by_calls(self, node: int) -> Must:
        """The arrays of which the calls at ``node`` write every element while their loop runs, and nothing else in the
        loop touches them."""
        return self._by_calls.get(node, EMPTY)

    def turning(self, node: int) -> May:
        """The arrays of which an iteration's own elements become others' at a node."""
        return union(self.bases[current] for current, _ in self._turning.get(node, ()))

    # ------------------------------------------------------------ moving along the flow graph

    def closed_backward(self, node: int, bits: May) -> May:
        """Backward, before the node's own transfer: demand behind an array kill goes to its shadow."""
        return _moved(moves, bits) if (moves := self._closing.get(node)) else bits

    def opened_backward(self, node: int, bits: May) -> May:
        """Backward, after the node's own transfer: what an array kill writes anew is not demanded before it."""
        return _moved(moves, bits) if (moves := self._opened_backward.get(node)) else bits

    def turned_backward(self, node: int, bits: May) -> May:
        """Backward over an iteration's beginning, and out of a loop by its init (for out sets too)."""
        return _moved(moves, bits) if (moves := self._turned_backward.get(node)) else bits

    def opened_forward(self, node: int, bits: May) -> May:
        """Forward, before the node's own transfer: old values live on in the shadow; behind a loop all is one."""
        return _moved(moves, bits) if (moves := self._opened_forward.get(node)) else bits

    def closed_forward(self, node: int, bits: May) -> May:
        """Forward, after the node's own transfer: the old values are gone; the next iteration begins."""
        return _moved(moves, bits) if (moves := self._closed_forward.get(node)) else bits


def _moved(moves: Iterable[Move], bits: May) -> May:
    for old, new in moves:
        if bits & old:
            bits = (bits & ~old) | new
    return bits


def _one_by_one(*steps: Moves) -> Moves:
    """The moves of several steps along the flow graph, which are made one after the other, as those of one."""
    found: Moves = {}
    for step in steps:
        for node, moves in step.items():
            found.setdefault(node, []).extend(moves)
    return found


def _dropped(moves: Moves) -> Moves:
    """What becomes a shadow here is no more."""
    return {node: [(shadow, EMPTY) for _, shadow in some] for node, some in moves.items()}

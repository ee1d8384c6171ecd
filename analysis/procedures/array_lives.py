"""The lives of an array: extra bits that tell apart which elements, or which age, an array bit stands for.

An array is one location. Two proofs refine that where they hold:

* a *cover* (:mod:`snapset.analysis.procedures.array_kills`): between its opening and closing node the array's older
life
  is a **shadow**. Backward, what is demanded behind the cover is demanded of its writers, not of what
  lies before; forward, what was required before it has been saved when it ends.
* an *owned* loop (:mod:`snapset.analysis.procedures.iteration_private`): inside it, what the current iteration demands
  (requires) of its own elements is the **current** life, what other iterations do is the **other** life,
  which no write of this iteration touches. The plain bit is what the code around the loop demands.

All these bits stand behind those of the space. ``fold`` gives back plain bits.
"""

from __future__ import annotations

from collections.abc import Sequence

from snapset.analysis.dataflow.bitsets import EMPTY, Exact, May, Must, exactly, singleton, union
from snapset.analysis.procedures.array_proofs import ArrayKill, Owned, Proofs

Moves = dict[int, list[tuple[Exact, Exact]]]  # by node: (bits that become, bit they become)


class Lives:
    """The extra bits of one procedure.

    ``kept``: the nodes that run; a cover whose writers do not all run kills nothing (None: all run).
    """

    def __init__(self, proofs: Proofs, kept: frozenset[int] | None = None) -> None:
        self.bases: dict[int, Exact] = {}
        self._kills: dict[int, Exact] = {}
        self._opening: Moves = {}
        self._closing: Moves = {}
        self._own: Moves = {}
        self._others: dict[int, Exact] = {}
        self._turning: Moves = {}
        self._entering: Moves = {}
        self._leaving: Moves = {}
        self._element_kills: dict[int, Exact] = {}
        bit = singleton(proofs.first_bit)
        for cover in proofs.covers:
            self.bases[bit] = singleton(cover.index)
            if kept is None or cover.writers <= kept:
                self._add_cover(cover, bit)
            bit = exactly(bit << 1)
        pairs: list[tuple[Owned, Exact, Exact]] = []
        for owned in proofs.owned:
            other = exactly(bit << 1)
            self.bases[bit] = self.bases[other] = singleton(owned.index)
            pairs.append((owned, bit, other))
            bit = exactly(bit << 2)
        self._add_owned(pairs)
        self.mask = exactly(union(self.bases))
        self._extras: dict[int, Exact] = {}  # by array: all its extra bits
        for extra, base in self.bases.items():
            self._extras[base] = exactly(self._extras.get(base, EMPTY) | extra)

    def _add_cover(self, cover: ArrayKill, shadow: Exact) -> None:
        base = singleton(cover.index)
        self._opening.setdefault(cover.opens, []).append((base, shadow))
        self._closing.setdefault(cover.closes, []).append((base, shadow))
        self._kills[cover.closes] = self._kills.get(cover.closes, EMPTY) | base

    def _add_owned(self, pairs: Sequence[tuple[Owned, Exact, Exact]]) -> None:
        """With the bits of the current and the other iterations' lives; outer loops first. The nodes within the same
        loops have the same lives."""
        loops = {owned.loop.index: owned.loop for owned, _, _ in pairs}
        nests: dict[int, tuple[int, ...]] = {}
        for index, loop in loops.items():
            for node in loop.body:
                nests[node] = (*nests.get(node, ()), index)
        inside: dict[tuple[int, ...], tuple[dict[Exact, Exact], Exact]] = {(): ({}, EMPTY)}
        for nest in set(nests.values()):
            here = [(singleton(owned.index), current, other) for owned, current, other in pairs
                    if owned.loop.index in nest]
            inside[nest] = {base: current for base, current, _ in here}, union(other for _, _, other in here)
        found = {nest: (list(own.items()), others) for nest, (own, others) in inside.items()}
        self._own = {node: found[nest][0] for node, nest in nests.items()}
        self._others = {node: found[nest][1] for node, nest in nests.items()}
        for owned, current, other in pairs:
            base, loop = singleton(owned.index), owned.loop
            for node, moves in ((loop.init, self._entering), (loop.end, self._leaving)):
                around = inside[nests.get(node, ())][0].get(base, base)  # of the surrounding loop
                moves.setdefault(node, []).append((current | other, around))
            self._turning.setdefault(loop.step, []).append((current, other))
            self._element_kills.update(dict.fromkeys(owned.killers & loop.body, current))

    # ------------------------------------------------------------ what a bit means

    def fold(self, bits: May) -> May:
        """The set with every extra bit given back to its array."""
        left = bits & self.mask
        plain = bits & ~self.mask
        while left:  # one round for each array concerned, however many proofs there are
            base = self.bases[left & -left]
            plain |= base
            left &= ~self._extras[base]
        return plain

    def touchable(self, node: int, bits: May) -> May:
        """The plain set of what a write at ``node`` may touch: not the elements of other iterations."""
        return self.fold(bits & ~self._others.get(node, EMPTY))

    def own(self, node: int, bits: May) -> May:
        """What an access at ``node`` concerns: inside an owned loop the current iteration's elements."""
        for plain, current in self._own.get(node, ()):
            if bits & plain:
                bits = (bits & ~plain) | current
        return bits

    def spread(self, plain: May) -> May:
        """``plain`` with all extra bits of its arrays."""
        return plain | union(extras for base, extras in self._extras.items() if base & plain)

    def element_kills(self, node: int) -> Must:
        """The current lives a single-element write at ``node`` ends."""
        return self._element_kills.get(node, EMPTY)

    def kills(self, node: int) -> Must:
        """The arrays certainly written whole once ``node`` has run (besides what it kills itself)."""
        return self._kills.get(node, EMPTY)

    def turning(self, node: int) -> May:
        """The arrays of which an iteration's own elements become others' at a node."""
        return union(self.bases[current] for current, _ in self._turning.get(node, ()))

    # ------------------------------------------------------------ moving along the flow graph

    def closed_backward(self, node: int, bits: May) -> May:
        """Backward, before the node's own transfer: demand behind a cover goes to its shadow."""
        return _move(self._closing.get(node), bits)

    def opened_backward(self, node: int, bits: May) -> May:
        """Backward, after the node's own transfer: what a cover rewrites is not demanded before it."""
        return self.turned_backward(node, _drop(self._opening.get(node), bits))

    def turned_backward(self, node: int, bits: May) -> May:
        """Backward over an iteration's beginning, and out of a loop by its init (for out sets too)."""
        return _move(self._entering.get(node), _move(self._turning.get(node), bits))

    def opened_forward(self, node: int, bits: May) -> May:
        """Forward, before the node's own transfer: old values live on in the shadow; behind a loop all is one."""
        return _move(self._opening.get(node), _move(self._leaving.get(node), bits))

    def closed_forward(self, node: int, bits: May) -> May:
        """Forward, after the node's own transfer: the old values are gone; the next iteration begins."""
        return _move(self._turning.get(node), _drop(self._closing.get(node), bits))


def _move(moves: list[tuple[Exact, Exact]] | None, bits: May) -> May:
    for old, new in moves or ():
        if bits & old:
            bits = (bits & ~old) | new
    return bits


def _drop(moves: list[tuple[Exact, Exact]] | None, bits: May) -> May:
    for _, shadow in moves or ():
        bits &= ~shadow
    return bits

"""Shadow locations: the older life of an array between the opening and the closing of a cover.

See :mod:`snapset.analysis.covers`. Shadows are extra bits behind those of the space, one per cover.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from snapset.analysis.covers import Cover


@dataclass(frozen=True, slots=True)
class Shadow:
    base: int
    bit: int
    cover: Cover


class Shadows:
    """The covers of one procedure as (base bit, shadow bit) pairs by node.

    ``kept``: the nodes that run; a cover whose writers do not all run kills nothing (None: all run).
    """

    def __init__(self, covers: Iterable[Cover], first_bit: int, kept: frozenset[int] | None = None) -> None:
        self.pairs = [Shadow(1 << c.index, 1 << (first_bit + k), c) for k, c in enumerate(covers)]
        self.mask = sum(p.bit for p in self.pairs)
        self.opening: dict[int, list[Shadow]] = {}
        self.closing: dict[int, list[Shadow]] = {}
        for pair in self.pairs:
            if kept is None or pair.cover.writers <= kept:
                self.opening.setdefault(pair.cover.opens, []).append(pair)
                self.closing.setdefault(pair.cover.closes, []).append(pair)

    def fold(self, bits: int) -> int:
        """The set with every shadow given back to its array."""
        if not bits & self.mask:
            return bits
        plain = bits & ~self.mask
        for pair in self.pairs:
            if bits & pair.bit:
                plain |= pair.base
        return plain

    def closed_backward(self, node: int, bits: int) -> int:
        """Backward, before the node's own transfer: demand behind the cover goes to its shadow."""
        return _moved(self.closing.get(node), bits)

    def opened_backward(self, node: int, bits: int) -> int:
        """Backward, after the node's own transfer: what the cover rewrites is not demanded before it."""
        return _dropped(self.opening.get(node), bits)

    def opened_forward(self, node: int, bits: int) -> int:
        """Forward, before the node's own transfer: the old value lives on in the shadow."""
        return _moved(self.opening.get(node), bits)

    def closed_forward(self, node: int, bits: int) -> int:
        """Forward, after the node's own transfer: the old value is gone."""
        return _dropped(self.closing.get(node), bits)

    def killed_at(self, node: int) -> int:
        """The locations certainly written whole once the node has run (besides what it kills itself)."""
        total = 0
        for pair in self.closing.get(node, ()):
            total |= pair.base
        return total


def _moved(pairs: list[Shadow] | None, bits: int) -> int:
    for pair in pairs or ():
        if bits & pair.base:
            bits = (bits & ~pair.base) | pair.bit
    return bits


def _dropped(pairs: list[Shadow] | None, bits: int) -> int:
    for pair in pairs or ():
        bits &= ~pair.bit
    return bits

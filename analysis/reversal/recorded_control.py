"""How the backward sweep of a code finds its way: what is regenerated, recorded, and evaluated again."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from snapset.analysis.dataflow.bitsets import EMPTY, Exact, May
from snapset.frontend.base.frozen_records import frozen


@frozen(kw_only=True)
class Reversal:
    """How the loops of one code run backwards: ``do i = 1, n`` as ``do i = n, 1, -1``.

    ``regenerating``: by node, the DO variables that this gives back. ``beginning``: the same variables by the loop's
    init: before it they are what they were behind the loop, or in its last turn back. ``preserved``: by node, the
    variables in bounds that count as read by a derivative: behind the loop, where its reversal begins; at its init
    where nothing overwrites them. ``recorded``: the loops, by index, whose bounds are recorded each time the loop is
    entered.
    """

    regenerating: Mapping[int, Exact]
    beginning: Mapping[int, Exact]
    preserved: Mapping[int, May]
    recorded: frozenset[int]

    def regenerated(self, node: int) -> Exact:
        """The DO variables that the reversal of the enclosing loops provides at this node."""
        return self.regenerating.get(node, EMPTY)

    def read(self, derivative: Mapping[int, May]) -> dict[int, May]:
        """By node, what derivatives and the reversal read."""
        return {n: bits & ~self.regenerated(n) for n, bits in derivative.items()} | dict(self.preserved)


@frozen
class Sides:
    """What a statement records: ``scalars`` sides, and ``arrays`` sides for each element of its target. A side takes
    a byte."""

    scalars: int
    arrays: int

    def bytes(self, elements: int) -> int:
        return self.scalars + self.arrays * elements
NO_SIDES: Mapping[int, Sides] = MappingProxyType({})


@frozen
class ReevaluatedCondition:
    """The condition of a branch that the backward sweep evaluates again instead of popping the outcome.

    ``if (n > 1) then`` is such a branch if n is not overwritten. ``meet``: the node where its two sides meet, and where
    the backward sweep evaluates it. ``reads``: what it reads, without the variables of the DO loops around it, which
    the reversal of these loops provides.
    """

    meet: int
    reads: May
NO_BRANCHES: Mapping[int, ReevaluatedCondition] = MappingProxyType({})

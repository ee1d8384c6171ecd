"""Assignments that the backward sweep runs again: which, where, and what they need there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from snapset.analysis.adjoint.repeatable_groups import Steps
from snapset.analysis.dataflow.bitsets import EMPTY, Exact, May, exactly, union
from snapset.analysis.procedures.array_lives import ArrayLives
from snapset.frontend.base.frozen_records import frozen


@frozen(kw_only=True)
class Rerun:
    """Assignments (nodes, or groups of them) that run again in the order given; the locations that gain a value, what
    that needs. ``steps``: their statements."""

    assignments: tuple[int, ...] = ()
    steps: Steps = ()
    value: Exact = EMPTY
    operands: May = EMPTY

    def required(self, lives: ArrayLives, node: int, before: May) -> May:
        """Req without what is computed again, whichever life of it, and with what that needs."""
        if not self.assignments:
            return before
        return (before & ~exactly(lives.spread(self.value))) | needed(lives, node, self.operands)


NOT_AGAIN = Rerun()


def needed(lives: ArrayLives, node: int, operands: May) -> May:
    """What is required for operands to be had as they are right before a node, or behind it."""
    own = lives.own(node, operands)
    return own if own & ~operands else lives.opened_forward(node, own)


@frozen
class Reruns:
    """The assignments that the backward sweep of one level runs again, by node.

    ``at``: after it has restored what the node overwrote, before the node's derivative. ``behind``: before it restores
    that."""

    at: Mapping[int, Rerun] = field(default_factory=dict)
    behind: Mapping[int, Rerun] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.at or self.behind)

    @property
    def places(self) -> tuple[tuple[int, bool, tuple[int, ...]], ...]:
        """Where what runs again: the node, whether behind it, and the assignments."""
        return tuple((node, moved, one.assignments) for moved, reruns in ((False, self.at), (True, self.behind))
                     for node, one in reruns.items())

    @property
    def runs(self) -> frozenset[tuple[int, bool, int]]:
        """The same, assignment by assignment."""
        return frozenset((node, moved, n) for node, moved, assignments in self.places for n in assignments)

    @property
    def operands(self) -> May:
        """All that is read where something is computed again."""
        return union(one.operands for one in (*self.at.values(), *self.behind.values()))


NOTHING_AGAIN = Reruns()


@frozen
class PrivateAgain:
    """What one level computes again under every strategy (:mod:`snapset.analysis.recording.private_scalars`);
    ``spared``: by node, what writes need not tape then."""

    reruns: Reruns
    spared: Mapping[int, Exact]

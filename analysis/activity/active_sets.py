"""What is active in a procedure, and what reaches it from its callers. Computed by
:mod:`snapset.analysis.activity.activity`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from snapset.analysis.dataflow.bitsets import EMPTY, May
from snapset.analysis.memory.locations import Space
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.persistence.fingerprint import digest, spelled

Ints: TypeAlias = tuple[May, May, May]


@frozen(kw_only=True)
class Active:
    """One procedure's activity under a head.

    ``varied`` before each node, with all that may share its memory; ``useful`` after it (of the useful, those whose
    adjoint may not be zero).
    ``derivative``: use(I') of the nodes that have a derivative statement (calls: only what sets adjoints to
    zero; the rest is their callee's adjoint). ``active_calls``: call nodes with an adjoint call.
    ``resets``: by call node without one, what it overwrites whole and whose adjoint becomes zero.
    """

    varied: Mapping[int, May]
    useful: Mapping[int, May]
    derivative: Mapping[int, May]
    active_calls: frozenset[int]
    resets: Mapping[int, May]


@frozen(kw_only=True, quick=True)
class Border:
    """What reaches a procedure from its callers: varied at its entry, useful at its exit, and what has varied
    at some moment before."""

    varied: May
    useful: May
    once: May

    @property
    def ints(self) -> Ints:
        return self.varied, self.useful, self.once

    @staticmethod
    def of(ints: Ints) -> Border:
        """The border again."""
        varied, useful, once = ints
        return Border(varied=varied, useful=useful, once=once)

    def joined(self, other: Border) -> Border:
        return Border(varied=self.varied | other.varied, useful=self.useful | other.useful, once=self.once | other.once)


NO_BORDER = Border(varied=EMPTY, useful=EMPTY, once=EMPTY)


def at_head(space: Space, independents: May, dependents: May) -> Border:
    """What reaches the head's procedure: what may share memory with these counts, too."""
    return Border(varied=space.with_aliases(independents), useful=space.with_aliases(dependents), once=EMPTY)


def hash_of(found: tuple[Active, Mapping[tuple[int, str], Border]]) -> bytes:
    """What tells one answer from another."""
    active, borders = found
    sets = (sorted((node, f"{bits:x}") for node, bits in one.items())
            for one in (active.varied, active.useful, active.derivative, active.resets))
    return digest(spelled((*sets, sorted(active.active_calls), [(at, border.ints) for at, border in borders.items()])))

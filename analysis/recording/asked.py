"""What an adjoint code is asked for by those that run it: a procedure's by its callers, a part's by its level.

    b = sin(a)          ! its derivative reads a, and comes after the adjoint of the call
    call grow(a)        ! so a is required of that adjoint: whatever grow overwrites of it has to be put back
"""

from __future__ import annotations

from collections.abc import Callable

from snapset.analysis.dataflow.bitsets import EMPTY, May
from snapset.frontend.base.frozen_records import frozen


@frozen(quick=True)
class Asked:
    """What those that run a code, or a part, ask of it: ``required``: Req at its entry; ``relied``: what they read that
    it leaves as it was because its own derivatives read it. That costs nothing where all is taped that derivatives
    read; a tape by values must not lose it."""

    required: May = EMPTY
    relied: May = EMPTY

    def __or__(self, other: Asked) -> Asked:
        return Asked(self.required | other.required, self.relied | other.relied)

    def mapped(self, names: Callable[[May], May]) -> Asked:
        """The same in other names."""
        return Asked(names(self.required), names(self.relied))


NOTHING_ASKED = Asked()

"""What a location's allocation may be at a place, as seen from where a stretch of code begins.

``if (.not. allocated(w)) allocate (w(n))``: behind it w is allocated as it was (``held``), or has been made since
(``made``). A call does to these states what it does to those that begin with it (:class:`CallChange`).
"""

from __future__ import annotations

from dataclasses import replace

from snapset.analysis.dataflow.bitsets import May
from snapset.analysis.memory.reallocating_assignments import Reshaped
from snapset.analysis.procedures.call_binding import Target
from snapset.frontend.base.frozen_records import frozen


@frozen
class AllocationState:
    """What each location may be, on some path: ``held`` is allocated as it was, ``none`` neither then nor now; ``made``
    was not and is, ``gone`` was and is not, ``anew`` is allocated again, perhaps in another shape."""

    none: int = 0
    held: int = 0
    made: int = 0
    gone: int = 0
    anew: int = 0

    def __or__(self, other: AllocationState) -> AllocationState:
        return AllocationState(self.none | other.none, self.held | other.held, self.made | other.made,
                               self.gone | other.gone, self.anew | other.anew)

    @property
    def there(self) -> int:
        return self.held | self.made | self.anew

    def without(self, bits: int) -> AllocationState:
        return self.only_of(~bits)

    def only(self, bits: int, allocated: bool) -> AllocationState:
        """On the side of a test where these locations are allocated, or are not."""
        if allocated:
            return AllocationState(self.none & ~bits, self.held, self.made, self.gone & ~bits, self.anew)
        return AllocationState(self.none, self.held & ~bits, self.made & ~bits, self.gone, self.anew & ~bits)

    def allocated(self, whole: int, part: int) -> AllocationState:
        free = (self.none | self.gone) & whole
        kept = self.only(free, True)  # paths on which it is there already end in an error
        kept = AllocationState(kept.none, kept.held & ~whole, kept.made & ~free, kept.gone, kept.anew & ~free)
        return kept | AllocationState(made=self.none & (whole | part), gone=0,
                             anew=(self.gone & (whole | part)) | (self.held & whole & ~free))

    def deallocated(self, whole: int, part: int) -> AllocationState:
        there = self.there & whole
        kept = self.without(there)
        both = whole | part
        return kept | AllocationState(none=self.made & both, gone=(self.held | self.anew) & both)

    def assigned(self, change: Reshaped) -> AllocationState:
        """By an assignment that may give another shape, and allocates what is not there."""
        found = self.only(change.whole | change.made, True)
        found |= AllocationState(made=self.none & change.made, held=self.gone & change.made)
        direct = change.whole | change.part
        below = AllocationState(none=self.made, made=self.none, gone=self.held | self.anew, anew=self.held | self.gone)
        return found | AllocationState(made=self.none & direct, anew=(self.held | self.gone) & direct) | \
            below.without(~change.below)

    def only_of(self, bits: int) -> AllocationState:
        """These locations' states, nothing of others."""
        return AllocationState(self.none & bits, self.held & bits, self.made & bits, self.gone & bits, self.anew & bits)

    @property
    def any(self) -> int:
        """The locations that are anything: some path comes here."""
        return self.none | self.held | self.made | self.gone | self.anew

    def followed_by(self, later: AllocationState) -> AllocationState:
        """What ``later``, as seen from here, is as seen from where this state began."""
        return AllocationState(
            none=(self.none & later.none) | (self.made & later.gone),
            held=self.held & later.held,
            made=(self.none & later.made) | (self.made & (later.held | later.anew)),
            gone=(self.held & later.gone) | (self.gone & later.none) | (self.anew & later.gone),
            anew=(self.held & later.anew) | (self.gone & later.made) | (self.anew & (later.held | later.anew)))


@frozen
class CallChange:
    """What a procedure does to allocations. ``both``: its states at the end, begun with each location allocated or not;
    ``there`` and ``absent``: begun with all allocated, with none (an ALLOCATE of what is certainly there is an error,
    and says nothing of what comes behind it)."""

    both: AllocationState
    there: AllocationState
    absent: AllocationState

    def __or__(self, other: CallChange) -> CallChange:
        return CallChange(self.both | other.both, self.there | other.there, self.absent | other.absent)

    def after(self, state: AllocationState) -> AllocationState:
        """The states behind a call."""
        found = state.followed_by(self.both)
        stuck = state.any & ~found.any
        return found if not stuck else found | state.only_of(stuck).followed_by(self.there | self.absent)

    def called(self, target: Target, every: int) -> CallChange:
        """The same in the caller's numbering. ``every``: the caller's locations. What the callee does not know stays,
        and so may what it knows a part of."""
        touched, alone, several = int(target.hidden.outside), int(target.hidden.outward(target.whole)), 0
        for link in target.passed.values():
            several |= touched & link.out
            touched |= link.out
            alone |= link.out if link.whole else 0
        same = every & ~(alone & ~several)
        return CallChange(*(replace(moved, none=moved.none | same & absent, held=moved.held | same & there)
                            for moved, absent, there in ((lifted(self.both, target), -1, -1),
                                                         (lifted(self.there, target), 0, -1),
                                                         (lifted(self.absent, target), -1, 0))))


NOWHERE = CallChange(AllocationState(), AllocationState(), AllocationState())
"""Of a call that never comes back."""


def unchanged(every: int) -> CallChange:
    """Of a call that leaves all as it is."""
    return CallChange(AllocationState(every, every), AllocationState(held=every), AllocationState(every))


def lifted(state: AllocationState, target: Target) -> AllocationState:
    """States of a callee's locations in the numbering of the procedure that calls it."""
    return AllocationState(*(target.outs(May(bits)) for bits in (state.none, state.held, state.made, state.gone,
                                                            state.anew)))

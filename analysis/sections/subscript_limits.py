"""Limits of subscripts: what statements write of an array, dimension by dimension, as boxes.

``f(0, 1:n)``, ``f(n+1, 1:n)``, ``f(:, 0)`` and ``f(:, n+1)`` are four boxes, in one hull that is all of ``f``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Final, TypeAlias

from snapset.analysis.symbolic.polynomials import ONE, ZERO, Quantity, add, named, product
from snapset.frontend.base.frozen_records import frozen

COMPARED: Final = 24
"""Boxes, at most, that are compared with each other."""


@frozen
class SubscriptLimits:
    """Least and greatest subscript in one dimension. ``tests``: of the loops it runs over; ``reached``: are both
    written, if these run?"""

    low: Quantity
    high: Quantity
    tests: frozenset[int] = frozenset()
    reached: bool = True

    def same(self, other: SubscriptLimits) -> bool:
        return (self.low, self.high) == (other.low, other.high)

    def within(self, other: SubscriptLimits) -> bool:
        return other.low.is_at_most(self.low) and self.high.is_at_most(other.high)


Box: TypeAlias = tuple[SubscriptLimits | None, ...]
"""Limits by dimension; None where they are not known: all of it, then."""


@frozen
class WrittenBox:
    """What an assignment or a call writes: limits by dimension (None: not known), and the tests that decide whether it
    happens. ``joint``: its elements are there in all dimensions, or it may write nothing at all."""

    limits: Box
    deciders: frozenset[int]
    joint: bool

    def exactly(self, hull: Sequence[SubscriptLimits | None]) -> frozenset[int]:
        """The dimensions in which all of the hull is what this one writes, if it happens."""
        pairs = enumerate(zip(self.limits, hull, strict=True))
        found = frozenset(d for d, (a, b) in pairs if a is not None and b is not None and a.reached and a.same(b))
        return found if not self.joint or len(found) == sum(one is not None for one in hull) else frozenset()

    def certain(self, dims: Iterable[int]) -> bool:
        """Does it happen, where none of these dimensions is empty?"""
        return self.deciders <= frozenset().union(*(one.tests for d in dims if (one := self.limits[d]) is not None))


def moves(one: SubscriptLimits | None) -> bool:
    """Is it one subscript, and no number: ``k``?"""
    return one is not None and one.low == one.high and bool(one.low.factors)


def clipped(one: SubscriptLimits, band: SubscriptLimits | None) -> SubscriptLimits | None:
    """What of the limits is in a band; None where that is not known."""
    if band is None:
        return one
    low = _first(one.low.scaled(-1), band.low.scaled(-1))
    high = _first(one.high, band.high)
    if low is None or high is None:
        return None
    low = low.scaled(-1)
    return one if (low, high) == (one.low, one.high) else SubscriptLimits(low, high, one.tests, False)


def hull_of(every: Sequence[SubscriptLimits | None]) -> SubscriptLimits | None:
    """The limits of all of them; None where one is not known, or which is the least."""
    hull = every[0]
    for other in every[1:]:
        if hull is None or other is None:
            return None
        low, high = _first(hull.low, other.low), _first(other.high.scaled(-1), hull.high.scaled(-1))
        if low is None or high is None:
            return None
        hull = SubscriptLimits(low, high.scaled(-1), hull.tests | other.tests)
    return hull


def enclosing(boxes: Sequence[Box]) -> Box:
    """The box that holds all of these."""
    return tuple(hull_of(every) for every in zip(*boxes, strict=True))


def _first(a: Quantity, b: Quantity) -> Quantity | None:
    """The lesser of two; None where that is not known."""
    if a.is_at_most(b):
        return a
    return b if b.is_at_most(a) else None


def apart(boxes: Sequence[Box], joining: bool = True) -> list[tuple[int, ...]]:
    """Some boxes in groups, by their numbers: those that are alike, and, where ``joining``, those whose hull holds no
    other elements than theirs. Of very many nothing is compared: they are one group."""
    alike: dict[tuple[tuple[Quantity, Quantity] | None, ...], tuple[int, ...]] = {}
    for number, box in enumerate(boxes):
        key = tuple(None if one is None else (one.low, one.high) for one in box)
        alike[key] = (*alike.get(key, ()), number)
    if len(alike) > COMPARED:
        return [tuple(range(len(boxes)))]
    groups = [(enclosing([boxes[i] for i in group]), group) for group in alike.values()]
    while joining and (pair := _joined(groups)) is not None:
        first, second, box = pair
        rest = [one for place, one in enumerate(groups) if place not in (first, second)]
        groups = [*rest, (box, (*groups[first][1], *groups[second][1]))]
    return sorted(tuple(sorted(group)) for _, group in groups)


def _joined(groups: Sequence[tuple[Box, tuple[int, ...]]]) -> tuple[int, int, Box] | None:
    """Two groups that are one box, and this."""
    for (first, (a, _)), (second, (b, _)) in combinations(enumerate(groups), 2):
        if (box := _together(a, b)) is not None:
            return first, second, box
    return None


def _together(a: Box, b: Box) -> Box | None:
    """The box that two are together: one of them holds the other, or they touch."""
    hull = enclosing((a, b))
    different = [d for d, (one, other) in enumerate(zip(a, b, strict=True))
                 if (one is None) != (other is None) or (one is not None and other is not None and not one.same(other))]
    if any(all(_holds(large[d], small[d]) for d in different) for large, small in ((a, b), (b, a))):
        return hull
    if len(different) > 1:
        return None
    one, other = (a[d] for d in different), (b[d] for d in different)
    touching = all(x is not None and y is not None and y.low.is_at_most(x.high + ONE) and x.low.is_at_most(y.high + ONE)
                   for x, y in zip(one, other, strict=True))
    return hull if touching else None


def _holds(large: SubscriptLimits | None, small: SubscriptLimits | None) -> bool:
    return large is None or (small is not None and small.within(large))


def worthwhile(boxes: Sequence[Box], bounds: Box, disjoint: bool = False) -> bool:
    """Have boxes, which may overlap if they are not ``disjoint``, together no more elements than their hull, and fewer
    than the array? By what is known of the sizes, or because each of them is so many elements thick where the hull is
    n: ``u(1)`` and ``u(n)`` of ``u(1:n)``.

    ``bounds``: the declared ones, where a box has no limits.
    """
    hull = enclosing(boxes)
    lengths = [_lengths(box, bounds) for box in (hull, *boxes)]
    unlike = [d for d, every in enumerate(zip(*lengths, strict=True)) if any(one != every[0] for one in every)]
    whole, *sizes = ([one[d] for d in unlike] for one in lengths)
    if all(any(one.constant is not None and all_.constant is None for one, all_ in zip(size, whole, strict=True))
           for size in sizes):
        return True
    fewer = (product(whole) - add(ZERO, *map(product, sizes))).constant
    if fewer is None or fewer < 0:
        return disjoint
    return fewer > 0 or not all(one is None or (all_ is not None and all_.same(one))
                                for one, all_ in zip(hull, bounds, strict=True))


def _lengths(box: Box, bounds: Box) -> tuple[Quantity, ...]:
    """The extents of a box; of what is not known one that stands for it."""
    limits = (one or all_ for one, all_ in zip(box, bounds, strict=True))
    return tuple(named(f"extent {d}") if one is None else one.high - one.low + ONE for d, one in enumerate(limits))

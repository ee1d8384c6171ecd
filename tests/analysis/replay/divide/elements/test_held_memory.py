"""Masks over memory, their runs, and boxes of them."""

from itertools import product
from random import Random

import numpy as np
from snapset.analysis.replay.divide.elements.element_masks import Box, Elements, added, subtracted
from snapset.analysis.replay.divide.elements.held_memory import runs_of


def test_runs_of_masks() -> None:
    """All masks of up to nine elements: their runs lie apart, and are what the mask is."""
    for size in range(10):
        for bits in range(1 << size):
            mask = np.array([bits >> at & 1 for at in range(size)], bool)
            begins, ends = runs_of(mask)
            again = np.zeros(size, bool)
            for begin, end in zip(begins, ends, strict=True):
                assert begin < end
                again[begin:end] = True
            assert (again == mask).all()
            assert (begins[1:] > ends[:-1]).all()


def test_boxes_added_and_taken_away() -> None:
    """Against sets of places, from nothing, all, and a mask, for boxes of a matrix that may be all of it."""
    random, extents = Random(0), (3, 4)
    every = set(product(range(3), range(4)))

    def places(which: Elements) -> set[tuple[int, int]]:
        return every if which is True else set() if which is False else {one for one in every if which[one]}

    def inside(box: Box) -> set[tuple[int, int]]:
        return set(product(*(range(extent)[one] for one, extent in zip(box, extents, strict=True))))

    for _ in range(3000):
        box, other, third = (tuple(random.choice((slice(0, extent, 1), slice(0, extent, 2), slice(low := random.randint(
            0, extent - 1), random.randint(low, extent), 1))) for extent in extents) for _ in range(3))
        for now in (True, False, added(False, third, (), extents), subtracted(True, third, extents)):
            before = places(now)
            without = random.choice(((), (other,)))
            holes = inside(other) if without else set()
            assert places(added(now, box, without, extents)) == before | inside(box) - holes
            assert places(subtracted(now, box, extents)) == before - inside(box)
            assert places(now) == before

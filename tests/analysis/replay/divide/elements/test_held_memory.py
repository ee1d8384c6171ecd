"""Masks over memory, and their runs."""

import numpy as np
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

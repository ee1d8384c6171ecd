"""Sections of a vector, poison, and products of adjoints: against the plain ways to say the same."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from snapset.analysis.replay.memory.array_values import ipow, total
from snapset.analysis.replay.memory.frames import fresh, undefined
from snapset.analysis.replay.memory.partial_columns import PartialColumns
from snapset.analysis.replay.memory.runtime_support import (
    ReplayError,
    Slot,
    acc,
    anything,
    idiv,
    ix,
    mul,
    rg,
    section,
)


@pytest.mark.parametrize("low", [1, -2, 3])
def test_a_section_is_the_index_of_one_triplet(low: int) -> None:
    """All triplets around an array of four elements, in its bounds or not."""
    slot = Slot(np.arange(4.0), None, (low,))
    ends = (None, *map(np.int32, range(low - 2, low + 6)))
    for lower, upper, step in product(ends, ends, (None, 1, 2, 3, -1, -2)):
        try:
            expected: object = ix(slot, rg(slot, 0, lower, upper, step))
        except ReplayError as error:
            expected = str(error)
        try:
            found: object = section(slot, lower, upper, step)
        except ReplayError as error:
            found = str(error)
        assert found == expected, (lower, upper, step)


def test_a_section_of_what_is_not_allocated() -> None:
    with pytest.raises(ReplayError, match="not allocated"):
        section(Slot(None, None, (1,)), 1, 2, None)


@pytest.mark.parametrize("dtype", ["f8", "f4", "c16", "c8", "i1", "i2", "i4", "i8"])
def test_poison_is_no_number_of_a_program(dtype: str) -> None:
    for bounds in ([], [(1, 3)], [(0, 2), (1, 2)]):
        made = fresh(dtype, bounds)  # type: ignore[arg-type]
        values = made.values
        assert values.flags.f_contiguous
        if values.dtype.kind in "fc":
            assert np.isnan(values).all()
            assert made.b is not None
            assert not made.b.any()
        else:
            assert (values == np.iinfo(values.dtype).min//2).all()


def test_every_second_element_is_poisoned() -> None:
    values = np.zeros(6, np.int32)
    undefined(values[::2])
    assert list(values != 0) == [True, False]*3


NUMBERS = (0.0, -0.0, 2.0, -3.5, np.inf, np.nan)


def test_where_nothing_flows_the_derivative_does_not_count() -> None:
    """Element by element, for adjoints and derivatives that are numbers, arrays, or one of each."""
    with np.errstate(all="ignore"):
        for t, partial in product(NUMBERS, NUMBERS):
            expected = t*0.0 if t == 0 else t*partial
            for left, right in ((np.full(3, t), np.full(3, partial)), (np.full(3, t), np.float64(partial)),
                                (np.float64(t), np.full(3, partial)), (np.array([t, 1.0])[:1], np.array([partial]))):
                np.testing.assert_array_equal(mul(left, right), np.full(np.shape(left*right), expected))
            assert anything(np.array([0.0, t])) == anything(np.float64(t)) == (t != 0)
        mixed = mul(np.array([0.0, 2.0]), np.array([np.inf, 3.0]))
        assert list(mixed) == [0.0, 6.0]


@pytest.mark.parametrize("by", [1, 2, 3, -1, -2, -5])
def test_integer_division_truncates(by: int) -> None:
    for number in range(-7, 8):
        found = idiv(np.int32(number), np.int32(by))
        assert (found, type(found)) == (int(number/by), np.int32)
    with pytest.raises(ReplayError, match="division by zero"):
        idiv(np.int32(by), np.int32(0))


def test_integer_powers() -> None:
    for base, power in product((-2, -1, 0, 1, 3), (-3, -2, 0, 1, 2)):
        expected = base**power if power >= 0 else {1: 1, -1: 1 - 2*(power % 2)}.get(base, 0)
        assert ipow(np.int32(base), np.int32(power)) == expected
        assert ipow(np.array([base]), np.array([power]))[0] == expected


def test_adjoints_are_added_to_memory_and_not_to_copies() -> None:
    """Elements, sections, vectors of subscripts with one named twice; also where columns are not whole."""
    slot = Slot(np.zeros(6), np.zeros(6), (1,))
    acc(slot, (slice(0, 6, 2),), np.array([1.0, 2.0, 3.0]))
    acc(slot, (1,), 5.0)
    acc(slot, (np.array([3, 3]),), np.array([1.0, 1.0]))
    acc(slot, (), 10.0)
    assert slot.b is not None
    assert list(slot.b) == [11, 15, 12, 12, 13, 10]
    columns = Slot(PartialColumns.of(np.zeros(5), (2, 3)), PartialColumns.of(np.zeros(5), (2, 3)), (1, 1))
    acc(columns, (slice(0, 2), 0), np.array([1.0, 2.0]))
    acc(columns, (0, slice(0, 3)), np.array([1.0, 1.0, 1.0]))
    acc(columns, (1, 1), 7.0)
    assert columns.b is not None
    assert list(columns.b.reshape(-1)) == [2, 2, 1, 7, 1]
    assert total(np.array([1.0, 2.0])) == 3

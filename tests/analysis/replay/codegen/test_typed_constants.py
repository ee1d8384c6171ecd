"""Constants of generated code: what does not fit its type is refused, by a report (which makes none) as by a run."""

from __future__ import annotations

import numpy as np
import pytest
from snapset.analysis.replay.codegen.expression_code import fits

WHOLE = [sign*(1 << bits) + more for bits in (7, 15, 31, 63, 127) for sign in (1, -1) for more in (-1, 0, 1)]
VALUES = [0, 1, True, 10**400, -(10**400), 1.5, 127.9, 1e10, 1e300, -1e300, float("inf"), *WHOLE]


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8", "f4", "f8", "c8", "c16"])
def test_a_value_fits_where_numpy_takes_it(dtype: str) -> None:
    for value in VALUES:
        with np.errstate(all="ignore"):
            try:
                np.dtype(dtype).type(value)
                taken = True
            except OverflowError:
                taken = False
        assert fits(value, dtype) == taken, value

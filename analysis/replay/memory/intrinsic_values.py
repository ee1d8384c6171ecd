"""Intrinsic functions that NumPy has not, or not as Fortran has them, for NumPy's scalars and arrays.

``VALUES`` has them by the name that a record of :mod:`snapset.frontend.ir.intrinsic_table` gives as ``machine``; a
name with ``np.`` is NumPy's own and not here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from snapset.analysis.replay.memory.lazy_numpy import np


def vectorised(function: Callable[[float], float]) -> Callable[[Any], Any]:
    def apply(x: Any) -> Any:
        if isinstance(x, np.ndarray):
            return np.array([function(float(v)) for v in x.ravel()], x.dtype).reshape(x.shape)
        return x.dtype.type(function(float(x)))

    return apply


def whole(rounding: str) -> Callable[[Any], Any]:
    """A function of NumPy's to the default integer."""

    def apply(x: Any) -> Any:
        return np.asarray(getattr(np, rounding)(x)).astype(np.int32)[()]

    return apply


def half_away(x: Any) -> Any:
    """ANINT: halves away from zero."""
    return np.copysign(np.floor(np.abs(x) + 0.5), x)


def turned(x: Any) -> tuple[Any, Any]:
    """Sine and cosine of an angle in degrees: of what is beyond whole quarter turns, so that these are exact."""
    quarters = np.rint(x / 90)
    rest, quarters = np.deg2rad(x - quarters*90), np.mod(quarters, 4)
    sine, cosine = np.sin(rest), np.cos(rest)
    swapped, back = np.mod(quarters, 2) == 1, quarters >= 2
    one, other = np.where(swapped, cosine, sine), np.where(swapped, -sine, cosine)
    return np.where(back, -one, one)[()], np.where(back, -other, other)[()]


def tand(x: Any) -> Any:
    sine, cosine = turned(x)
    return sine / cosine


def cotand(x: Any) -> Any:
    sine, cosine = turned(x)
    return cosine / sine


VALUES: Final[Mapping[str, Callable[..., Any]]] = MappingProxyType({
    "erf": vectorised(math.erf), "erfc": vectorised(math.erfc), "half_away": half_away,
    "to_int": whole("trunc"), "to_nearest": lambda x: np.asarray(half_away(x)).astype(np.int32)[()],
    "to_floor": whole("floor"), "to_ceiling": whole("ceil"),
    "cotan": lambda x: 1 / np.tan(x), "sind": lambda x: turned(x)[0], "cosd": lambda x: turned(x)[1], "tand": tand,
    "cotand": cotand, "asind": lambda x: np.rad2deg(np.arcsin(x)), "acosd": lambda x: np.rad2deg(np.arccos(x)),
    "atand": lambda x: np.rad2deg(np.arctan(x)), "atan2d": lambda y, x: np.rad2deg(np.arctan2(y, x)),
})

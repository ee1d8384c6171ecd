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


# ---------------------------------------------------------------- arithmetic


def rpow(a: Any, b: Any) -> Any:
    """Real power with an integer exponent, in the precision of ``a``."""
    return np.power(a, np.asarray(b).astype(a.dtype)[()])


def square(x: Any) -> Any:
    return x * x


def cube(x: Any) -> Any:
    return x * x * x


def gt0(x: Any) -> Any:
    """The partial derivative of ABS."""
    return np.where(np.signbit(x), -1.0, 1.0).astype(x.dtype)[()]


def sign(a: Any, b: Any) -> Any:
    if np.issubdtype(np.asarray(a).dtype, np.integer):
        return np.where(np.less(b, 0), -abs(a), abs(a))[()]
    return np.copysign(a, b)


def fold(name: str, values: tuple[Any, ...]) -> Any:
    """MAX or MIN: the first of the greatest (least) wins."""
    best = values[0]
    for v in values[1:]:
        best = np.where(v > best, v, best)[()] if name == "max" else np.where(v < best, v, best)[()]
    return best


def winner(name: str, place: int, values: tuple[Any, ...]) -> Any:
    """1 where argument ``place`` is the one MAX or MIN gives, else 0."""
    best = fold(name, values)
    won = np.equal(values[place], best)
    for v in values[:place]:
        won = won & ~np.equal(v, best)
    return won.astype(np.asarray(values[place]).dtype)[()]


def which(name: str, values: tuple[Any, ...]) -> Any:
    """The place of the argument that MAX or MIN gives."""
    places = [np.equal(winner(name, place, values), 1) * place for place in range(1, len(values))]
    return np.asarray(sum(places, np.zeros(np.broadcast_shapes(*map(np.shape, values)), int)))[()]


VALUES: Final[Mapping[str, Callable[..., Any]]] = MappingProxyType({
    "erf": vectorised(math.erf), "erfc": vectorised(math.erfc), "half_away": half_away,
    "to_int": whole("trunc"), "to_nearest": lambda x: np.asarray(half_away(x)).astype(np.int32)[()],
    "to_floor": whole("floor"), "to_ceiling": whole("ceil"),
    "cotan": lambda x: 1 / np.tan(x), "sind": lambda x: turned(x)[0], "cosd": lambda x: turned(x)[1], "tand": tand,
    "cotand": cotand, "asind": lambda x: np.rad2deg(np.arcsin(x)), "acosd": lambda x: np.rad2deg(np.arccos(x)),
    "atand": lambda x: np.rad2deg(np.arctan(x)), "atan2d": lambda y, x: np.rad2deg(np.arctan2(y, x)),
    "rpow": rpow, "square": square, "cube": cube, "gt0": gt0, "sign": sign, "fold": fold, "winner": winner,
    "which": which,
})

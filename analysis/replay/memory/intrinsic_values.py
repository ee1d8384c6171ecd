"""Intrinsic functions that NumPy has not, or not as Fortran has them, for NumPy's scalars and arrays.

``VALUES`` has them by the name that a record of :mod:`snapset.frontend.ir.intrinsic_table` gives as ``machine``; a
name with ``np.`` is NumPy's own and not here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cache
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


# ---------------------------------------------------------------- gamma and Bessel functions


def gamma(x: float) -> float:
    """As C's tgamma where it is infinite or none."""
    try:
        return math.gamma(x)
    except OverflowError:
        return math.copysign(math.inf, 1.0 if x > 0 or math.floor(x) % 2 == 0 else -1.0)
    except ValueError:
        return math.copysign(math.inf, x) if x == 0 else math.nan


def log_gamma(x: float) -> float:
    try:
        return math.lgamma(x)
    except (OverflowError, ValueError):
        return math.inf


def digamma(x: float) -> float:
    """The derivative of LOG_GAMMA: psi(x) = psi(x + 1) - 1/x up to where its asymptotic series has all digits
    (Abramowitz and Stegun, 6.3.5, 6.3.7 and 6.3.18)."""
    if x <= 0 and x == math.floor(x):
        return math.nan
    if x < 0:
        return digamma(1 - x) - math.pi/math.tan(math.pi*x)
    less = 0.0
    while x < 10:
        less += 1/x
        x += 1
    y = 1/(x*x)
    series = y*(1/12 - y*(1/120 - y*(1/252 - y*(1/240 - y*(1/132 - y*(691/32760 - y/12))))))
    return math.log(x) - 0.5/x - series - less


def erfc_scaled(x: float) -> float:
    """exp(x*x)*erfc(x); beyond 5 by its continued fraction (7.1.14), for the factors leave the range of numbers."""
    if x < 5:
        return math.inf if x < -26.7 else math.exp(x*x)*math.erfc(x)
    below = 0.0
    for k in range(60, 0, -1):
        below = 0.5*k/(x + below)
    return 1/((x + below)*math.sqrt(math.pi))


@cache
def bessel(name: str) -> Callable[..., float]:
    """The Bessel function that the C library has under that name, which is where compilers have theirs from.

    Raises ValueError where it has none."""
    import ctypes

    try:
        found = getattr(ctypes.CDLL(None), name)
    except (AttributeError, OSError, TypeError) as error:
        raise ValueError("the C library of this machine has no Bessel functions") from error
    found.argtypes = [ctypes.c_int, ctypes.c_double] if name in ("jn", "yn") else [ctypes.c_double]
    found.restype = ctypes.c_double
    function: Callable[..., float] = found
    return function


def of_real(name: str) -> Callable[[float], float]:
    return lambda x: bessel(name)(x)


def of_order(name: str) -> Callable[..., Any]:
    """``bessel_jn(n, x)`` of scalars and arrays, and ``bessel_jn(n1, n2, x)``: those of several orders."""
    def apply(first: Any, *rest: Any) -> Any:
        x = rest[-1]
        n = np.arange(int(first), int(rest[0]) + 1) if len(rest) == 2 else first
        both = np.broadcast(n, x)
        return np.array([bessel(name)(int(k), float(v)) for k, v in both], x.dtype).reshape(both.shape)[()]

    return apply


VALUES: Final[Mapping[str, Callable[..., Any]]] = MappingProxyType({
    "gamma": vectorised(gamma), "log_gamma": vectorised(log_gamma), "digamma": vectorised(digamma),
    "erfc_scaled": vectorised(erfc_scaled), "bessel_jn": of_order("jn"), "bessel_yn": of_order("yn"),
    **{f"bessel_{name}": vectorised(of_real(name)) for name in ("j0", "j1", "y0", "y1")},
    "erf": vectorised(math.erf), "erfc": vectorised(math.erfc), "half_away": half_away,
    "to_int": whole("trunc"), "to_nearest": lambda x: np.asarray(half_away(x)).astype(np.int32)[()],
    "to_floor": whole("floor"), "to_ceiling": whole("ceil"),
    "cotan": lambda x: 1 / np.tan(x), "sind": lambda x: turned(x)[0], "cosd": lambda x: turned(x)[1], "tand": tand,
    "cotand": cotand, "asind": lambda x: np.rad2deg(np.arcsin(x)), "acosd": lambda x: np.rad2deg(np.arccos(x)),
    "atand": lambda x: np.rad2deg(np.arctan(x)), "atan2d": lambda y, x: np.rad2deg(np.arctan2(y, x)),
    "rpow": rpow, "square": square, "cube": cube, "gt0": gt0, "sign": sign, "fold": fold, "winner": winner,
    "which": which,
})

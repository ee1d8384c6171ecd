"""Operators and intrinsics by name: NumPy's functions for them, and their arguments in order."""

from __future__ import annotations

from collections.abc import Mapping

from snapset.frontend import ir
from snapset.frontend.ir.expression_queries import type_of

COMPARISONS = {"==": "==", "/=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">=", ".eqv.": "==", ".neqv.": "!="}
_SPECIFIC = {"alog": "log", "alog10": "log10", "amax1": "max", "amin1": "min", "amod": "mod", "max0": "max",
             "min0": "min", "max1": "max", "min1": "min", "amax0": "max", "amin0": "min", "iabs": "abs",
             "isign": "sign", "idim": "dim", "ifix": "int", "idint": "int", "idnint": "nint", "float": "real",
             "sngl": "real", "dfloat": "dble", "dreal": "dble", "derf": "erf", "derfc": "erfc", "cabs": "abs",
             "zabs": "abs", "cdabs": "abs", "dimag": "aimag", "imag": "aimag", "dconjg": "conjg", "dcmplx": "cmplx",
             **{letter + name: name for letter in ("c", "z", "cd") for name in ("sqrt", "exp", "log", "sin", "cos")},
             }  # fmt: skip
_DOUBLES = frozenset(("dabs", "dacos", "dasin", "datan", "datan2", "dcos", "dcosh", "dexp", "ddim", "dint", "dlog",
                      "dlog10", "dmax1", "dmin1", "dmod", "dnint", "dsign", "dsin", "dsinh", "dsqrt", "dtan",
                      "dtanh"))  # fmt: skip
ELEMENTAL = {"sqrt": "np.sqrt", "exp": "np.exp", "log": "np.log", "log10": "np.log10", "sin": "np.sin",
             "cos": "np.cos", "tan": "np.tan", "asin": "np.arcsin", "acos": "np.arccos", "atan": "np.arctan",
             "sinh": "np.sinh", "cosh": "np.cosh", "tanh": "np.tanh", "asinh": "np.arcsinh", "acosh": "np.arccosh",
             "atanh": "np.arctanh", "atan2": "np.arctan2", "abs": "np.abs", "sign": "sign", "mod": "np.fmod",
             "modulo": "np.mod", "hypot": "np.hypot", "erf": "erf", "erfc": "erfc", "aint": "np.trunc",
             "anint": "half_away", "int": "to_int", "nint": "to_nearest", "floor": "to_floor",
             "ceiling": "to_ceiling", "isnan": "np.isnan", "ieee_is_nan": "np.isnan",
             "ieee_is_finite": "np.isfinite", "iand": "np.bitwise_and", "ior": "np.bitwise_or",
             "ieor": "np.bitwise_xor", "not": "np.invert", "conjg": "np.conj", "aimag": "np.imag"}  # fmt: skip
POWERS = {2: "square", 3: "cube"}  # as compilers have them: products
REDUCTIONS = frozenset(("sum", "product", "maxval", "minval", "any", "all", "count"))


def plain_name(name: str) -> str:
    """The generic name of an intrinsic: ``dsqrt`` is ``sqrt``."""
    if name in _DOUBLES:
        name = name[1:]
    return _SPECIFIC.get(name, name)


def arguments(expr: ir.Intrinsic, *names: str) -> Mapping[str, ir.Expr]:
    """The arguments of an intrinsic by keyword; positional ones take ``names`` in order."""
    found: dict[str, ir.Expr] = {}
    for place, argument in enumerate(expr.args):
        found[argument.keyword or (names[place] if place < len(names) else str(place))] = argument.value
    return found


# The arguments of intrinsics that leave some out, in order.
NAMED = {"reshape": ("source", "shape", "pad", "order"), "cshift": ("array", "shift", "dim"),
         "eoshift": ("array", "shift", "boundary", "dim"), "pack": ("array", "mask", "vector"),
         "unpack": ("vector", "mask", "field"), "findloc": ("array", "value", "dim", "mask", "back"),
         "maxloc": ("array", "dim", "mask", "back"), "minloc": ("array", "dim", "mask", "back"),
         "norm2": ("x", "dim")}  # fmt: skip


def named(expr: ir.Intrinsic) -> tuple[ir.Expr | None, ...]:
    """The arguments of such an intrinsic in order, None for those left out; a positional DIM may be a MASK."""
    names = NAMED[plain_name(expr.name)]
    found = dict(arguments(expr, *names))
    dim = found.get("dim")
    if "mask" in names and dim is not None and type_of(dim).kind == "logical":
        found["mask"] = found.pop("dim")
    return tuple(found.get(name) for name in names)


def reduction_arguments(expr: ir.Intrinsic) -> tuple[ir.Expr, ir.Expr | None, ir.Expr | None]:
    """Array (or mask), DIM and MASK of a reduction; the second positional argument may be either."""
    found = dict(arguments(expr, "array", "dim", "mask"))
    first = found.get("array", found.get("mask"))
    assert first is not None
    dim, mask = found.get("dim"), found.get("mask") if "array" in found else None
    if dim is not None and type_of(dim).kind == "logical":
        dim, mask = None, dim
    return first, dim, mask

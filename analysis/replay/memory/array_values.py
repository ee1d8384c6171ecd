"""Reductions, constructors and products of arrays, by the names that generated code has for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from snapset.analysis.replay.memory.lazy_numpy import np


def reduced(name: str, x: Any, dim: Any, mask: Any) -> Any:
    """SUM, PRODUCT, MAXVAL, MINVAL, ANY, ALL, COUNT with DIM and MASK."""
    axis = None if dim is None else int(dim) - 1
    if name == "count":
        return np.asarray((x != 0).sum(axis=axis)).astype(np.int32)[()]
    if name in ("any", "all"):
        return (np.any if name == "any" else np.all)(x, axis=axis)
    dtype = x.dtype
    if name == "sum" and mask is None:
        return np.add.reduce(x, axis=axis, dtype=dtype)  # what np.sum does in the end
    huge = np.inf if dtype.kind in "fc" else np.iinfo(dtype).max
    neutral = {"sum": 0, "product": 1, "maxval": -huge, "minval": huge}[name]
    if mask is not None:
        x = np.where(mask, x, dtype.type(neutral))
    if name in ("maxval", "minval"):
        return (np.max if name == "maxval" else np.min)(x, axis=axis, initial=neutral)
    return np.sum(x, axis=axis, dtype=dtype) if name == "sum" else np.prod(x, axis=axis, dtype=dtype)


def size(slot_value: Any, dim: Any) -> Any:
    return np.int32(np.size(slot_value) if dim is None else np.shape(slot_value)[int(dim) - 1])


def constructed(*items: Any) -> Any:
    """An array constructor's value."""
    return np.concatenate([np.reshape(np.asarray(x), -1, order="F") for x in items]) if items else np.zeros(0)


def reshaped(x: Any, shape: Any) -> Any:
    return np.reshape(x, tuple(int(n) for n in shape), order="F")


def spread(x: Any, dim: Any, copies: Any) -> Any:
    return np.repeat(np.expand_dims(np.asarray(x), int(dim) - 1), int(copies), int(dim) - 1)


def dotted(x: Any, y: Any) -> Any:
    return np.sum((np.conj(x) if x.dtype.kind == "c" else x) * y, dtype=np.result_type(x, y))


def complex_of(x: Any, y: Any = 0) -> Any:
    """CMPLX, without arithmetic that an infinite part would spoil."""
    found = np.empty(np.broadcast_shapes(np.shape(x), np.shape(y)), np.complex128)
    found.real, found.imag = x, y
    return found[()]


def outer_left(t: Any, x: Any, y: Any) -> Any:
    """Adjoint of MATMUL's first argument."""
    if np.ndim(x) == 1:
        return np.matmul(y, t)
    return np.outer(t, y) if np.ndim(y) == 1 else np.matmul(t, y.T)


def outer_right(t: Any, x: Any, y: Any) -> Any:
    """Adjoint of MATMUL's second argument."""
    if np.ndim(x) == 1:
        return np.outer(x, t) if np.ndim(y) == 2 else x * t
    return np.matmul(x.T, t)


def total(t: Any) -> Any:
    return t.sum() if isinstance(t, np.ndarray) else t


def like(t: Any, x: Any, dim: Any) -> Any:
    """The adjoint of a reduction's argument: ``t`` spread over the shape of ``x`` (along ``dim``)."""
    if dim is None:
        return np.broadcast_to(np.asarray(t), np.shape(x))
    return np.broadcast_to(np.expand_dims(t, int(dim) - 1), np.shape(x))


def ipow(a: Any, b: Any) -> Any:
    """Integer power of an integer."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return np.where(b >= 0, a ** np.maximum(b, 0), np.where(a == 1, 1, np.where(a == -1, 1 - 2 * (b % 2), 0)))
    if b >= 0:
        return type(a)(int(a) ** int(b))
    return type(a)({1: 1, -1: 1 - 2 * (int(b) % 2)}.get(int(a), 0))


def deep(mask: Any, a: Any) -> Any:
    """A mask of objects as one of their component ``a``, whose dimensions come behind those of the objects."""
    return np.reshape(mask, np.shape(mask) + (1,)*(a.ndim - np.ndim(mask)))


WHOLE_VALUES: Final[Mapping[str, Callable[..., Any]]] = MappingProxyType({
    "reduced": reduced, "size": size, "constructed": constructed, "reshaped": reshaped, "spread": spread,
    "dotted": dotted, "complex_of": complex_of, "outer_left": outer_left, "outer_right": outer_right,
    "total": total, "like": like, "ipow": ipow,
})

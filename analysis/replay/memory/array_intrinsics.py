"""Intrinsics that move the elements of arrays about, and their adjoints: EOSHIFT, PACK, UNPACK, RESHAPE, FINDLOC ...

The adjoint of a movement puts every element's adjoint back where the element came from. Where that is not another
movement it is found by moving numbers: ``ids(x)`` holds the place of every element of ``x``, ``scattered`` adds up.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, Final

from snapset.analysis.replay.memory.lazy_numpy import np

NOWHERE = -1  # the place of an element that came from elsewhere


def ids(x: Any) -> Any:
    """In the shape of ``x`` the place of each element, in array element order."""
    return np.arange(np.size(x)).reshape(np.shape(x), order="F")


def nowhere(x: Any) -> Any:
    """In the shape of ``x``: none of them counts."""
    return None if x is None else np.full(np.shape(x), NOWHERE)


def scattered(t: Any, places: Any, x: Any) -> Any:
    """The adjoint of ``x`` from that of a result, whose elements came from these places of ``x``."""
    places, t = np.asarray(places).reshape(-1), np.broadcast_to(t, np.shape(places)).reshape(-1)
    found = np.zeros(np.size(x), t.dtype)
    np.add.at(found, places[places != NOWHERE], t[places != NOWHERE])
    return found.reshape(np.shape(x), order="F")[()]


# ---------------------------------------------------------------- shifts


def _sources(x: Any, by: Any, dim: Any) -> tuple[Any, int]:
    """For each element the index along the shifted dimension that it comes from, and that dimension."""
    axis = 0 if dim is None else int(dim) - 1
    line = np.arange(x.shape[axis]).reshape([-1 if k == axis else 1 for k in range(x.ndim)])
    by = np.asarray(by, np.int64)
    return np.broadcast_to(line + (np.expand_dims(by, axis) if by.ndim else by), x.shape), axis


def cshift(x: Any, by: Any, dim: Any) -> Any:
    at, axis = _sources(x, by, dim)
    return np.take_along_axis(x, at % max(1, x.shape[axis]), axis)


def eoshift(x: Any, by: Any, boundary: Any, dim: Any) -> Any:
    at, axis = _sources(x, by, dim)
    n = x.shape[axis]
    moved = np.take_along_axis(x, np.clip(at, 0, max(0, n - 1)), axis)
    fill = np.asarray(_nothing(x) if boundary is None else boundary, x.dtype)
    return np.where((at >= 0) & (at < n), moved, np.expand_dims(fill, axis) if fill.ndim else fill)


def _nothing(x: Any) -> Any:
    return b" " * x.dtype.itemsize if x.dtype.kind == "S" else 0


def shifted_in(t: Any, by: Any, dim: Any) -> Any:
    """The adjoint of EOSHIFT's boundary: of what came in."""
    at, axis = _sources(t, by, dim)
    return np.where((at >= 0) & (at < t.shape[axis]), 0, t).sum(axis=axis)


# ---------------------------------------------------------------- masks


def _flat(x: Any, shape: tuple[int, ...]) -> Any:
    return np.broadcast_to(x, shape).reshape(-1, order="F")


def pack(x: Any, mask: Any, vector: Any) -> Any:
    chosen = _flat(x, np.shape(x))[_flat(mask, np.shape(x)) != 0]
    return chosen if vector is None else np.concatenate([chosen, vector[chosen.size:]])


def unpack(vector: Any, mask: Any, field: Any) -> Any:
    found = np.array(_flat(field, mask.shape), np.result_type(vector, field))
    chosen = _flat(mask, mask.shape) != 0
    found[chosen] = vector[:np.count_nonzero(chosen)]
    return found.reshape(mask.shape, order="F")


# ---------------------------------------------------------------- shapes


def reshape(x: Any, shape: Any, pad: Any, order: Any) -> Any:
    extents = tuple(int(n) for n in shape)
    count, flat = int(np.prod(extents)), np.reshape(x, -1, order="F")
    if pad is not None and flat.size < count:
        more = np.reshape(pad, -1, order="F")
        flat = np.concatenate([flat, np.resize(more, count - flat.size)])
    axes = range(len(extents)) if order is None else [int(n) - 1 for n in order]
    return flat[:count].reshape([extents[k] for k in axes], order="F").transpose(np.argsort(list(axes)))


# ---------------------------------------------------------------- places


def located(name: str, x: Any, dim: Any, mask: Any, back: Any) -> Any:
    """MAXLOC and MINLOC, positions from 1; 0 where the mask leaves nothing."""
    worst = (np.iinfo(x.dtype).min if x.dtype.kind == "i" else -np.inf) if name == "maxloc" else (
        np.iinfo(x.dtype).max if x.dtype.kind == "i" else np.inf)
    valid = np.broadcast_to(np.True_ if mask is None else np.asarray(mask) != 0, x.shape)
    chosen = np.where(valid, x, worst)
    wanted = chosen == (np.max if name == "maxloc" else np.min)(
        chosen, axis=None if dim is None else int(dim) - 1, keepdims=True, initial=worst)
    return first_place(wanted & valid, dim, back)


def findloc(x: Any, value: Any, dim: Any, mask: Any, back: Any) -> Any:
    return first_place((x == value) & (True if mask is None else np.asarray(mask) != 0), dim, back)


def first_place(wanted: Any, dim: Any, back: Any) -> Any:
    """Where the first (last) true element stands, 0 where there is none: along a dimension, or of all."""
    last = back is not None and bool(back)
    if dim is not None:
        axis = int(dim) - 1
        n = wanted.shape[axis]
        line = np.flip(wanted, axis) if last else wanted
        at = line.argmax(axis) if n else np.zeros(line.sum(axis).shape, int)
        return np.where(wanted.any(axis), (n - at if last else at + 1), 0).astype(np.int32)[()]
    flat = np.flatnonzero(wanted.reshape(-1, order="F"))
    if not flat.size:
        return np.zeros(wanted.ndim, np.int32)
    return np.array(np.unravel_index(flat[-1 if last else 0], wanted.shape, order="F"), np.int32) + np.int32(1)


# ---------------------------------------------------------------- partial derivatives of reductions


def first_extreme(name: str, x: Any, dim: Any, mask: Any) -> Any:
    """1 at the elements that MAXVAL or MINVAL gives, the first of equal ones."""
    valid = np.broadcast_to(np.True_ if mask is None else np.asarray(mask) != 0, x.shape)
    worst = -np.inf if name == "maxval" else np.inf
    chosen = np.where(valid, x, worst)
    best, result = (np.argmax if name == "maxval" else np.argmin), np.zeros(x.shape, x.dtype)
    if not x.size:
        return result
    if dim is None:
        result[np.unravel_index(best(chosen.reshape(-1, order="F")), x.shape, order="F")] = 1
    else:
        np.put_along_axis(result, np.expand_dims(best(chosen, axis=int(dim) - 1), int(dim) - 1), 1, int(dim) - 1)
    return result


def others(x: Any, dim: Any, mask: Any) -> Any:
    """For PRODUCT: at each element the product of all the others that count."""
    valid = np.broadcast_to(np.True_ if mask is None else np.asarray(mask) != 0, x.shape)
    chosen = np.where(valid, x, x.dtype.type(1))
    if dim is None:
        return np.where(valid, _others(chosen.reshape(-1, order="F"), 0).reshape(x.shape, order="F"), 0)
    return np.where(valid, _others(chosen, int(dim) - 1), 0)


def _others(x: Any, axis: int) -> Any:
    lines = np.moveaxis(x, axis, 0)
    one = np.ones((min(1, lines.shape[0]), *lines.shape[1:]), x.dtype)
    left = np.concatenate([one, np.cumprod(lines, 0)[:-1]])
    right = np.concatenate([np.cumprod(lines[::-1], 0)[::-1][1:], one])
    return np.moveaxis(left * right, 0, axis)


NAMES: Final = MappingProxyType({
    "ids": ids, "nowhere": nowhere, "scattered": scattered, "cshift": cshift, "eoshift": eoshift,
    "shifted_in": shifted_in, "pack": pack, "unpack": unpack, "reshape": reshape, "located": located,
    "findloc": findloc, "first_extreme": first_extreme, "others": others,
})

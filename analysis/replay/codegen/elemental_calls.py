"""Elemental calls with arrays: the procedure runs once for each element, and so does its adjoint, in reverse order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TypeAlias

from snapset.analysis.replay.memory.associations import ProcedureValue
from snapset.analysis.replay.memory.frames import Actual, Bound, fresh
from snapset.analysis.replay.memory.lazy_numpy import np
from snapset.analysis.replay.memory.runtime_support import Array, Index, ReplayError, Slot


class Elements(Bound):
    """The actual arguments of an elemental call, whole, and ``each``: those of every run, in array element order."""

    __slots__ = ("each",)

    def __init__(self, to: ProcedureValue, actuals: Sequence[Actual], each: list[Bound]) -> None:
        super().__init__(to, actuals)
        self.each = each


def runs(actuals: Bound) -> list[Bound]:
    """The runs of a call: one, or one for each element."""
    return actuals.each if isinstance(actuals, Elements) else [actuals]


View: TypeAlias = "tuple[Slot, Index, Array | None]"  # with the places of elements that a vector subscript chooses
Leaves: TypeAlias = "tuple[tuple[str, tuple[int, ...]], ...]"  # by leaf an element type and a component's extents


def elementwise(to: ProcedureValue, actuals: list[Actual], ranks: tuple[int, ...], results: Leaves) -> Elements:
    """``ranks``: of the actual arguments, 0 for what every element takes alike. ``results``: of a function's result,
    the last argument; its memory has the shape of the arrays.

    Raises:
        ReplayError: arrays of several shapes.
    """
    views: list[list[View]] = []
    shape: tuple[int, ...] | None = None
    for place, (actual, rank) in enumerate(zip(actuals, ranks, strict=True)):
        if results and place == len(actuals) - 1 and shape is not None:
            _give_shape(actual, shape, results)
        views.append([_view(slot, index, rank) if rank else (slot, index, None) for slot, index in _memory(actual)])
        arrays = (one for one in views[-1] if rank and _of_elements(one[0], rank))
        if (first := next(arrays, None)) is not None:
            own = (first[0].values if first[2] is None else first[2]).shape[:rank]
            if shape not in (None, own):
                raise ReplayError("an elemental procedure is given arrays of different shapes")
            shape = own
    each = []
    for reversed_index in product(*(range(n) for n in reversed(shape or ()))):
        at = tuple(reversed(reversed_index))
        each.append(Bound(to, [None if actual is None else [
            (slot, _element(at, chosen)) if rank and _of_elements(slot, rank) else (slot, index)
            for slot, index, chosen in view] for actual, view, rank in zip(actuals, views, ranks, strict=True)]))
    return Elements(to, actuals, each)


def _element(at: Index, chosen: Array | None) -> Index:
    if chosen is None:
        return at
    return tuple(int(one) for one in chosen[at])


def _of_elements(slot: Slot, rank: int) -> bool:
    """Has each element one of its own? A CLASS array has one type, and memory for the components of that alone."""
    return (slot.a is not None or slot.is_lost) and slot.values.ndim >= rank


def _give_shape(actual: Actual, shape: tuple[int, ...], leaves: Leaves) -> None:
    """The result's memory, made anew where it has another shape."""
    for (slot, _), (dtype, extents) in zip(_memory(actual), leaves, strict=True):
        if slot.a is None or slot.a.shape != (*shape, *extents):
            made = fresh(dtype, [(1, n) for n in (*shape, *extents)])
            slot.a, slot.b, slot.lo = made.a, made.b, made.lo


def _memory(actual: Actual) -> list[tuple[Slot, Index]]:
    return actual if isinstance(actual, list) else []


def _view(slot: Slot, index: Index, rank: int) -> View:
    """What an array argument selects, as memory of its own; of what a vector subscript chooses the elements' places."""
    if not _of_elements(slot, rank):
        return slot, (), None
    if any(isinstance(one, np.ndarray) for one in index):
        places = np.indices(slot.values.shape[:len(index)])
        return slot, (), np.stack([along[index] for along in places], axis=-1)
    a, b = slot.values[(*index, Ellipsis)], None if slot.b is None else slot.b[(*index, Ellipsis)]
    return slot.like(a, b, (*(1,) * rank, *slot.lo[len(slot.lo) - (a.ndim - rank):])), (), None

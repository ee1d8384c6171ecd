"""The elements that are live in the procedures that are active, callers first: what a caller still reads of an array
behind its call is what is live of a dummy argument at its procedure's end, element by element of the same memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from snapset.analysis.dataflow.bitsets import May, members
from snapset.analysis.memory.locations import Location
from snapset.analysis.procedures.model_builder import Models
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.replay.divide.capsule_liveness import Control, FrameLiveness
from snapset.analysis.replay.divide.elements.control_units import ControlOrder
from snapset.analysis.replay.divide.elements.element_liveness import ElementLiveness, StoppedProcedure
from snapset.analysis.replay.divide.elements.element_masks import Elements, Live
from snapset.analysis.replay.divide.elements.held_memory import (
    Held,
    LiveElements,
    address,
    marked,
    owner_of,
    seen,
    unit_of,
)
from snapset.analysis.replay.divide.elements.node_accesses import ElementAccesses
from snapset.analysis.replay.divide.memory_image import memory_of
from snapset.analysis.replay.divide.walker import Activation
from snapset.analysis.replay.memory.partial_columns import PartialColumns
from snapset.analysis.replay.memory.runtime_support import Array, Slot

SMALL = 32  # bytes: of what is no larger, a section would take more


class StackElements:
    """Answers for one program; what its procedures access is looked at once."""

    def __init__(self, models: Models) -> None:
        self.models = models
        self.orders: dict[str, ControlOrder] = {}

    def live(self, stack: Sequence[Activation], frames: Sequence[FrameLiveness], end: Control | None,
             common: int) -> LiveElements:
        """``frames``: what is live as whole arrays; ``end``: where the interval ends, ``common``: the deepest place
        where it and the run have the same run of a procedure."""
        found: dict[tuple[int, Location], Array] = {}
        needed: list[Held] = []  # what callers read behind their calls
        for depth, frame in enumerate(frames):
            if frame.solved is None:
                continue
            model = self.models.by_key[frame.key]
            ends = dict(end[common].left) if end is not None and depth == common else None
            live = self._in(stack, depth, model, frame, ends, needed)
            for index, which in live.items():
                if which is not True and frame.bits >> index & 1:
                    found[depth, model.space.locations[index]] = _mask(stack, depth, model, index, which)
            if depth < len(frames) - 1:
                needed = [*_kept(stack, depth, model, frame.bits, live, needed),
                          *_memory(stack, depth, model, May(frame.behind & ~frame.bits), live)]
        return found

    def _in(self, stack: Sequence[Activation], depth: int, model: ProcedureModel, frame: FrameLiveness,
            ends: dict[int, int] | None, needed: Sequence[Held]) -> Live:
        """Of one procedure; of arrays that are not told of all may be live."""
        if frame.more:
            return {}
        order = self._order(model)
        arrays: dict[int, Array] = {}
        bounds: dict[int, tuple[tuple[int, ...], tuple[int, ...]]] = {}
        for index in members(frame.behind & order.accesses.arrays):
            location = model.space.locations[index]
            if location.area in stack[depth].frame.memory.shared:
                continue  # bytes, which several variables overlay
            slot = _alone(memory_of(stack, depth, location))
            if slot is not None and slot.a is not None and slot.a.nbytes > SMALL and len(slot.lo) == slot.a.ndim:
                arrays[index], bounds[index] = slot.a, (tuple(slot.lo), slot.a.shape)
        if not arrays:
            return {}
        one = stack[depth]
        at_exit: Live = {index: True if depth == 0 else needed_of(array, needed) for index, array in arrays.items()}
        known: dict[int, int | None] = {}

        def number(index: int) -> int | None:
            if index not in known:
                known[index] = _number(stack, depth, model, index)
            return known[index]

        at = StoppedProcedure(one.node, depth < len(stack) - 1, one.frame.loops, ends, frame.before, bounds, at_exit,
                              number)
        return ElementLiveness(order, at).live()

    def _order(self, model: ProcedureModel) -> ControlOrder:
        key = model.procedure.key
        if key not in self.orders:
            self.orders[key] = ControlOrder(ElementAccesses(model))
        return self.orders[key]


def _alone(slots: Sequence[Slot]) -> Slot | None:
    """The memory of an array, if that is one piece, and no columns of which the last is not whole."""
    if len(slots) != 1 or slots[0].a is None or isinstance(slots[0].a, PartialColumns) or slots[0].a.dtype.kind == "O":
        return None
    return slots[0]


def _number(stack: Sequence[Activation], depth: int, model: ProcedureModel, index: int) -> int | None:
    slots = memory_of(stack, depth, model.space.locations[index])
    if len(slots) != 1 or slots[0].a is None or slots[0].a.ndim or slots[0].a.dtype.kind != "i":
        return None
    return int(slots[0].a[()])


def _mask(stack: Sequence[Activation], depth: int, model: ProcedureModel, index: int, which: Elements) -> Array:
    if which is False:
        (slot,) = memory_of(stack, depth, model.space.locations[index])
        assert slot.a is not None
        return np.zeros(slot.a.shape, bool, "F")
    assert not isinstance(which, bool)
    return which


def _memory(stack: Sequence[Activation], depth: int, model: ProcedureModel, bits: May, live: Live) -> Iterator[Held]:
    """The memory of some locations, of those that are told of what is live."""
    for index in members(bits & model.space.all()):
        which = live.get(index, True)
        if which is False:
            continue
        for slot in memory_of(stack, depth, model.space.locations[index]):
            if slot.a is not None and slot.a.dtype.kind != "O":
                yield slot.a, None if which is True else which


def _kept(stack: Sequence[Activation], depth: int, model: ProcedureModel, bits: May, live: Live,
          needed: Sequence[Held]) -> Iterator[Held]:
    yield from needed
    yield from _memory(stack, depth, model, bits, live)


def needed_of(array: Array, needed: Sequence[Held]) -> Elements:
    """Which elements of an array lie in memory that is needed."""
    owner = owner_of(array)
    there = [one for one in needed if owner_of(one[0]) is owner]
    if not there:
        return False
    if any(mask is None and one.nbytes == owner.nbytes for one, mask in there):
        return True
    if any(isinstance(one, PartialColumns) for one, _ in there):
        return True
    same = [mask for one, mask in there if one is array or (one.shape, one.strides, address(one)) == (
        array.shape, array.strides, address(array))]
    if any(mask is None for mask in same):
        return True
    unit = unit_of(owner, [*there, (array, None)])
    if unit != array.itemsize:
        return True
    found = seen(marked(owner, there, unit, True), owner, array, unit)
    return True if found.all() else found if found.any() else False

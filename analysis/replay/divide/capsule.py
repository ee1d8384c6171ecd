"""Capsules: the control stack at an execution point, and of the data what is live.

What is not in a capsule is undefined in the run that is resumed from it, so that a location missing from it shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from snapset.analysis.memory.locations import Location
from snapset.analysis.replay.codegen.elemental_calls import runs
from snapset.analysis.replay.divide.capsule_liveness import Control, ControlPoint
from snapset.analysis.replay.divide.memory_image import (
    BlockPlaces,
    MemoryImage,
    View,
    control_of_stack,
    image_of,
    owner_of,
)
from snapset.analysis.replay.divide.walker import Activation, Walker
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.memory.dynamic_types import TypeTag
from snapset.analysis.replay.memory.frames import GLOBAL, Frame
from snapset.analysis.replay.memory.runtime_support import Array, Slot
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.cfg.graph import FlowGraph
from snapset.frontend.ir.argument_binding import bind


@frozen
class Piece:
    """The values of a block; ``which``: of some of its bytes (None: of all)."""

    block: int
    which: Array | None
    values: Array

    def put(self, blocks: Sequence[Array]) -> None:
        if self.which is None:
            blocks[self.block][...] = self.values
        else:
            blocks[self.block].view(np.uint8)[self.which] = self.values


@frozen
class Capsule:
    """The state at step ``at``. ``control``: as liveness looks at it."""

    at: int
    control: Control
    image: MemoryImage
    pieces: tuple[Piece, ...]

    @property
    def data_bytes(self) -> int:
        return sum(piece.values.nbytes for piece in self.pieces)

    @property
    def bytes(self) -> int:
        """Data and control."""
        return self.data_bytes + self.image.control_bytes

    def resumed(self) -> list[Activation]:
        """The control stack in fresh memory, in which nothing but the capsule's data is defined."""
        stack, blocks = self.image.rebuilt()
        for piece in self.pieces:
            piece.put(blocks)
        return stack


def control_of(stack: Sequence[Activation]) -> Control:
    """A control stack as liveness looks at it."""
    return tuple(ControlPoint(one.key, one.node, one.entered, _more(one)) for one in stack)


def _more(one: Activation) -> bool:
    return one.actuals is not None and one.element + 1 < len(runs(one.actuals))


def take(walker: Walker, live: Sequence[Iterable[Location]] | None) -> Capsule:
    """A capsule of a run where it is. ``live``: the locations of each active procedure; None: everything there is."""
    for one in walker.stack:
        forget_masks(one)
    image, places = image_of(walker.stack)
    if live is None:
        views = [View(n, 0, (block.size,), (block.dtype.itemsize,), block.dtype)
                 for n, block in enumerate(image.blocks) if not block.adjoint and block.held is None]
    else:
        views = [places.view(array) for array in _arrays(walker, live)]
    return Capsule(walker.at, control_of(walker.stack), image, tuple(_pieces(views, places)))


def live_bytes(walker: Walker, live: Sequence[Iterable[Location]]) -> int:
    """The data of the capsule that :func:`take` would take."""
    parts = dict[int, list[Array]]()
    owners = dict[int, Array]()
    for array in _arrays(walker, live):
        owner = owner_of(array)
        owners[id(owner)] = owner
        parts.setdefault(id(owner), []).append(array)
    total = 0
    for number, arrays in parts.items():
        owner = owners[number]
        if any(array.size*array.itemsize == owner.nbytes for array in arrays):
            total += owner.nbytes
        elif len(arrays) == 1:
            total += arrays[0].size*arrays[0].itemsize
        else:
            total += sum(piece.values.nbytes for piece in _parts_of(arrays))
    return total


def control_bytes(walker: Walker) -> int:
    """What control takes: each active procedure and each DO that runs in it 16 bytes (of one that has ended nothing is
    needed), a pointer 8, WHERE masks."""
    for one in walker.stack:
        forget_masks(one)
    if not walker.machine.direct:  # pointers there may be
        return image_of(walker.stack)[0].control_bytes
    return control_of_stack(walker.stack)


def _parts_of(arrays: Iterable[Array]) -> Iterable[Piece]:
    places = BlockPlaces()
    return _pieces([places.view(array) for array in arrays], places)


def _arrays(walker: Walker, live: Sequence[Iterable[Location]]) -> Iterable[Array]:
    """The memory of live locations."""
    for depth, locations in enumerate(live):
        for location in locations:
            for slot in memory_of(walker.stack, depth, location):
                if slot.a is not None and slot.a.dtype.kind != "O" and not isinstance(slot, TypeTag):
                    yield slot.a
    for one in walker.stack:
        if _more(one):
            yield from _evaluated(walker.machine, one)


def memory_of(stack: Sequence[Activation], depth: int, location: Location) -> tuple[Slot, ...]:
    """The memory of a location as an active procedure names it. A variable of another procedure, which this one may
    come to by calls of internal procedures alone, is that of the runs there are of it."""
    frame, owner = stack[depth].frame, location.area.owner
    if location.area.kind in GLOBAL or any(one.code.procedure.key == owner for one in frame.within_reach()):
        return frame.pieces(location)
    return tuple(slot for one in stack if one.key == owner for slot in one.frame.pieces(location))


def _evaluated(machine: Machine, one: Activation) -> Iterable[Array]:
    """What an elemental call passes to the elements that are still to come and is no variable: it was evaluated once,
    for all of them."""
    assert one.actuals is not None
    call, procedure = one.frame.code.flow.nodes[one.node].stmt, machine.program.procedures[one.actuals.to.key]
    assert isinstance(call, ir.Call)
    for value, actual in zip(bind(call, procedure), one.actuals, strict=False):  # a function's result comes last
        if value is not None and not isinstance(value, ir.Ref) and isinstance(actual, list):
            yield from (slot.a for slot, _ in actual if slot.a is not None and slot.a.dtype.kind != "O")


def _pieces(views: Iterable[View], places: BlockPlaces) -> Iterable[Piece]:
    whole: set[int] = set()
    partly: dict[int, list[View]] = {}
    for view in views:
        block = places.blocks[view.block]
        if block.bytes == int(np.prod(view.shape)) * view.dtype.itemsize:
            whole.add(view.block)
        else:
            partly.setdefault(view.block, []).append(view)
    for number in sorted(whole):
        yield Piece(number, None, places.owners[number].reshape(-1, order="A").copy())
    for number in sorted(partly.keys() - whole):
        owner = places.owners[number].reshape(-1, order="A").view(np.uint8)
        which = np.zeros(owner.size, bool)
        for view in partly[number]:
            np.ndarray((*view.shape, view.dtype.itemsize), bool, which, view.offset, (*view.strides, 1))[...] = True
        yield Piece(number, which, owner[which])


# ---------------------------------------------------------------- WHERE masks


def forget_masks(one: Activation) -> None:
    """Drop the masks of WHEREs that are over."""
    masks = one.frame.masks
    if masks:
        wanted = _masks_wanted(one.frame, one.node)
        for where in [where for where in masks if where not in wanted]:
            del masks[where]


def _masks_wanted(frame: Frame, node: int) -> set[int]:
    """The WHEREs of which some way from ``node`` on uses the mask before it is evaluated again."""
    flow: FlowGraph = frame.code.flow
    found: set[int] = set()
    for where in frame.masks:
        users = {n for n, wheres in frame.code.wheres.items() if where in wheres}
        seen, work = {node}, [node]
        while work:
            now = work.pop()
            if now in users:
                found.add(where)
                break
            if now == where:
                continue
            work += [n for n in flow.succs[now] if n not in seen]
            seen.update(flow.succs[now])
    return found

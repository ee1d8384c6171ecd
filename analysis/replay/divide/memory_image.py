"""The shape of a running program's memory without its values: frames, slots, associations, and blocks of memory.

A block is memory that was made at once: an array, a scalar, a COMMON block. Everything else is a view of a block. Two
runs at the same execution point have the same shape, block by block in the same order, wherever their memory lies; so
values and adjoints go from one to the other by the blocks' numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from snapset.analysis.memory.locations import Location
from snapset.analysis.replay.codegen.elemental_calls import Elements
from snapset.analysis.replay.divide.elements.held_memory import address, owner_of
from snapset.analysis.replay.divide.walker import Activation
from snapset.analysis.replay.memory.associations import Association, ProcedureValue
from snapset.analysis.replay.memory.dynamic_types import TypeTag
from snapset.analysis.replay.memory.frames import GLOBAL, Actual, Bound, Buffer, Frame, Memory, undefined
from snapset.analysis.replay.memory.partial_columns import PartialColumns
from snapset.analysis.replay.memory.random_and_clock import RandomAndClock
from snapset.analysis.replay.memory.runtime_support import Array, Slot
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen


@frozen
class View:
    """Part of a block: where it begins, in bytes, and how it lies; ``extents``: of columns of which the last is not
    whole."""

    block: int
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: np.dtype[Any]
    extents: tuple[int, ...] | None = None


@dataclass(slots=True)
class Block:
    """Memory that was made at once: so many elements of a type. ``adjoint``: it holds adjoints. ``held``: what pointers
    in it hold."""

    size: int
    dtype: np.dtype[Any]
    adjoint: bool
    held: list[Any] | None = None

    @property
    def bytes(self) -> int:
        return self.size * self.dtype.itemsize


@frozen
class MemoryImage:
    """The control stack with views in the place of arrays."""

    stack: tuple[Activation, ...]
    memory: Memory
    blocks: tuple[Block, ...]

    def rebuilt(self) -> tuple[list[Activation], list[Array]]:
        """Fresh memory of this shape: values undefined, adjoints zero. The stack, and the blocks by their numbers."""
        blocks = [_fresh(block) for block in self.blocks]
        copier = _Copier(lambda view, _: _seen(view, blocks))
        stack = copier.stack(self.stack, self.memory)
        for block, made in zip(self.blocks, blocks, strict=True):
            if block.held is not None:
                copier.contents.append((block.held, made.__setitem__))
        copier.finish()
        return stack, blocks

    @property
    def state_bytes(self) -> int:
        """All values: of the variables of active procedures, of globals, of what pointers lead to."""
        return sum(block.bytes for block in self.blocks if not block.adjoint and block.held is None)

    @property
    def control_bytes(self) -> int:
        """What control takes: each active procedure and each DO that runs in it 16 bytes (of one that has ended nothing
        is needed), a pointer 8, WHERE masks."""
        return control_of_stack(self.stack) + 8 * sum(len(block.held or ()) for block in self.blocks)


def control_of_stack(stack: Sequence[Activation]) -> int:
    """The bytes of control but for pointers."""
    loops = sum(loop in one.frame.loops for one in stack for loop in one.running_loops)
    return 16 * (len(stack) + loops) + sum(mask.nbytes for one in stack for mask in one.frame.masks.values())


@dataclass(slots=True)
class BlockPlaces:
    """The blocks of a running program, numbered as they are met."""

    owners: list[Array] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    known: dict[int, int] = field(default_factory=dict)

    def view(self, array: Array, adjoint: bool = False) -> View:
        owner = owner_of(array)
        number = self.known.get(id(owner))
        if number is None:
            number = self.known[id(owner)] = len(self.owners)
            self.owners.append(owner)
            self.blocks.append(Block(owner.size, owner.dtype, adjoint))
        offset = 0 if array is owner else address(array) - address(owner)
        extents = array.extents if isinstance(array, PartialColumns) else None
        shape = array.shape if extents is None else (array.size,)
        return View(number, offset, shape, array.strides, array.dtype, extents)


def image_of(stack: list[Activation]) -> tuple[MemoryImage, BlockPlaces]:
    """The shape of a running program, and where its blocks are."""
    places = BlockPlaces()
    copier = _Copier(places.view)
    copied = copier.stack(stack, stack[0].frame.memory)
    done = 0
    while done < len(places.owners):  # what pointers hold may lead to more blocks
        owner, block = places.owners[done], places.blocks[done]
        done += 1
        if block.dtype.kind == "O":
            block.held = [None] * owner.size
            copier.contents.append((list(owner.reshape(-1, order="A")), block.held.__setitem__))
            copier.finish()
    return MemoryImage(tuple(copied), copied[0].frame.memory, tuple(places.blocks)), places


def memory_of(stack: Sequence[Activation], depth: int, location: Location) -> tuple[Slot, ...]:
    """The memory of a location as an active procedure names it. A variable of another procedure, which this one may
    come to by calls of internal procedures alone, is that of the runs there are of it."""
    frame, owner = stack[depth].frame, location.area.owner
    if location.area.kind in GLOBAL or any(one.code.procedure.key == owner for one in frame.within_reach()):
        return frame.pieces(location)
    return tuple(slot for one in stack if one.key == owner for slot in one.frame.pieces(location))


def adjoint_blocks(places: BlockPlaces) -> list[Array]:
    """The blocks that hold adjoints, in the order they were met."""
    return [owner for owner, block in zip(places.owners, places.blocks, strict=True) if block.adjoint]


def _fresh(block: Block) -> Array:
    if block.held is not None:
        return np.full(block.size, None, "O")
    if block.adjoint:
        return np.zeros(block.size, block.dtype)
    found: Array = np.empty(block.size, block.dtype)
    undefined(found)
    return found


def _seen(view: Any, blocks: list[Array]) -> Array:
    """A view of fresh blocks."""
    block = blocks[view.block]
    if view.dtype.kind == "O":
        return np.lib.stride_tricks.as_strided(block[view.offset // 8:], view.shape, view.strides)
    found: Array = np.ndarray(view.shape, view.dtype, block, view.offset, view.strides)
    return found if view.extents is None else PartialColumns.of(found, view.extents)


def _by_area(one: tuple[ir.Area, Buffer]) -> str:
    return repr(one[0])


class _Copier:
    """Copies a control stack and all memory that can be reached from it. ``place``: what stands for an array.

    The order in which memory is met must not depend on who asked for it first: an element's allocatable component, and
    a COMMON block, are made when they are asked for.
    """

    def __init__(self, place: Callable[[Any, bool], Any]) -> None:
        self.place = place
        self.known: dict[int, Any] = {}
        self.contents: list[tuple[list[Any], Callable[[int, Any], None]]] = []
        self.leaves: list[tuple[Association, dict[Any, Slot]]] = []
        self.constants: dict[int, frozenset[int]] = {}

    def stack(self, stack: Iterable[Activation], memory: Memory) -> list[Activation]:
        self.memory_of(memory)
        found = [Activation(self.frame(one.frame), one.node, one.entered, self.bound(one.actuals), one.element)
                 for one in stack]
        self.finish()
        return found

    def finish(self) -> None:
        """What pointers hold; a list of a thousand links is no deeper than one of two."""
        while self.contents or self.leaves:
            if self.contents:
                held, put = self.contents.pop()
                for at, one in enumerate(held):
                    put(at, self.value(one))
            else:
                association, leaves = self.leaves.pop()
                met = {path: self.slot(slot) for path, slot in sorted(association.leaves.items())}
                leaves.update({path: met[path] for path in association.leaves})

    def value(self, held: Any) -> Any:
        """What one pointer holds."""
        if isinstance(held, ProcedureValue):
            return held if held.host is None else ProcedureValue(held.key, self.frame(held.host))
        if not isinstance(held, Association):
            return held
        if id(held) not in self.known:
            leaves: dict[Any, Slot] = {}
            self.known[id(held)] = Association(leaves)
            self.leaves.append((held, leaves))
        return self.known[id(held)]

    def memory_of(self, memory: Memory) -> Memory:
        if id(memory) not in self.known:
            world = RandomAndClock()
            world.state, world.ticks = list(memory.world.state), memory.world.ticks
            self.known[id(memory)] = Memory(
                memory.shared, memory.hosts, {key: self.slot(slot) for key, slot in memory.slots.items()},
                {area: self.buffer(one) for area, one in sorted(memory.buffers.items(), key=_by_area)}, world,
                passed=memory.passed)
        found: Memory = self.known[id(memory)]
        return found

    def buffer(self, buffer: Buffer) -> Buffer:
        if id(buffer) not in self.known:
            found = Buffer.__new__(Buffer)
            found.a, found.b = self.place(buffer.a, False), self.place(buffer.b, True)
            self.known[id(buffer)] = found
        copy: Buffer = self.known[id(buffer)]
        return copy

    def slot(self, slot: Slot) -> Slot:
        found: Slot | None = self.known.get(id(slot))
        if found is None:
            found = self.known[id(slot)] = _empty(slot)
            if isinstance(slot, TypeTag):
                found.a = slot.a  # never changes in place
            elif slot.a is not None:
                found.a = self.place(slot.a, False)
                found.b = None if slot.b is None else self.place(slot.b, True)
        return found

    def frame(self, frame: Frame) -> Frame:
        found: Frame | None = self.known.get(id(frame))
        if found is None:
            found = self.known[id(frame)] = Frame(frame.code, self.memory_of(frame.memory), None)
            found.host = None if frame.host is None else self.frame(frame.host)
            found.caller = None if frame.caller is None else self.frame(frame.caller)
            constant = self._constants(frame)
            found.s = [slot if n in constant else self.slot(slot) for n, slot in enumerate(frame.s)]
            found.buffers = {area: self.buffer(one) for area, one in sorted(frame.buffers.items(), key=_by_area)}
            found.loops = {loop: list(state) for loop, state in frame.loops.items()}
            found.masks = dict(frame.masks)
            found.alternate = frame.alternate
            found.procedures = {name: self.value(one) for name, one in frame.procedures.items()}
        return found

    def _constants(self, frame: Frame) -> frozenset[int]:
        """The slots of PARAMETERs, which are the same in every run."""
        found = self.constants.get(id(frame.code))
        if found is None:
            found = self.constants[id(frame.code)] = frozenset(
                place.number for place in frame.code.layout.slots if place.variable.value is not None)
        return found

    def bound(self, actuals: Bound | None) -> Bound | None:
        if actuals is None:
            return None
        found: Bound | None = self.known.get(id(actuals))
        if found is None:
            to, copied = self.value(actuals.to), [self.actual(one) for one in actuals]
            found = Bound(to, copied)
            if isinstance(actuals, Elements):
                each = (self.bound(one) for one in actuals.each)
                found = Elements(to, copied, [one for one in each if one is not None])
            self.known[id(actuals)] = found
        return found

    def actual(self, actual: Actual) -> Actual:
        if isinstance(actual, list):
            return [(self.slot(slot), index) for slot, index in actual]
        return None if actual is None else self.value(actual)


def _empty(slot: Slot) -> Slot:
    """A slot of the same kind and bounds that has no memory yet."""
    return type(slot)(None, None, slot.lo, slot.absent)

"""Capsules: the control stack at an execution point, and of the data what is live.

What is not in a capsule is undefined in the run that is resumed from it, so that a location missing from it shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from snapset.analysis.memory.locations import Location
from snapset.analysis.replay.codegen.elemental_calls import runs
from snapset.analysis.replay.divide.capsule_liveness import Control, ControlPoint
from snapset.analysis.replay.divide.elements.held_memory import ALL, Held, HeldBlock, LiveElements, held_blocks
from snapset.analysis.replay.divide.memory_image import MemoryImage, control_of_stack, image_of, memory_of
from snapset.analysis.replay.divide.walker import Activation, Walker
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.memory.dynamic_types import TypeTag
from snapset.analysis.replay.memory.frames import Frame
from snapset.analysis.replay.memory.runtime_support import Array
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.cfg.graph import FlowGraph
from snapset.frontend.ir.argument_binding import bind


@frozen
class Piece:
    """The values of a block; ``which``: of some of its bytes, or of elements of ``unit`` bytes (None: of all).
    ``told``: the bytes that tell which, where that does not follow from the place in the program."""

    block: int
    which: Array | None
    values: Array
    unit: int = 1
    told: int = 0

    @property
    def bytes(self) -> int:
        return self.values.nbytes + self.told

    def there(self, block: Array) -> Array:
        """What a block holds where the piece lies."""
        found = block.reshape(-1, order="A")
        return found if self.which is None else in_units(found, self.unit)[self.which]

    def put(self, blocks: Sequence[Array]) -> None:
        if self.which is None:
            blocks[self.block][...] = self.values
        else:
            in_units(blocks[self.block], self.unit)[self.which] = self.values


def in_units(block: Array, unit: int) -> Array:
    """A block as so many bytes each: its own elements, where these are as long."""
    return block if block.dtype.itemsize == unit else block.view(np.uint8 if unit == 1 else f"V{unit}")


@frozen
class Capsule:
    """The state at step ``at``. ``control``: as liveness looks at it."""

    at: int
    control: Control
    image: MemoryImage
    pieces: tuple[Piece, ...]

    @property
    def data_bytes(self) -> int:
        return sum(piece.bytes for piece in self.pieces)

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
    return tuple(ControlPoint(one.key, one.node, one.entered, _more(one), _left(one)) for one in stack)


def _left(one: Activation) -> tuple[tuple[int, int], ...]:
    """The iterations that are left of the DO loops that run."""
    state = one.frame.loops
    return tuple((loop, state[loop][0]) for loop in one.running_loops if loop in state)


def _more(one: Activation) -> bool:
    return one.actuals is not None and one.element + 1 < len(runs(one.actuals))


def take(walker: Walker, live: Sequence[Iterable[Location]] | None, elements: LiveElements = ALL) -> Capsule:
    """A capsule of a run where it is. ``live``: the locations of each active procedure; None: everything there is;
    ``elements``: of which of them some elements alone."""
    for one in walker.stack:
        forget_masks(one)
    image, places = image_of(walker.stack)
    if live is None:
        pieces = [Piece(n, None, places.owners[n].reshape(-1, order="A").copy())
                  for n, block in enumerate(image.blocks) if not block.adjoint and block.held is None]
    else:
        blocks = {places.view(one.owner).block: one for one in held_blocks(_arrays(walker, live, elements))}
        pieces = [_piece(number, blocks[number]) for number in sorted(blocks)]
        pieces = [piece for piece in pieces if piece.which is None or piece.values.size]
    return Capsule(walker.at, control_of(walker.stack), image, tuple(pieces))


def _piece(number: int, held: HeldBlock) -> Piece:
    values = held.owner.reshape(-1, order="A")
    if held.which is None:
        return Piece(number, None, values.copy())
    return Piece(number, held.which, in_units(values, held.unit)[held.which], held.unit, held.told)


def live_bytes(walker: Walker, live: Sequence[Iterable[Location]], elements: LiveElements = ALL) -> int:
    """The data of the capsule that :func:`take` would take."""
    return sum(one.bytes for one in held_blocks(_arrays(walker, live, elements)))


def control_bytes(walker: Walker) -> int:
    """What control takes: each active procedure and each DO that runs in it 16 bytes (of one that has ended nothing is
    needed), a pointer 8, WHERE masks."""
    for one in walker.stack:
        forget_masks(one)
    if not walker.machine.direct:  # pointers there may be
        return image_of(walker.stack)[0].control_bytes
    return control_of_stack(walker.stack)


def _arrays(walker: Walker, live: Sequence[Iterable[Location]], elements: LiveElements) -> Iterable[Held]:
    """The memory of live locations."""
    for depth, locations in enumerate(live):
        for location in locations:
            for slot in memory_of(walker.stack, depth, location):
                if slot.a is not None and slot.a.dtype.kind != "O" and not isinstance(slot, TypeTag):
                    yield slot.a, elements.get((depth, location))
    for one in walker.stack:
        if _more(one):
            yield from ((array, None) for array in _evaluated(walker.machine, one))


def _evaluated(machine: Machine, one: Activation) -> Iterable[Array]:
    """What an elemental call passes to the elements that are still to come and is no variable: it was evaluated once,
    for all of them."""
    assert one.actuals is not None
    call, procedure = one.frame.code.flow.nodes[one.node].stmt, machine.program.procedures[one.actuals.to.key]
    assert isinstance(call, ir.Call)
    for value, actual in zip(bind(call, procedure), one.actuals, strict=False):  # a function's result comes last
        if value is not None and not isinstance(value, ir.Ref) and isinstance(actual, list):
            yield from (slot.a for slot, _ in actual if slot.a is not None and slot.a.dtype.kind != "O")


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

"""Errors of a running program that name the variable: "dimension 1 of `a` goes from 1 to 5".

The functions that generated code calls know memory, not names. Whoever stops a run knows its frame, and finds there
whose memory it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from snapset.analysis.replay.memory.associations import Association, PointerCell
from snapset.analysis.replay.memory.dynamic_types import TAG
from snapset.analysis.replay.memory.frames import Frame
from snapset.analysis.replay.memory.runtime_support import Array, ReplayError, Slot

_MOST = 10_000  # pieces of memory looked through


def named(error: ReplayError, frame: Frame) -> None:
    """Put the name of the memory that an error is about into its message, if the frame has one for it."""
    slot = error.slot
    if slot is None:
        return
    name = next((name for name, one in _all(frame) if one is slot or _is_view(one, slot)), None)
    if name is not None:
        error.args = (error.named.format(name),)
        error.slot = None


def _is_view(one: Slot, slot: Slot) -> bool:
    """Is it the same memory, seen once more?"""
    return one.a is not None and slot.a is not None and one.a is slot.a


def _all(frame: Frame) -> Iterator[tuple[str, Slot]]:
    """The memory of a frame by its names: first the variables', then what is behind pointers, what is nearer first."""
    work: list[tuple[str, PointerCell]] = []
    for place, slot in zip(frame.code.layout.slots, frame.s, strict=False):
        name = "%".join((place.variable.name.partition("@")[0], *(part for part in place.leaf.path if part != TAG)))
        yield name, slot
        if isinstance(slot, PointerCell):
            work.append((name, slot))
    seen: set[Slot] = set()
    for count, (name, cell) in enumerate(work):
        if count > _MOST:
            return
        if cell in seen:
            continue
        seen.add(cell)
        for subscripts, leaves in _behind(cell.a):
            for path, slot in leaves.items():
                full = "%".join((name + subscripts, *(part for part in path if part != TAG)))
                yield full, slot
                if isinstance(slot, PointerCell):
                    work.append((full, slot))


def _behind(cells: Array | None) -> Iterator[tuple[str, Mapping[tuple[str, ...], Slot]]]:
    """What pointers lead to; of an array's elements with ``(...)``."""
    for one in () if cells is None else cells.reshape(-1, order="F"):
        if isinstance(one, Association):
            yield "(...)" if cells is not None and cells.ndim else "", one.leaves

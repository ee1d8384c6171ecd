"""The memory of a head's arguments, what those that are pointers lead to with it."""

from __future__ import annotations

from collections.abc import Iterator

from snapset.analysis.replay.codegen.partial_derivatives import SMOOTH
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.memory.associations import Association, PointerCell
from snapset.analysis.replay.memory.frames import Frame
from snapset.analysis.replay.memory.runtime_support import Slot
from snapset.analysis.replay.memory.variable_slots import POINTER, SlotPlace


def is_pointer(place: SlotPlace) -> bool:
    """Is it what a data pointer that is an argument itself is associated with?"""
    return place.leaf.dtype == POINTER and not place.leaf.path


def behind(place: SlotPlace, machine: Machine) -> tuple[SlotPlace, ...]:
    """What such a pointer may lead to, as a variable of its own."""
    layout = machine.codes[machine.root].layout
    assert place.leaf.pointee is not None
    return tuple(SlotPlace(place.number, place.leaf.pointee, leaf)
                 for leaf in layout.pointed(place.leaf, place.variable.span))


def parts(place: SlotPlace, machine: Machine, frame: Frame, entered: bool = False) -> Iterator[tuple[SlotPlace, Slot]]:
    """A slot of the head's; of a pointer those of what it leads to, on entry (``entered``) or now."""
    if not is_pointer(place):
        yield place, frame.s[place.number]
        return
    target = frame.memory.targets.get(place.variable.name) if entered else target_of(frame.s[place.number])
    if target is not None:
        yield from ((one, target.leaves[one.leaf.path]) for one in behind(place, machine))


def target_of(slot: Slot) -> Association | None:
    """What a pointer leads to; None where it leads to nothing."""
    return next(slot.associations(), None) if isinstance(slot, PointerCell) else None


def smooth(name: str, machine: Machine, frame: Frame, entered: bool = False) -> Iterator[tuple[str, Slot]]:
    """The real and complex leaves of a variable or component of the root, by their full names. ``entered``: what
    pointers led to on entry counts, not what they lead to now."""
    base, *path = name.split("%")
    code = machine.codes[machine.root]
    procedure = code.procedure
    if base not in procedure.variables and base == procedure.name and procedure.result:
        base = procedure.result
    for place in code.layout.slots:
        if place.variable.name == base:
            for one, slot in parts(place, machine, frame, entered):
                if one.leaf.type.kind in SMOOTH and one.leaf.path[:len(path)] == tuple(path):
                    yield "%".join((base, *one.leaf.path)), slot

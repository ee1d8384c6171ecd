"""Whole allocatables, and whole elements with allocatable components: copied, stored and given adjoints together.

``q(1:n) = p``, ``q = [q, p]``: each element of q has memory of its own for each allocatable component, of any shape. An
:class:`OwnerCell` holds it. An assignment gives the elements it selects new memory, copied from the value's before
anything is stored; what they had before is another object, to which the backward sweep goes back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import MappingProxyType
from typing import Any, Final

from snapset.analysis.replay.memory.associations import Association, OwnerCell, Path, PointerCell
from snapset.analysis.replay.memory.dynamic_types import TypeTag
from snapset.analysis.replay.memory.frames import allocate
from snapset.analysis.replay.memory.lazy_numpy import np
from snapset.analysis.replay.memory.runtime_support import LOST, Array, Index, ReplayError, Slot, character_length

Tree = Any  # the adjoints of one element: by path an array, or those of the elements of an array


def store_whole(slot: Slot, dtype: str, value: Any, lo: tuple[int, ...] | None = None) -> None:
    """Assignment to a whole allocatable: it takes the value's shape, with its lower bounds ``lo`` (None: 1)."""
    shape = np.shape(value)
    if dtype == "S":
        dtype = f"S{character_length(value)}"
        if slot.a is not None and slot.a.dtype.itemsize != character_length(value):  # CHARACTER(:)
            shape = shape or slot.a.shape
            slot.free()
    if slot.a is None or (shape and slot.a.shape != shape):
        if slot.a is not None:
            slot.b = None
        slot.free()
        allocate(slot, dtype, [(low, low + n - 1) for low, n in zip(lo or (1,) * len(shape), shape, strict=True)])
    slot.values[...] = value


def copy_whole(slot: Slot, dtype: str, source: Slot, allocated: bool) -> None:
    """Assignment of a whole variable, or (not ``allocated``) of a component, which may be unallocated on both sides."""
    if source.a is None and not allocated:
        slot.free()
    else:
        store_whole(slot, dtype, source.values, source.lo)


def of_elements(elements: Array, make: Callable[[Any], Any]) -> Array:
    """What ``make`` gives for each, in the same shape."""
    found = np.empty(elements.shape, "O", order="F")
    for at in np.ndindex(elements.shape):
        found[at] = make(elements[at])
    return found


def duplicate(one: Any) -> Association | None:
    """An element's memory once more. Raises ReplayError where nobody kept it."""
    if one is LOST:
        raise ReplayError("a component of an element is used that nobody kept")
    if one is None:
        return None
    return Association({path: copied_slot(slot) for path, slot in one.leaves.items()})


def copied_slot(slot: Slot) -> Slot:
    """Other memory with the same in it, adjoints of zeros."""
    if slot.a is None:
        found = type(slot)(None, None, slot.lo)
    elif isinstance(slot, OwnerCell):
        found = OwnerCell(of_elements(slot.a, duplicate), None, slot.lo)
    else:
        a = slot.a.copy(order="F")
        found = type(slot)(a, None if slot.b is None else np.zeros(a.shape, a.dtype, order="F"), slot.lo)
    return found


def elements(slot: Slot, index: Index) -> Array | None:
    """Copies of elements; None where there is no array."""
    return of_elements(slot.values[(*index, Ellipsis)], duplicate) if slot.is_there() else None


def element(value: Any) -> Array:
    """One element whose component is ``value``; None: not allocated."""
    found = np.empty((), "O")
    if value is not None:
        a = np.array(value, order="F")
        b = np.zeros(a.shape, a.dtype, order="F") if a.dtype.kind in "fc" else None
        found[()] = Association({(): Slot(a.astype(np.int32) if a.dtype == np.bool_ else a, b, (1,) * a.ndim)})
    return found


class LentCell(OwnerCell):
    """A component that is no element's, as if it were: it cannot be given another one."""

    __slots__ = ()


def alone(leaves: dict[Path, Slot]) -> LentCell:
    """A component that is no element's, as if it were."""
    found = np.empty((), "O")
    found[()] = Association(leaves)
    return LentCell(found, None, ())


def joined(*items: Array | None) -> Array:
    """The elements of an array constructor."""
    found = [one.reshape(-1, order="F") for one in items if one is not None]
    return np.concatenate(found) if found else np.empty(0, "O")


def store(slot: Slot, index: Index, value: Array | None, whole: bool) -> None:
    """Give elements the memory in ``value``, one's to all of them; ``whole``: the array takes its shape."""
    if isinstance(slot, LentCell):
        raise ReplayError("a dummy argument is assigned that has components of its own type, what is passed not")
    if value is None:
        slot.free()
        return
    there = slot.a
    if whole and value.ndim and (there is None or there.shape != value.shape):
        slot.a, slot.lo = value, (1,) * value.ndim
        return
    if there is None:
        there, slot.lo = np.full(value.shape, None, "O", "F"), (1,) * value.ndim
    found = there.copy(order="F")
    selected = found[(*index, Ellipsis)]
    if value.ndim and value.shape != selected.shape:
        raise ReplayError(f"elements of the shape {value.shape} are assigned to ones of {selected.shape}")
    selected[...] = value if value.ndim else of_elements(selected, lambda _: duplicate(value[()]))
    if any(isinstance(one, np.ndarray) for one in index):
        found[(*index, Ellipsis)] = selected
    slot.a = found


# ---------------------------------------------------------------- adjoints


def take(slot: Slot, index: Index) -> Array:
    """The adjoints of elements, which are zero afterwards."""
    memory = _memory(slot)
    return np.empty(0, "O") if memory is None else of_elements(memory[(*index, Ellipsis)], _taken)


def _memory(slot: Slot) -> Array | None:
    """What is there, be it that nobody kept that it is: adjoints are."""
    return slot.lost if slot.is_lost else slot.a


def _taken(one: Any) -> Tree:
    found: dict[Any, Any] = {}
    for path, slot in one.leaves.items() if isinstance(one, Association) else ():
        if isinstance(slot, OwnerCell):
            found[path] = take(slot, ())
        elif slot.b is not None and _memory(slot) is not None:
            found[path] = slot.b.copy(order="F")
            slot.b[...] = 0
    return found


def give(slot: Slot, index: Index, adjoints: Array, first: int = -1, wanted: bool = True) -> int:
    """Add to the adjoints of elements, if that is ``wanted``; ``first``: they are those of an array constructor's value
    from there on. All go to one element where there is but one. Gives the place behind."""
    memory = _memory(slot)
    if memory is None:
        return max(first, 0)
    targets = memory[(*index, Ellipsis)]
    found = list(_flat(targets))
    trees = list(_flat(adjoints))
    if first >= 0:
        trees = trees[first:first + len(found)]
    elif targets.ndim == 0:
        found = found*len(trees)
    for one, tree in zip(found, trees, strict=True) if wanted else ():
        _give(one, tree)
    return first + len(found)


def _give(one: Any, tree: Tree) -> None:
    for path, slot in one.leaves.items() if isinstance(one, Association) else ():
        if isinstance(slot, OwnerCell):
            if path in tree:
                give(slot, (), tree[path])
        elif slot.b is not None and path in tree:
            slot.b[...] += tree[path]


def of_component(adjoints: Array, at: int | None = None) -> Any:
    """The adjoint of the component of the element at a place, or of all of them; 0 where there is none."""
    trees = list(_flat(adjoints))
    return sum(tree.get((), np.float64(0)) for tree in (trees if at is None else trees[at:at + 1]))


def _flat(array: Array) -> Iterator[Any]:
    yield from array.reshape(-1, order="F")


# ---------------------------------------------------------------- what nobody kept


def forget(elements_: Array | None, kept: Array | None) -> None:
    """Nothing is left of the values of elements that come back without having been kept, but of those in ``kept``,
    which were there all the time."""
    known = set() if kept is None else {id(one) for one in _flat(kept)}
    for one in () if elements_ is None else _flat(elements_):
        if isinstance(one, Association) and id(one) not in known:
            for slot in one.leaves.values():
                _lost(slot)


def _lost(slot: Slot) -> None:
    from snapset.analysis.replay.memory.frames import undefined

    if isinstance(slot, OwnerCell):
        forget(slot.a, None)
    elif slot.a is not None and not isinstance(slot, TypeTag | PointerCell):
        undefined(slot.a)


def size(elements_: Array | None) -> int:
    """Bytes of the values of elements."""
    return sum(size(slot.a) if isinstance(slot, OwnerCell) else int(slot.a.nbytes)
               for one in (() if elements_ is None else _flat(elements_)) if isinstance(one, Association)
               for slot in one.leaves.values() if slot.a is not None and not isinstance(slot, TypeTag))


NAMES: Final = MappingProxyType({
    "elements": elements, "element": element, "joined_elements": joined, "store_elements": store,
    "copied_slot": copied_slot, "take_elements": take, "give_elements": give, "of_component": of_component,
    "alone": alone,
})

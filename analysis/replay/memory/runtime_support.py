"""What generated code calls: indexing with Fortran bounds, accumulation of adjoints, Fortran arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import MappingProxyType
from typing import Any, Final, TypeAlias
from weakref import ReferenceType, ref

from snapset.analysis.replay.memory.array_values import WHOLE_VALUES, deep
from snapset.analysis.replay.memory.bit_values import BIT_VALUES
from snapset.analysis.replay.memory.intrinsic_values import VALUES
from snapset.analysis.replay.memory.lazy_numpy import np
from snapset.frontend.base.diagnostics import Span

Array: TypeAlias = "np.ndarray[Any, Any]"
Index: TypeAlias = tuple[Any, ...]

LOST: Final = "lost"  # what destroyed memory of pointers holds


class ReplayError(Exception):
    """The program did something the machine cannot follow while running (a bound exceeded, STOP).

    ``span``: the statement it was at, where that is known. ``slot``: the memory that it is about, and ``named``: the
    message with ``{}`` in the place of that memory's name, which whoever knows the frame puts there
    (:func:`snapset.analysis.replay.statements.named_memory.named`).
    """

    span: Span | None = None
    slot: Slot | None = None
    named: str = ""


class NotExecutedError(ReplayError):
    """What the program does is right, and the machine does not execute it."""


def about(slot: Slot, named: str, unnamed: str) -> ReplayError:
    """An error that tells which memory it is about, once the frame is known; ``unnamed``: until then."""
    error = ReplayError(unnamed)
    error.slot, error.named = slot, named
    return error


def outside(slot: Slot, what: str, place: int) -> ReplayError:
    """``what``, a subscript or section, is not within dimension ``place``."""
    low, count = slot.lo[place], slot.values.shape[place]
    bounds = f"goes from {low} to {low + count - 1}" if count else "has no elements"
    return about(slot, f"{what} is out of bounds: dimension {place + 1} of `{{}}` {bounds}",
                 f"{what} is out of bounds: dimension {place + 1} {bounds}")


class Slot:
    """Memory of one leaf: values ``a``, adjoints ``b`` (None: not differentiable), lower bounds ``lo``.

    ``a`` is None for an absent or unallocated variable. Scalars are 0-dimensional arrays. ``given``: what MOVE_ALLOC
    took from here, who has it since, and how deep it was (:meth:`give`).
    """

    __slots__ = ("a", "absent", "b", "given", "lo")

    def __init__(self, a: Array | None, b: Array | None, lo: tuple[int, ...], absent: bool = False) -> None:
        self.a = a
        self.b = b
        self.lo = lo
        self.absent = absent
        self.given: tuple[tuple[ReferenceType[Array], Slot, int], ...] = ()

    def give(self, slot: Slot, depth: int) -> None:
        """Note that another variable gets the memory that is here, ``depth`` components below what is moved."""
        assert self.a is not None
        self.given = (*(one for one in self.given if one[0]() is not None), (ref(self.a), slot, depth))

    @property
    def values(self) -> Array:
        """The memory. Raises ReplayError where there is none."""
        if self.a is None:
            self.is_there()
            raise about(self, "`{}` is used, which is not allocated or not passed",
                        "a variable is used that is not allocated or not passed")
        return self.a

    def lose(self) -> None:
        """Nobody kept the allocation: whether there is any must not be asked, and what there was is out of reach."""
        if not self.is_lost:
            parked: Any = (LOST, self.a, self.lo)
            self.a, self.lo = None, parked

    def free(self) -> None:
        """Be not allocated, whatever was."""
        self.a, self.lo = None, self._parked[2] if self.is_lost else self.lo

    @property
    def is_lost(self) -> bool:
        """Has nobody kept whether it is allocated?"""
        return self.a is None and self._parked[:1] == (LOST,)

    @property
    def _parked(self) -> tuple[Any, ...]:
        """LOST, the memory, its bounds, where these were lost."""
        return self.lo

    @property
    def lost(self) -> Array | None:
        """The memory of what lost its allocation and was not deallocated."""
        return self._parked[1] if self.is_lost else None

    def had_memory(self) -> bool:
        """Is there any, or was there before its allocation was lost? Its adjoint does not ask who kept that."""
        return self.a is not None or self.lost is not None

    def is_there(self) -> bool:
        """Is it allocated? Raises ReplayError where nobody kept that."""
        if self.is_lost:
            raise about(self, "the allocation of `{}` is asked for, which nobody kept",
                        "an allocation is asked for that nobody kept")
        return self.a is not None

    def like(self, a: Array | None, b: Array | None, lo: tuple[int, ...]) -> Slot:
        """Other memory of the same kind."""
        return type(self)(a, b, lo)


SlotFinder: TypeAlias = Callable[[list[Slot]], Slot]


# ---------------------------------------------------------------- indexing


def ix(slot: Slot, *subs: Any) -> Index:
    """The index tuple of a reference; integers, vector subscripts, or the slices of :func:`rg`."""
    lo, shape, vectors = slot.lo, slot.values.shape, False
    found: list[Any] = []
    for place, sub in enumerate(subs):
        if isinstance(sub, slice):
            found.append(sub)
        elif isinstance(sub, np.ndarray) and sub.ndim:
            vectors = True
            at = sub.astype(np.int64) - lo[place]
            if at.size and (at.min() < 0 or at.max() >= shape[place]):
                wrong = sub[(at < 0) | (at >= shape[place])]
                raise outside(slot, f"subscript {int(wrong.flat[0])} of a vector of subscripts", place)
            found.append(at)
        else:
            j = int(sub) - lo[place]
            if not 0 <= j < shape[place]:
                raise outside(slot, f"subscript {int(sub)}", place)
            found.append(j)
    return mesh(found, shape) if vectors and len(found) > 1 else tuple(found)


def at1(slot: Slot, i: Any) -> Index:
    """:func:`ix` of one number."""
    a = slot.a
    if a is not None and 0 <= (found := int(i) - slot.lo[0]) < a.shape[0]:
        return (found,)
    return ix(slot, i)


def at2(slot: Slot, i: Any, j: Any) -> Index:
    """:func:`ix` of two numbers."""
    a, lo = slot.a, slot.lo
    if a is not None:
        row, column = int(i) - lo[0], int(j) - lo[1]
        if 0 <= row < a.shape[0] and 0 <= column < a.shape[1]:
            return row, column
    return ix(slot, i, j)


def at3(slot: Slot, i: Any, j: Any, k: Any) -> Index:
    """:func:`ix` of three numbers."""
    shape, lo = slot.values.shape, slot.lo
    row, column, layer = int(i) - lo[0], int(j) - lo[1], int(k) - lo[2]
    if 0 <= row < shape[0] and 0 <= column < shape[1] and 0 <= layer < shape[2]:
        return row, column, layer
    return ix(slot, i, j, k)


def has_vector(index: Iterable[Any]) -> bool:
    for one in index:  # noqa: SIM110 (asked at every access: `any` of a generator takes three times as long)
        if isinstance(one, np.ndarray):
            return True
    return False


def mesh(subs: list[Any], shape: tuple[int, ...]) -> Index:
    """The index of ``a(v, 2, w)`` or ``a(:, v)``: each vector or section runs along a dimension of its own, in the
    order they stand in. NumPy would pair the elements of two vectors, and puts a vector beside a number first."""
    vectors = [np.arange(n)[one] if isinstance(one, slice) else one for one, n in zip(subs, shape, strict=False)]
    rank = sum(isinstance(one, np.ndarray) for one in vectors)
    found: list[Any] = []
    for one in vectors:
        if isinstance(one, np.ndarray):
            at = sum(isinstance(earlier, np.ndarray) for earlier in found)
            one = one.reshape([-1 if place == at else 1 for place in range(rank)])
        found.append(one)
    return tuple(found)


def some(slot: Slot, *subs: Callable[[], Any]) -> Index:
    """The index of a section, its subscripts to be evaluated; they may be anything where one of them selects nothing.

    Raises:
        ReplayError: a subscript is out of bounds.
    """
    found: list[Any] = []
    wrong: ReplayError | None = None
    for place, sub in enumerate(subs):
        try:
            one = sub()
        except ReplayError as error:
            wrong = error
            continue
        if one == slice(0, 0, 1):
            return (*(slice(0, 0, 1) for _ in range(place)), one)
        if not isinstance(one, slice):
            at = int(one) - slot.lo[place]
            if not 0 <= at < slot.values.shape[place]:
                wrong = outside(slot, f"subscript {int(one)}", place)
            one = at
        found.append(one)
    if wrong is not None:
        raise wrong
    return tuple(found)


def distinct(index: Index) -> Index:
    """The index of an assignment's target. Raises ReplayError where a vector subscript names an element twice."""
    for one in index:
        if isinstance(one, np.ndarray) and np.unique(one).size < one.size:
            raise ReplayError("an assignment to elements of which a vector subscript names one twice")
    return index


def rg(slot: Slot, place: int, lower: Any, upper: Any, step: Any, there: bool = False) -> slice:
    """A subscript triplet as a slice of dimension ``place``; ``there``: of the elements that there are."""
    lo, size = slot.lo[place], slot.values.shape[place]
    by = 1 if step is None else int(step)
    first = (0 if by > 0 else size - 1) if lower is None else int(lower) - lo
    last = (size - 1 if by > 0 else 0) if upper is None else int(upper) - lo
    last = min(last, size - 1) if there and by > 0 else last
    count = max(0, (last - first + by) // by)
    if count == 0:
        return slice(0, 0, 1)
    end = first + (count - 1) * by
    if not (0 <= first < size and 0 <= end < size):
        raise outside(slot, f"the section {first + lo}:{end + lo}{f':{by}' if by != 1 else ''}", place)
    stop = end + (1 if by > 0 else -1)
    return slice(first, stop if stop >= 0 else None, by)


def section(slot: Slot, lower: Any, upper: Any, step: Any) -> Index:
    """:func:`ix` of one triplet."""
    a = slot.a
    if a is not None and lower is not None and upper is not None:
        low, by = slot.lo[0], 1 if step is None else int(step)
        first, last = int(lower) - low, int(upper) - low
        if by > 0 and 0 <= first <= last:
            last -= (last - first) % by
            if last < a.shape[0]:
                return (slice(first, last + 1, by),)
    return (rg(slot, 0, lower, upper, step),)


def one1(slot: Slot, i: Any) -> Any:
    """The element of a vector."""
    a = slot.values
    j = i - slot.lo[0]
    if not 0 <= j < a.shape[0]:
        raise outside(slot, f"subscript {int(i)}", 0)
    return a[j]


def load(slot: Slot, index: Index) -> Any:
    return (slot.values if slot.a is None else slot.a)[index]


def entire(slot: Slot) -> Any:
    """The value of a dummy array that may be declared larger than what it was passed."""
    if getattr(slot.values, "extents", None):
        raise about(slot, "a dummy array is larger than its actual argument, and is used as a whole: `{}`",
                    "a dummy array is larger than its actual argument, and is used as a whole")
    return slot.values[()]


def masked_store(slot: Slot, index: Index, mask: Array, value: Any) -> None:
    view = slot.values[distinct(index)]
    np.copyto(view, value, where=deep(mask, view), casting="unsafe")
    if has_vector(index):  # the elements it names are a copy
        slot.values[index] = view


def shortened(a: Array, low: int, high: int) -> Array:
    """The memory of a substring of one element."""
    found: Array = a.reshape(1).view("S1")[low:high].view(f"S{high - low}").reshape(())
    return found


def character_length(value: Any) -> int:
    """Of each of some characters."""
    return int(value.dtype.itemsize) if isinstance(value, np.ndarray) else len(value)


def half(slot: Slot, name: str) -> Slot:
    """The real or the imaginary parts of complex memory, as memory of their own."""
    a, b = slot.values, slot.b
    if name == "re":
        return Slot(a.real, None if b is None else b.real, slot.lo)
    return Slot(a.imag, None if b is None else b.imag, slot.lo)


# ---------------------------------------------------------------- adjoints


def acc(slot: Slot, index: Index, t: Any) -> None:
    """Add to the adjoint of a reference; a scalar takes the sum."""
    b = slot.b
    if b is None:
        return
    if has_vector(index):
        place = getattr(b, "place", None)  # of columns of which the last is not whole
        np.add.at(b.reshape(-1) if place else b, place(index) if place else index, t)
        return
    if type(b) is np.ndarray and type(view := b[index]) is np.ndarray:
        view += t
    else:
        b[index] += t


def take(slot: Slot, index: Index, mask: Any) -> Any:
    """The adjoint of an assignment's target, which is zero afterwards."""
    b = slot.b
    if b is None:
        return np.float64(0)
    got = b[index]
    if mask is None:
        t = got.copy() if isinstance(got, np.ndarray) else got
        b[index] = 0
        return t
    mask = deep(mask, got)
    t = np.where(mask, got, got.dtype.type(0))
    np.copyto(got, 0, where=mask)
    if has_vector(index):
        b[index] = got
    return t


def anything(t: Any) -> bool:
    """Is any of it not zero?"""
    return bool(np.count_nonzero(t) if isinstance(t, np.ndarray) else t != 0)


def mul(t: Any, partial: Any) -> Any:
    """``t * partial``; where nothing flows the partial derivative, perhaps infinite, does not count."""
    if isinstance(t, np.ndarray):
        if np.count_nonzero(t) == t.size:
            return t * partial
    elif not isinstance(partial, np.ndarray):
        return t if t == 0 else t * partial
    elif t != 0:
        return t * partial
    return np.where(np.equal(t, 0), t * np.zeros_like(partial), t * partial)


# ---------------------------------------------------------------- arithmetic


def idiv(a: Any, b: Any) -> Any:
    """Integer division, truncating."""
    if not isinstance(a, np.ndarray) and not isinstance(b, np.ndarray):
        over, by = int(a), int(b)
        if by == 0:
            raise ReplayError("integer division by zero")
        return type(a)(over // by if (over < 0) == (by < 0) else -(-over // by))
    return (a - np.fmod(a, b)) // b


def bound(slot: Slot, dim: Any, upper: bool, before: int, own: int) -> Any:
    """LBOUND and UBOUND of an array: of the ``own`` dimensions behind ``before`` others; 1 and 0 where one is empty."""
    dims = list(zip(slot.lo, slot.values.shape, strict=True))[before:before + own]
    ends = [low + (n - 1 if upper else 0) if n else 1 - upper for low, n in dims]
    return np.array(ends, np.int32) if dim is None else np.int32(ends[int(dim) - 1])


NAMES: Final = MappingProxyType({
    "np": np, "half": half, "distinct": distinct, "some": some,
    "ix": ix, "at1": at1, "at2": at2, "at3": at3, "rg": rg, "section": section, "one1": one1, "load": load,
    "entire": entire, "masked_store": masked_store, "acc": acc, "take": take,
    "anything": anything, "mul": mul, "idiv": idiv, "bound": bound, **WHOLE_VALUES, **BIT_VALUES, **VALUES,
})

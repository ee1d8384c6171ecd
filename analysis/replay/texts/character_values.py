"""CHARACTER values: bytes of a fixed length, blanks behind. What generated code calls."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Any, Final

from snapset.analysis.replay.memory.lazy_numpy import np
from snapset.analysis.replay.memory.runtime_support import Index, ReplayError, Slot, shortened

_COMPARED: Final[MappingProxyType[str, Callable[[bytes, bytes], bool]]] = MappingProxyType({
    "==": lambda x, y: x == y, "/=": lambda x, y: x != y, "<": lambda x, y: x < y, "<=": lambda x, y: x <= y,
    ">": lambda x, y: x > y, ">=": lambda x, y: x >= y})  # fmt: skip


def each(function: Callable[..., Any], *values: Any) -> Any:
    """The function of scalars, or of all elements of arrays and scalars."""
    if not any(np.ndim(value) for value in values):
        return function(*(bytes(v) if isinstance(v, bytes) else v for v in values))
    arrays = np.broadcast(*values)
    found = [function(*(bytes(v) if isinstance(v, bytes) else v for v in items)) for items in arrays]
    return np.array(found).reshape(arrays.shape)


def fitted(value: Any, length: int) -> Any:
    """Cut, or filled up with blanks."""
    return each(lambda x: x[:length].ljust(length), value)


def like(value: Any, slot: Slot) -> Any:
    """As long as the elements of a variable."""
    return fitted(value, slot.values.dtype.itemsize)


def compared(op: str, x: Any, y: Any) -> Any:
    """The shorter one counts as filled up with blanks."""
    def one(x: bytes, y: bytes) -> bool:
        length = max(len(x), len(y))
        return _COMPARED[op](x.ljust(length), y.ljust(length))

    return each(one, x, y)


def joined(x: Any, y: Any) -> Any:
    return each(lambda x, y: x + y, x, y)


def _range(length: int, low: Any, high: Any) -> tuple[int, int]:
    first, last = 1 if low is None else int(low), length if high is None else int(high)
    if first <= last and not (1 <= first and last <= length):
        raise ReplayError(f"the substring ({first}:{last}) of {length} characters")
    return first - 1, max(first - 1, last)


def cut(value: Any, low: Any, high: Any) -> Any:
    """A substring."""
    def one(x: bytes) -> bytes:
        first, last = _range(len(x), low, high)
        return x[first:last]

    return each(one, value)


def replaced(slot: Slot, index: Index, low: Any, high: Any, value: Any) -> Any:
    """A variable's value with another substring."""
    length = slot.values.dtype.itemsize
    first, last = _range(length, low, high)
    return each(lambda x, y: x.ljust(length)[:first] + y[:last - first].ljust(last - first) + x.ljust(length)[last:],
                slot.values[index], value)


def length(x: Any) -> Any:
    return np.int32(x.dtype.itemsize if isinstance(x, np.ndarray) else len(x))


# ---------------------------------------------------------------- intrinsics


def _found(at: int) -> Any:
    return np.int32(at + 1)


def _index(x: bytes, y: bytes, back: Any) -> Any:
    return _found(x.rfind(y) if back else x.find(y))


def _scan(x: bytes, y: bytes, back: Any, inside: bool) -> Any:
    places = [k for k, one in enumerate(x) if (one in y) == inside]
    return np.int32(0) if not places else _found(places[-1 if back else 0])


_FUNCTIONS: Final[MappingProxyType[str, Callable[..., Any]]] = MappingProxyType({
    "trim": lambda x: x.rstrip(b" "), "len_trim": lambda x: np.int32(len(x.rstrip(b" "))),
    "adjustl": lambda x: x.lstrip(b" ").ljust(len(x)), "adjustr": lambda x: x.rstrip(b" ").rjust(len(x)),
    "index": lambda x, y, back=False: _index(x, y, back),
    "scan": lambda x, y, back=False: _scan(x, y, back, True),
    "verify": lambda x, y, back=False: _scan(x, y, back, False),
    "repeat": lambda x, n: x * int(n), "achar": lambda k: bytes((int(k),)), "char": lambda k: bytes((int(k),)),
    "iachar": lambda x: np.int32(x[0]), "ichar": lambda x: np.int32(x[0]), "new_line": lambda x: b"\n",
    "lge": lambda x, y: compared(">=", x, y), "lgt": lambda x, y: compared(">", x, y),
    "lle": lambda x, y: compared("<=", x, y), "llt": lambda x, y: compared("<", x, y)})  # fmt: skip
INTRINSICS = frozenset(_FUNCTIONS)


def text(name: str, *values: Any) -> Any:
    """An intrinsic function of characters."""
    return each(_FUNCTIONS[name], *values)


# ---------------------------------------------------------------- memory


def substring(slot: Slot, index: Index, low: Any, high: Any) -> Slot:
    """A substring that is passed.

    Raises:
        ReplayError: of an array, or an empty one.
    """
    a = slot.values[(*index, Ellipsis)]
    first, last = _range(a.dtype.itemsize, low, high)
    if a.ndim or first == last:
        raise ReplayError("substrings of an array are passed, or an empty one")
    return Slot(shortened(a, first, last), None, ())


NAMES: Final = MappingProxyType({
    "fitted": fitted, "fitted_like": like, "compared": compared, "joined": joined, "cut": cut, "replaced": replaced,
    "length": length, "text": text, "substring": substring})  # fmt: skip

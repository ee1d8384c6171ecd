"""The intrinsic functions of bits, for NumPy's integers and arrays of them; bit 0 is the last one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from snapset.analysis.replay.memory.lazy_numpy import np


def unsigned(i: Any) -> Any:
    """The same bits as a number without a sign."""
    a = np.asarray(i)
    return a.view(a.dtype.str.replace("i", "u"))


def width(i: Any) -> int:
    """BIT_SIZE."""
    return int(np.asarray(i).dtype.itemsize) * 8


def signed(bits: Any, i: Any) -> Any:
    """Bits as an integer of the kind of ``i``."""
    kind = np.asarray(i).dtype
    return np.asarray(bits).astype(kind.str.replace("i", "u")).view(kind)[()]


def mask(i: Any, count: Any) -> Any:
    """So many ones at the end, as bits of the kind of ``i``."""
    every = unsigned(np.asarray(i).dtype.type(-1))
    gone = np.clip(width(i) - np.asarray(count), 0, width(i))
    kept = every >> np.minimum(gone, width(i) - 1).astype(every.dtype)
    return np.where(gone == width(i), 0, kept).astype(every.dtype)


def shifted(i: Any, by: Any) -> Any:
    """ISHFT: to the left, to the right where ``by`` is negative; zeros come in."""
    bits, by = unsigned(i), np.asarray(by)
    step = np.minimum(np.abs(by), width(i) - 1).astype(bits.dtype)
    found = np.where(by < 0, bits >> step, bits << step)
    return signed(np.where(np.abs(by) >= width(i), 0, found), i)


def rotated(i: Any, by: Any, size: Any = None) -> Any:
    """ISHFTC: the last ``size`` bits go round."""
    size = width(i) if size is None else size
    low = mask(i, size)
    bits, turn = unsigned(i) & low, np.mod(np.asarray(by), size)
    left = unsigned(shifted(signed(bits, i), turn)) & low
    right = unsigned(shifted(signed(bits, i), turn - size))
    return signed((unsigned(i) & ~low) | left | np.where(turn == 0, 0, right).astype(bits.dtype), i)


def bit(i: Any, place: Any) -> Any:
    return shifted(np.asarray(i).dtype.type(1), place)


def ones(i: Any) -> Any:
    found = np.zeros(np.shape(i), np.int32)
    for place in range(width(i)):
        found += bit_test(i, np.int32(place))
    return found[()]


def bit_test(i: Any, place: Any) -> Any:
    return np.bitwise_and(i, bit(i, place)) != 0


def leading_zeros(i: Any) -> Any:
    found = np.full(np.shape(i), width(i), np.int32)
    for place in range(width(i)):
        found = np.where(bit_test(i, np.int32(place)), width(i) - 1 - place, found)
    return found.astype(np.int32)[()]


def trailing_zeros(i: Any) -> Any:
    found = np.full(np.shape(i), width(i), np.int32)
    for place in reversed(range(width(i))):
        found = np.where(bit_test(i, np.int32(place)), place, found)
    return found.astype(np.int32)[()]


BIT_VALUES: Final[Mapping[str, Callable[..., Any]]] = MappingProxyType({
    "shifted": shifted, "rotated": rotated, "ones": ones, "parity": lambda i: ones(i) % 2, "bit_test": bit_test,
    "leading_zeros": leading_zeros, "trailing_zeros": trailing_zeros,
    "shifted_right": lambda i, by: shifted(i, -np.asarray(by)),
    "bit_set": lambda i, place: np.bitwise_or(i, bit(i, place)),
    "bit_cleared": lambda i, place: np.bitwise_and(i, np.invert(bit(i, place))),
    "bits_of": lambda i, place, count: signed(unsigned(shifted(i, -np.asarray(place))) & mask(i, count), i),
})

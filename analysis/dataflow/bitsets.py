"""Sets as bit sets: Python ints over a numbering of one procedure's locations, of three types that mypy tells apart.

``May`` may hold too much: what a statement may read. ``Must`` may hold too little: what it certainly overwrites.
``Exact`` holds what it says, and so is both: the dummy arguments of a procedure. At run time all three are int and
cost nothing; mypy knows what the operators make of them:

    may | may, may & may        may      both sides hold too much, so does the result
    must | must, must & must    must
    ~may                        must     what is certainly not in the set
    ~must                       may
    may & ~must                 may      ``use & ~kill``: what may be read behind and is not certainly overwritten
    must & ~may                 must

Every other mixture (``may | must``, ``may & must``, a set and a plain number) is a plain int, which no parameter or
field of these types takes. So a wrong side does not pass mypy: ``Effect(kill=touch.bits)`` is an error. Where the
context proves more than the types show, say so by :func:`exactly`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from struct import unpack
from typing import TYPE_CHECKING, Final, overload

if TYPE_CHECKING:

    class May(int):
        """A set that is safe when it grows."""

        @overload
        def __or__(self, other: May, /) -> May: ...
        @overload
        def __or__(self, other: int, /) -> int: ...
        def __or__(self, other: int, /) -> int: ...

        @overload
        def __and__(self, other: May, /) -> May: ...
        @overload
        def __and__(self, other: int, /) -> int: ...
        def __and__(self, other: int, /) -> int: ...

        def __invert__(self) -> Must: ...

    class Must(int):
        """A set that is safe when it shrinks."""

        @overload
        def __or__(self, other: Must, /) -> Must: ...
        @overload
        def __or__(self, other: int, /) -> int: ...
        def __or__(self, other: int, /) -> int: ...

        @overload
        def __and__(self, other: Must, /) -> Must: ...
        @overload
        def __and__(self, other: int, /) -> int: ...
        def __and__(self, other: int, /) -> int: ...

        def __invert__(self) -> May: ...

    class Exact(May, Must):
        """A set that holds neither too much nor too little."""

        @overload  # type: ignore[override]
        def __or__(self, other: Exact, /) -> Exact: ...
        @overload
        def __or__(self, other: May, /) -> May: ...
        @overload
        def __or__(self, other: Must, /) -> Must: ...
        @overload
        def __or__(self, other: int, /) -> int: ...
        def __or__(self, other: int, /) -> int: ...

        @overload
        def __ror__(self, other: Exact, /) -> Exact: ...
        @overload
        def __ror__(self, other: May, /) -> May: ...
        @overload
        def __ror__(self, other: Must, /) -> Must: ...
        @overload
        def __ror__(self, other: int, /) -> int: ...
        def __ror__(self, other: int, /) -> int: ...

        @overload  # type: ignore[override]
        def __and__(self, other: Exact, /) -> Exact: ...
        @overload
        def __and__(self, other: May, /) -> May: ...
        @overload
        def __and__(self, other: Must, /) -> Must: ...
        @overload
        def __and__(self, other: int, /) -> int: ...
        def __and__(self, other: int, /) -> int: ...

        @overload
        def __rand__(self, other: Exact, /) -> Exact: ...
        @overload
        def __rand__(self, other: May, /) -> May: ...
        @overload
        def __rand__(self, other: Must, /) -> Must: ...
        @overload
        def __rand__(self, other: int, /) -> int: ...
        def __rand__(self, other: int, /) -> int: ...

        def __invert__(self) -> Exact: ...

else:
    May = Must = Exact = int

EMPTY: Final = Exact(0)
EVERYTHING: Final = Exact(-1)


if TYPE_CHECKING:

    def exactly(bits: int) -> Exact:
        """The set, of which the caller knows that it holds neither too much nor too little."""

    def singleton(index: int) -> Exact:
        """The set of one location."""

else:
    exactly = int
    singleton = (1).__lshift__


_LARGE = 2_048
"""From so many locations on a set is taken apart and put together word by word: each step on the whole of it copies
it."""


def members(bits: int) -> Iterator[int]:
    """The indices in a bit set, ascending."""
    if bits.bit_length() > _LARGE:
        yield from _members_by_word(bits)
        return
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def _members_by_word(bits: int) -> Iterator[int]:
    count = bits.bit_length() // 64 + 1
    for at, word in enumerate(unpack(f"<{count}Q", bits.to_bytes(8*count, "little"))):
        rest, first = word, 64*at
        while rest:
            low = rest & -rest
            yield first + low.bit_length() - 1
            rest ^= low


@overload
def union(sets: Iterable[Exact]) -> Exact: ...
@overload
def union(sets: Iterable[May]) -> May: ...
@overload
def union(sets: Iterable[Must]) -> Must: ...
@overload
def union(sets: Iterable[int]) -> int: ...
def union(sets: Iterable[int]) -> int:
    """The union of bit sets."""
    total = 0
    for bits in sets:
        total |= bits
    return total


def set_of(indices: Iterable[int]) -> Exact:
    """The set of these locations."""
    total, large = 0, list[int]()
    for index in indices:
        if index < _LARGE:
            total |= 1 << index
        else:
            large.append(index)
    return exactly(total | _set_of_large(large) if large else total)


def _set_of_large(indices: Sequence[int]) -> int:
    words = bytearray(max(indices) // 8 + 1)
    for index in indices:
        words[index >> 3] |= 1 << (index & 7)
    return int.from_bytes(words, "little")

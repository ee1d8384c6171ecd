"""Locations: what the sets are sets of, and their numbering within one procedure.

A location is a variable, a leaf component of a derived-type variable, or a segment of storage that
COMMON or EQUIVALENCE overlays. Two locations of the same procedure overlap only when they are equal,
but for pointers and targets, which may lead to the same memory (:meth:`Space.aliases`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from snapset.analysis.bits import May, members
from snapset.frontend.ir import UNKNOWN, Area, Shape, Type


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """``path`` are component names below the area's variable; ``segment`` is (first, last+1) byte, if cut."""

    area: Area
    path: tuple[str, ...] = ()
    segment: tuple[int, int] | None = None

    def covers(self, other: Location) -> bool:
        """Is all of ``other`` inside this one?"""
        if self.area != other.area or self.path != other.path[: len(self.path)]:
            return False
        if self.segment is None or other.segment is None:
            return self.segment is None
        return self.segment[0] <= other.segment[0] and other.segment[1] <= self.segment[1]

    def overlaps(self, other: Location) -> bool:
        """May the two share memory (pointers and targets aside)?"""
        if self.area != other.area:
            return False
        short = min(len(self.path), len(other.path))
        if self.path[:short] != other.path[:short]:
            return False
        if self.segment is None or other.segment is None:
            return True
        return self.segment[0] < other.segment[1] and other.segment[0] < self.segment[1]


@dataclass(frozen=True, slots=True)
class Info:
    """What the procedure knows of a location it can reach.

    ``name``: as interface.md says. ``type``, ``shapes``: of the leaf, and every shape on the way to it
    (outermost first). ``bytes``: constant size of a segment, else None. ``indirect``: reached through a
    pointer; ``aliasable``: a pointer or a target.
    """

    name: str
    type: Type
    shapes: tuple[Shape, ...] = ()
    bytes: int | None = None
    indirect: bool = False
    aliasable: bool = False


class Space:
    """The numbering of one procedure's locations. Grows while the procedure is modelled, then is fixed."""

    def __init__(self) -> None:
        self._index: dict[Location, int] = {}
        self.locations: list[Location] = []
        self.infos: list[Info] = []
        self._aliases: dict[Type, tuple[int, int]] = {}

    def __len__(self) -> int:
        return len(self.locations)

    def add(self, location: Location, info: Info) -> int:
        """The number of a location, given one if it is new."""
        index = self._index.get(location)
        if index is None:
            index = len(self.locations)
            self._index[location] = index
            self.locations.append(location)
            self.infos.append(info)
            if info.aliasable:
                key = Type(info.type.kind, info.type.bytes, info.type.derived)
                indirect, every = self._aliases.get(key, (0, 0))
                bit = 1 << index
                self._aliases[key] = (indirect | (bit if info.indirect else 0), every | bit)
        return index

    def find(self, location: Location) -> int | None:
        return self._index.get(location)

    def all(self) -> May:
        """Every location there is."""
        return May((1 << len(self.locations)) - 1)

    def with_aliases(self, bits: int) -> May:
        """What touching ``bits`` may touch: a pointer may lead to any pointer or target of its type."""
        if not self._aliases:
            return May(bits)
        anything = self._aliases.get(UNKNOWN, (0, 0))[1]
        if bits & anything:
            return May(bits | self.aliasable)
        total = bits
        for indirect, every in self._aliases.values():
            if bits & indirect:
                total |= every | anything
            elif bits & every:
                total |= indirect | anything
        return May(total)

    @property
    def aliasable(self) -> int:
        """Every pointer and target; those of unknown type may lead to any other."""
        total = 0
        for _, every in self._aliases.values():
            total |= every
        return total

    @property
    def indirect(self) -> int:
        """The locations reached through a pointer: never killed."""
        total = 0
        for indirect, _ in self._aliases.values():
            total |= indirect
        return total

    def names(self, bits: int) -> tuple[str, ...]:
        """The sorted names of a set; a variable cut into segments is named whole where all are in."""
        found = {i for i in members(bits) if i < len(self.locations)}
        return tuple(sorted(dict.fromkeys(self.infos[i].name for i in found)))

    def named(self, name: str) -> May:
        """All locations of that name (empty if there is none)."""
        return May(sum(1 << i for i, info in enumerate(self.infos) if info.name == name))

    def select(self, wanted: Iterable[Location]) -> May:
        total = 0
        for location in wanted:
            index = self._index.get(location)
            if index is not None:
                total |= 1 << index
        return May(total)

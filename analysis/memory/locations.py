"""Locations: what the sets are sets of, and their numbering within one procedure.

A location is a variable, a leaf component of a derived-type variable, or a segment of storage that
COMMON or EQUIVALENCE overlays. A pointer is two locations: ``p`` is the memory it leads to, ``p=>`` is what it is
associated with (a procedure pointer leads to no memory: ``p`` is what it is associated with). An allocatable is two
as well: ``a`` is its memory, ``a[]`` its allocation: whether it has any, its bounds, its dynamic type. Two locations
of the same procedure overlap only when they are equal, but for pointers and targets, which may lead to the same memory
(:meth:`Space.with_aliases`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import NamedTuple, TypeAlias

from snapset.analysis.dataflow.bitsets import EMPTY, Exact, May, exactly, members, set_of, singleton, union
from snapset.frontend.base.frozen_records import frozen, replace
from snapset.frontend.ir import (
    INTEGER,
    MISSING_MODULE,
    UNKNOWN,
    UNKNOWN_OWNER,
    Area,
    Argument,
    Binary,
    Dim,
    Intrinsic,
    Literal_,
    PartRef,
    Ref,
    Shape,
    Type,
)

Interval: TypeAlias = tuple[int, int]
"""First and last subscript; LOWEST and HIGHEST: to the array's end."""
Band: TypeAlias = tuple[Interval, ...]
"""A region of an array, an interval for each dimension (:mod:`snapset.analysis.memory.array_bands`)."""
LOWEST, HIGHEST = -(1 << 62), 1 << 62
EVERY: Interval = LOWEST, HIGHEST

# The last component of the path to an association; no name of Fortran's, and so no component's.
ASSOCIATION = "=>"
ALLOCATION = "[]"  # the last component of the path to an allocation
DESCRIPTORS = frozenset((ASSOCIATION, ALLOCATION))


class Location(NamedTuple):
    """What one bit of a set stands for: a variable, a component of one (``c%p``), or a cut of a storage sequence.

    ``path`` are component names below the area's variable; ``segment`` is (first, last+1) byte, if cut; ``band`` the
    region of an array that the procedure cuts.

    What a pointer is associated with has the pointer's path and :data:`ASSOCIATION` behind it, what is allocated
    :data:`ALLOCATION`.
    """

    area: Area
    path: tuple[str, ...] = ()
    segment: tuple[int, int] | None = None
    band: Band | None = None

    @property
    def is_association(self) -> bool:
        """Is it what a data pointer is associated with?"""
        return self.path[-1:] == (ASSOCIATION,)

    @property
    def is_allocation(self) -> bool:
        """Is it whether, with which bounds and of which type something is allocated?"""
        return self.path[-1:] == (ALLOCATION,)

    @property
    def is_descriptor(self) -> bool:
        """Is it an association or an allocation, what leads to memory and no memory itself?"""
        return bool(self.path) and self.path[-1] in DESCRIPTORS

    def covers(self, other: Location) -> bool:
        """Is all of ``other`` inside this one?"""
        if self.area != other.area or self.path != other.path[: len(self.path)]:
            return False
        if self.band is not None and self.band != other.band:
            return False
        if self.segment is None or other.segment is None:
            return self.segment is None
        return self.segment[0] <= other.segment[0] and other.segment[1] <= self.segment[1]


@frozen(quick=True)
class Info:
    """What the procedure knows of a location it can reach.

    ``name``: as docs/json.md says. ``type``, ``shapes``: of the leaf, and every shape on the way to it
    (outermost first); ``depths``: whose each of them is, 0 the variable's, 1 the first component's. ``bytes``: constant
    size of a segment, else None. ``indirect``: reached through a pointer; ``aliasable``: a pointer or a target;
    ``family``: of those that may share memory, None for any (:mod:`snapset.analysis.memory.alias_classes`).
    ``allocated``: whose allocations it is in, counted as in ``depths``. ``band``: the region of the array that it is,
    where the array is cut. ``part``: the component that the memory is, ``''`` where it is no object's; None where it
    may be any (behind a pointer, a dummy argument's). The memory of two components of different names is never the
    same, whatever objects they are of. ``shared``: a dummy argument with TARGET, which may be another target.
    ``alone``: reached through a pointer, but nothing else leads there: as plain as the memory of an allocatable.
    """

    name: str
    type: Type
    shapes: tuple[Shape, ...] = ()
    bytes: int | None = None
    indirect: bool = False
    aliasable: bool = False
    family: Hashable = None
    depths: tuple[int, ...] = ()
    allocated: tuple[int, ...] = ()
    band: Band | None = None
    part: str | None = None
    shared: bool = False
    alone: bool = False

    @property
    def other_names(self) -> bool:
        """May it be reached by another name, too?"""
        return self.aliasable and not self.alone

    @property
    def may_move(self) -> bool:
        """May it be other memory than its name led to before, of which something is left?"""
        return self.indirect and not self.alone

    def dims(self) -> tuple[Dim, ...]:
        """The bounds of every dimension: those declared, or those of the band."""
        shapes = self.shapes
        every = shapes[0].dims if len(shapes) == 1 else tuple([dim for shape in shapes for dim in shape.dims])
        if self.band is None:
            return every
        return tuple(self._cut(at, dim, *ends) for at, (dim, ends) in enumerate(zip(every, self.band, strict=True), 1))

    def _cut(self, at: int, dim: Dim, low: int, high: int) -> Dim:
        upper = dim.upper
        if upper is None:
            size = Ref((PartRef(self.name),), UNKNOWN)
            upper = Intrinsic("size", (Argument(size), Argument(Literal_(at, INTEGER))), INTEGER)
            if dim.lower is not None:
                upper = Binary("-", Binary("+", upper, dim.lower, INTEGER), Literal_(1, INTEGER), INTEGER)
        return Dim(dim.lower if low == LOWEST else Literal_(low, INTEGER),
                   upper if high == HIGHEST else Literal_(high, INTEGER))

    def is_of(self, ref: Ref) -> bool:
        """Is it known by the name of a reference's variable, so that its subscripts are the location's? Another name
        of the same storage may have other bounds. ``h%v(2)`` of an object that is one location, in overlaid storage or
        of a recursive type, is some of it, whatever the subscripts are."""
        return self.name.split("%", 1)[0] == ref.name and len(ref.parts) <= self.name.count("%") + 1

    def shape_at(self, depth: int) -> Shape | None:
        """The shape of the variable (0) or of a component on the way to the leaf; None: a scalar."""
        for shape, at in zip(self.shapes, self.depths, strict=True):
            if at == depth and shape.dims:
                return shape
        return None


class Space:
    """The numbering of one procedure's locations. Grows while the procedure is modelled, then is fixed.

    ``descriptors``: the locations that are associations of data pointers, or allocations (``allocations``).
    ``unchanged``: the allocations that the procedure leaves alone, which no set needs to show.
    """

    def __init__(self) -> None:
        self._index: dict[Location, int] = {}
        self.locations: list[Location] = []
        self.infos: list[Info] = []
        self.allocatable: Exact = EMPTY  # the locations in allocations
        self.links: Exact = EMPTY  # what recursive types lead to, one location each, whatever is allocatable in it
        self.arrays: Exact = EMPTY
        self._aliases: dict[tuple[Type, Hashable, str | None], tuple[Exact, Exact]] = {}
        self.aliasable: Exact = EMPTY  # every pointer and target; those of unknown type may lead to any other
        self.indirect: Exact = EMPTY  # the locations reached through a pointer
        self.moving: Exact = EMPTY  # of these what is not led to by one name alone: never killed
        self.other_names: Exact = EMPTY  # what may be reached by several names
        self.shared: Exact = EMPTY  # dummy arguments that may be other targets
        self._reached: dict[May, May] = {}
        self.descriptors: Exact = EMPTY
        self.allocations: Exact = EMPTY
        self.unchanged: Exact = EMPTY
        self._leading: dict[Area, dict[tuple[str, ...], list[int]]] = {}  # descriptors, by where they lead on from
        self._behind: dict[int, Exact] = {}  # by descriptor: the locations that it leads to
        self._led: dict[May, Exact] = {}
        self._seen = 0  # so many locations are in ``_behind``

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
            if info.allocated:
                self.allocatable |= singleton(index)
            if info.aliasable and info.type.kind == "unknown" and not location.is_descriptor:
                self.links |= singleton(index)
            if info.shapes:
                self.arrays |= singleton(index)
            self._led.clear()
            if location.is_descriptor:
                self.descriptors |= singleton(index)
                self.allocations |= singleton(index) if location.is_allocation else EMPTY
                self._leading.setdefault(location.area, {}).setdefault(location.path[:-1], []).append(index)
                self._behind.clear()
                self._seen = 0
            if info.aliasable:
                bit = singleton(index)
                self.aliasable |= bit
                self.indirect |= bit if info.indirect else EMPTY
                self.shared |= bit if info.shared else EMPTY
                self._reached.clear()
                if not info.alone:
                    key = _comparable(info.type), info.family, info.part
                    leading, every = self._aliases.get(key, (EMPTY, EMPTY))
                    self._aliases[key] = (leading | (bit if info.indirect or info.shared else EMPTY), every | bit)
                    self.other_names |= bit
                    self.moving |= bit if info.indirect else EMPTY
        return index

    def is_one(self, bits: May) -> bool:
        """Is it one location, or bands of one array?"""
        places = [self.locations[i] for i in members(bits)]
        return len(places) == 1 or all(one.band is not None and (one.area, one.path) == (places[0].area, places[0].path)
                                       for one in places)

    def find(self, location: Location) -> int | None:
        return self._index.get(location)

    def find_whole(self, area: Area, path: tuple[str, ...]) -> int | None:
        """As :meth:`find`, of what is not cut. A location is equal to the tuple of its fields: none is made."""
        return self._index.get((area, path, None, None))  # type: ignore[call-overload, no-any-return]

    def all(self) -> Exact:
        """Every location there is."""
        return exactly((1 << len(self.locations)) - 1)

    def with_aliases(self, bits: May) -> May:
        """What touching ``bits`` may touch: a pointer may lead to any pointer or target of its type and family, or
        to a half of it, ``l%h`` to any component ``h``; and a dummy argument that is shared may be any of them."""
        if not self._aliases:
            return bits
        found = self._reached.get(bits)
        if found is None:
            found = self._reached[bits] = self._with_aliases(bits)
        return found

    def _with_aliases(self, bits: May) -> May:
        """Of unknown type: with any; without a family: with any of its type."""
        groups = self._aliases.items()
        anything = union(every for (type_, *_), (_, every) in groups if type_.kind == "unknown")
        if bits & anything:
            return bits | self.other_names
        total = bits
        for (type_, family, part), (leading, every) in groups:
            if not bits & every:
                continue
            same = [two for (t, f, p), two in groups
                    if _may_be(t, type_) and (f == family or None in (f, family)) and (p == part or None in (p, part))]
            total |= anything | union(all_ if bits & leading else pointers for pointers, all_ in same)
        return total

    def alike(self, bits: May) -> Iterator[tuple[May, Exact]]:
        """``bits`` in groups (second) of which each member, touched, may touch the first and itself."""
        for (type_, *_), (leading, every) in self._aliases.items():
            for among in (bits & leading, bits & every & ~leading):
                if among:
                    one = among & -among
                    reached = self.with_aliases(May(one))
                    keeps = type_.kind == "unknown" or one & leading
                    yield (reached if keeps else May(reached & ~one)), exactly(among)
        if plain := bits & ~self.other_names:
            yield EMPTY, exactly(plain)

    def with_descriptors(self, bits: May) -> May:
        """``bits``, the associations of the pointers that lead to them, and the allocations that they are in: to put a
        value back where it was, they must be what they were."""
        return bits | self.descriptors_of(bits)

    def descriptors_of(self, bits: May) -> May:
        """The associations of the pointers that lead to ``bits``, and the allocations that they are in."""
        if not self.descriptors:
            return EMPTY
        found = self._led.get(bits)
        if found is None or self._seen < len(self):
            found = self._led[bits] = self._descriptors_of(bits)
        return found

    def allocations_led_to(self, bits: May) -> May:
        """The allocations that the associations among ``bits`` may lead to: the adjoint of ``d = d + p(1)`` needs no
        value, and the memory of b behind ``p => b``."""
        associations = bits & self.descriptors & ~self.allocations
        if not associations or not self.allocatable & self.other_names:
            return EMPTY
        self.descriptors_of(bits)
        memory = union(self._behind.get(one, EMPTY) for one in members(associations))
        return self.descriptors_of(self.with_aliases(memory)) & self.allocations

    def _descriptors_of(self, bits: May) -> Exact:
        for index in range(self._seen, len(self)):
            by_path = self._leading.get(self.locations[index].area)
            if by_path is None:
                continue
            path = self.locations[index].path
            for depth in range(len(path) + 1):
                for leading in by_path.get(path[:depth], ()):
                    if leading != index:
                        self._behind[leading] = self._behind.get(leading, EMPTY) | singleton(index)
        self._seen = len(self)
        return set_of(leading for leading, led_to in self._behind.items() if bits & led_to)

    def names(self, bits: int) -> tuple[str, ...]:
        """The sorted names of a set; a variable cut into segments is named whole where all are in."""
        found = members(bits & self.all() & ~self.unchanged)
        return tuple(sorted(dict.fromkeys(self.infos[i].name for i in found)))

    def named(self, name: str) -> Exact:
        """All locations of that name (empty if there is none)."""
        return set_of(i for i, info in enumerate(self.infos) if info.name == name)

    def select(self, wanted: Iterable[Location]) -> Exact:
        indices = (self._index.get(location) for location in wanted)
        return set_of(index for index in indices if index is not None)


def _comparable(type_: Type) -> Type:
    """What of a type tells whether a pointer of one may lead to a target of another."""
    if type_.kind == "derived":
        return Type("derived", None, type_.derived)
    return Type("character") if type_.kind == "character" else Type(type_.kind, type_.bytes)


def _may_be(one: Type, other: Type) -> bool:
    """May two comparable types be the same, or one the half of the other (``p => z%im``)? A kind parameter that is not
    known may be any of its type."""
    if {one.kind, other.kind} == {"real", "complex"}:
        half, whole = (one, other) if one.kind == "real" else (other, one)
        return half.bytes is None or whole.bytes in (None, 2*half.bytes)
    if one.kind != other.kind:
        return False
    return one == other if one.kind == "derived" else one.bytes == other.bytes or None in (one.bytes, other.bytes)


def outward(location: Location, info: Info) -> Info:
    """What is known of a location, under the name that it has where it is reached through a callee."""
    name = _qualified(location, info)
    return info if name == info.name else replace(info, name=name)


def _qualified(location: Location, info: Info) -> str:
    area = location.area
    last = info.name.rsplit("::", 1)[-1].rsplit("/", 1)[-1]
    if area.kind == "common":
        return f"/{area.owner}/{last}"
    if area.kind == "module":
        owner = MISSING_MODULE if area.owner == UNKNOWN_OWNER else area.owner
        found = "%".join((f"{owner}::{area.name}", *location.path))
        return found.replace(f"%{location.path[-1]}", location.path[-1]) if location.is_descriptor else found
    return f"{area.owner.rsplit('::', 1)[-1]}::{last}"

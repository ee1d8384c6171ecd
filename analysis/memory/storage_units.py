"""From variables to locations: components of derived types, overlaid storage of COMMON and EQUIVALENCE."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, pairwise
from typing import Any, TypeVar

from snapset.analysis.memory.alias_classes import AliasClasses, Associated, Associations, Slot, component_slot
from snapset.analysis.memory.locations import ALLOCATION, ASSOCIATION, Band, Info, Location
from snapset.frontend.base.deep_recursion import deep
from snapset.frontend.base.frozen_records import frozen, replace
from snapset.frontend.base.memo import each_once
from snapset.frontend.ir import (
    ASSOCIATED,
    UNKNOWN,
    Area,
    DerivedType,
    Literal_,
    Program,
    Shape,
    Type,
    Variable,
    allocation,
)

T = TypeVar("T")

PASSED = ("formal", "temporary")  # may be the memory of an actual argument, whatever that is
PLAIN = frozenset({"refused", "named_areas"})
"""What is found once of a procedure and is plain data."""
MOST = 4_000  # locations of one variable: types of types of types that all lead to each other have millions


@frozen(quick=True)
class Leaf:
    """One location of a variable: where, and what the variable's procedure knows of it."""

    location: Location
    info: Info

    def cut(self, bands: Iterable[Band]) -> tuple[Leaf, ...]:
        """The same as the bands that an array is cut into; whole where there are none."""
        return tuple([Leaf(self.location._replace(band=band), replace(self.info, band=band))
                      for band in bands]) or (self,)


class Overlays:
    """Of a program, whichever head it has: who overlays whom, and what its statements associate."""

    def __init__(self, program: Program, within: Callable[[str], Associated] | None = None) -> None:
        """``within``: as of :class:`~snapset.analysis.memory.alias_classes.Associations`."""
        self.program = program
        self.associations = Associations(program, within)
        self.reshaped = _reshaped(program)
        self.views = _shared_areas(program, {area for area, _, _ in self.reshaped})
        self.alike = _alike(program, self.views)
        self.cuts = {area: _cut_points(views) for area, views in self.views.items()}
        self._found: dict[tuple[str, str], Any] = {}

    def once(self, question: str, key: str, work: Callable[[], T]) -> T:
        """What no head changes of a procedure: worked out for the first head that asks."""
        if (question, key) not in self._found:
            self._found[question, key] = work()
        found: T = self._found[question, key]
        return found

    def plain(self) -> Mapping[tuple[str, str], Any]:
        """Of these what another process may be told, by question and key: small data that takes long to find."""
        return {one: found for one, found in self._found.items() if one[0] in PLAIN}

    def told(self, found: Mapping[tuple[str, str], Any]) -> None:
        """Take over what another process has found of the same program."""
        for one, value in found.items():
            self._found.setdefault(one, value)

    @cached_property
    def saved(self) -> tuple[Variable, ...]:
        """What procedures keep from call to call."""
        return tuple(variable for procedure in self.program.procedures.values()
                     for variable in procedure.variables.values()
                     if variable.area.kind == "saved" and variable.area.owner == procedure.key)

    @cached_property
    def sizes(self) -> Mapping[Area, int]:
        """The bytes of every area that several variables overlay (COMMON, EQUIVALENCE)."""
        views: dict[Area, set[tuple[str, int]]] = {}
        overlaid: set[Area] = set()
        for procedure in self.program.procedures.values():
            names: dict[Area, str] = {}
            for variable in procedure.variables.values():
                if variable.value is None:
                    size = byte_size(variable)
                    end = -1 if size is None else variable.offset + size
                    views.setdefault(variable.area, set()).add((variable.name, end))
                    if names.setdefault(variable.area, variable.name) != variable.name:
                        overlaid.add(variable.area)
        for block in self.program.commons.values():
            for variable in block:
                end = variable.offset + (byte_size(variable) or 0)
                views.setdefault(variable.area, set()).add((variable.name, end))
        return {area: max(end for _, end in ends) for area, ends in views.items()
                if area in self.cuts or (area in overlaid and all(end >= 0 for _, end in ends))}


class Storage:
    """The memory layout of a whole program; every procedure sees the same locations."""

    def __init__(self, program: Program, root: str | None = None, distinct: bool = False,
                 overlays: Overlays | None = None) -> None:
        """``root``: the only procedure that is called from outside (None: any may be). ``distinct``: as of
        :class:`~snapset.analysis.memory.alias_classes.AliasClasses`. ``overlays``: what is known of a program; it
        counts where it is this one."""
        self.types = program.types
        same = overlays is not None and overlays.program is program
        self.overlays = overlays = overlays if overlays is not None and same else Overlays(program)
        self.families = AliasClasses(program, root, distinct, overlays.associations)
        self._children = _children(program.types)
        self._depths: dict[tuple[str | None, bool, bool], int | None] = {}
        self._reshaped, self._views, self._cuts = overlays.reshaped, overlays.views, overlays.cuts
        self._alike = overlays.alike

    def is_shared(self, area: Area) -> bool:
        """Do several views overlay this area (COMMON, EQUIVALENCE)?"""
        return area in self._cuts

    def layout(self) -> str:
        """All of it that is not in a variable's own declaration: who overlays whom."""
        return repr((sorted((area, sorted(views)) for area, views in self._views.items()), sorted(self._alike)))

    def leaves(self, variable: Variable) -> tuple[Leaf, ...]:
        """All locations a variable consists of."""
        if variable.area in self._cuts:
            return tuple(self._segments(variable))
        return tuple(self._components(variable, variable.name, Location(variable.area), (), (), (), False, False, (),
                                      variable.area, self._depth(variable)))

    def _segments(self, variable: Variable) -> Iterator[Leaf]:
        cuts = self._cuts[variable.area]
        size = byte_size(variable)
        touched = variable.pointer or variable.target
        if cuts is None or size is None:
            yield Leaf(Location(variable.area), Info(variable.name, UNKNOWN, (), None, True, True))
            return
        family = self.families.of(variable.area) if touched else None
        first, last = variable.offset, variable.offset + size
        inner = [c for c in cuts if first <= c <= last]
        for low, high in pairwise(inner):
            own = (low, high) == (first, last) and (variable.area, first, last) not in self._reshaped
            shapes, depths = ((variable.shape,), (0,)) if own else ((), ())
            mixed = any(kind != variable.type.kind for start, end, kind in self._views[variable.area]
                        if start < high and low < end)
            mixed = mixed or variable.type.kind == "derived"  # its reals carry derivatives, its integers do not
            type_ = Type("unknown", variable.type.bytes) if mixed else variable.type
            whole = own and (variable.area, low, high) in self._alike
            info = Info(variable.name, type_, shapes, None if whole else high - low, variable.pointer, touched, family,
                        depths)
            yield Leaf(Location(variable.area, (), (low, high)), info)

    @deep
    def _components(self, variable: Variable, name: str, at: Location, shapes: tuple[Shape, ...],
                    depths: tuple[int, ...], allocated: tuple[int, ...], indirect: bool, aliasable: bool,
                    inside: tuple[str, ...], slot: Slot, depth: int | None) -> list[Leaf]:
        found: list[Leaf] = []
        part = at.path[-1] if at.path else None if at.area.kind in PASSED else ""
        leads_on = variable.pointer and variable.type.kind != "procedure"  # a procedure is no memory
        alone = (leads_on and variable.type.kind != "derived" and not (indirect or aliasable or variable.polymorphic)
                 and self.families.leads_alone(slot, at.area))
        if leads_on:
            family = self.families.in_object(slot, at.area) if aliasable else None
            found.append(Leaf(Location(at.area, (*at.path, ASSOCIATION)),
                       Info(name + ASSOCIATION, ASSOCIATED, shapes, None, indirect, aliasable, family, depths,
                            allocated, part=part)))
        if variable.allocatable and at.area.kind != "temporary":
            family = self.families.in_object(slot, at.area) if aliasable else None
            found.append(Leaf(Location(at.area, (*at.path, ALLOCATION)),
                       Info(name + ALLOCATION, allocation(variable.shape.rank, variable.polymorphic), shapes, None,
                            indirect, aliasable, family, depths, allocated, part=part)))
        if variable.shape.dims:
            shapes, depths = (*shapes, variable.shape), (*depths, len(at.path))
        if variable.allocatable:
            allocated = (*allocated, len(at.path))
        indirect = indirect or leads_on
        aliasable = aliasable or leads_on or (variable.target and not self._is_left_alone(variable, at))
        derived = variable.type.derived
        declared = self.types.get(derived) if derived else None
        if declared is None or derived is None:
            # A derived type without source may hold anything, pointers included.
            opaque = variable.type.kind == "derived"
            type_ = UNKNOWN if opaque else variable.type
            family = self.families.in_object(slot, at.area) if aliasable and not opaque else None
            found.append(Leaf(at, Info(name, type_, shapes, None, indirect or opaque, aliasable or opaque, family,
                                       depths, allocated, part=None if leads_on or opaque else part,
                                       shared=at.area in self.families.shared, alone=alone)))
        elif derived in inside or len(at.path) == depth:
            # A recursive type, reached through a pointer, or one of too many: what lies below is one location.
            links = Type("unknown", derived=derived)
            found.append(Leaf(at, Info(name, links, shapes, None, True, True, None, depths, allocated)))
        else:
            components = self._parts(variable)
            for component, key in components:
                below = Location(at.area, (*at.path, component.name))
                found += self._components(component, f"{name}%{component.name}", below, shapes, depths, allocated,
                                            indirect, aliasable, (*inside, derived),
                                            component_slot(self.types, key, component.name), depth)
            if not components:
                found.append(Leaf(at, Info(name, variable.type, shapes, 0, indirect, aliasable, None, depths,
                                           allocated)))
        return found

    def _is_left_alone(self, variable: Variable, at: Location) -> bool:
        """Is it a procedure's own target of no derived type that nothing is ever associated with?"""
        own = at.area.kind == "local" and not at.path and variable.type.kind != "derived"
        return own and self.families.alone(at.area)

    def _parts(self, variable: Variable) -> tuple[tuple[Variable, str], ...]:
        """The components an object of a derived type with source may have, with the type each is in."""
        derived = variable.type.derived or ""
        own = tuple((component, derived) for component in self.types[derived].components)
        return self._extended(derived) if variable.polymorphic else own

    def _depth(self, variable: Variable) -> int | None:
        """How many components down a variable's locations are told apart; None: all the way. An object of a module
        that has too many is not cut at all: all that runs below a call without source may reach it, so its locations
        are everywhere."""
        key = variable.type.derived, variable.polymorphic, variable.area.kind == "module"
        if key not in self._depths:
            self._depths[key] = self._counted(variable, 0 if key[-1] else 1)
        found = self._depths[key]
        return 0 if key[-1] and found is not None else found

    def _counted(self, variable: Variable, least: int) -> int | None:
        """The depth, at least ``least``, down to which there are not too many."""
        total, depth = 0, 0
        level: list[tuple[Variable, frozenset[str]]] = [(variable, frozenset())]
        while level:
            below: list[tuple[Variable, frozenset[str]]] = []
            for one, inside in level:
                derived = one.type.derived
                total += 1
                if derived is not None and derived in self.types and derived not in inside:
                    below += [(component, inside | {derived}) for component, _ in self._parts(one)]
                if total + len(below) > MOST and depth >= least:
                    return depth
            depth += 1
            level = below
        return None

    def component(self, variable: Variable, names: Iterable[str]) -> Variable | None:
        """The declaration of a component of a variable, of a component of that, and so on; None: it is not known."""
        found: Variable | None = variable
        for name in names:
            key = found.type.derived if found is not None else None
            if found is None or key is None or key not in self.types:
                return None
            keys = self._descendants(key) if found.polymorphic else (key,)
            found = next((one for key in keys for one in self.types[key].components if one.name == name), None)
        return found

    def leads_on(self, variable: Variable, path: Sequence[str], depth: int) -> bool:
        """Is one of the components below ``depth``, which share one location, a pointer or allocatable? What it is
        associated with is in that location: of ``q%next%w`` the allocation of w."""
        along = [self.component(variable, path[:end]) for end in range(depth, len(path) + 1)]
        return any(one.pointer or one.allocatable if one is not None else above is None or above.type.kind == "derived"
                   for above, one in pairwise(along))

    def owns_allocations(self, key: str | None) -> bool:
        """Has an object of this type allocatable components, or components that have, pointers aside?"""
        work = [key or ""]
        for one in work:
            for component, _ in self._extended(one) if one in self.types else ():
                if component.allocatable:
                    return True
                if not component.pointer and component.type.derived not in (None, *work):
                    work.append(component.type.derived or "")
        return False

    def part(self, key: str, names: Sequence[str]) -> Variable | None:
        """The declaration of a component of objects of a type, or of those that extend it; None: there is none."""
        keys = self._descendants(key) if key in self.types and names else ()
        every = (component for one in keys for component in self.types[one].components)
        return next((self.component(one, names[1:]) for one in every if one.name == names[0]), None)

    def related(self, one: str | None, other: str | None) -> bool:
        """Do components of the same path mean the same in both types: is one the other or an extension of it?"""
        if one == other:
            return True
        if one is None or other is None or one not in self.types or other not in self.types:
            return False
        return one in self._descendants(other) or other in self._descendants(one)

    def _extended(self, key: str) -> tuple[tuple[Variable, str], ...]:
        """The components an object of type ``key`` or of any type that extends it may have, with the type each is in.

        One name in two extensions is one component; where they differ, of unknown type and never killed.
        """
        found: dict[str, tuple[Variable, str]] = {}
        for one in self._descendants(key):
            for component in self.types[one].components:
                known, where = found.setdefault(component.name, (component, one))
                if (known.type, known.shape, known.pointer) != (component.type, component.shape, component.pointer):
                    found[component.name] = replace(known, type=UNKNOWN, shape=Shape(), pointer=True), where
        return tuple(found.values())

    def _descendants(self, key: str) -> tuple[str, ...]:
        found = [key]
        for one in found:
            found += [child for child in self._children.get(one, ()) if child not in found]
        return tuple(found)


def _children(types: Mapping[str, DerivedType]) -> Mapping[str, tuple[str, ...]]:
    """The types that extend each type directly."""
    found: dict[str, tuple[str, ...]] = {}
    for type_ in types.values():
        if type_.extends is not None:
            found[type_.extends] = (*found.get(type_.extends, ()), type_.key)
    return found


def byte_size(variable: Variable) -> int | None:
    """The constant size of a variable in bytes, None where it is not constant."""
    if variable.type.bytes is None or variable.shape.kind not in ("scalar", "explicit"):
        return None
    size = variable.type.bytes
    for dim in variable.shape.dims:
        lower = 1 if dim.lower is None else _constant(dim.lower)
        upper = None if dim.upper is None else _constant(dim.upper)
        if lower is None or upper is None:
            return None
        size *= max(0, upper - lower + 1)
    return size


def _constant(expr: object) -> int | None:
    if isinstance(expr, Literal_) and isinstance(expr.value, int):
        return int(expr.value)
    return None


View = tuple[int, int, str]


def _cut_points(views: frozenset[View]) -> tuple[int, ...] | None:
    """Where the segments of a shared area begin and end. None: some size is not constant."""
    if any(end < 0 for _, end, _ in views):
        return None
    return tuple(sorted({point for start, end, _ in views for point in (start, end)}))


def _shared_areas(program: Program, reshaped: set[Area]) -> dict[Area, frozenset[View]]:
    """Every COMMON block and EQUIVALENCE group: the (first byte, end, kind) of each view of it (end -1: unknown).
    A group of which all have the same bytes and the same shape, too, is none: they are one variable."""
    views: dict[Area, set[View]] = {}
    for variable in _all_variables(program):
        size = byte_size(variable)
        end = -1 if size is None else variable.offset + size
        views.setdefault(variable.area, set()).add((variable.offset, end, variable.type.kind))
    return {area: frozenset(seen) for area, seen in views.items()
            if len(seen) > 1 or (area.kind == "common" and area.name == area.owner) or area in reshaped}


def _alike(program: Program, views: Mapping[Area, frozenset[View]]) -> frozenset[tuple[Area, int, int]]:
    """The bytes, first and end, of shared areas that are one array of one shape wherever they are named: ``a(6, 6)`` of
    ``COMMON /f/ a, b`` where no other declaration of /f/ has there ``a(36)``, half of an array, or another type.

    Such an array is one as in a module: its elements have the same subscripts in all procedures."""
    found: dict[tuple[Area, int, int], set[tuple[Type, Shape]]] = {}
    for variable in _all_variables(program):
        if variable.area in views and (size := byte_size(variable)):
            at = variable.area, variable.offset, variable.offset + size
            found.setdefault(at, set()).add((variable.type, variable.shape))
    return frozenset((area, first, end) for (area, first, end), seen in found.items()
                     if len(seen) == 1 and all(shape.dims for _, shape in seen) and all(
                         one[:2] == (first, end) or one[0] >= end or 0 <= one[1] <= first for one in views[area]))


def _reshaped(program: Program) -> frozenset[tuple[Area, int, int]]:
    """The bytes, first and end, that two variables of one procedure or module have in different shapes:
    EQUIVALENCE (c, d) of ``c(2, 2)`` and ``d(4)``; or as objects, whose components these bytes are told of at once."""
    found: set[tuple[Area, int, int]] = set()
    scopes: list[Iterable[Variable]] = [one.variables.values() for one in program.procedures.values()]
    for variables in (*scopes, program.module_variables.values()):
        shapes: dict[tuple[Area, int, int], Shape] = {}
        for variable in variables:
            if variable.value is None and (size := byte_size(variable)) is not None:
                at = variable.area, variable.offset, variable.offset + size
                again = at in shapes and variable.type.kind == "derived"
                if again or shapes.setdefault(at, variable.shape) != variable.shape:
                    found.add(at)
    return frozenset(found)


def _all_variables(program: Program) -> Iterable[Variable]:
    """Each variable once: those of a module are seen in many procedures."""
    every = chain(*(procedure.variables.values() for procedure in program.procedures.values()))
    plain = (one for one in chain(every, program.module_variables.values()) if one.value is None)
    return each_once(chain(plain, *program.commons.values()))

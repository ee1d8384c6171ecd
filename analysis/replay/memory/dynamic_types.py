"""The dynamic types of CLASS objects: which one an object has while a program runs, and what it decides.

Beside its components a CLASS object has a :class:`TypeTag`, memory that holds the number of its type. The tag is part
of the allocation, or of the association of a pointer: it is made with them, comes back with them, and never changes in
place. The object has memory for the components of its own type only, not for those of other extensions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from snapset.analysis.replay.memory.lazy_numpy import np
from snapset.analysis.replay.memory.runtime_support import ReplayError, Slot, about
from snapset.frontend import ir

Types = Mapping[str, ir.DerivedType]
TAG: Final = "=type"  # the last component of the path to a tag; no name of Fortran's


class TypeTag(Slot):
    """Memory of a dynamic type's number; without memory where the object is not allocated."""

    __slots__ = ()


# ---------------------------------------------------------------- types


def extending(key: str, types: Types) -> tuple[str, ...]:
    """A type and all that extend it, what is extended first."""
    found = [key]
    for one in found:
        found += [type_.key for type_ in types.values() if type_.extends == one and type_.key not in found]
    return tuple(found)


def number_of(key: str, types: Types) -> int:
    """The number by which a running program knows a type."""
    return sorted(types).index(key)


def guarded(stmt: ir.Select, declared: str, types: Types) -> Iterator[tuple[int, ir.Case | None]]:
    """For each type that the selector of a SELECT TYPE may be of, its number and the block it leads to: that of TYPE
    IS, else that of the nearest CLASS IS. None: CLASS DEFAULT, or none."""
    for key in extending(declared, types):
        exact = (case for case in stmt.cases if case.exact and case.guard is not None and case.guard.derived == key)
        yield number_of(key, types), next(exact, None) or _nearest(stmt, key, types)


def _nearest(stmt: ir.Select, key: str, types: Types) -> ir.Case | None:
    above: str | None = key
    while above is not None and above in types:
        for case in stmt.cases:
            if not case.exact and case.guard is not None and case.guard.derived == above:
                return case
        above = types[above].extends
    return None


def first_of(key: str, types: Types, wanted: object) -> str | None:
    """The type ``wanted`` by its name among those that extend one, else the first of them that has objects."""
    family = [one for one in extending(key, types) if not types[one].abstract]
    return next((one for one in family if isinstance(wanted, str) and one.rpartition("::")[2] == wanted.lower()),
                family[0] if family and not isinstance(wanted, str) else None)


def extension_table(types: Types) -> Mapping[int, frozenset[int]]:
    """By each type's number those of the types that extend it, itself among them."""
    numbers = {key: at for at, key in enumerate(sorted(types))}
    return MappingProxyType({numbers[key]: frozenset(numbers[one] for one in extending(key, types)) for key in types})


# ---------------------------------------------------------------- what runs


def typed(number: int) -> TypeTag:
    """The tag of an object whose type never changes."""
    return TypeTag(np.array(number), None, ())


def untyped() -> TypeTag:
    """The tag of an object that is not allocated."""
    return TypeTag(None, None, ())


def become(tag: Slot, number: int) -> None:
    """ALLOCATE. Raises ReplayError where the object already is."""
    if tag.a is not None:
        raise about(tag, "ALLOCATE of `{}`, which is allocated", "ALLOCATE of what is allocated")
    tag.a = np.array(number)


def retyped(tag: Slot, number: int) -> None:
    """Assignment to a CLASS object, which takes the type of the value."""
    tag.a = np.array(number)


def kind_of(tag: Slot) -> int:
    """The number of an object's type. Raises ReplayError where there is none."""
    if tag.a is None:
        raise about(tag, "the type of `{}` is asked for, which is not allocated or not passed",
                    "the type of an object is asked for that is not allocated or not passed")
    return int(tag.a)


def picked(kind: int, ways: Mapping[int, Callable[[], Any]]) -> Any:
    """The way of the type that the object of a type-bound call has.

    Raises:
        ReplayError: the analysis does not know of it.
    """
    if kind not in ways:
        raise ReplayError("a type-bound call for an object of a type that the analysis does not expect here")
    return ways[kind]()


NAMES: Mapping[str, object] = MappingProxyType({
    "typed": typed, "untyped": untyped, "become": become, "retyped": retyped, "kind_of": kind_of, "picked": picked,
})

"""The scopes of a program in the cache, with what the units were that they were built from.

One entry for the units of these kinds and names, of these files, under these kinds of default types. It is not found by
what the units say but holds it: of each procedure a hash of all its statements and their places, and the procedure as
it was, packed, which is unpacked only where that hash is another one. So what comes out of the cache is made of the
units that are there now, as far as they are what they were, and
:func:`snapset.frontend.symbols.rebuilt_scopes.rebuilt` compares then and now and builds anew what could be otherwise.
Where that is all, the entry is replaced; else it stays, so that an edit writes nothing here, and the next one is
compared with the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from snapset.frontend.base.default_kinds import DefaultKinds
from snapset.frontend.base.frozen_records import frozen, replace
from snapset.frontend.base.source_model import Item, Unit
from snapset.frontend.persistence.disk_cache import Cache
from snapset.frontend.persistence.fingerprint import digest, placed_digest
from snapset.frontend.persistence.serialization import DamagedError, pack, unpack
from snapset.frontend.reading.unreadable_units import Failures
from snapset.frontend.symbols.rebuilt_scopes import BuiltScopes, built, procedures_of, rebuilt
from snapset.frontend.symbols.scope_builder import build_scopes
from snapset.frontend.symbols.symbol_table import Scope, Scopes


@frozen
class _PackedUnit:
    """``mark``: the hash of a procedure, or of a module's own statements, places included. ``packed``: the
    procedure as it was; of a module nothing, as everything is built anew after another word in it."""

    mark: bytes
    packed: bytes
    contains: tuple[_PackedUnit, ...] = ()


@frozen
class PackedScopes:
    """Scopes whose statements are left out: of each those of ``executable`` are numbers of its unit's statements."""

    units: tuple[_PackedUnit, ...]
    built: BuiltScopes
    executable: Mapping[str, tuple[int, ...]]


class _OtherwiseError(Exception):
    """More has changed than procedures."""


def remembered_scopes(units: Sequence[Unit], failures: Failures, kinds: DefaultKinds, cache: Cache) -> Scopes:
    """As :func:`snapset.frontend.symbols.scope_builder.build_scopes`, looking into the cache first."""
    if cache.path is None:
        return build_scopes(units, failures, kinds)
    key = digest("scopes", repr(kinds), *_names(units))
    packed: PackedScopes | None = cache.get(key)
    known = None if packed is None else unpacked(packed, units)
    found = None if known is None else rebuilt(known, units, kinds)
    if found is not None:
        return found
    scopes, whole = built(units, failures, kinds)
    entry = None if whole is None else packed_scopes(whole)
    if entry is not None:
        cache.put(key, entry)
    return scopes


def packed_scopes(whole: BuiltScopes) -> PackedScopes | None:
    """As they are kept; None where a scope's statements are not its unit's."""
    numbers, bare = dict[str, tuple[int, ...]](), dict[str, Scope]()
    here = dict(procedures_of(whole.units))
    for key, scope in whole.scopes.scopes.items():
        found = _numbers(scope.unit.items, scope.executable)
        if found is None or here[key] is not scope.unit:
            return None
        numbers[key] = found
        nothing = Unit(scope.unit.kind, scope.unit.name, None, (), scope.unit.end)
        bare[key] = replace(scope, unit=nothing, executable=())
    scopes = replace(whole.scopes, scopes=MappingProxyType(bare))
    return PackedScopes(tuple(map(_packed, whole.units)), replace(whole, units=(), scopes=scopes), numbers)


def unpacked(known: PackedScopes, units: Sequence[Unit]) -> BuiltScopes | None:
    """Those that were packed, with these units as far as they are what they were; None where more has changed than
    procedures."""
    try:
        then = tuple(_as_they_were(known.units, units))
    except (_OtherwiseError, DamagedError):
        return None
    there = dict(procedures_of(then))
    if not known.executable.keys() <= there.keys():
        return None
    scopes = {}
    for key, scope in known.built.scopes.scopes.items():
        items = there[key].items
        executable = tuple([items[number] for number in known.executable[key]])
        scopes[key] = replace(scope, unit=there[key], executable=executable)
    return replace(known.built, units=then, scopes=replace(known.built.scopes, scopes=MappingProxyType(scopes)))


def _numbers(items: Sequence[Item], some: Sequence[Item]) -> tuple[int, ...] | None:
    """Which of the items some are, in order; None where they are none of these."""
    found, at = list[int](), 0
    for one in some:
        while at < len(items) and items[at] is not one:
            at += 1
        if at == len(items):
            return None
        found.append(at)
        at += 1
    return tuple(found)


def _is_module(unit: Unit) -> bool:
    return unit.kind in ("module", "submodule")


def _packed(unit: Unit) -> _PackedUnit:
    if _is_module(unit):
        return _PackedUnit(_module_mark(unit), b"", tuple(map(_packed, unit.contains)))
    return _PackedUnit(placed_digest(unit), pack(unit))


def _module_mark(unit: Unit) -> bytes:
    """Of a module without its procedures, and without its END, which moves with them."""
    return placed_digest(replace(unit, contains=(), end=unit.header or unit.end))


def _as_they_were(known: Sequence[_PackedUnit], units: Sequence[Unit]) -> Iterator[Unit]:
    """Raises _OtherwiseError, and DamagedError."""
    if len(known) != len(units):
        raise _OtherwiseError
    for was, now in zip(known, units, strict=True):
        if _is_module(now):
            if was.mark != _module_mark(now):
                raise _OtherwiseError
            contains = tuple(_as_they_were(was.contains, now.contains))
            same = all(one is other for one, other in zip(contains, now.contains, strict=True))
            yield now if same else replace(now, contains=contains)
        elif was.mark == placed_digest(now):
            yield now
        elif was.packed:
            then: Unit = unpack(was.packed)
            yield then
        else:
            raise _OtherwiseError


def _names(units: Sequence[Unit]) -> Iterator[str]:
    for unit in units:
        yield f"{unit.kind} {unit.name} {len(unit.contains)} {unit.end.span.file}"
        yield from _names(unit.contains)

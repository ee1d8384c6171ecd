"""Scopes of a program of which only some procedures' statements have changed since its scopes were built.

    module flow                 the scopes of `step` and `cost` were built in an earlier run. Now `step` has another
    contains                    statement. Its scope is built again, among the names that `flow` gives it; that of
      subroutine step(u)        `cost` is what it was.
      subroutine cost(u, f)

What one procedure's scope can depend on of another one is not its statements: it is its name, what it declares for
others (types, COMMON blocks, interfaces of separate procedures), the type of its result, and the modules that it uses,
which say in what order all is built. So the scopes of the others are what they were where

- no unit was added, taken away, or renamed, and all that stands outside of procedures is the same, places too;
- of a procedure that is not the same, the declarations are, word for word, and the modules that its text names;
- it declares no types and has no part in COMMON blocks, nothing is said of it, and its result has the type it had.

That the last holds is seen from building it twice, as it was and as it is, with nothing else there that could be added
to. How it was, it must come out as it was stored: if it does not, this is no way to build it, and all is built anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from snapset.frontend.base.default_kinds import DefaultKinds
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.frozen_records import frozen, replace
from snapset.frontend.base.source_model import Item, Line, Unit
from snapset.frontend.declarations.specification_part import collect
from snapset.frontend.ir import Type
from snapset.frontend.reading.unit_order import owner, used_modules
from snapset.frontend.reading.unreadable_units import Failures
from snapset.frontend.symbols.scope_builder import ProgramBuilding, building_of
from snapset.frontend.symbols.symbol_table import Scope, Scopes, results_of, with_results
from snapset.frontend.symbols.use_association import VisibleNames
from snapset.frontend.symbols.variable_builder import Shared

LARGEST = 0.25
"""The share of all procedures that may have changed: each of them is built twice, and all are built once otherwise."""


@frozen
class BuiltScopes:
    """Scopes, the units that they are of, and what else a procedure of them is built from: ``inside``, what the
    procedures of each module see of it; ``sizes`` of types; ``implemented``, the keys of procedures with source."""

    units: tuple[Unit, ...]
    scopes: Scopes
    inside: Mapping[str, tuple[VisibleNames, Mapping[str, Type]]]
    sizes: Mapping[str, int | None]
    implemented: frozenset[str]


@frozen
class _Changed:
    """A procedure of a module or of none, as it was and as it is, with all that it contains. ``moved``: are
    declarations on other lines?"""

    module: str | None
    old: Unit
    new: Unit
    moved: bool


class _OtherwiseError(Exception):
    """More has changed than some procedures' statements."""


def built(units: Sequence[Unit], failures: Failures, kinds: DefaultKinds) -> tuple[Scopes, BuiltScopes | None]:
    """The scopes of all units; and with what they can be built in part next time, None where they cannot.

    Raises InputError as :func:`snapset.frontend.symbols.scope_builder.build_scopes` does.
    """
    building = building_of(units, failures, kinds)
    scopes, shared = building.finish(), building.shared
    if failures.found or shared.bodies:
        return scopes, None
    return scopes, BuiltScopes(tuple(units), scopes, building.inside, shared.sizes, shared.implemented)


def rebuilt(known: BuiltScopes, units: Sequence[Unit], kinds: DefaultKinds) -> Scopes | None:
    """The scopes of ``units``, those of unchanged procedures as they are ``known``; None where all must be built."""
    try:
        changed = tuple(_changes(known.units, units))
        if len(changed) > LARGEST*len(known.scopes.scopes):
            return None
        _check_places(known, changed)
        found = dict(known.scopes.scopes)
        for one in changed:
            found |= _anew(known, one, kinds)
    except (_OtherwiseError, InputError):  # an error in the text: whoever builds all says so
        return None
    here = {key: unit for key, unit in procedures_of(units) if key in found}
    placed = {key: replace(scope, unit=here[key]) for key, scope in found.items()}
    return replace(known.scopes, scopes=MappingProxyType(placed))


def _changes(old: Sequence[Unit], new: Sequence[Unit]) -> Iterator[_Changed]:
    """The procedures that are not what they were. Raises _OtherwiseError where anything else is not."""
    for was, now in _pairs(old, new):
        if was == now:
            continue
        if was.kind in ("module", "submodule"):
            if (was.header, was.items, was.problem) != (now.header, now.items, now.problem):
                raise _OtherwiseError
            for one, other in _pairs(was.contains, now.contains):
                if one != other:
                    yield _Changed(owner(was), *_declared_alike(one, other))
        else:
            yield _Changed(None, *_declared_alike(was, now))


def _pairs(old: Sequence[Unit], new: Sequence[Unit]) -> Iterator[tuple[Unit, Unit]]:
    if [(one.kind, one.name) for one in old] != [(one.kind, one.name) for one in new]:
        raise _OtherwiseError
    return zip(old, new, strict=True)


def _declared_alike(old: Unit, new: Unit) -> tuple[Unit, Unit, bool]:
    """Both, where they and what they contain declare the same and name the same modules; do they on other lines? Raises
    _OtherwiseError."""
    if old.kind not in ("program", "subroutine", "function") or old.problem is not None or new.problem is not None:
        raise _OtherwiseError
    first, other = collect(old), collect(new)
    was, now = (old.header, *old.items[:first.start]), (new.header, *new.items[:other.start])
    if list(map(_text, was)) != list(map(_text, now)) or used_modules(old) != used_modules(new):
        raise _OtherwiseError
    inside = [_declared_alike(one, another) for one, another in _pairs(old.contains, new.contains)]
    return old, new, was != now or any(moved for _, _, moved in inside)


def _text(item: Item | None) -> object:
    return (item.text, item.label, item.construct) if isinstance(item, Line) else item


def _check_places(known: BuiltScopes, changed: Sequence[_Changed]) -> None:
    """Raises _OtherwiseError where the place of a declaration that moved may stand in what is kept: in what was said,
    or in a module without source, which has the place of the first USE."""
    files = {one.old.end.span.file for one in changed if one.moved}
    without = known.scopes.exported.keys() - {unit.name for unit in known.units if unit.kind == "module"}
    if any(said.span.file in files for said in known.scopes.diagnostics) or (files and without):
        raise _OtherwiseError


def _anew(known: BuiltScopes, one: _Changed, kinds: DefaultKinds) -> Mapping[str, Scope]:
    """The scopes of a changed procedure and of those in it. Raises _OtherwiseError where others may depend on it."""
    results = results_of(known.scopes.scopes)
    before = _alone(known, one.module, one.old, kinds, results)
    after = _alone(known, one.module, one.new, kinds, results)
    if any(scope != known.scopes.scopes.get(key) for key, scope in before.items()):
        raise _OtherwiseError
    if results_of(before) != results_of(after):
        raise _OtherwiseError
    return after


def _alone(known: BuiltScopes, module: str | None, unit: Unit, kinds: DefaultKinds,
           results: Mapping[str, Type | None]) -> Mapping[str, Scope]:
    """The scopes of one procedure and of those in it. Raises _OtherwiseError where there is more than these."""
    scopes = known.scopes
    shared = Shared(types=dict(scopes.types), sizes=dict(known.sizes), externals=dict(scopes.externals),
                    implemented=known.implemented, exported=dict(scopes.exported), kinds=kinds)
    building = ProgramBuilding(shared, Failures(), inside=dict(known.inside))
    if module is None:
        building.external(unit)
    else:
        building.contained(unit, module)
    own = any(type_.startswith(f"{key}::") for key, scope in building.scopes.items() for type_ in scope.types.values())
    if own or shared.diagnostics or building.commons or shared.bodies:
        raise _OtherwiseError
    return {key: with_results(scope, results) for key, scope in building.scopes.items()}


def procedures_of(units: Sequence[Unit], above: str = "") -> Iterator[tuple[str, Unit]]:
    """Every procedure with its key, and every module."""
    for unit in (one for one in units if one.kind != "block data"):
        key = above + (owner(unit) if not above else unit.name)
        yield key, unit
        yield from procedures_of(unit.contains, f"{key}::")

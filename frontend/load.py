"""A whole program: files to procedures, actual to dummy arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from types import MappingProxyType

from snapset.frontend import ir
from snapset.frontend.base.default_kinds import STANDARD, DefaultKinds
from snapset.frontend.base.diagnostics import Diagnostic, InputError, Span
from snapset.frontend.base.source_model import ReadOptions, Unit
from snapset.frontend.cfg.dead_ends import LiveCalls
from snapset.frontend.declarations.namelists import namelist_groups
from snapset.frontend.interprocedural.lazy_procedures import body_facts_of
from snapset.frontend.interprocedural.line_regions import mark_lines
from snapset.frontend.interprocedural.name_scan import allocates
from snapset.frontend.interprocedural.needed_units import refuse_run
from snapset.frontend.interprocedural.procedure_pointers import with_targets
from snapset.frontend.interprocedural.rank_names import rank_names
from snapset.frontend.interprocedural.specialised_procedures import specialised
from snapset.frontend.interprocedural.unit_reachability import ReachedUnits, Roots, reached
from snapset.frontend.lowering.default_initialisation import Defaults
from snapset.frontend.persistence.disk_cache import Cache, no_cache
from snapset.frontend.persistence.fingerprint import digest, text_digest
from snapset.frontend.persistence.lowered_procedures import LoweredProcedures
from snapset.frontend.persistence.remembered_scopes import remembered_scopes
from snapset.frontend.persistence.remembered_units import RememberedUnits
from snapset.frontend.reading.read import cut_statements, text_units
from snapset.frontend.reading.save_lists import save_lists
from snapset.frontend.reading.unreadable_units import (
    Failures,
    UnreadError,
    every_unit,
    refuse,
    remarks,
    unusable,
    usable,
)
from snapset.frontend.resolution.lowering_context import ProgramContext
from snapset.frontend.symbols.common_members import joined
from snapset.frontend.symbols.entry_points import EntryPoint, entered, entry_points, one_result
from snapset.frontend.symbols.symbol_table import Scope, Scopes

__all__ = ["load_program", "load_text", "load_units", "mark_lines"]


def _nothing_known(call: ir.Call) -> bool:
    """Of no call without targets is it known what it does."""
    return False


def load_program(
    paths: Sequence[str], options: ReadOptions | None = None, roots: Roots | None = None, cache: Cache | None = None,
    known: Callable[[ir.Call], bool] = _nothing_known,
) -> ir.Program:  # fmt: skip
    """The procedures of the files, in any order; with ``roots`` those they reach (:func:`load_units`).

    Raises InputError for files that cannot be read or are not Fortran, and for two procedures of one name.
    """
    options = options or ReadOptions()
    remembered = RememberedUnits(cache or no_cache())
    units = [unit for path in paths for unit in remembered.of_file(path, options)]
    return load_units(units, tuple(paths), roots, cache, known, kinds=options.kinds)


def load_units(
    units: Sequence[Unit], files: tuple[str, ...], roots: Roots | None = None, cache: Cache | None = None,
    known: Callable[[ir.Call], bool] = _nothing_known, near: ReachedUnits | None = None, kinds: DefaultKinds = STANDARD,
) -> ir.Program:  # fmt: skip
    """A program from units that were read; ``near``: what ``roots`` reach of them, where that is known already.
    ``kinds``: of what is declared without one.

    With ``roots``, what they cannot reach is not parsed, as long as what is reached calls nothing but procedures with
    source by their names, and procedures that ``known`` says touch only their arguments: what else it calls may reach
    anything.
    Raises InputError for units that are not Fortran, and for two of one name.
    """
    cache = cache or no_cache()
    if roots is None:
        refuse(units)
        found = _program(ReachedUnits(tuple(units)), files, cache, kinds)
        return replace(found, rank_names=rank_names(units), whole=True)
    near = near or reached(units, roots)
    needed = frozenset(unit.end.span for unit in every_unit(near.units) if unit.problem is None)
    found = _built(near, needed, files, cache, kinds, roots.names)
    every = ReachedUnits(tuple(units), unread=near.unread)
    whole: ir.Program | bool = False
    if not is_closed(found, known, roots):
        found = _built(every, needed, files, cache, kinds)
        whole = _all_read(found)
    elif names_module_allocatables(found) and allocates(units):
        whole = _whole(every, files, cache, kinds)
    refuse_run(found, roots.names, near)
    return replace(found, rank_names=rank_names(units), whole=whole)


def _whole(every: ReachedUnits, files: tuple[str, ...], cache: Cache, kinds: DefaultKinds) -> ir.Program | bool:
    """The program with what no head reaches; False where not all of it can be read."""
    try:
        found = _built(every, frozenset(), files, cache, kinds)
    except InputError:
        return False
    return found if _all_read(found) else False


def _all_read(program: ir.Program) -> bool:
    """Is there nothing in the files that could not be read?"""
    return not any(one.code == "SN201" and one.severity == "warning" for one in program.diagnostics)


def names_module_allocatables(program: ir.Program) -> bool:
    """Is there an array of a module whose shape only ALLOCATE tells, and that is used?"""
    holding = {key for key, type_ in program.types.items() if any(_is_open(one) for one in type_.components)}
    areas = {one.area for one in program.module_variables.values()
             if _is_open(one) or (not one.pointer and holding and one.type.kind == "derived")}
    return bool(areas) and any(one.area in areas for procedure in program.procedures.values()
                               for one in procedure.variables.values())


def _is_open(variable: ir.Variable) -> bool:
    return variable.allocatable and bool(variable.shape.dims)


def _built(
    near: ReachedUnits, needed: frozenset[Span], files: tuple[str, ...], cache: Cache, kinds: DefaultKinds,
    called: frozenset[str] = frozenset(),
) -> ir.Program:  # fmt: skip
    """The program of these units, without what is not Fortran and not among the ``needed`` (their END statements)."""
    while True:
        failures = Failures(needed)
        try:
            return _program(replace(near, units=usable(near.units)), files, cache, kinds, called, failures)
        except UnreadError:
            units = failures.noted(near.units)
            near = replace(near, units=units, unread=(*near.unread, *unusable(units)))


def is_closed(
    program: ir.Program, known: Callable[[ir.Call], bool] = _nothing_known, roots: Roots | None = None
) -> bool:  # fmt: skip
    """Does all that can happen here happen in procedures the program has, called by their names, or is it known?

    With ``roots``: that can happen below them, in a run that does not stop.
    """
    if not _all_read(program):
        return False
    named = None if roots is None or roots.places else roots.names
    keys = [key for key, procedure in program.procedures.items() if named is None or procedure.name in named]
    return all(_closed(procedure, calls, known) for procedure, calls in LiveCalls(program, keys).procedures())


def _closed(procedure: ir.Procedure, unknown: tuple[ir.Call, ...], known: Callable[[ir.Call], bool]) -> bool:
    """Which procedures a pointer may be associated with, only all of the program tells."""
    return not body_facts_of(procedure).opaque and all(one.via != "pointer" and known(one) for one in unknown)


def load_text(text: str, name: str = "x.f90", options: ReadOptions | None = None) -> ir.Program:
    """As :func:`load_program` for one file's text, ``name`` standing for its path."""
    units = text_units(text, name, options or ReadOptions())
    refuse(units)
    found = _program(ReachedUnits(units), (name,), no_cache(), (options or ReadOptions()).kinds)
    return replace(found, rank_names=rank_names(units), whole=True)


def _program(
    near: ReachedUnits, files: tuple[str, ...], cache: Cache, kinds: DefaultKinds, called: frozenset[str] = frozenset(),
    failures: Failures | None = None,
) -> ir.Program:  # fmt: skip
    """``called``: the names of procedures that others call too, who are not here.

    Raises InputError for units that are not Fortran, UnreadError for those that ``failures`` says nobody needs.
    """
    units, failures = near.units, failures or Failures()
    scopes = joined(remembered_scopes(units, failures, kinds, cache))
    failures.check()
    entries = {key: entry_points(scope) for key, scope in scopes.scopes.items()}
    world = ProgramContext(scopes, _children(scopes.types), namelist_groups(units), _by_name(entries.values()), kinds,
                           {entry.key: (entry.owner, entry.result) for entry in chain.from_iterable(entries.values())})
    outside = text_digest(unit for unit in units if unit.kind in ("module", "submodule", "block data"))
    lowering = LoweredProcedures(world, digest(repr(kinds), outside), near.words, cache)
    procedures: dict[str, ir.Procedure] = {}
    diagnostics: list[Diagnostic] = [*remarks(near.unread), *cut_statements(units), *scopes.diagnostics]
    for key, scope in _hosts_first(scopes):
        with failures.of(scope.unit):
            host = procedures.get(scope.host or "")
            procedures[key], said = lowering.procedure(scope, _undeclared(scopes, host))
            diagnostics.extend(said)
    failures.check()
    for entry in chain.from_iterable(entries.values()):
        inner = [one for one in procedures.values() if one.host == entry.owner]
        procedures |= entered(entry, procedures[entry.owner], one_result(scopes.scopes[entry.owner]), inner,
                              Defaults(scopes.types, world.children).on_entry)
    program = ir.Program(
        MappingProxyType(procedures), scopes.types, scopes.module_variables, scopes.commons, files, tuple(diagnostics),
        save_lists(units),
    )
    roots = [key for key, procedure in procedures.items() if procedure.name in called]
    return with_targets(specialised(program), roots)


def _children(types: Mapping[str, ir.DerivedType]) -> Mapping[str, tuple[str, ...]]:
    children: dict[str, tuple[str, ...]] = {}
    for type_ in types.values():
        if type_.extends is not None:
            children[type_.extends] = (*children.get(type_.extends, ()), type_.key)
    return children


def _by_name(entries: Iterable[tuple[EntryPoint, ...]]) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for entry in chain.from_iterable(entries):
        found[entry.name] = (*found.get(entry.name, ()), entry.key)
    return found


def _hosts_first(scopes: Scopes) -> list[tuple[str, Scope]]:
    return sorted(scopes.scopes.items(), key=lambda entry: entry[1].host is not None)


def _undeclared(scopes: Scopes, host: ir.Procedure | None) -> Mapping[str, ir.Variable]:
    """Variables the host's statements declared by use: its internal procedures share them."""
    if host is None:
        return {}
    declared = scopes.scopes[host.key].variables
    return {name: v for name, v in host.variables.items() if name not in declared and name.isidentifier()}

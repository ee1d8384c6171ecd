"""A whole program: files to procedures, actual to dummy arguments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from types import MappingProxyType

from snapset.frontend import ir
from snapset.frontend.context import World
from snapset.frontend.diagnostics import Diagnostic
from snapset.frontend.entries import Entry, entry_points
from snapset.frontend.lower import lower_procedure
from snapset.frontend.namelists import namelist_groups
from snapset.frontend.reading import cut_statements, read_units, split_units, text_items
from snapset.frontend.regions import mark_lines
from snapset.frontend.scope import Scope, Scopes
from snapset.frontend.scopes import build_scopes
from snapset.frontend.statement import ReadOptions, Unit

__all__ = ["BindError", "bind", "load_program", "load_text", "mark_lines"]


class BindError(Exception):
    """A call's arguments do not fit the procedure's: what the call does is not known."""


def load_program(paths: Sequence[str], options: ReadOptions | None = None) -> ir.Program:
    """Every procedure of the files, in any order.

    Raises InputError for files that cannot be read or are not Fortran, and for two procedures of one name.
    """
    options = options or ReadOptions()
    units = [unit for path in paths for unit in read_units(path, options)]
    return _program(units, tuple(paths))


def load_text(text: str, name: str = "x.f90", options: ReadOptions | None = None) -> ir.Program:
    """As :func:`load_program` for one file's text, ``name`` standing for its path."""
    return _program(list(split_units(text_items(text, name, options or ReadOptions()), name)), (name,))


def _program(units: Sequence[Unit], files: tuple[str, ...]) -> ir.Program:
    scopes = build_scopes(units)
    entries = {key: entry_points(scope) for key, scope in scopes.scopes.items()}
    world = World(scopes, _children(scopes.types), namelist_groups(units), _by_name(entries.values()))
    procedures: dict[str, ir.Procedure] = {}
    diagnostics: list[Diagnostic] = [*cut_statements(units), *scopes.diagnostics]
    for key, scope in _hosts_first(scopes):
        host = procedures.get(scope.host or "")
        procedures[key], said = lower_procedure(world, scope, _undeclared(scopes, host))
        diagnostics.extend(said)
        procedures.update({entry.key: _entry(entry, procedures[key]) for entry in entries[key]})
    return ir.Program(
        MappingProxyType(procedures), scopes.types, scopes.module_variables, scopes.commons, files, tuple(diagnostics)
    )


def _children(types: Mapping[str, ir.DerivedType]) -> Mapping[str, tuple[str, ...]]:
    children: dict[str, tuple[str, ...]] = {}
    for type_ in types.values():
        if type_.extends is not None:
            children[type_.extends] = (*children.get(type_.extends, ()), type_.key)
    return children


def _by_name(entries: Iterable[tuple[Entry, ...]]) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for entry in chain.from_iterable(entries):
        found[entry.name] = (*found.get(entry.name, ()), entry.key)
    return found


def _entry(entry: Entry, owner: ir.Procedure) -> ir.Procedure:
    """An ENTRY point as a procedure of its own, as little known as the one it is in."""
    return replace(
        owner, key=entry.key, name=entry.name, formals=entry.formals, span=entry.span,
        result=None if owner.kind == "subroutine" else entry.result or owner.result,
    )  # fmt: skip


def _hosts_first(scopes: Scopes) -> list[tuple[str, Scope]]:
    return sorted(scopes.scopes.items(), key=lambda entry: entry[1].host is not None)


def _undeclared(scopes: Scopes, host: ir.Procedure | None) -> Mapping[str, ir.Variable]:
    """Variables the host's statements declared by use: its internal procedures share them."""
    if host is None:
        return {}
    declared = scopes.scopes[host.key].variables
    return {name: v for name, v in host.variables.items() if name not in declared and name.isidentifier()}


def bind(call: ir.Call, procedure: ir.Procedure) -> tuple[ir.Expr | None, ...]:
    """The call's actual arguments in the order of the procedure's dummy arguments; None for absent ones.

    A variable that is passed by VALUE stands in unary plus, as one in parentheses does: only its value is passed.
    Raises BindError where they do not fit.
    """
    formals = procedure.formals
    bound: list[ir.Expr | None] = [None] * len(formals)
    for place, argument in enumerate(call.args):
        at = place
        if argument.keyword is not None:
            if argument.keyword not in formals:
                raise BindError(f"`{procedure.name}` has no argument `{argument.keyword}`")
            at = formals.index(argument.keyword)
        if at >= len(formals) or bound[at] is not None:
            raise BindError(f"{len(call.args)} arguments for {len(formals)} of `{procedure.name}`")
        bound[at] = argument.value
    passed: list[ir.Expr | None] = []
    for name, value in zip(formals, bound, strict=True):
        variable = procedure.variables.get(name)
        if value is None and (variable is None or not variable.optional):
            raise BindError(f"argument `{name}` of `{procedure.name}` is missing")
        if variable is not None and variable.by_value and isinstance(value, ir.Ref):
            value = ir.Unary("+", value, value.type)
        passed.append(value)
    return tuple(passed)

"""What names mean in one scoping unit: the symbol table the lowering reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from types import MappingProxyType

from snapset.frontend.base.diagnostics import Diagnostic
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.source_model import Item, Unit
from snapset.frontend.ir import DerivedType, Signature, Type, Variable
from snapset.frontend.symbols.use_association import StatementFunction, VisibleNames


@frozen
class Scope:
    """One procedure or main program, its own and all its host- and use-associated names merged.

    ``variables``: every variable it can name, dummy arguments and the function result included; an
    undeclared name gets its IMPLICIT type the first time the lowering asks (:func:`implicit_type`).
    ``procedures``: visible procedure names (renames undone) to the key of the one with source, or None
    for EXTERNAL, interface bodies and dummy procedures without source.
    ``dummies``: dummy arguments that are procedures, the host's too. ``absent``: of its own those that may be absent.
    ``generics``: generic names, operators (``operator(+)``, ``assignment(=)``) to their specific procedures' keys.
    ``types``: visible derived-type names to keys. ``implicit``: first letter to type; absent: IMPLICIT NONE.
    ``unknown_modules``: used without ONLY but without source, so that an undeclared name may be theirs.
    ``signatures``: of the procedures, abstract ones too, that interface bodies describe. ``interfaces``: by dummy
    procedure and procedure pointer, the procedure that its declaration names.
    ``executable``: the items from the first executable statement on (DATA, FORMAT, ENTRY may be among them).
    """

    key: str
    name: str
    kind: str
    unit: Unit
    formals: tuple[str, ...]
    result: str | None
    variables: Mapping[str, Variable]
    procedures: Mapping[str, str | None]
    dummies: frozenset[str]
    generics: Mapping[str, tuple[str, ...]]
    types: Mapping[str, str]
    statement_functions: Mapping[str, StatementFunction]
    implicit: Mapping[str, Type]
    executable: tuple[Item, ...]
    module: str | None = None
    host: str | None = None
    elemental: bool = False
    recursive: bool = False
    alternates: int = 0
    opaque: str | None = None
    function_types: Mapping[str, Type] = field(default_factory=dict)
    signatures: Mapping[str, Signature] = field(default_factory=dict)
    interfaces: Mapping[str, str] = field(default_factory=dict)
    unknown_modules: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()


@frozen
class Scopes:
    """All scoping units of a set of files. ``exported``: what modules let their users see. ``externals``: external
    procedures with source (name to key)."""

    scopes: Mapping[str, Scope]
    types: Mapping[str, DerivedType]
    module_variables: Mapping[tuple[str, str], Variable]
    commons: Mapping[str, tuple[Variable, ...]]
    diagnostics: tuple[Diagnostic, ...]
    exported: Mapping[str, VisibleNames] = field(default_factory=dict)
    externals: Mapping[str, str] = field(default_factory=dict)


def implicit_type(scope: Scope, name: str) -> Type | None:
    """The IMPLICIT type of an undeclared name, or None under IMPLICIT NONE."""
    return scope.implicit.get(name[0])


def results_of(scopes: Mapping[str, Scope]) -> Mapping[str, Type | None]:
    """The types of the functions' results, by key."""
    return {key: found.type if (found := scope.variables.get(scope.result or "")) is not None else None
            for key, scope in scopes.items()}


def with_results(scope: Scope, results: Mapping[str, Type | None]) -> Scope:
    """The scope with the result types of all the functions with source it can name."""
    known = dict(scope.function_types)
    for name, key in scope.procedures.items():
        type_ = results.get(key) if key is not None else None
        if type_ is not None:
            known[name] = type_
    for name, interface in scope.interfaces.items():
        if interface in known:
            known.setdefault(name, known[interface])
    return replace(scope, function_types=MappingProxyType(known))

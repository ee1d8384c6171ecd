"""Derived types: components, sizes, type-bound procedures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from snapset.frontend import ir
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.declarations.initial_values import procedure_of, start_of, target_of
from snapset.frontend.declarations.table import Entity, TypeDef
from snapset.frontend.ir.expression_queries import meaning, walk
from snapset.frontend.symbols.procedure_names import result_type
from snapset.frontend.symbols.storage_association import size_of
from snapset.frontend.symbols.variable_builder import Building


def define_types(building: Building) -> None:
    """The types of one unit into ``building.shared``; their names must be visible already."""
    for definition in building.table.types.values():
        key = building.visible.types[definition.name]
        parent = _parent(building, definition)
        own = tuple(_told_apart(building, parent, definition.name, _component(building, entity))
                    for entity in definition.components)
        inherited = building.shared.types[parent].components if parent in building.shared.types else ()
        components = (*inherited, *own)
        passing = dict(_passing(definition.components))
        building.shared.types[key] = ir.DerivedType(
            key, components, parent, passing=MappingProxyType(passing), abstract=definition.abstract)
        building.shared.sizes[key] = size_of(components)


def bind_types(building: Building) -> None:
    """The type-bound and FINAL procedures of one unit's types, and what their procedure pointers give, once the unit's
    procedures are visible."""
    for definition in building.table.types.values():
        results = dict(_results(building, definition.components))
        if results:
            key = building.visible.types[definition.name]
            building.shared.types[key] = replace(building.shared.types[key], results=MappingProxyType(results))
        if not definition.bindings and not definition.generics and not definition.finals:
            continue
        key = building.visible.types[definition.name]
        procedures = building.visible.procedures
        bindings = {
            one.name: procedures.get(one.target) or one.target for one in definition.bindings if one.target is not None
        }
        passing = {one.name: one.passing for one in definition.bindings if one.passing is not None}
        building.shared.types[key] = replace(
            building.shared.types[key],
            bindings=MappingProxyType(bindings),
            generic=MappingProxyType(dict(definition.generics)),
            passing=MappingProxyType({**building.shared.types[key].passing, **passing}),
            finals=tuple(procedures.get(one) or one for one in definition.finals),
        )


def _results(
    building: Building, components: Iterable[Entity]
) -> Iterator[tuple[str, tuple[ir.Type, int, str | None]]]:
    """For procedure pointer components what ``DerivedType.results`` says of them."""
    visible = building.visible
    for entity in components:
        if "procedure" not in entity.flags:
            continue
        type_, name = result_type(building, entity, entity.name), entity.interface or ""
        signature, key = visible.signatures.get(name), visible.procedures.get(name)
        if type_ is not None or key is not None:
            yield entity.name, (type_ or ir.UNKNOWN, 0 if signature is None else signature.rank, key)


def _passing(components: Iterable[Entity]) -> Iterator[tuple[str, str]]:
    """For procedure pointer components what ``DerivedType.passing`` says of them."""
    for entity in components:
        if "nopass" in entity.flags:
            yield entity.name, ""
        elif named := [flag.removeprefix("pass=") for flag in entity.flags if flag.startswith("pass=")]:
            yield entity.name, named[0]


def _parent(building: Building, definition: TypeDef) -> str | None:
    if definition.extends is None:
        return None
    key = building.visible.types.get(definition.extends)
    if key is None and not building.visible.unknown:
        raise InputError(f"type `{definition.extends}`, which `{definition.name}` extends, is not defined here; "
                         "give the file that defines it", definition.span)
    return key


def _component(building: Building, entity: Entity) -> ir.Variable:
    start: ir.Expr | None = None
    if "procedure" in entity.flags:
        type_ = ir.Type("procedure", 8)
        start = procedure_of(entity, building.visible.procedures)
    else:
        type_ = building.type_of(entity.type, entity.length, entity.span) if entity.type else ir.UNKNOWN
        start = target_of(entity) if "pointer" in entity.flags else _default(building, entity, type_)
    flags = entity.flags
    type_, shape = building.laid_out(type_, entity)
    return ir.Variable(
        entity.name, type_, ir.Area("local", "", entity.name), entity.span, shape,
        pointer="pointer" in flags, allocatable="allocatable" in flags, initialised="init" in flags,
        polymorphic=entity.type is not None and entity.type.polymorphic, start=start,
    )  # fmt: skip


def _told_apart(building: Building, parent: str | None, name: str, component: ir.Variable) -> ir.Variable:
    """A component under a name that no other one of its family has.

    Where ``up`` and ``central`` extend ``flux`` and both have a component ``w``, an array in one of them only, an
    object of CLASS(flux) has ``w`` and ``w@central``.
    """
    types = building.shared.types
    above = tuple(_ancestors(types, parent))
    relatives = [type_ for key, type_ in types.items() if above and key not in above
                 and above[-1] in _ancestors(types, type_.extends)]
    taken = {one.name: meaning(one) for type_ in relatives for one in type_.components}
    if taken.get(component.name, meaning(component)) == meaning(component) or component.type.kind == "procedure":
        return component
    found = f"{component.name}@{name}"
    while found in taken:
        found += "_"
    return replace(component, name=found)


def _ancestors(types: Mapping[str, ir.DerivedType], key: str | None) -> Iterator[str]:
    """A type, what it extends, and so on up to one that extends none."""
    while key is not None:
        yield key
        key = types[key].extends if key in types else None


def _default(building: Building, entity: Entity, type_: ir.Type) -> ir.Expr | None:
    """What a component holds in a new object, where that is a constant that is understood."""
    def value(text: str) -> ir.Expr:
        return building.evaluate(text, entity.span)

    number = start_of(entity, type_, value)
    if entity.init is None or number is not None:
        return number
    try:
        found = value(entity.init)
    except InputError:
        return None
    known = not any(isinstance(one, ir.Ref | ir.OpaqueExpr) for one in walk(found))
    return found if known else None

"""Program units to symbol tables: every name of every procedure, across modules and files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from snapset.frontend import ir
from snapset.frontend.base.default_kinds import STANDARD, DefaultKinds
from snapset.frontend.base.diagnostics import Diagnostic, InputError, Span
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.source_model import Item, Line, Unit
from snapset.frontend.declarations import implicit_typing
from snapset.frontend.declarations.attribute_statements import data_targets
from snapset.frontend.declarations.initial_values import data_values
from snapset.frontend.declarations.specification_part import collect
from snapset.frontend.declarations.table import Table
from snapset.frontend.declarations.type_declarations import DeclarationError
from snapset.frontend.ir.expression_queries import names_in
from snapset.frontend.ir.intrinsic_table import FIRST, NAMES
from snapset.frontend.parsing import expression_parser
from snapset.frontend.parsing.statement_classifier import assignment
from snapset.frontend.reading.unit_order import UnitOrder, in_order
from snapset.frontend.reading.unreadable_units import Failures
from snapset.frontend.rules import diagnostic
from snapset.frontend.symbols.derived_types import bind_types, define_types
from snapset.frontend.symbols.partial_data import first_names
from snapset.frontend.symbols.procedure_names import (
    absent,
    declare_interfaces,
    not_variables,
    result_type,
    statement_functions,
    undeclared_functions,
    uses,
)
from snapset.frontend.symbols.storage_association import lay_out
from snapset.frontend.symbols.symbol_table import Scope, Scopes, results_of, with_results
from snapset.frontend.symbols.use_association import (
    VisibleNames,
    associate,
    exports,
    is_known,
    prefixes,
    without_source,
)
from snapset.frontend.symbols.variable_builder import Building, Shared

_DATA = pattern_of(r"data\b")


def build_scopes(
    units: Sequence[Unit], failures: Failures | None = None, kinds: DefaultKinds = STANDARD
) -> Scopes:
    """The scoping units of a whole program: all units of all its files, in any order.

    Raises InputError for declarations that cannot be read or contradict each other, for two units of one name,
    and for modules that use each other in a circle, unless ``failures`` takes the error.
    """
    return building_of(units, failures or Failures(), kinds).finish()


def building_of(units: Sequence[Unit], failures: Failures, kinds: DefaultKinds) -> ProgramBuilding:
    """As :func:`build_scopes`, with all that the scopes were built by."""
    ordered = in_order(units, failures)
    shared = Shared(externals=dict(ordered.externals), implemented=ordered.implemented, kinds=kinds)
    program = ProgramBuilding(shared, failures)
    for unit in ordered.modules:
        with failures.of(unit):
            program.module(unit, ordered)
    for unit in ordered.others:
        program.external(unit)
    return program


@dataclass(slots=True)
class ProgramBuilding:
    """The program as far as it is built. ``inside``: what a module's own procedures see."""

    shared: Shared
    failures: Failures
    scopes: dict[str, Scope] = field(default_factory=dict)
    inside: dict[str, tuple[VisibleNames, Mapping[str, ir.Type]]] = field(default_factory=dict)
    module_variables: dict[tuple[str, str], ir.Variable] = field(default_factory=dict)
    commons: dict[str, dict[tuple[ir.Variable, str], ir.Variable]] = field(default_factory=dict)

    # ------------------------------------------------------------ modules

    def module(self, unit: Unit, ordered: UnitOrder) -> None:
        """A module or submodule and the procedures it contains."""
        table = collect(unit)
        owner = ordered.owner(unit)
        ancestor = owner.partition(":")[0]
        host, rules = VisibleNames(), implicit_typing.default(self.shared.kinds)
        if unit.kind == "submodule":
            parent = ordered.parent(unit)
            if parent not in self.inside:
                why = f"no source for `{parent}`, which submodule `{unit.name}` extends; give its file"
                raise InputError(why, table.span)
            host, outer = self.inside[parent]
            rules = dict(outer)
        for block in table.interfaces:
            for body in block.bodies:
                if "module" in body.header.prefixes:
                    self.shared.bodies[f"{owner}::{body.header.name}"] = body
        keys = {inner.name: self._contained_key(inner, owner, ancestor) for inner in unit.contains}
        building = self._begin(table, owner, True, host, rules, keys)
        variables = self._variables(building)
        for name, variable in variables.items():
            self.module_variables[owner, name] = variable
        visible = building.visible
        visible.variables.update(variables)
        visible.opaque = visible.opaque or table.opaque
        bind_types(building)
        visible.note_adjustable(variables)
        if unit.kind == "module":
            self.shared.exported[unit.name] = exports(visible, table)
        self.inside[owner] = visible, building.implicit
        for inner in unit.contains:
            self._procedure(inner, keys[inner.name], visible, building.implicit, ancestor, None)

    def _contained_key(self, unit: Unit, owner: str, ancestor: str) -> str:
        """A separate module procedure has the key of its interface, others that of their (sub)module."""
        separate = f"{ancestor}::{unit.name}"
        return separate if owner != ancestor and separate in self.shared.bodies else f"{owner}::{unit.name}"

    # ------------------------------------------------------------ procedures

    def external(self, unit: Unit) -> None:
        """A main program, external procedure or BLOCK DATA."""
        self._procedure(unit, unit.name, VisibleNames(), implicit_typing.default(self.shared.kinds), None, None)

    def contained(self, unit: Unit, owner: str) -> None:
        """A procedure of a module or submodule that is known, but no separate one."""
        self._procedure(unit, f"{owner}::{unit.name}", *self.inside[owner], owner.partition(":")[0], None)

    def _procedure(
        self, unit: Unit, key: str, host: VisibleNames, rules: Mapping[str, ir.Type], module: str | None,
        parent: str | None
    ) -> None:
        with self.failures.of(unit):
            self._build(unit, key, host, rules, module, parent)

    def _build(
        self, unit: Unit, key: str, host: VisibleNames, rules: Mapping[str, ir.Type], module: str | None,
        parent: str | None
    ) -> None:
        table = self._table(unit, key)
        keys = {inner.name: f"{key}::{inner.name}" for inner in unit.contains}
        own = _items(table, table.start)
        building = self._begin(table, key, False, host, rules, keys, own)
        variables = self._variables(building)
        functions, start = statement_functions(building)
        for name in functions:
            found = variables.pop(name, None)
            typed = building.implicit.get(name[0]) if found is None else found.type
            if typed is not None:
                building.visible.function_types[name] = typed
        visible = building.visible
        visible.variables.update(variables)
        inherited = {name: one.inside(host, visible, functions) for name, one in visible.statement_functions.items()}
        functions = visible.statement_functions = inherited | functions
        visible.dummies.update(_dummies(building))
        bind_types(building)
        header = table.header
        self._name_externals(building, functions)
        if unit.kind != "block data":
            self.scopes[key] = Scope(
                key=key, name=unit.name, kind=header.kind, unit=unit, formals=header.formals, result=header.result,
                variables=MappingProxyType(visible.variables), procedures=MappingProxyType(visible.procedures),
                dummies=frozenset(visible.dummies), generics=MappingProxyType(visible.generics),
                types=MappingProxyType(visible.types), statement_functions=MappingProxyType(functions),
                implicit=building.implicit, executable=_items(table, start), module=module, host=parent,
                elemental="elemental" in header.prefixes, recursive="recursive" in header.prefixes,
                alternates=header.formals.count("*"), opaque=table.opaque or visible.opaque,
                function_types=visible.function_types, unknown_modules=visible.unknown, absent=absent(building),
                interfaces=_interfaces(table), signatures=visible.signatures,
            )  # fmt: skip
        visible.note_adjustable(variables)
        for inner in unit.contains:
            self._procedure(inner, keys[inner.name], visible, building.implicit, module, key)

    def _table(self, unit: Unit, key: str) -> Table:
        """The declarations of a procedure; a MODULE PROCEDURE's are those of its interface and its own."""
        table = collect(unit)
        if table.header.kind != "procedure":
            return table
        body = self.shared.bodies.get(key)
        if body is None:
            why = f"`{unit.name}` has no interface in the module it belongs to; give the file of that module"
            raise InputError(why, table.span)
        table.header = body.header
        declared = {name: replace(one, flags=set(one.flags)) for name, one in body.entities.items()}
        table.entities = {**declared, **table.entities}
        table.uses = [*body.uses, *table.uses]
        return table

    def _name_externals(self, building: Building, functions: Mapping[str, object]) -> None:
        """External procedures that the code calls without declaring them."""
        visible, table = building.visible, building.table
        found = uses(_items(table, table.start))
        for name in (found.called | found.followed) & self.shared.externals.keys():
            known = name in visible.variables or name in visible.procedures or name in visible.generics
            if known or name in functions or name in table.header.formals or name in visible.types:
                continue
            if name in found.called or name not in FIRST:
                visible.procedures[name] = self.shared.externals[name]

    # ------------------------------------------------------------ names

    def _begin(
        self, table: Table, owner: str, in_module: bool, host: VisibleNames, rules: Mapping[str, ir.Type],
        contained: Mapping[str, str], executable: tuple[Item, ...] = (),
    ) -> Building:  # fmt: skip
        """A unit with everything visible that comes from outside, its types and its procedures."""
        _complete(table)
        self.shared.diagnostics += table.diagnostics
        apart = not_variables(table)
        apart.update(undeclared_functions(table, uses(executable), executable) if executable else ())
        visible = _from_host(host, table)
        for use in table.uses:
            associate(visible, self._used(use.module, use.span), use)
        own = {*table.entities, *table.types, *contained}
        extended = {block.generic: visible.generics.get(block.generic or "", ()) for block in table.interfaces}
        for name in own:
            visible.hide(name)
        visible.generics.update({name: keys for name, keys in extended.items() if name is not None and keys})
        building = Building(table, owner, in_module, visible, self.shared, frozenset(apart))
        for name in table.types:
            visible.types[name] = f"{owner}::{name}"
        building.set_implicit(rules)
        if table.implicit_none:
            building.implicit = MappingProxyType({})
        visible.procedures.update(contained)
        _constants_in_order(building)
        define_types(building)
        declare_interfaces(building)
        _declare_procedures(building, apart)
        return building

    def _used(self, name: str, span: Span) -> VisibleNames:
        found = self.shared.exported.get(name)
        if found is None:
            found = self.shared.exported[name] = without_source(name, span)
            if not is_known(name):
                self.shared.diagnostics.append(_no_source(name, span))
        return found

    def _variables(self, building: Building) -> dict[str, ir.Variable]:
        """The unit's own variables, with their places in COMMON and EQUIVALENCE."""
        found: dict[str, ir.Variable] = {}
        for name in building.table.entities:
            variable = building.variable(name)
            if variable is not None:
                found[name] = variable
        placed, said = lay_out(building.table, found, building.names)
        self.shared.diagnostics += said
        found.update(placed)
        for variable in found.values():
            if variable.area.kind == "common":
                self.commons.setdefault(variable.area.owner, {})[variable, building.owner] = variable
        return found

    def finish(self) -> Scopes:
        results = results_of(self.scopes)
        scopes = {key: with_results(scope, results) for key, scope in self.scopes.items()}
        commons = {block: tuple(views.values()) for block, views in self.commons.items()}
        return Scopes(
            MappingProxyType(scopes), MappingProxyType(self.shared.types), MappingProxyType(self.module_variables),
            MappingProxyType(commons), tuple(self.shared.diagnostics), MappingProxyType(self.shared.exported),
            MappingProxyType(self.shared.externals),
        )  # fmt: skip


def _no_source(module: str, span: Span) -> Diagnostic:
    """SN201: a note for libraries of which it is known how all their names begin."""
    beginnings = prefixes(module)
    if beginnings:
        what = f"`{module}` is not given: names in {', '.join(f'{one}*' for one in beginnings)} are taken to be its own"
        return diagnostic("SN201", what, span, "note")
    what = (f"no given file holds module `{module}`: its names may stand for anything, and where only a called "
            f"procedure names them they are {ir.MISSING_MODULE}::NAME; add the file with MODULE {module}")
    return diagnostic("SN201", what, span)


def _interfaces(table: Table) -> Mapping[str, str]:
    """By dummy procedure and procedure pointer, the procedure whose interface it has."""
    return MappingProxyType({name: one.interface for name, one in table.entities.items() if one.interface})


def _complete(table: Table) -> None:
    """Make entities of dummy arguments, the result and what DATA initialises."""
    for name in table.header.formals:
        if name != "*":
            table.entity(name, table.span)
    if table.header.kind == "function" and table.header.result is not None:
        table.entity(table.header.result, table.span)
    for line in (*table.data, *_executable_data(table)):
        for name in _initialised(line):
            table.entity(name, line.span).flags.add("init")
        for one in data_values(line.text[len("data") :], table.entities):
            if isinstance(one, tuple):
                table.entities[one[0]].init = one[1]
                continue
            for name in {name for text in one.names for item in expression_parser.expression_list(text)
                         for name in first_names(item)}:
                table.entities[name].data.append(one)


def _executable_data(table: Table) -> Iterator[Line]:
    for item in table.unit.items[table.start :] if table.unit is not None else ():
        if isinstance(item, Line) and _DATA.match(item.text) and assignment(item.text) is None:
            yield item


def _initialised(line: Line) -> Iterator[str]:
    """The variables a DATA statement gives values."""
    try:
        for target in data_targets(line.text[len("data") :]):
            for item in expression_parser.expression_list(target):
                yield from first_names(item)
    except (expression_parser.WallError, DeclarationError) as error:
        raise InputError(f"cannot read this statement: `{line.text[:80]}`: {error}; correct it", line.span) from None


def _from_host(host: VisibleNames, table: Table) -> VisibleNames:
    """The host's names; a bound that names what the unit declares itself is no longer known."""
    visible = host.copy()
    own = table.entities.keys()
    for name in host.adjustable:
        variable = host.variables[name]
        ends = [end for dim in variable.shape.dims for end in (dim.lower, dim.upper) if end is not None]
        if not own.isdisjoint(used for end in ends for used in names_in(end)):
            dims = tuple(ir.Dim(_unless(dim.lower, own), _unless(dim.upper, own)) for dim in variable.shape.dims)
            visible.variables[name] = replace(variable, shape=replace(variable.shape, dims=dims))
    return visible


def _unless(end: ir.Expr | None, own: object) -> ir.Expr | None:
    if end is None or isinstance(end, ir.Literal_):
        return end
    return ir.OpaqueExpr("bound", (), ir.INTEGER)


def _constants_in_order(building: Building) -> None:
    """Evaluate constants as they are declared: a long chain of them looked up from its end would be deep. Components of
    constants wait for the types."""
    for name, entity in building.table.entities.items():
        if "parameter" in entity.flags and (entity.type is None or entity.type.base != "derived") and (
                "%" not in (entity.init or "")):
            building.variable(name)


def _declare_procedures(building: Building, apart: set[str]) -> None:
    """Names that are procedures by declaration or use into ``building.visible``; of procedure pointers the result."""
    visible, table = building.visible, building.table
    for name, pointer in table.entities.items():
        type_ = result_type(building, pointer, name) if {"procedure", "pointer"} <= pointer.flags else None
        if type_ is not None:
            visible.function_types[name] = type_
            if pointer.interface in visible.signatures:
                visible.signatures[name] = visible.signatures[pointer.interface]
    for name in apart:
        entity = table.entities.get(name)
        type_ = result_type(building, entity, name)
        if type_ is not None:
            visible.function_types[name] = type_
        if entity is not None and entity.interface in visible.signatures:
            visible.signatures[name] = visible.signatures[entity.interface]
        declared = name in visible.procedures or name in visible.generics
        intrinsic = name in table.intrinsics or (
            name in NAMES and name not in table.externals and name not in table.header.formals
        )
        if not declared and not intrinsic:
            formal = name in table.header.formals
            visible.procedures[name] = None if formal else building.shared.externals.get(name)
    if table.header.kind in ("function", "subroutine") and table.header.result != table.header.name:
        visible.procedures.setdefault(table.header.name, building.owner)


def _dummies(building: Building) -> set[str]:
    return {name for name in building.table.header.formals if name in building.not_variables}


def _items(table: Table, start: int) -> tuple[Item, ...]:
    """Pragmas, FORMAT and ENTRY from the specification part, and everything from ``start`` on."""
    if table.unit is None:
        return ()
    return (*(item for place, item in table.pragmas_and_formats if place < start), *table.unit.items[start:])

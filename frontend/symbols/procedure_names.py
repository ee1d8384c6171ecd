"""The procedures a unit can name: externals, dummy procedures, interfaces, statement functions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from snapset.frontend import ir
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.source_model import Item, Line
from snapset.frontend.base.text_scan import closing, masked, split_top
from snapset.frontend.declarations import implicit_typing
from snapset.frontend.declarations.table import Entity, Table
from snapset.frontend.ir.intrinsic_table import FIRST
from snapset.frontend.parsing import expression_parser
from snapset.frontend.parsing.statement_classifier import assignment
from snapset.frontend.symbols.use_association import StatementFunction, VisibleNames, associate
from snapset.frontend.symbols.variable_builder import Building

_WORD = pattern_of(r"[a-z_]\w*")
_FOLLOWED = pattern_of(r"(?<![\w%])(?<!% )([a-z_]\w*) ?\(")
_CALL = pattern_of(r"\bcall ([a-z_]\w*)")
_BEGINNING = pattern_of(r"(?:[a-z_]\w* ?: ?)?((?!error stop|stop)[a-z_]\w*(?: [a-z_]\w*)*) ?(?=\()")
_DECIDED = frozenset({"parameter", "init", "save", "pointer", "allocatable", "target"})


@dataclass(slots=True)
class ReferencedNames:
    """Names in executable code: ``called`` by CALL, ``followed`` by a parenthesis."""

    called: set[str] = field(default_factory=set)
    followed: set[str] = field(default_factory=set)
_ENTRY = pattern_of(r"entry\s+([a-z_]\w*)")


def uses(items: Iterable[Item]) -> ReferencedNames:
    """What executable statements call, as far as their text tells."""
    found = ReferencedNames()
    for item in items:
        if isinstance(item, Line) and ("(" in item.text or "call" in item.text):
            text = masked(item.text)
            found.followed.update(_FOLLOWED.findall(_operands(text)))
            if "call" in text:
                found.called.update(_CALL.findall(text))
    return found


def _operands(text: str) -> str:
    """A statement without its own words: ``if (if > 1) write (6) y`` refers to no function ``if`` or ``write``."""
    beginning = _BEGINNING.match(text)
    if beginning is None:
        return text
    end = closing(text, beginning.end())
    if beginning[1] == "if" and end >= 0:
        return f"{text[beginning.end() : end + 1]} {_operands(text[end + 1 :].lstrip())}"
    return text[beginning.end() :]


def function_like(name: str, items: Iterable[Item]) -> bool:
    """Whether ``name(`` stands somewhere with something else than a substring range in its parentheses."""
    pattern = re.compile(rf"(?<![\w%]){re.escape(name)} ?\(")
    for item in items:
        if isinstance(item, Line) and name in item.text:
            text = _operands(masked(item.text))
            for found in pattern.finditer(text):
                inner = text[found.end() : closing(text, found.end() - 1)]
                if not _ranged(inner):
                    return True
    return False


def _ranged(inner: str) -> bool:
    depth = 0
    for char in inner:
        depth += (char in "([") - (char in ")]")
        if char == ":" and depth == 0:
            return True
    return False


def undeclared_functions(table: Table, found: ReferencedNames, items: tuple[Item, ...]) -> Iterator[str]:
    """Declared scalars and dummy arguments that the code calls: functions declared by their type alone."""
    placed = {name for _, name, _ in table.commons}
    tied = {word for text, _ in table.equivalences for word in re.findall(r"[a-z_]\w*", text)}
    defined = {line.text.partition("(")[0].strip() for line, _ in table.functions}
    defined |= {entry[1] for item in items if isinstance(item, Line) and (entry := _ENTRY.match(item.text))}
    for name, entity in table.entities.items():
        if entity.dims is not None or name in placed or name in tied or name == table.header.result or name in defined:
            continue
        base = entity.type.base if entity.type is not None else None
        if base in ("derived", "any") or not entity.flags.isdisjoint(_DECIDED):
            continue
        formal = name in table.header.formals
        applied = name in found.followed and (formal or base is not None)
        if applied and base in ("character", None):
            applied = function_like(name, items)
        if applied or (formal and name in found.called):
            yield name


def not_variables(table: Table) -> set[str]:
    """Entities that declarations make procedures: EXTERNAL, INTRINSIC, PROCEDURE, interface bodies."""
    found = {name for name in table.externals | table.intrinsics if "pointer" not in _flags(table, name)}
    for block in table.interfaces:
        found.update(body.header.name for body in block.bodies if "pointer" not in _flags(table, body.header.name))
    for name, entity in table.entities.items():
        if "procedure" in entity.flags and "pointer" not in entity.flags:
            found.add(name)
    return found


def absent(building: Building) -> tuple[str, ...]:
    """The dummy procedures that may be absent."""
    return tuple(name for name in building.table.entities
                 if name in building.not_variables and "optional" in _flags(building.table, name))


def _flags(table: Table, name: str) -> set[str]:
    entity = table.entities.get(name)
    return entity.flags if entity is not None else set()


def result_type(building: Building, entity: Entity | None, name: str) -> ir.Type | None:
    """The declared result type of a procedure named without a body, None where only IMPLICIT would tell."""
    if entity is None:
        return None
    if entity.type is not None:
        return building.type_of(entity.type, entity.length, entity.span)
    if entity.interface:
        return building.visible.function_types.get(entity.interface)
    return None


def declare_interfaces(building: Building) -> None:
    """Interface blocks into ``building.visible``: explicit, generic and abstract interfaces."""
    visible = building.visible
    for block in building.table.interfaces:
        keys: list[str] = []
        for body in block.bodies:
            header = body.header
            key = _key(building, header.name, "module" in header.prefixes)
            if not block.abstract:
                visible.procedures[header.name] = key
                keys.append(key or header.name)
            rank = 0
            if header.kind == "function":
                result = _body_result(building, body)
                visible.function_types[header.name] = ir.UNKNOWN if result is None else result.type
                rank = 0 if result is None else result.shape.rank
            visible.signatures[header.name] = _signature(body, rank)
        for name in block.procedures:
            keys.append(visible.procedures.get(name) or name)
        if block.generic is not None:
            known = visible.generics.get(block.generic, ())
            visible.generics[block.generic] = tuple(dict.fromkeys((*known, *keys)))


def _signature(body: Table, rank: int) -> ir.Signature:
    """The dummy arguments of an interface body; a VALUE argument is only read."""
    entities = body.entities
    intents = ((name, entities[name].intent, entities[name].flags) if name in entities else (name, None, frozenset())
               for name in body.header.formals if name != "*")
    formals = tuple((name, "in" if "value" in flags else intent) for name, intent, flags in intents)
    return ir.Signature(formals, not body.header.prefixes.isdisjoint(("pure", "elemental")), rank)


def _key(building: Building, name: str, separate: bool) -> str | None:
    """The procedure an interface body is about, where it has source."""
    if separate:
        key = f"{building.owner}::{name}"
        return key if key in building.shared.implemented else None
    if name in building.table.header.formals:
        return None
    return building.shared.externals.get(name)


def _body_result(building: Building, body: Table) -> ir.Variable | None:
    """The result an interface body declares. Its bounds and kinds may name what the unit declares (IMPORT)."""
    shared, visible = building.shared, building.visible
    own = {name: building.variable(name) for name, one in building.table.entities.items() if "parameter" in one.flags}
    known = {name: variable for name, variable in own.items() if variable is not None}
    outer = VisibleNames({**visible.variables, **known}, types=dict(visible.types), unknown=visible.unknown)
    for use in body.uses:
        if use.module in shared.exported:
            associate(outer, shared.exported[use.module], use)
    inner = Building(body, body.header.name, False, outer, shared)
    inner.set_implicit(implicit_typing.default(shared.kinds))
    result = body.header.result or body.header.name
    return inner.variable(body.entity(result, body.span).name)


def statement_functions(building: Building) -> tuple[dict[str, StatementFunction], int]:
    """The statement functions of a unit, and the place of its first executable item."""
    table = building.table
    found: dict[str, StatementFunction] = {}
    for line, place in table.functions:
        assigned = assignment(line.text)
        assert assigned is not None
        target, value = assigned.parts
        name, _, rest = target.partition("(")
        name = name.strip()
        if not _defines(building, name):
            return found, place
        try:
            body = expression_parser.expression(value)
        except expression_parser.WallError as error:
            raise InputError(f"cannot read this statement: `{line.text}`: {error}; correct it", line.span) from None
        params = split_top(rest.rstrip(") "))
        words = frozenset(_WORD.findall(masked(value))) - {*params}
        found[name] = StatementFunction(params, body, words)
    return found, table.start


def _defines(building: Building, name: str) -> bool:
    """Whether ``name(...) = ...`` defines a function: it is not an array, and no unknown module may make it one."""
    entity = building.table.entities.get(name)
    if entity is not None:
        return entity.dims is None and entity.type is not None
    if name in building.visible.variables or building.visible.unknown:
        return False
    return bool(building.implicit) and name not in FIRST

"""ENTRY points: other names, with other arguments, under which a procedure is called."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TypeAlias

from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Span
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.source_model import Line
from snapset.frontend.base.text_scan import closing, split_top
from snapset.frontend.ir.rewriting import moved, retargeted
from snapset.frontend.ir.statement_walk import with_ids
from snapset.frontend.parsing.statement_classifier import classify
from snapset.frontend.symbols.symbol_table import Scope, implicit_type

Begins: TypeAlias = Callable[[str, tuple[str, ...], Mapping[str, ir.Variable]], Iterable[ir.Stmt]]
_ENTRY = pattern_of(r"([a-z_]\w*)\s*(\()?")
_RESULT = pattern_of(r"result\s*\(\s*([a-z_]\w*)\s*\)")


@frozen
class EntryPoint:
    """One ENTRY statement: ``key`` has the place of the procedure it is in, whose key is ``owner``."""

    owner: str
    key: str
    name: str
    formals: tuple[str, ...]
    result: str | None
    span: Span


def entry_points(scope: Scope) -> tuple[EntryPoint, ...]:
    """The ENTRY statements of a procedure."""
    prefix = scope.key.rpartition("::")[0]
    found: list[EntryPoint] = []
    for item in scope.executable:
        if not isinstance(item, Line) or not item.text.startswith("entry"):
            continue
        statement = classify(item.text)
        match = _ENTRY.match(statement.parts[0]) if statement.kind == "entry" else None
        if match is None:
            continue
        name, text = match.group(1), statement.parts[0]
        close = closing(text, match.end() - 1) if match.group(2) else -1
        formals = split_top(text[match.end() : close]) if close >= 0 else ()
        result = _RESULT.search(text[close + 1 :]) if close >= 0 else None
        given = result.group(1) if result else name if scope.kind == "function" else None
        key, formals = f"{prefix}::{name}" if prefix else name, tuple(one for one in formals if one != "*")
        found.append(EntryPoint(scope.key, key, name, formals, given, item.span))
    return tuple(found)


def one_result(scope: Scope) -> dict[str, str]:
    """The results of ENTRY points that are the function's own under another name: those of its type and rank (the
    standard's "the same characteristics"). Of two results of different types one is undefined when the other is not."""
    if scope.result is None:
        return {}
    types = {name: _kind(scope, name) for name in (scope.result, *(e.result for e in entry_points(scope) if e.result))}
    return {name: scope.result for name, kind in types.items() if name != scope.result and kind == types[scope.result]}


def _kind(scope: Scope, name: str) -> tuple[ir.Type | None, int]:
    variable = scope.variables.get(name)
    return (implicit_type(scope, name), 0) if variable is None else (variable.type, variable.shape.rank)


def entry_label(span: Span) -> int:
    """The label an ENTRY statement gets; the source's own have five digits at most."""
    return 100000 + span.line


def entry_procedure(entry: EntryPoint, owner: ir.Procedure, same: Mapping[str, str], begins: Begins) -> ir.Procedure:
    """An ENTRY point as a procedure of its own: a jump to its place in the same statements, with its own arguments.

    Dummy arguments of the others have no value here, so they are local. ``same``: the results that are the function's
    own; here it has the bounds that the ENTRY's is declared with. ``begins``: what entering a procedure does to its
    objects, before any statement: the jump passes over what entering the owner does.
    """
    result = None if owner.kind == "subroutine" else same.get(entry.result or "", entry.result)
    if owner.opaque is not None:
        return replace(owner, key=entry.key, name=entry.name, formals=entry.formals, span=entry.span, result=result)
    variables = {name: _here(variable, entry, owner.key) for name, variable in owner.variables.items()}
    if result is not None and entry.result in variables:
        variables[result] = replace(variables[result], shape=variables[entry.result].shape)
    own = {name: variable for name, variable in variables.items()
           if name in entry.formals or owner.variables[name].area.kind == "local"}
    body = with_ids((*begins(entry.key, entry.formals, own), ir.Goto(span=entry.span, to=entry_label(entry.span)),
                     *owner.body))
    return replace(
        owner, key=entry.key, name=entry.name, formals=entry.formals, span=entry.span, result=result, body=body,
        variables=MappingProxyType(variables),
    )  # fmt: skip


def entered(
    entry: EntryPoint, owner: ir.Procedure, same: Mapping[str, str], internal: Iterable[ir.Procedure], begins: Begins
) -> dict[str, ir.Procedure]:
    """An ENTRY point as a procedure, with copies of the ``internal`` procedures of the one it is in, by their keys.

    They share the variables of whichever they are called from: `call inner` behind `entry two` is another procedure
    than behind `subroutine one`, but for what is SAVEd.
    """
    copies = {one.key: f"{entry.key}::{one.name}" for one in internal}
    first = entry_procedure(entry, owner, same, begins)
    found = {entry.key: replace(first, body=retargeted(first.body, copies)) if copies else first}
    for one in internal:
        key = copies[one.key]
        variables = {name: _here(variable, entry, owner.key) for name, variable in one.variables.items()}
        found[key] = replace(one, key=key, host=entry.key, body=retargeted(one.body, copies),
                             variables=moved(variables, one.key, key))
    return found


def _here(variable: ir.Variable, entry: EntryPoint, owner: str) -> ir.Variable:
    """A variable of the procedure as one of the entry's: SAVEd ones are shared."""
    area = variable.area
    if area.owner != owner or area.kind not in ("local", "formal", "temporary"):
        return variable
    if variable.name in entry.formals:
        return replace(variable, area=ir.Area("formal", entry.key, area.name))
    kind: ir.AreaKind = "local" if area.kind == "formal" else area.kind
    return replace(variable, area=ir.Area(kind, entry.key, area.name), intent=None, optional=False)

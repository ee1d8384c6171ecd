"""A procedure's executable statements to the IR's statement tree."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, Literal

from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Diagnostic
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.source_model import Line
from snapset.frontend.ir.statement_walk import with_ids
from snapset.frontend.lowering.associate_and_select import lower_associate, lower_critical, lower_select_type
from snapset.frontend.lowering.block_construct import lower_block, sized_by_functions
from snapset.frontend.lowering.block_cursor import BlockOpening, Cursor
from snapset.frontend.lowering.checkpoint_directives import OpenParts
from snapset.frontend.lowering.control_constructs import (
    lower_do,
    lower_if,
    lower_if_statement,
    lower_select,
    lower_while,
)
from snapset.frontend.lowering.default_initialisation import Defaults
from snapset.frontend.lowering.simple_statements import SIMPLE, lower_simple
from snapset.frontend.lowering.where_forall_concurrent import (
    lower_concurrent,
    lower_forall,
    lower_where,
    lower_where_construct,
)
from snapset.frontend.parsing.expression_parser import WallError
from snapset.frontend.parsing.fparser_wall import second_opinion, statement_class
from snapset.frontend.parsing.statement_classifier import IO_ACTIONS, Statement
from snapset.frontend.resolution.data_references import base
from snapset.frontend.resolution.lowering_context import Context, NotUnderstoodError, ProgramContext
from snapset.frontend.resolution.statement_operands import cannot_read, opaque, raise_unreadable
from snapset.frontend.symbols.entry_points import one_result
from snapset.frontend.symbols.symbol_table import Scope

Construct = Callable[[Cursor, Line, Statement], tuple[ir.Stmt, ...]]

CONSTRUCTS: Final[Mapping[str, Construct]] = MappingProxyType(
    {
        "if-then": lower_if,
        "if": lower_if_statement,
        "do": lower_do,
        "do while": lower_while,
        "do forever": lower_while,
        "do concurrent": lower_concurrent,
        "select case": lower_select,
        "select type": lower_select_type,
        "select rank": lower_select_type,
        "where": lower_where,
        "where-construct": lower_where_construct,
        "forall": lower_forall,
        "forall-construct": lower_forall,
        "associate": lower_associate,
        "block": lower_block,
        "critical": lower_critical,
        "change team": lower_critical,
    }
)
_INTRINSIC = pattern_of(r"intrinsic\s*(?:::)?\s*(.*)$")
_SAVE_ALL = pattern_of(r"save$")
_ASSIGN = pattern_of(r"assign\s+(\d+)\s+to\b")


def lower_statement(cursor: Cursor, line: Line, statement: Statement) -> tuple[ir.Stmt, ...]:
    """One statement, with the blocks it opens.

    Raises InputError for what is not Fortran, NotUnderstoodError for a construct outside what the IR can say.
    """
    ctx, kind = cursor.ctx, statement.kind
    construct = CONSTRUCTS.get(kind)
    if construct is not None:
        try:
            return construct(cursor, line, statement)
        except WallError as why:
            raise_unreadable(ctx, line.text, why)
            raise NotUnderstoodError(str(why)) from None
    if kind == "other":
        return (opaque(ctx, line.text, f"`{line.text}`{second_opinion(line.text)}"),)
    if kind not in SIMPLE and kind not in IO_ACTIONS and kind not in ("format", "namelist"):
        if statement_class(line.text) is None:
            raise cannot_read(ctx, line.text, f"no statement begins like this{second_opinion(line.text)}")
        return (opaque(ctx, line.text, f"`{line.text}`{second_opinion(line.text)}"),)
    try:
        return lower_simple(ctx, statement)
    except NotUnderstoodError as why:
        return (opaque(ctx, line.text, str(why)),)
    except WallError as why:
        raise_unreadable(ctx, line.text, why)
        return (opaque(ctx, line.text, f"{why}{second_opinion(line.text)}"),)


def lower_procedure(
    world: ProgramContext, scope: Scope, inherited: Mapping[str, ir.Variable]
) -> tuple[ir.Procedure, tuple[Diagnostic, ...]]:
    """One procedure. ``inherited``: undeclared variables of its host.

    A construct that is not understood makes the whole procedure opaque. Raises InputError for what is not
    Fortran, blocks that are not closed and parts that do not begin and end in one block.
    """
    ctx = _context(world, scope, inherited)
    span = ctx.span
    host = world.scopes.scopes.get(scope.host or "")
    for function in (one for one in (host, scope) if one is not None and one.kind == "function"):
        ctx.names |= {name: base(ctx, own) for name, own in one_result(function).items()
                      if name not in ctx.variables or ctx.variables[name].area.owner == function.key}
    reason = scope.opaque
    body: ir.Block = ()
    sized: ir.Block = ()
    if reason is None:
        variables = dict(ctx.variables)
        try:
            sized = sized_by_functions(ctx)
        except NotUnderstoodError:
            ctx.variables.clear()
            ctx.variables.update(variables)
        cursor = Cursor(ctx, scope.executable, lower_statement, OpenParts())
        try:
            body = cursor.procedure(scope.unit.end, BlockOpening("procedure", scope.name, span))
        except NotUnderstoodError as why:
            reason = str(why)
        if reason is not None:
            what = f"`{scope.name}` is taken to do everything it can"
            ctx.note("SN202", f"not understood: {reason}; {what}")
    if reason is None:
        defaults = Defaults(world.scopes.types, world.children).on_entry(scope.key, scope.formals, ctx.variables)
        body = (*defaults, *sized, *body)
    procedure = ir.Procedure(
        key=scope.key, name=scope.name, kind=_kind(scope), formals=tuple(f for f in scope.formals if f != "*"),
        result=scope.result, variables=MappingProxyType(ctx.variables), body=with_ids(body), span=span,
        module=scope.module, host=scope.host, opaque=reason, elemental=scope.elemental, recursive=scope.recursive,
        alternates=scope.alternates, absent=scope.absent,
    )  # fmt: skip
    return procedure, tuple(ctx.diagnostics)


def _kind(scope: Scope) -> Literal["subroutine", "function", "program"]:
    return "function" if scope.kind == "function" else "program" if scope.kind == "program" else "subroutine"


def _context(world: ProgramContext, scope: Scope, inherited: Mapping[str, ir.Variable]) -> Context:
    lines = [item for item in scope.unit.items if isinstance(item, Line)]
    intrinsics: set[str] = set()
    assigned: set[int] = set()
    save_all = False
    for line in lines:
        first = line.text[:1]
        if first == "i" and (found := _INTRINSIC.match(line.text)):
            intrinsics.update(name.strip() for name in found.group(1).split(","))
        elif first == "a" and (found := _ASSIGN.match(line.text)):
            assigned.add(int(found.group(1)))
        elif first == "s" and _SAVE_ALL.match(line.text):
            save_all = True
    formats = {line.label for line in lines if line.text.startswith("format")}
    labels = {line.label for line in [*lines, scope.unit.end] if line.label is not None} - formats
    span = (scope.unit.header or (lines[0] if lines else scope.unit.end)).span
    return Context(
        world, scope, span, dict(scope.variables), frozenset(intrinsics), inherited, save_all,
        labels=frozenset(labels), assigned=tuple(sorted(assigned & labels)),
    )  # fmt: skip

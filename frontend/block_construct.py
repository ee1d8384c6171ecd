"""BLOCK: a construct with declarations of its own, which become fresh variables of the procedure."""

from __future__ import annotations

from dataclasses import replace

from snapset.frontend import ir
from snapset.frontend.building import Building, Shared
from snapset.frontend.classify import Statement
from snapset.frontend.constructs import Stmts, opening
from snapset.frontend.context import Context, NotUnderstoodError
from snapset.frontend.cursor import Cursor, labelled_end
from snapset.frontend.declarations import collect_items
from snapset.frontend.declared import Header, Table
from snapset.frontend.statement import Line, Pragma
from snapset.frontend.visible import Visible


def lower_block(cursor: Cursor, line: Line, statement: Statement) -> Stmts:
    """``block`` / declarations / statements / ``end block``

    Raises NotUnderstoodError for declarations of anything but variables and constants.
    """
    ctx = cursor.ctx
    outer = ctx.names
    table, start = _declarations(cursor, line)
    cursor.at += start
    ctx.names = {**outer, **_own_names(ctx, table)}
    closed = cursor.block(opening("block", line))
    ctx.names = outer
    scope = ir.Scope(span=line.span, body=closed.body, name=line.construct, end=closed.line.span)
    return (scope, *labelled_end(closed.line))


def _declarations(cursor: Cursor, line: Line) -> tuple[Table, int]:
    """The declarations after ``line``, and how many items they are (directives before the first statement are not)."""
    items = cursor.items[cursor.at :]
    table = collect_items(Table(Header("block", "block"), None, line.span), items)
    start = min([table.start, *(place for _, place in table.functions)])
    while start and isinstance(items[start - 1], Pragma):
        start -= 1
    if table.uses or table.types or table.interfaces or table.externals or table.opaque:
        raise NotUnderstoodError("BLOCK that declares more than variables")
    cursor.ctx.diagnostics.extend(table.diagnostics)
    return table, start


def _own_names(ctx: Context, table: Table) -> dict[str, ir.Expr]:
    """What the block's own names stand for: fresh variables, the values of constants."""
    sizes = {v.type.derived: v.type.bytes for v in ctx.variables.values() if v.type.derived is not None}
    seen = dict(ctx.variables)
    for name, value in ctx.names.items():  # names of an enclosing BLOCK
        if isinstance(value, ir.Ref) and len(value.parts) == 1 and value.parts[0].subscripts is None:
            seen[name] = ctx.variables[value.name]
    visible = Visible(seen, types=dict(ctx.scope.types), unknown=ctx.scope.unknown_modules)
    shared = Shared(types=dict(ctx.world.scopes.types), sizes=sizes)
    building = Building(table, ctx.scope.key, False, visible, shared)
    building.implicit = ctx.scope.implicit
    found: dict[str, ir.Expr] = {}
    for name in table.entities:
        variable = building.variable(name)
        if variable is None:
            raise NotUnderstoodError(f"`{name}` in a BLOCK")
        constant = variable.value is not None and not variable.shape.rank
        found[name] = variable.value if constant and variable.value is not None else _fresh(ctx, variable)
    ctx.diagnostics.extend(shared.diagnostics)
    return found


def _fresh(ctx: Context, variable: ir.Variable) -> ir.Ref:
    own = ctx.fresh(variable.name, variable.type, variable.shape.rank, variable.area.kind)
    ctx.variables[own.name] = replace(variable, name=own.name, area=ctx.variables[own.name].area)
    return own

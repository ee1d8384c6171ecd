"""BLOCK: a construct with declarations of its own; its variables become fresh ones of the procedure."""

from __future__ import annotations

from dataclasses import replace

from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Span
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.source_model import Line, Pragma
from snapset.frontend.declarations.specification_part import collect, collect_items
from snapset.frontend.declarations.table import Header, Table
from snapset.frontend.ir.expression_queries import names_in, walk
from snapset.frontend.lowering.associate_and_select import body_of
from snapset.frontend.lowering.block_cursor import Cursor, labelled_end
from snapset.frontend.lowering.control_constructs import Stmts, opening
from snapset.frontend.lowering.default_initialisation import Defaults
from snapset.frontend.parsing.statement_classifier import Statement
from snapset.frontend.resolution.data_references import base
from snapset.frontend.resolution.lowering_context import Context, NotUnderstoodError
from snapset.frontend.resolution.statement_operands import bounds
from snapset.frontend.symbols.procedure_names import declare_interfaces, not_variables, result_type
from snapset.frontend.symbols.symbol_table import Scope
from snapset.frontend.symbols.use_association import VisibleNames, associate, without_source
from snapset.frontend.symbols.variable_builder import Building, Shared, automatic

_WORD = pattern_of(r"[a-z_]\w*")


def lower_block(cursor: Cursor, line: Line, statement: Statement) -> Stmts:
    """``block`` / declarations / statements / ``end block``

    Raises NotUnderstoodError for definitions of types.
    """
    ctx = cursor.ctx
    outer, scope = ctx.names, ctx.scope
    table, start = _declarations(cursor, line)
    cursor.at += start
    words = {word for item in body_of(cursor, "block") if isinstance(item, Line) for word in _WORD.findall(item.text)}
    own, ctx.scope = _own_names(ctx, table, words)
    ctx.names = {**outer, **own}
    begins = _begins(cursor, line, table, own)
    closed = cursor.block(opening("block", line))
    ctx.names, ctx.scope = outer, scope
    block = ir.ScopeBlock(span=line.span, body=begins + closed.body, name=line.construct, end=closed.line.span)
    return (block, *labelled_end(closed.line))


def _begins(cursor: Cursor, line: Line, table: Table, own: dict[str, ir.Expr]) -> ir.Block:
    """What entering the block does to its own variables: arrays are made, types give initial values.

    ``block; real :: w(n)``: w is allocated n elements long, what it was in an earlier run of the block being gone. So
    is what ``allocate`` made there: leaving the block has deallocated it.
    """
    ctx = cursor.ctx
    ctx.before, ctx.span = [], line.span
    found: list[ir.Stmt] = []
    for name, entity in table.entities.items():
        ref = own.get(name)
        variable = ctx.variables[ref.name] if isinstance(ref, ir.Ref) else None
        if variable is None or variable.area.kind != "local" or variable.pointer or variable.initialised:
            continue
        whole = base(ctx, variable.name)
        if variable.automatic and entity.dims is not None:
            found += _made(ctx, whole, entity.dims, variable.span)
        if variable.allocatable and not variable.automatic:
            found.append(ir.Deallocate(span=variable.span, objects=(whole,), automatic=True))
        else:
            defaults = Defaults(ctx.world.scopes.types, ctx.world.children)
            found += defaults.initial(whole, variable, variable.span)
    return tuple(found)


def _made(ctx: Context, whole: ir.Ref, dims: str, span: Span) -> list[ir.Stmt]:
    """An automatic array with the bounds that it has now, and the calls that these need first."""
    ctx.before, ctx.span = [], span
    made = replace(whole, parts=(ir.PartRef(whole.name, bounds(ctx, dims)),))
    found = [ir.Deallocate(span=span, objects=(whole,), automatic=True), *ctx.before,
             ir.Allocate(span=span, objects=(made,), automatic=True)]
    ctx.before = []
    return found


def sized_by_functions(ctx: Context) -> ir.Block:
    """What entering a procedure does to its own arrays whose bounds call functions: as a BLOCK does to all of its own.

    ``real(8) :: w(wanted(n)), v(size(w))``: w and v become allocatable. Not where an ENTRY would jump over that, or an
    internal procedure has them from its host: then the bounds are not understood, and may read all that is global.
    """
    scope = ctx.scope
    own = {name: one for name, one in ctx.variables.items()
           if one.area.owner == scope.key and one.area.kind == "local" and one.shape.kind == "explicit"
           and one.value is None and not one.pointer and name not in (*scope.formals, scope.result)}
    ends = {name: [end for dim in one.shape.dims for end in (dim.lower, dim.upper) if end is not None]
            for name, one in own.items() if one.shape.dims}
    made = {name for name, some in ends.items() if any(isinstance(x, ir.OpaqueExpr) for end in some for x in walk(end))}
    entered = any(owner == scope.key for owner, _ in ctx.world.entry_results.values())
    if not made or entered or scope.unit.contains:
        return ()
    while more := {name for name, some in ends.items() if any(names_in(end) & made for end in some)} - made:
        made |= more
    entities, found = collect(scope.unit).entities, list[ir.Stmt]()
    if any(name not in entities or entities[name].dims is None for name in made):
        return ()
    for name in entities:
        if name in made:
            shape = ir.Shape("deferred", (ir.Dim(None, None),) * own[name].shape.rank)
            ctx.variables[name] = replace(own[name], shape=shape, allocatable=True, automatic=True)
            whole = base(ctx, name)
            found += _made(ctx, whole, entities[name].dims or "", own[name].span)
            found += Defaults(ctx.world.scopes.types, ctx.world.children).initial(whole, own[name], own[name].span)
    return tuple(found)


def _declarations(cursor: Cursor, line: Line) -> tuple[Table, int]:
    """The declarations after ``line``, and how many items they are (directives before the first statement are not)."""
    items = cursor.items[cursor.at :]
    table = collect_items(Table(Header("block", "block"), None, line.span), items)
    start = min([table.start, *(place for _, place in table.functions)])
    while start and isinstance(items[start - 1], Pragma):
        start -= 1
    if table.types or table.opaque:
        raise NotUnderstoodError("BLOCK that defines types")
    cursor.ctx.diagnostics.extend(table.diagnostics)
    return table, start


def _own_names(ctx: Context, table: Table, words: set[str]) -> tuple[dict[str, ir.Expr], Scope]:
    """What the block's own names stand for, as far as ``words``, its text, has them: fresh variables, variables of
    modules, the values of constants. And the scope with the procedures it declares."""
    world = ctx.world.scopes
    sizes = {v.type.derived: v.type.bytes for v in ctx.variables.values() if v.type.derived is not None}
    seen = dict(ctx.variables)
    for name, value in ctx.names.items():  # names of an enclosing BLOCK
        if isinstance(value, ir.Ref) and len(value.parts) == 1 and value.parts[0].subscripts is None:
            seen[name] = ctx.variables[value.name]
        elif isinstance(value, ir.Literal_):
            area = ir.Area("local", ctx.scope.key, name)
            seen[name] = ir.Variable(name, value.type, area, ctx.span, value=value)
    visible = visible_in(ctx.scope, seen)
    shared = Shared(types=dict(world.types), sizes=sizes, externals=dict(world.externals), kinds=ctx.world.kinds)
    used: dict[str, ir.Variable] = {}
    for use in table.uses:
        module = VisibleNames()
        associate(module, world.exported.get(use.module) or without_source(use.module, use.span), use)
        visible.take_all(module)
        visible.unknown = tuple(dict.fromkeys((*visible.unknown, *module.unknown)))
        used.update(module.variables)
    apart = not_variables(table)
    building = Building(table, ctx.scope.key, False, visible, shared, frozenset(apart))
    building.implicit = ctx.scope.implicit
    declare_interfaces(building)
    for name in apart:
        visible.variables.pop(name, None)
        visible.procedures.setdefault(name, world.externals.get(name))
        entity = table.entities.get(name)
        type_ = result_type(building, entity, name)
        if type_ is not None:
            visible.function_types[name] = type_
    own = {name: building.variable(name) for name in table.entities if name not in apart}
    found: dict[str, ir.Expr] = {}
    for name, variable in {**used, **own}.items():
        if variable is None:
            raise NotUnderstoodError(f"`{name}` in a BLOCK")
        constant = variable.value is not None and not variable.shape.rank
        if constant and variable.value is not None:
            found[name] = variable.value
        elif name in own or name in words:
            found[name] = _fresh(ctx, variable, renewed=name in own)
    ctx.diagnostics.extend(shared.diagnostics)
    return found, scope_with(ctx.scope, visible)


def _fresh(ctx: Context, variable: ir.Variable, renewed: bool) -> ir.Ref:
    """A new name for a variable, a module's own name for it where that is free; ``renewed``: it is the block's own,
    with memory of its own."""
    if not renewed and variable.area.name not in ctx.variables and not ctx.scope.implicit:
        ctx.variables[variable.area.name] = replace(variable, name=variable.area.name)
        return ir.Ref((ir.PartRef(variable.area.name),), variable.type, variable.shape.rank)
    own = ctx.fresh(variable.name, variable.type, variable.shape.rank, variable.area.kind)
    area = ctx.variables[own.name].area if renewed else variable.area
    variable = replace(variable, name=own.name, area=area)
    if renewed and variable.shape.kind == "explicit" and automatic(variable.shape):
        variable = replace(variable, shape=ctx.variables[own.name].shape, allocatable=True, automatic=True)
    ctx.variables[own.name] = variable
    return own


def visible_in(scope: Scope, variables: dict[str, ir.Variable]) -> VisibleNames:
    """What a scope sees, with these variables."""
    return VisibleNames(
        variables, dict(scope.procedures), dict(scope.generics), dict(scope.types), dict(scope.function_types),
        dict(scope.signatures), scope.unknown_modules,
    )  # fmt: skip


def scope_with(scope: Scope, visible: VisibleNames) -> Scope:
    """``scope`` with the procedures, types and generics of ``visible``."""
    return replace(
        scope, procedures=visible.procedures, generics=visible.generics, types=visible.types,
        function_types=visible.function_types, signatures=visible.signatures, unknown_modules=visible.unknown,
    )  # fmt: skip

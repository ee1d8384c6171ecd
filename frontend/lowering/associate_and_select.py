"""ASSOCIATE, SELECT TYPE, SELECT RANK, BLOCK, CRITICAL: constructs that give names a meaning of their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from snapset.frontend import ir
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.source_model import Item, Line
from snapset.frontend.base.text_scan import split_top
from snapset.frontend.ir.constant_folding import value_of
from snapset.frontend.ir.expression_queries import bounds, names_in, rank_of, type_of, walk
from snapset.frontend.lowering.block_cursor import Cursor, labelled_end
from snapset.frontend.lowering.control_constructs import Stmts, first_case, opening
from snapset.frontend.parsing.statement_classifier import Statement, classify
from snapset.frontend.resolution.data_references import declaration
from snapset.frontend.resolution.lowering_context import Context, NotUnderstoodError
from snapset.frontend.resolution.statement_operands import opaque, right_side

_NONE: Mapping[str, ir.Expr] = MappingProxyType({})
_WORD = pattern_of(r"[a-z_]\w*")
_CALLED = pattern_of(r"([a-z_]\w*)\s*\(")
_SIZED = pattern_of(r"(\w+(?: \w+)?)\s*(?:\(\s*(?:kind\s*=\s*)?(\w+)[^)]*\))?$")


def lower_associate(cursor: Cursor, line: Line, statement: Statement) -> Stmts:
    """The selector takes the name's place in the body; a value that is no variable is assigned to one first."""
    ctx = cursor.ctx
    outer = ctx.names
    ctx.before, ctx.inlined = [], 0
    inner: dict[str, ir.Expr] = {}
    for part in split_top(statement.parts[0]):
        name, arrow, text = part.partition("=>")
        if not arrow:
            raise NotUnderstoodError(f"association `{part}`")
        inner[name.strip()] = _selector(cursor, name.strip(), text.strip(), "associate", inner)
    before = tuple(ctx.before)
    ctx.names = {**outer, **inner}
    closed = cursor.block(opening("associate", line))
    ctx.names = outer
    scope = ir.ScopeBlock(span=line.span, body=closed.body, name=line.construct, end=closed.line.span)
    return (*before, scope, *labelled_end(closed.line))


def _selector(cursor: Cursor, name: str, text: str, construct: str, others: Mapping[str, ir.Expr] = _NONE) -> ir.Expr:
    """What an ASSOCIATE name stands for. Subscripts that the body may change are kept in variables of their own.
    ``others``: the names of the same ASSOCIATE."""
    ctx = cursor.ctx
    value = right_side(ctx, text)
    if text.startswith("(") or not isinstance(value, ir.Ref) or _has_vector(value):
        target = ctx.fresh(name, type_of(value), rank_of(value))
        held = ctx.variables[target.name]  # of an array: it takes the value's extents each time
        polymorphic = isinstance(value, ir.Ref) and _is_class(ctx, value)
        ctx.variables[target.name] = replace(held, polymorphic=polymorphic,
                                             allocatable=target.rank > 0 or polymorphic)
        ctx.before.append(ir.Assign(span=ctx.span, target=target, value=value))
        return target
    itself = name == text and len(value.parts) == 1  # in the body the name is the target, whatever is done to it
    if not itself and _pointed(ctx, value) and _repointed(ctx, body_of(cursor, construct), value):
        return _target(ctx, name, value)
    selecting = [s for part in value.parts for s in part.subscripts or ()]
    selecting += [] if value.substring is None else [value.substring]
    ends = [e for s in selecting for e in bounds(s)]
    used = frozenset().union(*map(names_in, ends))
    led = any(isinstance(one, ir.Ref) and _pointed(ctx, one) for e in ends for one in walk(e))
    if led or (used and not used.isdisjoint(_changed(ctx, body_of(cursor, construct), used, others))):
        piece = None if value.substring is None else _frozen_subscript(ctx, value.substring)
        assert piece is None or isinstance(piece, ir.Range)
        return replace(value, parts=tuple(_frozen(ctx, part) for part in value.parts), substring=piece)
    return value


def _has_vector(ref: ir.Ref) -> bool:
    """Is it a section by a vector subscript? Such a one cannot be assigned to."""
    return any(not isinstance(s, ir.Range) and rank_of(s) for part in ref.parts for s in part.subscripts or ())


def _target(ctx: Context, name: str, value: ir.Ref) -> ir.Ref:
    """A pointer of its own to what ``value`` names now, because the pointer in it may be made to point elsewhere."""
    own = ctx.fresh(name, value.type, value.rank)
    ctx.variables[own.name] = replace(ctx.variables[own.name], pointer=True, polymorphic=_is_class(ctx, value))
    ctx.before.append(ir.PointerAssign(span=ctx.span, target=own, value=value))
    return own


def _is_class(ctx: Context, ref: ir.Ref) -> bool:
    """May what ``ref`` names be of a type that extends its own?"""
    declared = declaration(ctx, ref.parts)
    return declared is None or declared.polymorphic


def _pointed(ctx: Context, ref: ir.Ref) -> bool:
    """Whether a pointer leads to what ``ref`` names."""
    declared = (declaration(ctx, ref.parts[:depth]) for depth in range(1, len(ref.parts) + 1))
    return any(one is None or one.pointer for one in declared)


def _repointed(ctx: Context, body: Sequence[Item], ref: ir.Ref) -> bool:
    """Whether statements in ``body`` may make a pointer that leads to what ``ref`` names point elsewhere."""
    names, shared = {part.name for part in ref.parts}, _may_be_changed_by_calls(ctx, ctx.variable(ref.name))
    for item in body:
        statement = classify(item.text) if isinstance(item, Line) else None
        if statement is None or not isinstance(item, Line):
            continue
        if shared and (statement.kind == "call" or any(map(ctx.may_be_function, _CALLED.findall(item.text)))):
            return True
        if statement.kind in ("pointer", "nullify", "allocate", "deallocate", "call"):
            changed = statement.parts[0] if statement.kind == "pointer" else statement.parts[-1]
            if not names.isdisjoint(_WORD.findall(changed)):
                return True
    return False


def _frozen(ctx: Context, part: ir.PartRef) -> ir.PartRef:
    """``part`` with its subscripts' values as they are now."""
    if part.subscripts is None:
        return part
    return ir.PartRef(part.name, tuple(_frozen_subscript(ctx, subscript) for subscript in part.subscripts))


def _frozen_subscript(ctx: Context, subscript: ir.Subscript) -> ir.Subscript:
    if isinstance(subscript, ir.Range):
        ends = (subscript.lower, subscript.upper, subscript.step)
        return ir.Range(*(None if end is None else _kept(ctx, end) for end in ends))
    return _kept(ctx, subscript)


def _kept(ctx: Context, value: ir.Expr) -> ir.Expr:
    if isinstance(value, ir.Literal_):
        return value
    target = ctx.fresh("index", type_of(value), rank_of(value))
    ctx.before.append(ir.Assign(span=ctx.span, target=target, value=value))
    return target


def body_of(cursor: Cursor, construct: str) -> Sequence[Item]:
    """The items up to the END of the construct that was just opened."""
    depth = 1
    for at in range(cursor.at, len(cursor.items)):
        item = cursor.items[at]
        if isinstance(item, Line):
            text = item.text
            depth += text.startswith(construct) and classify(text).kind.startswith(construct)
            depth -= text.startswith("end") and classify(text).parts[:1] == (construct,)
            if depth == 0:
                return cursor.items[cursor.at : at]
    return cursor.items[cursor.at :]


def _changed(ctx: Context, body: Sequence[Item], names: frozenset[str], others: Mapping[str, ir.Expr]) -> Iterator[str]:
    """Those of ``names`` that statements in ``body`` may write, by whatever name; on the safe side."""
    yield from (name for name in names if _has_other_names(ctx, name))
    shared = {name for name in names if _may_be_changed_by_calls(ctx, ctx.variable(name))}
    meant = {name: ref.name for name, ref in {**ctx.names, **others}.items() if isinstance(ref, ir.Ref)}
    for item in body:
        if not isinstance(item, Line):
            continue
        statement = classify(item.text)
        words = set(_WORD.findall(item.text))
        calls = statement.kind == "call" or any(map(ctx.may_be_function, _CALLED.findall(item.text)))
        if calls:
            yield from shared
        if statement.kind in ("assign", "do") and not calls:
            words = {_WORD.findall(statement.parts[0])[0]}
        if statement.kind != "arithmetic if":
            yield from words
            yield from (meant[word] for word in words if word in meant)


def _has_other_names(ctx: Context, name: str) -> bool:
    """May a variable be written by another name: through a pointer, or one that EQUIVALENCE or USE gives it?"""
    one = ctx.variable(name)
    return one.target or one.pointer or any(
        other.area == one.area for known, other in {**ctx.scope.variables, **ctx.variables}.items() if known != name)


def _may_be_changed_by_calls(ctx: Context, one: ir.Variable) -> bool:
    """Is it not this procedure's alone: a host's, or one that internal procedures see?"""
    scopes = ctx.world.scopes.scopes
    inner = (scopes.get(key) for key in ctx.scope.procedures.values() if key is not None)
    return one.area.kind not in ("local", "temporary") or one.area.owner != ctx.scope.key or any(
        scope is not None and scope.host == ctx.scope.key for scope in inner)


# ---------------------------------------------------------------- SELECT TYPE, SELECT RANK


def lower_select_type(cursor: Cursor, line: Line, statement: Statement) -> Stmts:
    """Inside a guard the selector has the guard's type (or rank)."""
    ctx = cursor.ctx
    outer = ctx.names
    ctx.before, ctx.inlined = [], 0
    name, arrow, text = statement.parts[0].partition("=>")
    name = name.strip()
    selector = _selector(cursor, name, (text if arrow else name).strip(), "select")
    before = tuple(ctx.before)
    opened = opening("select", line)
    cases: list[ir.Case] = []
    closed = first_case(cursor, opened)
    while closed.statement.kind != "end":
        at, guard = closed.line, closed.statement.parts
        ctx.names = {**outer, name: _guarded(ctx, selector, guard)}
        closed = cursor.block(opened)
        values = None if guard[0] == "class default" else ()
        type_ = _guard(ctx, guard)
        cases.append(ir.Case(span=at.span, values=values, body=closed.body, guard=type_, exact=guard[0] == "type is",
                             rank=guard[1] if guard[0] == "rank" else None))
    ctx.names = outer
    select = ir.Select(
        span=line.span, selector=selector, cases=tuple(cases), name=line.construct, end=closed.line.span,
        exhaustive=any(case.values is None for case in cases),
    )  # fmt: skip
    return (*before, select, *labelled_end(closed.line))


def _guarded(ctx: Context, selector: ir.Expr, guard: tuple[str, ...]) -> ir.Expr:
    if not isinstance(selector, ir.Ref) or guard[0] == "class default":
        return selector
    if guard[0] == "rank":
        return replace(selector, rank=int(guard[1])) if guard[1].isdigit() else selector
    type_ = _guard(ctx, guard)
    return selector if type_ is None else replace(selector, type=type_, exact=guard[0] == "type is")


def _guard(ctx: Context, guard: tuple[str, ...]) -> ir.Type | None:
    """The type that TYPE IS or CLASS IS asks for."""
    if guard[0] not in ("type is", "class is"):
        return None
    key = ctx.scope.types.get(guard[1])
    return ir.Type("derived", derived=key) if key else _intrinsic_type(ctx, guard[1])


def _intrinsic_type(ctx: Context, text: str) -> ir.Type:
    """``real(8)`` and the like in TYPE IS; the size is unknown where the kind is a name whose value is not known."""
    if text.startswith("character"):
        return ir.Type("character")
    found, kinds = _SIZED.match(text), ctx.world.kinds
    if found is None:
        return ir.UNKNOWN
    word, kind = found.groups()
    for name in ("real", "integer", "logical", "complex"):
        if word == name and kind is None:
            return ir.default_type(kinds, name)
        if word == name:
            size = int(kind) if kind.isdigit() else value_of(ctx.constant(kind))
            return ir.Type(name, None if size is None else size * (2 if word == "complex" else 1))
    return ir.DOUBLE if word == "double precision" else ir.UNKNOWN


# ---------------------------------------------------------------- CRITICAL, CHANGE TEAM


def lower_critical(cursor: Cursor, line: Line, statement: Statement) -> Stmts:
    """CRITICAL is a scope; what CHANGE TEAM does is not understood."""
    team = statement.kind == "change team"
    before = (opaque(cursor.ctx, line.text, "teams of images"),) if team else ()
    closed = cursor.block(opening("team" if team else "critical", line))
    scope = ir.ScopeBlock(span=line.span, body=closed.body, name=line.construct, end=closed.line.span)
    return (*before, scope, *labelled_end(closed.line))

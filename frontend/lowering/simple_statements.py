"""Statements of one line: assignments, jumps, allocation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from snapset.frontend import ir
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.text_scan import keyword, masked, split_top
from snapset.frontend.declarations.type_declarations import DeclarationError, type_spec
from snapset.frontend.ir.expression_queries import rank_of, type_of
from snapset.frontend.lowering.call_statement import lower_call
from snapset.frontend.lowering.default_initialisation import Defaults
from snapset.frontend.lowering.io_statements import lower_io
from snapset.frontend.parsing.statement_classifier import IO_ACTIONS, Statement, labels
from snapset.frontend.resolution.call_targets import bound_operator
from snapset.frontend.resolution.data_references import declaration, keeping_memory
from snapset.frontend.resolution.elemental_loops import in_elements
from snapset.frontend.resolution.generic_resolution import fits
from snapset.frontend.resolution.lowering_context import Context, NotUnderstoodError
from snapset.frontend.resolution.statement_operands import expression, reference, right_side
from snapset.frontend.symbols.entry_points import entry_label

_TYPE_PREFIX = pattern_of(r"[a-z][^:]*::")
_ASSIGNMENT = "assignment(=)"


def assign(ctx: Context, parts: tuple[str, ...]) -> ir.Stmt:
    """``target = value``, or the call a defined assignment is."""
    value = right_side(ctx, parts[1])
    target = reference(ctx, parts[0])
    if "derived" in (target.type.kind, type_of(value).kind) or _ASSIGNMENT in ctx.scope.generics:
        found, dispatch = _defined_assignment(ctx, (ir.Argument(target), ir.Argument(value)))
        if found:
            # The standard passes the value in parentheses: `a = a%u` is `call set(a, (a%u))`.
            passed = ir.Unary("+", value, value.type) if isinstance(value, ir.Ref) else value
            args = (ir.Argument(target), ir.Argument(passed))
            return ir.Call(span=ctx.span, name=_ASSIGNMENT, targets=found, args=args, checkpoint=ctx.checkpoint,
                           dispatch=dispatch)
    return ir.Assign(span=ctx.span, target=keeping_memory(ctx, target) if ctx.masked else target, value=value)


def _defined_assignment(ctx: Context, args: tuple[ir.Argument, ...]) -> tuple[tuple[str, ...], ir.Dispatch | None]:
    found = fits(ctx.world, ctx.scope.generics.get(_ASSIGNMENT, ()), args)
    return (found, None) if found else bound_operator(ctx, _ASSIGNMENT, args)


def pointer_assign(ctx: Context, parts: tuple[str, ...]) -> ir.Stmt:
    """``target => value``, with the bounds the pointer gets."""
    value = expression(ctx, parts[1])
    target = reference(ctx, parts[0])
    last = target.parts[-1]
    if last.subscripts is not None:
        target = ir.Ref((*target.parts[:-1], ir.PartRef(last.name)), target.type, target.rank)
    return ir.PointerAssign(span=ctx.span, target=target, value=value, bounds=last.subscripts or ())


def goto(ctx: Context, parts: tuple[str, ...]) -> ir.Stmt:
    return ir.Goto(span=ctx.span, to=int(parts[0]))


def computed_goto(ctx: Context, parts: tuple[str, ...]) -> ir.Stmt:
    return ir.ComputedGoto(span=ctx.span, labels=labels(parts[0]), selector=expression(ctx, parts[1]))


def assigned_goto(ctx: Context, parts: tuple[str, ...]) -> ir.Stmt:
    """``goto i`` goes to any label some ASSIGN gives out, or to those listed."""
    to = labels(parts[1]) or ctx.assigned
    return ir.ComputedGoto(span=ctx.span, labels=to, selector=reference(ctx, parts[0]), assigned=True)


def assign_label(ctx: Context, parts: tuple[str, ...]) -> ir.Stmt:
    value = ir.Literal_(int(parts[0]), ir.INTEGER)
    return ir.Assign(span=ctx.span, target=reference(ctx, parts[1]), value=value)


def arithmetic_if(ctx: Context, parts: tuple[str, ...]) -> ir.Stmt:
    negative, zero, positive = labels(parts[1])
    return ir.ArithmeticIf(
        span=ctx.span, cond=expression(ctx, parts[0]), negative=negative, zero=zero, positive=positive
    )


def stop(ctx: Context, parts: tuple[str, ...]) -> ir.Stmt:
    codes = [part for part in split_top(parts[0]) if keyword(part)[0] is None]
    return ir.Stop(span=ctx.span, code=expression(ctx, codes[0]) if codes and codes[0] else None)


def return_(ctx: Context, parts: tuple[str, ...]) -> ir.Stmt:
    return ir.Return(span=ctx.span, alternate=expression(ctx, parts[0]) if parts[0] else None)


def _nothing(ctx: Context, parts: tuple[str, ...]) -> ir.Stmt:
    return ir.Continue(span=ctx.span)


def _entry(ctx: Context, parts: tuple[str, ...]) -> ir.Stmt:
    return ir.Continue(span=ctx.span, label=entry_label(ctx.span))


def _cycle(ctx: Context, parts: tuple[str, ...]) -> ir.Stmt:
    return ir.Cycle(span=ctx.span, name=parts[0] or None)


def _exit(ctx: Context, parts: tuple[str, ...]) -> ir.Stmt:
    return ir.Exit(span=ctx.span, name=parts[0] or None)


def _call(ctx: Context, parts: tuple[str, ...]) -> ir.Stmt:
    return lower_call(ctx, parts[0])


# ---------------------------------------------------------------- allocation


def allocate(ctx: Context, parts: tuple[str, ...]) -> ir.Stmt:
    """``allocate([type ::] objects, stat=, source=, mold=, errmsg=)``"""
    objects, options = _objects(ctx, parts[0])
    like = options.get("source", options.get("mold"))
    source = None if like is None else right_side(ctx, like)
    stat = _stat(ctx, options, "Attempt to allocate an allocated object")
    type_ = _type_given(ctx, parts[0], objects)
    if source is None:
        ctx.after += _if_done(ctx, stat, [stmt for ref in objects for stmt in _new(ctx, ref, type_)])
        return ir.Allocate(span=ctx.span, objects=objects, stat=stat, type=type_,
                           length=_length_given(ctx, parts[0], objects))
    shaped = tuple(_shaped(ref, source) for ref in objects)
    polymorphic = any(_declared(ctx, ref).polymorphic for ref in objects)
    if any(ref is None for ref in shaped) or (polymorphic and type_of(source).kind != "derived"):
        return ir.Allocate(span=ctx.span, objects=objects, stat=stat, source=source if "source" in options else None)
    made = [stmt for ref in objects for stmt in (
        _new(ctx, ref, None) if "mold" in options else (
            ir.Assign(span=ctx.span, target=_bare(ref), value=source, initial=True),))]
    ctx.after += _if_done(ctx, stat, made)
    return ir.Allocate(span=ctx.span, objects=tuple(ref for ref in shaped if ref is not None), stat=stat,
                       like=source if polymorphic else None, length=_length_of(source, objects))


def _bare(ref: ir.Ref) -> ir.Ref:
    """An object of an ALLOCATE by itself, without its bounds."""
    last = ref.parts[-1]
    rank = ref.rank if last.subscripts is None else len(last.subscripts)
    return ir.Ref((*ref.parts[:-1], ir.PartRef(last.name)), ref.type, rank)


def _declared(ctx: Context, ref: ir.Ref) -> ir.Variable:
    return declaration(ctx, ref.parts) or ctx.variables[ref.name]


def _new(ctx: Context, ref: ir.Ref, type_: ir.Type | None) -> tuple[ir.Stmt, ...]:
    """What the type of an allocated object gives it to begin with. ``type_``: that type; None where it is another
    object's, if the object is CLASS."""
    defaults, declared = Defaults(ctx.world.scopes.types, ctx.world.children), _declared(ctx, ref)
    if type_ is not None and declared.polymorphic:
        return tuple(defaults.of_type(replace(_bare(ref), type=type_), type_, ctx.span))
    return tuple(defaults.initial(_bare(ref), declared, ctx.span))


def _if_done(ctx: Context, stat: ir.Ref | None, stmts: list[ir.Stmt]) -> list[ir.Stmt]:
    """What is done when ALLOCATE has not failed."""
    if stat is None or not stmts:
        return stmts
    done = ir.Binary("==", stat, ir.Literal_(0, ir.INTEGER), ir.LOGICAL)
    return [ir.If(span=ctx.span, cond=done, then=tuple(stmts))]


def _shaped(ref: ir.Ref, source: ir.Expr) -> ir.Ref | None:
    """An object with the bounds SOURCE= or MOLD= gives it, where it has none; None where these cannot be said."""
    if ref.rank == 0 or ref.parts[-1].subscripts is not None:
        return ref
    if rank_of(source) != ref.rank:
        return None
    whole = isinstance(source, ir.Ref) and all(part.subscripts is None for part in source.parts)
    bounds: list[ir.Subscript] = []
    for dim in range(1, ref.rank + 1):
        args = (ir.Argument(source), ir.Argument(ir.Literal_(dim, ir.INTEGER)))
        ends = [ir.Intrinsic(name, args, ir.INTEGER) for name in ("lbound", "ubound")]
        bounds.append(ir.Range(*ends) if whole else ir.Intrinsic("size", args, ir.INTEGER))
    return ir.Ref((*ref.parts[:-1], ir.PartRef(ref.parts[-1].name, tuple(bounds))), ref.type, ref.rank)


def deallocate(ctx: Context, parts: tuple[str, ...]) -> ir.Stmt:
    objects, options = _objects(ctx, parts[0])
    stat = _stat(ctx, options, "Attempt to deallocate an unallocated object")
    return ir.Deallocate(span=ctx.span, objects=objects, stat=stat)


def _type_given(ctx: Context, text: str, objects: tuple[ir.Ref, ...]) -> ir.Type | None:
    """The type that CLASS objects get: the one before ``::``, or the one they are declared of."""
    if not objects or not _declared(ctx, objects[0]).polymorphic:
        return None
    prefix = _type_prefix(text[1:-1].strip()).rstrip(": ")
    if prefix:
        key = ctx.scope.types.get(prefix)
        return ir.UNKNOWN if key is None else ir.Type("derived", derived=key)
    return objects[0].type


def _length_given(ctx: Context, text: str, objects: tuple[ir.Ref, ...]) -> ir.Expr | None:
    """The length of characters before ``::``, where their declaration gives none."""
    try:
        spec = type_spec(_type_prefix(text[1:-1].strip()).rstrip(": "))
    except DeclarationError:
        return None
    if spec is None or spec[0].length in (None, "*", ":") or not _are_open(objects):
        return None
    return expression(ctx, spec[0].length or "1")


def _length_of(source: ir.Expr, objects: tuple[ir.Ref, ...]) -> ir.Expr | None:
    """The length that SOURCE= or MOLD= gives characters."""
    return ir.Intrinsic("len", (ir.Argument(source),), ir.INTEGER) if _are_open(objects) else None


def _are_open(objects: tuple[ir.Ref, ...]) -> bool:
    """Are they characters whose declaration gives no length?"""
    return bool(objects) and all(ref.type.kind == "character" and ref.type.bytes is None for ref in objects)


def _type_prefix(inside: str) -> str:
    """``type ::`` at the beginning of what is in the parentheses of ALLOCATE, if it is there."""
    found = _TYPE_PREFIX.match(masked(inside))
    return inside[: found.end()] if found and found.group().count("(") == found.group().count(")") else ""


def nullify(ctx: Context, parts: tuple[str, ...]) -> ir.Stmt:
    return ir.Nullify(span=ctx.span, objects=_objects(ctx, parts[0])[0])


def _objects(ctx: Context, text: str) -> tuple[tuple[ir.Ref, ...], Mapping[str, str]]:
    """The objects in the parentheses and the options after them."""
    if not (text.startswith("(") and text.endswith(")")):
        raise NotUnderstoodError("parentheses expected")
    inside = text[1:-1].strip()
    inside = inside[len(_type_prefix(inside)) :]
    objects: list[ir.Ref] = []
    options: dict[str, str] = {}
    for part in split_top(inside):
        key, value = keyword(part)
        if key is None:
            objects.append(reference(ctx, part))
        else:
            options[key] = value
    return tuple(objects), options


def _stat(ctx: Context, options: Mapping[str, str], text: str) -> ir.Ref | None:
    """STAT's variable. ERRMSG's is only written on failure, which STAT tells: with ``text``, as gfortran has it."""
    stat = reference(ctx, options["stat"]) if "stat" in options else None
    if stat is not None and "errmsg" in options:
        message = reference(ctx, options["errmsg"])
        failed = ir.Binary("/=", stat, ir.Literal_(0, ir.INTEGER), ir.LOGICAL)
        then = (ir.Assign(span=ctx.span, target=message, value=ir.Literal_(text, ir.Type("character", len(text)))),)
        ctx.after.append(ir.If(span=ctx.span, cond=failed, then=then))
    return stat


SIMPLE: Final[Mapping[str, Callable[[Context, tuple[str, ...]], ir.Stmt]]] = MappingProxyType(
    {
        "assign": assign,
        "pointer": pointer_assign,
        "call": _call,
        "goto": goto,
        "computed goto": computed_goto,
        "assigned goto": assigned_goto,
        "assign label": assign_label,
        "arithmetic if": arithmetic_if,
        "stop": stop,
        "return": return_,
        "cycle": _cycle,
        "exit": _exit,
        "allocate": allocate,
        "deallocate": deallocate,
        "nullify": nullify,
        "entry": _entry,
        **dict.fromkeys(("continue", "pause", "data"), _nothing),
    }
)


def lower_simple(ctx: Context, statement: Statement) -> tuple[ir.Stmt, ...]:
    """A statement without blocks, after the calls its expressions need.

    Raises NotUnderstoodError, and WallError for text that is no expression where one must be.
    """
    if statement.kind in ("format", "namelist"):
        return ()
    ctx.before, ctx.after, ctx.inlined = [], [], 0
    if statement.kind in IO_ACTIONS:
        stmt: ir.Stmt = lower_io(ctx, statement.kind, statement.parts[0])
    else:
        stmt = SIMPLE[statement.kind](ctx, statement.parts)
    done = in_elements(ctx, stmt) if isinstance(stmt, ir.Call) else (stmt,)
    return (*ctx.before, *done, *ctx.after)

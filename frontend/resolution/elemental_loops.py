"""Impure elemental procedures with arrays: a loop over their elements, in array element order (Fortran 2018, 15.8.3).

What such a procedure leaves in its own or global variables at one element, it may read at the next. So each element is
a call of its own, and the order of the calls is the program's:

    call smooth(v, x(2:n), 2*w)         t = 2*w
                                        do e = 1, size(v);  call smooth(v(e), x(2 + e - 1), t(e));  end do

The arguments are evaluated once, before all calls: subscripts, values, the elements that vector subscripts choose.
"""

from __future__ import annotations

from dataclasses import replace

from snapset.frontend import ir
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.ir.constant_folding import fold_binary
from snapset.frontend.ir.expression_queries import rank_of, type_of
from snapset.frontend.resolution.data_references import declaration, lower_bound, place_in
from snapset.frontend.resolution.lowering_context import Context

_IMPURE = pattern_of(r"\bimpure\b")
_ONE = ir.Literal_(1, ir.INTEGER)


def is_impure_elemental(ctx: Context, key: str) -> bool:
    scope = ctx.world.scopes.scopes.get(key)
    header = None if scope is None else scope.unit.header
    return scope is not None and scope.elemental and header is not None and (
        _IMPURE.search(header.text.partition("(")[0]) is not None)


def in_elements(ctx: Context, call: ir.Call, mask: ir.Ref | None = None) -> ir.Block:
    """A call, or the loop that it is; in a WHERE it stays as it is until it is known which ``mask`` chooses the
    elements."""
    arrays = [one.value for one in call.args if rank_of(one.value)]
    if not arrays or ctx.masked or not any(is_impure_elemental(ctx, key) for key in call.targets):
        return (call,)
    before: list[ir.Stmt] = []
    args = tuple(replace(one, value=_evaluated(ctx, one.value, before)) for one in call.args)
    first = next(one.value for one in args if rank_of(one.value))
    indices = [ctx.fresh("element", ir.INTEGER) for _ in range(rank_of(first))]
    extents = _extents(ctx, first)
    inner = tuple(replace(one, value=_element(ctx, one.value, indices)) for one in args)
    body: ir.Block = (replace(call, args=inner),)
    if call.result is not None:
        before += _allocated(ctx, call.result, extents)
        one = ctx.fresh(call.name, call.result.type, 0, "temporary")
        ctx.variables[one.name] = replace(ctx.variables[one.name],
                                          polymorphic=ctx.variables[call.result.name].polymorphic)
        target = _element(ctx, call.result, indices)
        assert isinstance(target, ir.Ref)
        body = (replace(call, args=inner, result=one), ir.Assign(span=call.span, target=target, value=one))
    if mask is not None:
        body = (ir.If(span=call.span, cond=_element(ctx, mask, indices), then=body),)
    for index, extent in zip(indices, extents, strict=True):
        body = (ir.Do(span=call.span, var=index, start=_ONE, stop=extent, step=None, body=body, end=call.span),)
    return (*before, *body)


def _extents(ctx: Context, array: ir.Expr) -> list[ir.Expr]:
    """How many elements an argument has in each dimension: of a whole dimension the array is asked."""
    assert isinstance(array, ir.Ref)
    for depth, part in enumerate(array.parts, 1):
        declared = declaration(ctx, array.parts[:depth])
        rank = 0 if declared is None else declared.shape.rank
        ranges = part.subscripts if part.subscripts is not None else (ir.Range(),)*rank
        if declared is not None and any(isinstance(one, ir.Range) or rank_of(one) for one in ranges):
            whole = ir.Ref((*array.parts[:depth - 1], ir.PartRef(part.name)), declared.type, rank)
            found = (_extent(whole, place, one) for place, one in enumerate(ranges, 1))
            return [one for one in found if one is not None]
    return [_size(array, dim) for dim in range(1, array.rank + 1)]


def _extent(whole: ir.Ref, dim: int, one: ir.Subscript) -> ir.Expr | None:
    """Of one subscript; None where that is a number."""
    if not isinstance(one, ir.Range):
        return _size(one, 1) if rank_of(one) else None
    if one == ir.Range():
        return _size(whole, dim)
    last = one.upper or ir.Intrinsic("ubound", _asked(whole, dim), ir.INTEGER)
    low = one.lower or ir.Intrinsic("lbound", _asked(whole, dim), ir.INTEGER)
    step = one.step or _ONE
    count = fold_binary("+", fold_binary("-", last, low, ir.INTEGER), step, ir.INTEGER)
    return count if step == _ONE else fold_binary("/", count, step, ir.INTEGER)


def _size(array: ir.Expr, dim: int) -> ir.Expr:
    return ir.Intrinsic("size", _asked(array, dim), ir.INTEGER)


def _asked(array: ir.Expr, dim: int) -> tuple[ir.Argument, ...]:
    return ir.Argument(array), ir.Argument(ir.Literal_(dim, ir.INTEGER))


def _allocated(ctx: Context, result: ir.Ref, extents: list[ir.Expr]) -> ir.Block:
    """The result's memory, made anew each time: as that of an array of a BLOCK."""
    declared = ctx.variables[result.name]
    ctx.variables[result.name] = replace(declared, area=declared.area._replace(kind="local"), allocatable=True,
                                         automatic=True)
    made = replace(result, parts=(ir.PartRef(result.name, tuple(extents)),))
    return (ir.Deallocate(span=ctx.span, objects=(result,), automatic=True),
            ir.Allocate(span=ctx.span, objects=(made,), automatic=True))


def _evaluated(ctx: Context, value: ir.Expr, before: list[ir.Stmt]) -> ir.Expr:
    """An argument whose subscripts, or whose value if it is no variable, are known before the first call."""
    if not isinstance(value, ir.Ref):
        return value if isinstance(value, ir.Literal_ | ir.ProcedureRef) else held(ctx, "value", value, before)

    def kept(one: ir.Expr | None) -> ir.Expr | None:
        return one if one is None or isinstance(one, ir.Literal_) else held(ctx, "index", one, before)

    def subscript(one: ir.Subscript) -> ir.Subscript:
        if isinstance(one, ir.Range):
            return ir.Range(kept(one.lower), kept(one.upper), kept(one.step))
        return kept(one) or one

    parts = tuple(part if part.subscripts is None else ir.PartRef(part.name, tuple(map(subscript, part.subscripts)))
                  for part in value.parts)
    return replace(value, parts=parts)


def held(ctx: Context, name: str, value: ir.Expr, before: list[ir.Stmt]) -> ir.Ref:
    """A new variable with the value."""
    target = ctx.fresh(name, type_of(value), rank_of(value))
    if target.rank:
        ctx.variables[target.name] = replace(ctx.variables[target.name], allocatable=True)
    before.append(ir.Assign(span=ctx.span, target=target, value=value))
    return target


def _element(ctx: Context, value: ir.Expr, indices: list[ir.Ref]) -> ir.Expr:
    """The element of an argument at these places, counted from 1; itself where it is none."""
    if not isinstance(value, ir.Ref) or not value.rank:
        return value
    left, parts = list(indices), list[ir.PartRef]()
    for depth, part in enumerate(value.parts, 1):
        declared = declaration(ctx, value.parts[:depth])
        rank = 0 if declared is None else declared.shape.rank
        subscripts = part.subscripts if part.subscripts is not None or not rank else (ir.Range(),)*rank
        found: list[ir.Subscript] = []
        for place, one in enumerate(subscripts or ()):
            if isinstance(one, ir.Range):
                low = one.lower or lower_bound(ctx, value.parts[:depth], place)
                found.append(place_in(ir.Range(low, one.upper, one.step), left.pop(0)))
            elif rank_of(one):
                found.append(_element(ctx, one, [left.pop(0)]))
            else:
                found.append(one)
        parts.append(part if subscripts is None else ir.PartRef(part.name, tuple(found)))
    return replace(value, parts=tuple(parts), rank=0)

"""Private copies of variables: PRIVATE and FIRSTPRIVATE of OpenMP, LOCAL and LOCAL_INIT of DO CONCURRENT.

``do concurrent (i = 1:n) local(w)``: w in the loop is another variable, declared like the one that w is outside. A copy
of what is allocated, as a BLOCK's automatic arrays are, has the bounds of the original.
"""

from __future__ import annotations

from dataclasses import replace

from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Span
from snapset.frontend.resolution.lowering_context import Context


def original(ctx: Context, name: str) -> ir.Ref | None:
    """The variable of that name; None for what gets no copy here (COMMON blocks, pointers, ASSOCIATE names)."""
    standing = ctx.names.get(name)
    if isinstance(standing, ir.Ref) and len(standing.parts) == 1 and standing.parts[0].subscripts is None:
        return standing
    if standing is not None or not name.isidentifier():
        return None
    if name not in ctx.variables and name not in ctx.inherited:
        return None
    variable = ctx.variable(name)
    copyable = variable.value is None and not variable.pointer and variable.type.kind not in ("procedure", "unknown")
    if not copyable or variable.shape.kind == "assumed-size":
        return None
    return ir.Ref((ir.PartRef(name),), variable.type, variable.shape.rank)


def own_copy(ctx: Context, name: str, model: ir.Variable) -> ir.Ref:
    """A fresh variable declared like ``model``, as a reference to it."""
    own = ctx.fresh(name, model.type, model.shape.rank)
    fresh = ctx.variables[own.name]
    shape = model.shape if model.shape.kind == "explicit" or model.automatic else fresh.shape
    ctx.variables[own.name] = replace(
        model, name=own.name, area=fresh.area, shape=shape, offset=0, intent=None, optional=False, target=False,
        initialised=False, start=None, span=ctx.span,
    )  # fmt: skip
    return own


def allocated_like(own: ir.Ref, model: ir.Ref, variable: ir.Variable, span: Span) -> ir.Block:
    """What gives the copy of an allocatable or automatic array the bounds of the original, if that is there."""
    if not variable.allocatable or not model.rank:
        return ()
    dims = [ir.Argument(ir.Literal_(place, ir.INTEGER)) for place in range(1, model.rank + 1)]
    lower, upper = ([ir.Intrinsic(which, (ir.Argument(model), dim), ir.INTEGER) for dim in dims]
                    for which in ("lbound", "ubound"))
    bounds = tuple(ir.Range(low, high) for low, high in zip(lower, upper, strict=True))
    made: tuple[ir.Stmt, ...] = (
        ir.Deallocate(span=span, objects=(own,), automatic=True),
        ir.Allocate(span=span, objects=(replace(own, parts=(ir.PartRef(own.name, bounds),)),), automatic=True))
    if variable.automatic:
        return made
    there = ir.Intrinsic("allocated", (ir.Argument(model),), ir.LOGICAL)
    return (ir.If(span=span, cond=there, then=made, orelse=()),)

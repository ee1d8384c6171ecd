"""The code of inquiries: shapes and bounds, ALLOCATED, ASSOCIATED, PRESENT, types, limits of numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from snapset.analysis.replay.codegen import object_types, pointer_assignments
from snapset.analysis.replay.memory.variable_slots import dtype_of, refuse
from snapset.frontend import ir
from snapset.frontend.ir.expression_queries import rank_of, type_of
from snapset.frontend.ir.intrinsics import bound

if TYPE_CHECKING:
    from snapset.analysis.replay.codegen.expression_code import ExpressionCode
    from snapset.analysis.replay.codegen.reached_memory import ReachedMemory


def inquiry(name: str, expr: ir.Intrinsic, values: ExpressionCode) -> str:
    """Raises InputError for one that the machine does not execute."""
    if name in object_types.INQUIRIES:
        return object_types.asked(name, expr, values)
    found = bound(expr)
    first = expr.args[0].value if expr.args else None
    if first is None:
        raise refuse(f"the intrinsic {name}", values.span)
    if name == "len":
        return f"length({values.value(first)})"
    if name in ("size", "shape"):
        value = shaped(first, values)
        return f"size({value}, {values.optional(found.get('dim'))})" if name == "size" else \
            f"np.array(np.shape({value}), np.int32)"
    if name in ("lbound", "ubound"):
        return bounds(first, values.optional(found.get("dim")), name == "ubound", values)
    if name == "associated":
        return pointer_assignments.inquiry(expr, values)
    if name == "present" and isinstance(first, ir.ProcedureRef):
        return f"(f.procedure({values.text(first.name)}) is not None)"
    if name in ("allocated", "present") and isinstance(first, ir.Ref):
        slot = values.followed(first, through=name == "allocated")[0].code
        return f"{slot}.is_there()" if name == "allocated" else f"(not {slot}.absent)"
    if name in ("huge", "tiny", "epsilon") and type_of(first).kind == "real":
        attribute = {"huge": "max", "tiny": "tiny", "epsilon": "eps"}[name]
        return f"np.finfo('{dtype_of(type_of(first))}').{attribute}"
    if name == "huge" and type_of(first).kind == "integer":
        return f"np.iinfo('{dtype_of(type_of(first))}').max"
    if name.startswith("ieee_support_"):
        return "True"  # NumPy's arithmetic is IEEE 754's
    raise refuse(f"the intrinsic {name}", values.span)


def bounds(array: ir.Expr, dim: str, upper: bool, values: ExpressionCode) -> str:
    """LBOUND and UBOUND: of a whole variable or array component its own, of anything else from 1 on."""
    if isinstance(array, ir.Ref) and array.parts[-1].subscripts is None and array.substring is None:
        one = any_leaf(array, values) if array.type.kind == "derived" else values.slot(array)
        before, own = sum(one.leaf.ranks[:len(one.parts) - 1]), one.leaf.ranks[len(one.parts) - 1]
        if own == array.rank:
            return f"bound({one.code}, {dim}, {upper}, {before}, {own})"
    return f"bound(temporary({shaped(array, values)}), {dim}, {upper}, 0, {rank_of(array)})"


def shaped(expr: ir.Expr, values: ExpressionCode) -> str:
    """Code of anything that has the shape of an expression."""
    if isinstance(expr, ir.Ref) and expr.type.kind == "derived":
        one = any_leaf(expr, values)
        index = values.index(expr, one)
        return f"np.empty({one.code}.values[(*{index}, ...)].shape[:{expr.rank}])"
    return values.value(expr)


def any_leaf(ref: ir.Ref, values: ExpressionCode) -> ReachedMemory:
    """A leaf that has the bounds of an array of derived type."""
    for one in values.below(ref):
        if not one.leaf.is_tag and not one.leaf.having:
            return one
    raise refuse(f"the bounds of `{ref.name}`, whose type has no component of its own", values.span)

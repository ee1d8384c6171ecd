"""CALL: procedures, generic and type-bound ones, intrinsic subroutines, alternate returns."""

from __future__ import annotations

from dataclasses import replace

from snapset.frontend import ir
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.text_scan import masked, split_top
from snapset.frontend.ir.expression_queries import rank_of, type_of
from snapset.frontend.ir.intrinsics import STOPPING, SUBROUTINES
from snapset.frontend.parsing import expression_parser
from snapset.frontend.resolution.call_targets import bound, pointer_of, targets_of, via, with_object
from snapset.frontend.resolution.data_references import extend
from snapset.frontend.resolution.expression_resolution import resolve_ref
from snapset.frontend.resolution.lowering_context import Context, NotUnderstoodError
from snapset.frontend.resolution.statement_operands import argument_list

_ALTERNATE = pattern_of(r"[*&]\s*(\d+)$")


def lower_call(ctx: Context, text: str) -> ir.Stmt:
    """``call text``. Raises NotUnderstoodError for a binding the object's type does not have."""
    callee, inside = _taken_apart(text)
    plain: list[str] = []
    alternates: list[int] = []
    for part in split_top(inside):
        found = _ALTERNATE.match(part)
        if found:
            alternates.append(int(found.group(1)))
        else:
            plain.append(part)
    if "%" in callee:
        return _bound_call(ctx, callee, ", ".join(plain), tuple(alternates))
    args = argument_list(ctx, ", ".join(plain)) if plain else ()
    intrinsic = _is_intrinsic(ctx, callee)
    if intrinsic and callee in STOPPING:
        return ir.Stop(span=ctx.span, code=args[0].value if args else None)
    targets = targets_of(ctx, callee, args)
    if not targets and callee.startswith(("mpi_", "pmpi_")):
        args = tuple(_in_memory(ctx, one) for one in args)
    return ir.Call(
        span=ctx.span, name=callee, targets=targets, args=args, checkpoint=ctx.checkpoint, intrinsic=intrinsic,
        alternates=tuple(alternates), via=via(ctx, callee), pointer=pointer_of(ctx, callee),
        signature=None if targets or intrinsic else ctx.scope.signatures.get(callee),
    )  # fmt: skip


def _in_memory(ctx: Context, argument: ir.Argument) -> ir.Argument:
    """``call mpi_allreduce(sum(u), ...)`` sends a variable that is given the sum before: what comes back in the adjoint
    has a place there."""
    value = argument.value
    found = type_of(value)
    if isinstance(value, ir.Ref) or found.kind not in ("real", "complex") or rank_of(value):
        return argument
    sent = ctx.fresh("sent", found)
    ctx.before.append(ir.Assign(span=ctx.span, target=sent, value=value))
    return replace(argument, value=sent)


def _taken_apart(text: str) -> tuple[str, str]:
    """The procedure designator, and what is in the last parentheses."""
    if not text.endswith(")"):
        return text.strip(), ""
    mask = masked(text)
    depth = 0
    for at in range(len(mask) - 1, -1, -1):
        depth += (mask[at] == ")") - (mask[at] == "(")
        if depth == 0:
            return text[:at].strip(), text[at + 1 : -1]
    return text.strip(), ""


def _is_intrinsic(ctx: Context, name: str) -> bool:
    scope = ctx.scope
    if name not in SUBROUTINES and name not in STOPPING:
        return False
    declared = name in scope.procedures or name in scope.dummies or name in scope.generics
    return not declared and name not in ctx.world.scopes.scopes and name not in ctx.world.entries


def _bound_call(ctx: Context, callee: str, inside: str, alternates: tuple[int, ...]) -> ir.Call:
    """``call object%binding(...)`` or a call through a procedure pointer component."""
    owner_text, _, name = callee.rpartition("%")
    owner = resolve_ref(ctx, expression_parser.designator(owner_text))
    name = name.strip()
    args = argument_list(ctx, inside) if inside else ()
    component = extend(ctx.world, owner, name)
    targets: tuple[str, ...] = ()
    dispatch: ir.Dispatch | None = None
    if component is not None:
        if component.type.kind != "procedure":
            raise NotUnderstoodError(f"component `{name}` is not a procedure")
        args = with_object(ctx, owner, name, args)
    else:
        one = bound(ctx, owner, name, args)
        targets, args, dispatch = one.targets, one.args, one.dispatch
    return ir.Call(
        span=ctx.span, name=name, targets=targets, args=args, checkpoint=ctx.checkpoint, alternates=alternates,
        via="name" if component is None else "pointer", pointer=component, dispatch=dispatch,
    )  # fmt: skip

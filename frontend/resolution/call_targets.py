"""Calls: which procedures a name, a binding or an operator may run, and function references as statements."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.expression_queries import type_of
from snapset.frontend.resolution.data_references import base, declaration
from snapset.frontend.resolution.elemental_loops import in_elements
from snapset.frontend.resolution.generic_resolution import (
    FunctionResult,
    ancestors,
    bound_generic,
    bound_targets,
    descendants,
    fits,
    function_result,
    generic_targets,
    with_source,
)
from snapset.frontend.resolution.lowering_context import Context, NotUnderstoodError


def function_call(
    ctx: Context, name: str, targets: tuple[str, ...], args: tuple[ir.Argument, ...], pointer: ir.Ref | None = None,
    dispatch: ir.Dispatch | None = None,
) -> ir.Ref:
    """Put the call before the current statement; the temporary that receives its value.

    ``pointer``: the component that is called, a procedure pointer. ``dispatch``: what decides between ``targets``.
    """
    pointer = pointer or pointer_of(ctx, name)
    if targets:
        result = function_result(ctx.world, targets[0], args)
    else:
        result = _given(ctx, name) if pointer is None or len(pointer.parts) == 1 else _of_component(
            ctx, pointer, args)
    value = ctx.fresh(name, result.type, result.rank, "temporary")
    if result.polymorphic or any(function_result(ctx.world, key, args).polymorphic for key in targets):
        ctx.variables[value.name] = replace(ctx.variables[value.name], polymorphic=True)
    held = ctx.variables[value.name]
    if result.pointer or (held.polymorphic and result.allocatable):  # else what becomes of a CLASS object is not known
        ctx.variables[value.name] = replace(held, pointer=result.pointer, allocatable=result.allocatable)
    call = ir.Call(
        span=ctx.span, name=name, targets=targets, args=args, result=value, checkpoint=ctx.checkpoint,
        via="pointer" if pointer else via(ctx, name), pointer=pointer,
        signature=None if targets else ctx.scope.signatures.get(name), dispatch=dispatch,
    )  # fmt: skip
    ctx.before += in_elements(ctx, call)
    return value


def _given(ctx: Context, name: str) -> FunctionResult:
    """What a function without source, a dummy one or a procedure pointer gives."""
    signature = ctx.scope.signatures.get(name)
    return FunctionResult(declared_type(ctx, name), 0 if signature is None else signature.rank, True)


def _of_component(ctx: Context, pointer: ir.Ref, args: tuple[ir.Argument, ...]) -> FunctionResult:
    """What the function that a component points to gives."""
    owner = declaration(ctx, pointer.parts[:-1])
    types = (ctx.world.scopes.types.get(key) for key in ancestors(ctx.world, (owner and owner.type.derived) or ""))
    name = pointer.parts[-1].name
    found = next((one.results[name] for one in types if one is not None and name in one.results), None)
    if found is None:
        return FunctionResult(ir.UNKNOWN, 0, True)
    type_, rank, key = found
    known = None if key is None else function_result(ctx.world, key, args)
    return FunctionResult(type_, rank, True) if known is None or known.type.kind == "unknown" else replace(
        known, polymorphic=True)


def via(ctx: Context, name: str) -> Literal["name", "dummy", "pointer"]:
    """What ``name`` is, where a call names it."""
    if name in ctx.scope.dummies:
        return "dummy"
    return "name" if pointer_of(ctx, name) is None else "pointer"


def pointer_of(ctx: Context, name: str) -> ir.Ref | None:
    """The procedure pointer ``name``, if it is one."""
    variable = ctx.variables.get(name) or ctx.inherited.get(name)
    if variable is None or variable.type.kind != "procedure":
        return None
    return base(ctx, name)


def declared_type(ctx: Context, name: str) -> ir.Type:
    variable = ctx.variables.get(name)
    if variable is not None and variable.type.kind != "procedure":
        return variable.type
    return ctx.scope.function_types.get(name) or ctx.scope.implicit.get(name[0]) or ir.UNKNOWN


def targets_of(ctx: Context, name: str, args: tuple[ir.Argument, ...]) -> tuple[str, ...]:
    """The procedures ``call name(args)`` may run; () where one of them has no source."""
    scope = ctx.scope
    if name in scope.generics:
        return generic_targets(ctx.world, scope.generics[name], args)
    key = scope.procedures.get(name)
    if key is not None:
        return with_source(ctx.world, (key,))
    if name in scope.dummies or (name in ctx.variables and ctx.variables[name].type.kind == "procedure"):
        return ()
    entries = ctx.world.entries.get(name, ())
    return tuple(entry for entry in entries if name not in scope.procedures or entry == name)


@frozen
class BoundCall:
    """A type-bound call: what it may run, its arguments with the object among them, and what decides."""

    targets: tuple[str, ...]
    args: tuple[ir.Argument, ...]
    dispatch: ir.Dispatch | None


def bound(ctx: Context, owner: ir.Ref, name: str, args: tuple[ir.Argument, ...]) -> BoundCall:
    """What ``owner%name(args)`` may run.

    Raises NotUnderstoodError where the type has no such binding.
    """
    key = owner.type.derived or ""
    type_ = ctx.world.scopes.types.get(key)
    exact = _is_exact(ctx, owner)
    targets = bound_targets(ctx.world, key, name, exact=exact)
    if targets is not None:
        bindings: tuple[str, ...] = (name,)
        passing, found = _passed(ctx, key, name, owner, args), with_source(ctx.world, targets)
    else:
        bindings = bound_generic(ctx.world, key, name)
        if type_ is None or not bindings:
            raise NotUnderstoodError(f"type of `{owner.name}` has no component or binding `{name}`")
        passing = _passed(ctx, key, bindings[0], owner, args)
        every = [t for one in bindings for t in bound_targets(ctx.world, key, one, exact=exact) or ()]
        found = generic_targets(ctx.world, tuple(dict.fromkeys(every)), passing)
    return BoundCall(found, passing, _dispatch(ctx, owner, bindings, found))


def _dispatch(ctx: Context, owner: ir.Ref, bindings: tuple[str, ...], targets: tuple[str, ...]) -> ir.Dispatch | None:
    """Which of several targets each type that ``owner`` may be of runs. None where that is not certain."""
    if len(targets) < 2:
        return None
    ways: list[tuple[str, str]] = []
    for key in descendants(ctx.world, owner.type.derived or ""):
        own = {t for one in bindings for t in bound_targets(ctx.world, key, one, exact=True) or () if t in targets}
        if len(own) > 1:
            return None
        ways += ((key, target) for target in own)  # none: of a deferred binding
    return ir.Dispatch(owner, tuple(ways))


def _is_exact(ctx: Context, owner: ir.Ref) -> bool:
    """Is an object certainly of the type it is seen as, and of none that extends it?"""
    declared = declaration(ctx, owner.parts)
    return owner.exact or (declared is not None and not declared.polymorphic)


def with_object(ctx: Context, owner: ir.Ref, name: str, args: tuple[ir.Argument, ...]) -> tuple[ir.Argument, ...]:
    """``args`` of a call through the procedure pointer component ``name``, the object among them if it is passed."""
    return _passed(ctx, owner.type.derived or "", name, owner, args)


def _passed(
    ctx: Context, key: str, name: str, owner: ir.Ref, args: tuple[ir.Argument, ...]
) -> tuple[ir.Argument, ...]:
    """``args`` with the object of a type-bound call: first, by keyword where PASS(name) says so, or not (NOPASS)."""
    for one in ancestors(ctx.world, key):
        type_ = ctx.world.scopes.types.get(one)
        if type_ is not None and name in type_.passing:
            keyword = type_.passing[name]
            return (ir.Argument(owner, keyword), *args) if keyword else args
        if type_ is not None and name in type_.bindings:
            break
    return (ir.Argument(owner), *args)


def defined_operation(ctx: Context, op: str, operands: tuple[ir.Expr, ...]) -> ir.Expr | None:
    """A defined operation as a call; None where ``op`` is intrinsic for the operands."""
    args = tuple(ir.Argument(operand) for operand in operands)
    name = f"operator({op})"
    targets, dispatch = fits(ctx.world, ctx.scope.generics.get(name, ()), args), None
    if not targets:
        targets, dispatch = bound_operator(ctx, name, args)
    if targets:
        return function_call(ctx, op.strip("."), targets, args, dispatch=dispatch)
    named = op.startswith(".") and op not in (".and.", ".or.", ".eqv.", ".neqv.", ".not.")
    if named or any(type_of(operand).kind == "derived" for operand in operands):
        raise NotUnderstoodError(f"no procedure found for the operator {op}")
    return None


def bound_operator(ctx: Context, name: str, args: tuple[ir.Argument, ...]) -> tuple[tuple[str, ...],
                                                                                   ir.Dispatch | None]:
    """The procedures that an operator or assignment bound to a type may run, and what decides."""
    for argument in args:
        key, value = type_of(argument.value).derived, argument.value
        if key is not None:
            bindings = bound_generic(ctx.world, key, name)
            exact = not isinstance(value, ir.Ref) or _is_exact(ctx, value)
            targets = [t for binding in bindings for t in bound_targets(ctx.world, key, binding, exact=exact) or ()]
            found = fits(ctx.world, tuple(dict.fromkeys(targets)), args)
            if found:
                return found, _dispatch(ctx, value, bindings, found) if isinstance(value, ir.Ref) else None
    return (), None

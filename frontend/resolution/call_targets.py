"""Calls: which procedures a name, a binding or an operator may run, and function references as statements."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from snapset.frontend import ir
from snapset.frontend.ir.expression_queries import type_of
from snapset.frontend.resolution.data_references import base, declaration
from snapset.frontend.resolution.generic_resolution import (
    Result,
    ancestors,
    bound_generic,
    bound_targets,
    fits,
    function_result,
    generic_targets,
    with_source,
)
from snapset.frontend.resolution.lowering_context import Context, NotUnderstoodError


def function_call(
    ctx: Context, name: str, targets: tuple[str, ...], args: tuple[ir.Argument, ...], pointer: ir.Ref | None = None
) -> ir.Ref:
    """Put the call before the current statement; the temporary that receives its value.

    ``pointer``: the component that is called, a procedure pointer.
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
    if result.pointer:
        ctx.variables[value.name] = replace(ctx.variables[value.name], pointer=True)
    call = ir.Call(
        span=ctx.span, name=name, targets=targets, args=args, result=value, checkpoint=ctx.checkpoint,
        via="pointer" if pointer else via(ctx, name), pointer=pointer,
        signature=None if targets else ctx.scope.signatures.get(name),
    )  # fmt: skip
    ctx.before.append(call)
    return value


def _given(ctx: Context, name: str) -> Result:
    """What a function without source, a dummy one or a procedure pointer gives."""
    signature = ctx.scope.signatures.get(name)
    return Result(declared_type(ctx, name), 0 if signature is None else signature.rank, True)


def _of_component(ctx: Context, pointer: ir.Ref, args: tuple[ir.Argument, ...]) -> Result:
    """What the function that a component points to gives."""
    owner = declaration(ctx, pointer.parts[:-1])
    types = (ctx.world.scopes.types.get(key) for key in ancestors(ctx.world, (owner and owner.type.derived) or ""))
    name = pointer.parts[-1].name
    found = next((one.results[name] for one in types if one is not None and name in one.results), None)
    if found is None:
        return Result(ir.UNKNOWN, 0, True)
    type_, rank, key = found
    known = None if key is None else function_result(ctx.world, key, args)
    return Result(type_, rank, True) if known is None or known.type.kind == "unknown" else replace(
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


def bound(
    ctx: Context, owner: ir.Ref, name: str, args: tuple[ir.Argument, ...]
) -> tuple[tuple[str, ...], tuple[ir.Argument, ...]]:
    """What ``owner%name(args)`` may run, and its arguments with the object among them.

    Raises NotUnderstoodError where the type has no such binding.
    """
    key = owner.type.derived or ""
    type_ = ctx.world.scopes.types.get(key)
    exact = _is_exact(ctx, owner)
    targets = bound_targets(ctx.world, key, name, exact=exact)
    if targets is not None:
        return with_source(ctx.world, targets), _passed(ctx, key, name, owner, args)
    bindings = bound_generic(ctx.world, key, name)
    if type_ is None or not bindings:
        raise NotUnderstoodError(f"type of `{owner.name}` has no component or binding `{name}`")
    passing = _passed(ctx, key, bindings[0], owner, args)
    found = [t for one in bindings for t in bound_targets(ctx.world, key, one, exact=exact) or ()]
    return generic_targets(ctx.world, tuple(dict.fromkeys(found)), passing), passing


def _is_exact(ctx: Context, owner: ir.Ref) -> bool:
    """Is an object certainly of its declared type?"""
    declared = declaration(ctx, owner.parts)
    return declared is not None and not declared.polymorphic and declared.type == owner.type


def with_object(ctx: Context, owner: ir.Ref, name: str, args: tuple[ir.Argument, ...]) -> tuple[ir.Argument, ...]:
    """``args`` of a call through the procedure pointer component ``name``, the object among them if it is passed."""
    return _passed(ctx, owner.type.derived or "", name, owner, args)


def _passed(
    ctx: Context, key: str, name: str, owner: ir.Ref, args: tuple[ir.Argument, ...]
) -> tuple[ir.Argument, ...]:
    """``args`` with the object of a type-bound call in its place: first, by keyword, or not at all (NOPASS)."""
    for one in ancestors(ctx.world, key):
        type_ = ctx.world.scopes.types.get(one)
        if type_ is not None and name in type_.passing:
            keyword = type_.passing[name]
            return (*args, ir.Argument(owner, keyword)) if keyword else args
        if type_ is not None and name in type_.bindings:
            break
    return (ir.Argument(owner), *args)


def defined_operation(ctx: Context, op: str, operands: tuple[ir.Expr, ...]) -> ir.Expr | None:
    """A defined operation as a call; None where ``op`` is intrinsic for the operands."""
    args = tuple(ir.Argument(operand) for operand in operands)
    name = f"operator({op})"
    targets = fits(ctx.world, ctx.scope.generics.get(name, ()), args) or _bound_operator(ctx, name, args)
    if targets:
        return function_call(ctx, op.strip("."), targets, args)
    named = op.startswith(".") and op not in (".and.", ".or.", ".eqv.", ".neqv.", ".not.")
    if named or any(type_of(operand).kind == "derived" for operand in operands):
        raise NotUnderstoodError(f"no procedure found for the operator {op}")
    return None


def _bound_operator(ctx: Context, name: str, args: tuple[ir.Argument, ...]) -> tuple[str, ...]:
    for argument in args:
        key = type_of(argument.value).derived
        if key is not None:
            bindings = bound_generic(ctx.world, key, name)
            targets = [t for binding in bindings for t in bound_targets(ctx.world, key, binding) or ()]
            found = fits(ctx.world, tuple(dict.fromkeys(targets)), args)
            if found:
                return found
    return ()

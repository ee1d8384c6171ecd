"""Which procedures a call may run: generic interfaces, type-bound procedures, result types."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.argument_binding import places
from snapset.frontend.ir.expression_queries import rank_of, type_of
from snapset.frontend.resolution.lowering_context import ProgramContext
from snapset.frontend.symbols.symbol_table import Scope, implicit_type


@frozen
class FunctionResult:
    """What a function reference yields. ``polymorphic``: perhaps an extension of ``type``; ``pointer``,
    ``allocatable``: so it is declared."""

    type: ir.Type
    rank: int = 0
    polymorphic: bool = False
    pointer: bool = False
    allocatable: bool = False


def function_result(world: ProgramContext, key: str, args: Iterable[ir.Argument]) -> FunctionResult:
    """The type and rank of a function with source; an elemental one has its arguments' rank."""
    owner, entry = world.entry_results.get(key, (key, None))
    scope = world.scopes.scopes.get(owner)
    name = None if scope is None else entry or scope.result
    if scope is None or name is None:
        return FunctionResult(ir.UNKNOWN)
    variable = scope.variables.get(name)
    if variable is None:
        return FunctionResult(implicit_type(scope, name) or ir.UNKNOWN)
    rank = variable.shape.rank
    if scope.elemental:
        rank = max((rank_of(argument.value) for argument in args), default=0)
    return FunctionResult(variable.type, rank, variable.polymorphic, variable.pointer, variable.allocatable)


def generic_targets(world: ProgramContext, keys: tuple[str, ...], args: tuple[ir.Argument, ...]) -> tuple[str, ...]:
    """The specific procedures ``args`` fit; all of them where none seems to (nothing is dropped).

    () where it may be one without source.
    """
    fitting = fits(world, keys, args)
    exact = tuple(key for key in fitting if not _elemental(world, key)) if len(fitting) > 1 else ()
    return with_source(world, exact or fitting or keys)


def with_source(world: ProgramContext, keys: tuple[str, ...]) -> tuple[str, ...]:
    """``keys`` if all have source, else (): what runs is not known."""
    return keys if all(key in world.scopes.scopes for key in keys) else ()


def fits(world: ProgramContext, keys: tuple[str, ...], args: tuple[ir.Argument, ...]) -> tuple[str, ...]:
    """The specific procedures ``args`` certainly or possibly fit.

    Where all types are known one that fits is the only one; those without source are out then.
    """
    in_order = all(argument.keyword is None for argument in args)
    fitting = tuple(key for key in keys if _accepts(world, key, args, in_order))
    known = tuple(key for key in fitting if key in world.scopes.scopes)
    if known and not any(type_of(argument.value).kind == "unknown" for argument in args):
        return known
    return fitting


def _elemental(world: ProgramContext, key: str) -> bool:
    scope = world.scopes.scopes.get(key)
    return scope is not None and scope.elemental


def _accepts(world: ProgramContext, key: str, args: tuple[ir.Argument, ...], in_order: bool) -> bool:
    """``in_order``: no argument has a keyword. How many there are is looked at first, for a generic name may have a
    hundred procedures of which the number alone rules out all but one."""
    scope = world.scopes.scopes.get(key)
    if scope is None:
        return True
    formals: Sequence[str] = scope.formals
    if "*" in formals:
        formals = [name for name in formals if name != "*"]
    if len(args) > len(formals):
        return False
    if in_order and len(args) < len(formals) and not _optional(scope, formals[len(args)]):
        return False
    given: set[str] = set()
    for place, argument in zip(places(args, formals), args, strict=True):
        if argument.keyword is None and place >= len(formals):
            return False
        name = argument.keyword or formals[place]
        if name not in formals or name in given or not _compatible(world, scope, name, argument.value):
            return False
        given.add(name)
    return all(name in given or _optional(scope, name) for name in formals)


def _optional(scope: Scope, name: str) -> bool:
    """Whether a dummy argument may be absent."""
    variable = scope.variables.get(name)
    return name in scope.absent if variable is None else variable.optional


def _compatible(world: ProgramContext, scope: Scope, name: str, actual: ir.Expr) -> bool:
    variable = scope.variables.get(name)
    have = type_of(actual)
    if name in scope.dummies:
        return have.kind in ("procedure", "unknown")
    if variable is None:
        return True
    want = variable.type
    if not _same_type(world, have, want):
        return False
    if scope.elemental or isinstance(actual, ir.OpaqueExpr) or have.kind == "unknown" or want.kind == "unknown":
        return True
    return variable.shape.any_rank or variable.shape.rank == rank_of(actual)


def _same_type(world: ProgramContext, have: ir.Type, want: ir.Type) -> bool:
    if "unknown" in (have.kind, want.kind):
        return True
    if have.kind != want.kind:
        return False
    if have.kind == "derived":
        return have.derived is None or want.derived is None or _descends(world, have.derived, want.derived)
    if have.kind == "character" or have.bytes is None or want.bytes is None:
        return True
    return have.bytes == want.bytes


def _descends(world: ProgramContext, key: str, ancestor: str) -> bool:
    """Whether type ``key`` is ``ancestor`` or extends it, or the other way round (a CLASS of either)."""
    return ancestor in ancestors(world, key) or key in ancestors(world, ancestor)


def ancestors(world: ProgramContext, key: str) -> tuple[str, ...]:
    """A type and what it extends, nearest first."""
    chain: list[str] = []
    current: str | None = key
    while current is not None and current not in chain:
        chain.append(current)
        found = world.scopes.types.get(current)
        current = found.extends if found is not None else None
    return tuple(chain)


def descendants(world: ProgramContext, key: str) -> tuple[str, ...]:
    """A type and all that extend it."""
    found: dict[str, None] = {}
    stack = [key]
    while stack:
        top = stack.pop()
        if top not in found:
            found[top] = None
            stack.extend(world.children.get(top, ()))
    return tuple(found)


def bound_targets(world: ProgramContext, key: str, binding: str, *, exact: bool = False) -> tuple[str, ...] | None:
    """Every procedure ``object%binding`` may run, for an object declared of type ``key``: its own or inherited
    one and those that override it (``exact``: not those, the object is no CLASS). None where the type has no such
    binding."""
    found: dict[str, None] = {}
    known = False
    for one in (*reversed(ancestors(world, key)[1:]), *((key,) if exact else descendants(world, key))):
        type_ = world.scopes.types.get(one)
        if type_ is not None and binding in type_.bindings:
            if one in ancestors(world, key):
                found.clear()  # a nearer definition overrides
            known = True
            found[type_.bindings[binding]] = None
    return tuple(found) if known else None


def bound_generic(world: ProgramContext, key: str, name: str) -> tuple[str, ...]:
    """The bindings a type-bound generic of ``key`` stands for, inherited ones included."""
    found: dict[str, None] = {}
    for one in ancestors(world, key):
        type_ = world.scopes.types.get(one)
        if type_ is not None:
            found.update(dict.fromkeys(type_.generic.get(name, ())))
    return tuple(found)

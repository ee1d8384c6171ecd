"""Data references link by link: components, subscripts, substrings, and references through ASSOCIATE names."""

from __future__ import annotations

from snapset.frontend import ir
from snapset.frontend.base.frozen_records import replace
from snapset.frontend.ir.constant_folding import fold_binary, integer
from snapset.frontend.ir.expression_queries import rank_of
from snapset.frontend.resolution.generic_resolution import descendants
from snapset.frontend.resolution.lowering_context import Context, NotUnderstoodError, ProgramContext
from snapset.frontend.symbols.known_modules import MPI_STATUS, STATUS_INDEX

_ONE = ir.Literal_(1, ir.INTEGER)


def base(ctx: Context, name: str) -> ir.Ref:
    """A variable as a reference, whole."""
    variable = ctx.variable(name)
    return ir.Ref((ir.PartRef(name),), variable.type, variable.shape.rank)


def extend(world: ProgramContext, owner: ir.Ref, name: str) -> ir.Ref | None:
    """``owner%name``, or None where the type has no such component.

    The parent's name as a component is ``owner`` itself seen as its parent type, so that ``x%parent%c`` and
    ``x%c`` are one location.
    """
    if owner.type.kind == "complex" and name in ("re", "im"):
        half = owner.type.bytes // 2 if owner.type.bytes else None
        return ir.Ref((*owner.parts, ir.PartRef(name)), ir.Type("real", half), owner.rank)
    if owner.type.derived is None:
        return None
    type_ = world.scopes.types.get(owner.type.derived)
    if type_ is None:
        return None
    for component in type_.components:
        if component.area.name == name:
            return ir.Ref((*owner.parts, ir.PartRef(component.name)), component.type, owner.rank + component.shape.rank)
    while type_ is not None and type_.extends is not None:
        if type_.extends.rpartition("::")[2] == name:
            return ir.Ref(owner.parts, ir.Type("derived", derived=type_.extends), owner.rank, exact=True)
        type_ = world.scopes.types.get(type_.extends)
    return None


def of_status(ctx: Context, status: ir.Ref, name: str) -> ir.Ref:
    """A number of a status, or of each of several: ``many%MPI_TAG`` is many(4,:)."""
    part = status.parts[-1]
    given = part.subscripts or (ir.Range(),)*_own_rank(ctx, status)
    selected = ir.PartRef(part.name, (integer(STATUS_INDEX[name]), *given[1:]))
    return ir.Ref((*status.parts[:-1], selected), ir.Type("integer", 4), status.rank - 1)


def subscripted(
    ctx: Context, whole: ir.Expr, subscripts: tuple[ir.Subscript, ...], own: int | None = None
) -> ir.Expr:
    """``whole(subscripts)``: an element, a section or a substring.

    ``own`` is the rank of the last part, where known. ``whole`` may itself have subscripts when it stands for
    an ASSOCIATE name. Raises NotUnderstoodError for a value that is not a variable, and where subscripts do not fit.
    """
    if not isinstance(whole, ir.Ref):
        raise NotUnderstoodError("subscripts of a value")
    part = whole.parts[-1]
    owner = declaration(ctx, whole.parts[:-1]) if len(whole.parts) > 1 else None
    if owner is not None and owner.type.kind == "complex":  # h(2) where h is z%im
        inner = subscripted(ctx, ir.Ref(whole.parts[:-1], owner.type, whole.rank), subscripts)
        return replace(whole, parts=(*inner.parts, part), rank=inner.rank) if isinstance(inner, ir.Ref) else inner
    if own is None:
        own = _own_rank(ctx, whole)
    if part.subscripts is None and own:
        if whole.type.derived == MPI_STATUS and len(subscripts) == own - 1:
            subscripts = (ir.Range(), *subscripts)
        if len(subscripts) != own:
            raise NotUnderstoodError(f"`{part.name}` has {own} dimensions, not {len(subscripts)}")
        rank = whole.rank - own + sum(map(_subscript_rank, subscripts))
        return ir.Ref((*whole.parts[:-1], ir.PartRef(part.name, subscripts)), whole.type, rank)
    if whole.type.kind == "unknown" and part.subscripts is None:
        rank = whole.rank + sum(map(_subscript_rank, subscripts))
        return ir.Ref((*whole.parts[:-1], ir.PartRef(part.name, subscripts)), whole.type, rank)
    if whole.type.kind == "character" and len(subscripts) == 1 and isinstance(subscripts[0], ir.Range):
        ends = subscripts[0] if whole.substring is None else _inside(whole.substring, subscripts[0])
        return ir.Ref(whole.parts, _cut(whole.type, subscripts[0]), whole.rank, ends)
    return _through_section(ctx, whole, subscripts)


def _inside(outer: ir.Range, ends: ir.Range) -> ir.Range:
    """``c(2:3)`` where c is ``text(5:9)``: ``text(6:7)``."""
    first = outer.lower or _ONE

    def moved(end: ir.Expr) -> ir.Expr:
        return fold_binary("+", end, fold_binary("-", first, _ONE, ir.INTEGER), ir.INTEGER)

    return ir.Range(first if ends.lower is None else moved(ends.lower),
                    outer.upper if ends.upper is None else moved(ends.upper))


def _cut(type_: ir.Type, ends: ir.Range) -> ir.Type:
    """The type of a substring."""
    first = _constant(ends.lower, 1)
    last = _constant(ends.upper, type_.bytes)
    return ir.Type("character", None if first is None or last is None else max(0, last - first + 1))


def _constant(end: ir.Expr | None, otherwise: int | None) -> int | None:
    if end is None:
        return otherwise
    return end.value if isinstance(end, ir.Literal_) and isinstance(end.value, int) else None


def _own_rank(ctx: Context, ref: ir.Ref) -> int:
    """The rank of the last part as declared."""
    if len(ref.parts) == 1:
        return ref.rank if ref.parts[0].subscripts is None else 0
    declared = declaration(ctx, ref.parts)
    return 0 if declared is None else declared.shape.rank


def declaration(ctx: Context, parts: tuple[ir.PartRef, ...]) -> ir.Variable | None:
    """The declaration of a reference's last part."""
    found: ir.Variable | None = ctx.variables.get(parts[0].name)
    for part in parts[1:]:
        key = found.type.derived if found is not None else None
        keys = () if key is None or found is None else descendants(ctx.world, key) if found.polymorphic else (key,)
        types = (ctx.world.scopes.types.get(one) for one in keys)
        components = (component for type_ in types if type_ is not None for component in type_.components)
        found = next((component for component in components if component.name == part.name), None)
    return found


def _subscript_rank(subscript: ir.Subscript) -> int:
    return 1 if isinstance(subscript, ir.Range) else rank_of(subscript)


def _through_section(ctx: Context, ref: ir.Ref, subscripts: tuple[ir.Subscript, ...]) -> ir.Ref:
    """Subscripts of an ASSOCIATE name that stands for a section: each goes to one triplet."""
    if ref.rank != len(subscripts) or not subscripts:
        raise NotUnderstoodError(f"subscripts of `{ref.name}`")
    left = list(subscripts)
    parts: list[ir.PartRef] = []
    for depth, part in enumerate(ref.parts, 1):
        inner: list[ir.Subscript] = []
        for place, old in enumerate(part.subscripts or ()):
            if isinstance(old, ir.Range):
                lower = old.lower or lower_bound(ctx, ref.parts[:depth], place)
                inner.append(_mapped(ir.Range(lower, old.upper, old.step), left.pop(0)))
            elif rank_of(old):
                raise NotUnderstoodError(f"subscripts of `{ref.name}` with a vector subscript")
            else:
                inner.append(old)
        parts.append(part if part.subscripts is None else ir.PartRef(part.name, tuple(inner)))
    if left:
        raise NotUnderstoodError(f"subscripts of `{ref.name}`")
    return ir.Ref(tuple(parts), ref.type, sum(map(_subscript_rank, subscripts)), ref.substring)


def lower_bound(ctx: Context, parts: tuple[ir.PartRef, ...], place: int) -> ir.Expr:
    """The lower bound of a dimension: as declared, or asked for where it depends on the allocation."""
    declared = declaration(ctx, parts)
    if declared is None or place >= declared.shape.rank:  # a whole object where subscripts are wanted, or too few
        raise NotUnderstoodError(f"bounds of `{parts[-1].name}`")
    if declared.shape.kind != "deferred":
        return declared.shape.dims[place].lower or _ONE
    whole = ir.Ref((*parts[:-1], ir.PartRef(parts[-1].name)), declared.type, declared.shape.rank)
    dim = ir.Argument(ir.Literal_(place + 1, ir.INTEGER))
    return ir.Intrinsic("lbound", (ir.Argument(whole), dim), ir.INTEGER)


def _mapped(old: ir.Range, new: ir.Subscript) -> ir.Subscript:
    """The ``new``-th place (counted from 1) of the triplet ``old``."""
    if isinstance(new, ir.Range):
        lower = old.lower if new.lower is None else place_in(old, new.lower)
        upper = old.upper if new.upper is None else place_in(old, new.upper)
        return ir.Range(lower, upper, _product(old.step, new.step))
    return place_in(old, new)


def place_in(old: ir.Range, index: ir.Expr) -> ir.Expr:
    assert old.lower is not None
    if old.lower == _ONE and old.step is None:
        return index
    away = fold_binary("-", index, _ONE, ir.INTEGER)
    if old.step is not None:
        away = fold_binary("*", away, old.step, ir.INTEGER)
    return fold_binary("+", old.lower, away, ir.INTEGER)


def _product(first: ir.Expr | None, second: ir.Expr | None) -> ir.Expr | None:
    if first is None or second is None:
        return first or second
    return fold_binary("*", first, second, ir.INTEGER)


def keeping_memory(ctx: Context, target: ir.Ref) -> ir.Ref:
    """What a WHERE assigns to: no array is allocated anew, so ``a = b`` is ``a(:) = b``. So it is with ``o%v = b``,
    o or v allocatable: ``o%v(:) = b``, or ``o(:)%v = b`` for the v of all elements of o."""
    declared = [declaration(ctx, target.parts[:depth]) for depth in range(1, len(target.parts) + 1)]
    if not any(one is not None and one.allocatable for one in declared):
        return target
    return replace(target, parts=tuple(
        part if one is None or part.subscripts is not None or not one.shape.rank
        else replace(part, subscripts=(ir.Range(),)*one.shape.rank)
        for part, one in zip(target.parts, declared, strict=True)))

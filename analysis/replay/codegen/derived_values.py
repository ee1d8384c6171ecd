"""Derived-type values leaf by leaf: what each leaf of an assignment's target, or of a dummy argument, is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from snapset.analysis.replay.memory.dynamic_types import TAG
from snapset.analysis.replay.memory.variable_slots import LeafPlace, refuse
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Span
from snapset.frontend.ir.expression_queries import rank_of, type_of
from snapset.frontend.ir.intrinsics import bound

Types = Mapping[str, ir.DerivedType]
MOVING = frozenset(("cshift", "eoshift", "merge", "pack", "reshape", "spread", "transpose", "unpack"))
NOTHING = ir.Intrinsic("null", (), ir.UNKNOWN)  # an allocatable component that is not allocated


def leaf_of(value: ir.Expr, leaf: LeafPlace, above: int, types: Types, span: Span) -> ir.Expr:
    """The leaf of a derived-type value. ``above``: how many components of the leaf's path lead to the value itself.

    ``pair(x, 2.0)`` has the leaves ``x`` and ``2.0``, the variable ``c`` has ``c%a`` and ``c%b``.
    """
    rest = tuple(zip(leaf.path[above:], leaf.ranks[above + 1:], strict=True))
    return _leaf(value, rest, leaf, types, span)


def _leaf(value: ir.Expr, rest: Sequence[tuple[str, int]], leaf: LeafPlace, types: Types, span: Span) -> ir.Expr:
    if not rest or (len(rest) == 1 and rest[0][0] == TAG):
        return value  # whose type is the tag
    match value:
        case ir.Unary(op="+"):
            return _leaf(value.operand, rest, leaf, types, span)
        case ir.Ref():
            parts = tuple(ir.PartRef(name) for name, _ in rest)
            rank = value.rank + sum(rank for _, rank in rest)
            return replace(value, parts=value.parts + parts, type=leaf.type, rank=rank, exact=False)
        case ir.Structure():
            return _argument(value, rest, leaf, types, span)
        case ir.Intrinsic() if value.name in MOVING:
            return _moved(value, rest, leaf, types, span)
        case ir.ArrayConstructor():
            ranks = sum(rank for _, rank in rest)
            items = tuple(_item(item, rest, leaf, types, span) for item in value.items)
            if ranks == 0:
                return ir.ArrayConstructor(items, leaf.type)
            if items and ranks == 1 and not any(isinstance(item, ir.ImpliedDo) for item in value.items):
                return _rows(tuple(_vector(one, rank_of(item), leaf) for one, item in
                                   zip(items, value.items, strict=True)), leaf.type)
    raise refuse("this value of derived type", span)


def _item(item: ir.Expr, rest: Sequence[tuple[str, int]], leaf: LeafPlace, types: Types, span: Span) -> ir.Expr:
    if isinstance(item, ir.ImpliedDo):
        return replace(item, items=tuple(_item(one, rest, leaf, types, span) for one in item.items))
    return _leaf(item, rest, leaf, types, span)


def _vector(value: ir.Expr, outer: int, leaf: LeafPlace) -> ir.Expr:
    """What a component that is a vector is given: a constructor may give all its elements one value. ``outer``: the
    object's rank."""
    upper, lower = leaf.dims[-1].upper, leaf.dims[-1].lower
    if rank_of(value) > outer or upper is None:
        return value
    one = ir.Literal_(1, ir.INTEGER)
    count = upper if lower is None else ir.Binary("+", ir.Binary("-", upper, lower, ir.INTEGER), one, ir.INTEGER)
    return replace(_spread(value, outer + 1, count, leaf.type), rank=outer + 1)


def _moved(value: ir.Intrinsic, rest: Sequence[tuple[str, int]], leaf: LeafPlace, types: Types, span: Span) -> ir.Expr:
    """A leaf of what only puts objects elsewhere: where the object is put, its components are.

    ``reshape(v, [2, 3])%x`` is ``reshape(v%x, [2, 3])``. The dimensions of a component come behind those of the object,
    so that shifts, which name a dimension, leave them alone, and so does MERGE, whose mask is spread over them; the
    others would have to know of them.
    """
    ranks = sum(rank for _, rank in rest)
    if ranks and value.name == "merge":
        return _merged(value, rest, leaf, types, span)
    if ranks and not (value.name == "spread" or (value.name in ("cshift", "eoshift") and all(
            rank_of(argument.value) == 0 for argument in value.args[1:]))):
        raise refuse(f"{value.name.upper()} of objects with components that are arrays", span)
    args = tuple(replace(one, value=_leaf(one.value, rest, leaf, types, span))
                 if type_of(one.value).kind == "derived" else one for one in value.args)
    return replace(value, args=args, type=leaf.type, rank=value.rank + ranks)


def _merged(value: ir.Intrinsic, rest: Sequence[tuple[str, int]], leaf: LeafPlace, types: Types,
            span: Span) -> ir.Expr:
    """``merge(p, q, mask)%v`` is ``merge(p%v, q%v, mask)``, the mask of arrays of objects being that of all elements
    of each one's v. What is one object beside arrays of them is spread first."""
    ranks, outer, found = sum(rank for _, rank in rest), value.rank, bound(value)
    objects, mask = (found["tsource"], found["fsource"]), found["mask"]
    leaves = [_leaf(each, rest, leaf, types, span) for each in objects]
    if any(rank_of(one) not in (0, rank_of(each) + ranks) for one, each in zip(leaves, objects, strict=True)):
        raise refuse("MERGE of objects with components that are arrays", span)
    shaped = mask if rank_of(mask) == outer else next(one for one in leaves if rank_of(one) == outer + ranks)
    leaves = [_repeated(one, outer, shaped) if 0 < rank_of(one) < outer + ranks else one for one in leaves]
    whole = next((one for one in leaves if rank_of(one) == outer + ranks), None)
    if whole is None:  # constructors that give all elements one value
        raise refuse("MERGE of objects with components that are arrays", span)
    for dim in range(rank_of(mask) + 1, rank_of(mask) + ranks + 1) if rank_of(mask) else ():
        mask = _spread(mask, dim, _size(whole, dim), ir.LOGICAL)
    return replace(value, args=tuple(map(ir.Argument, (*leaves, mask))), type=leaf.type, rank=outer + ranks)


def _repeated(value: ir.Expr, outer: int, shaped: ir.Expr) -> ir.Expr:
    """One object's component for each element of ``shaped``, which has ``outer`` dimensions or more."""
    for dim in range(outer, 0, -1):
        value = _spread(value, 1, _size(shaped, dim), type_of(value))
    return value


def _spread(value: ir.Expr, dim: int, count: ir.Expr, type_: ir.Type) -> ir.Intrinsic:
    args = ir.Argument(value), ir.Argument(ir.Literal_(dim, ir.INTEGER)), ir.Argument(count)
    return ir.Intrinsic("spread", args, type_, rank_of(value) + 1)


def _rows(items: tuple[ir.Expr, ...], type_: ir.Type) -> ir.Expr:
    """The array whose rows are ``items``, vectors and arrays of rows: of ``[a, b]`` the components ``a%w``, ``b%w``."""
    one: ir.Expr = ir.Literal_(1, ir.INTEGER)
    counts = [one if rank_of(item) == 1 else _size(item, 1) for item in items]
    total = counts[0]
    for count in counts[1:]:
        total = ir.Binary("+", total, count, ir.INTEGER)
    columns = tuple(item if rank_of(item) == 1 else ir.Intrinsic("transpose", (ir.Argument(item),), type_, 2)
                    for item in items)
    shape = ir.ArrayConstructor((_size(items[0], rank_of(items[0])), total), ir.INTEGER)
    found = ir.Intrinsic("reshape", (ir.Argument(ir.ArrayConstructor(columns, type_)), ir.Argument(shape)), type_, 2)
    return ir.Intrinsic("transpose", (ir.Argument(found),), type_, 2)


def _size(array: ir.Expr, dim: int) -> ir.Expr:
    return ir.Intrinsic("size", (ir.Argument(array), ir.Argument(ir.Literal_(dim, ir.INTEGER))), ir.INTEGER)


def component_of(value: ir.Structure, name: str, type_: ir.Type, types: Types, span: Span) -> ir.Expr:
    """What a constructor gives a component as a whole."""
    return _argument(value, ((name, 0),), LeafPlace((name,), type_, (), (0, 0), False), types, span)


def _argument(value: ir.Structure, rest: Sequence[tuple[str, int]], leaf: LeafPlace, types: Types,
              span: Span) -> ir.Expr:
    """What a constructor gives a component, or what the component has by itself."""
    declared = types[value.type.derived or ""]
    (name, _), *inner = rest
    parent = (declared.extends or "").rpartition("::")[2]
    extended = types.get(declared.extends or "")
    inherited = () if extended is None else extended.components
    names = [component.name for component in declared.components]
    for place, argument in enumerate(value.args):
        whole = argument.keyword == parent or (
            argument.keyword is None and place == 0 and type_of(argument.value).derived == declared.extends)
        if parent and whole:
            if any(one.name == name for one in inherited):
                return _leaf(argument.value, rest, leaf, types, span)
            names = [parent, *names[len(inherited):]]
        elif (argument.keyword or "".join(names[place:place + 1])) == name:
            if isinstance(argument.value, ir.Intrinsic) and argument.value.name == "null":
                return NOTHING
            own = types.get(type_of(argument.value).derived or "")
            if inner and inner[0][0] != TAG and own is not None and not isinstance(argument.value, ir.Ref) and all(
                    one.name != inner[0][0] for one in own.components):
                return NOTHING  # a component of other types than the value's
            return _leaf(argument.value, inner, leaf, types, span)
    return _left_out(declared, rest, leaf, types, span)


def _left_out(declared: ir.DerivedType, rest: Sequence[tuple[str, int]], leaf: LeafPlace, types: Types,
              span: Span) -> ir.Expr:
    """What a component, or one of its own, has by its type."""
    (name, _), *inner = rest
    component = next((one for one in declared.components if one.name == name), None)
    if component is None:
        raise refuse("this value of derived type", span)
    if component.allocatable or component.pointer:
        return NOTHING
    if component.start is not None:
        return _leaf(component.start, inner, leaf, types, span)
    own = types.get(component.type.derived or "")
    if not inner or own is None or inner[0][0] == TAG:
        raise refuse(f"a constructor that leaves `{name}` out", span)
    return _left_out(own, inner, leaf, types, span)

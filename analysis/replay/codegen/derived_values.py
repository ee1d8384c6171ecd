"""Derived-type values leaf by leaf: what each leaf of an assignment's target, or of a dummy argument, is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from snapset.analysis.replay.memory.dynamic_types import TAG
from snapset.analysis.replay.memory.variable_slots import LeafPlace, refuse
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Span
from snapset.frontend.ir.expression_queries import rank_of, type_of

Types = Mapping[str, ir.DerivedType]
NOTHING = ir.Intrinsic("null", (), ir.UNKNOWN)  # an allocatable component that is not allocated


def leaf_of(value: ir.Expr, leaf: LeafPlace, above: int, types: Types, span: Span) -> ir.Expr:
    """The leaf of a derived-type value. ``above``: how many components of the leaf's path lead to the value itself.

    ``pair(x, 2.0)`` has the leaves ``x`` and ``2.0``, the variable ``c`` has ``c%a`` and ``c%b``.
    """
    rest = tuple(zip(leaf.path[above:], leaf.ranks[above + 1:], strict=True))
    return _leaf(value, rest, leaf.type, types, span)


def _leaf(value: ir.Expr, rest: Sequence[tuple[str, int]], type_: ir.Type, types: Types, span: Span) -> ir.Expr:
    if not rest or (len(rest) == 1 and rest[0][0] == TAG):
        return value  # whose type is the tag
    match value:
        case ir.Unary(op="+"):
            return _leaf(value.operand, rest, type_, types, span)
        case ir.Ref():
            parts = tuple(ir.PartRef(name) for name, _ in rest)
            rank = value.rank + sum(rank for _, rank in rest)
            return replace(value, parts=value.parts + parts, type=type_, rank=rank, exact=False)
        case ir.Structure():
            return _argument(value, rest, type_, types, span)
        case ir.ArrayConstructor() if not any(isinstance(item, ir.ImpliedDo) for item in value.items):
            items = tuple(_leaf(item, rest, type_, types, span) for item in value.items)
            ranks = sum(rank for _, rank in rest)
            if ranks == 0:
                return ir.ArrayConstructor(items, type_)
            if ranks == 1 and all(rank_of(one) == rank_of(item) + 1 for one, item in
                                  zip(items, value.items, strict=True)):
                return _rows(items, type_)
    raise refuse("this value of derived type", span)


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
    return _argument(value, ((name, 0),), type_, types, span)


def _argument(value: ir.Structure, rest: Sequence[tuple[str, int]], type_: ir.Type, types: Types,
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
                return _leaf(argument.value, rest, type_, types, span)
            names = [parent, *names[len(inherited):]]
        elif (argument.keyword or names[place]) == name:
            if isinstance(argument.value, ir.Intrinsic) and argument.value.name == "null":
                return NOTHING
            own = types.get(type_of(argument.value).derived or "")
            if inner and inner[0][0] != TAG and own is not None and not isinstance(argument.value, ir.Ref) and all(
                    one.name != inner[0][0] for one in own.components):
                return NOTHING  # a component of other types than the value's
            return _leaf(argument.value, inner, type_, types, span)
    component = next((one for one in declared.components if one.name == name), None)
    if component is None:
        raise refuse("this value of derived type", span)
    if component.allocatable or component.pointer:
        return NOTHING
    if component.start is None or inner:
        raise refuse(f"a constructor that leaves `{name}` out", span)
    return component.start

"""Small questions about expressions: their type, their rank, the variables in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from snapset.frontend import ir

_PROMOTION = {"logical": 0, "integer": 1, "real": 2, "complex": 3}
_COMPARISONS = frozenset({"==", "/=", "<", "<=", ">", ">=", ".and.", ".or.", ".eqv.", ".neqv."})


def type_of(expr: ir.Expr) -> ir.Type:
    """The type of an expression's elements."""
    if isinstance(expr, ir.ImpliedDo):
        return type_of(expr.items[0]) if expr.items else ir.UNKNOWN
    return expr.type


def rank_of(expr: ir.Expr) -> int:
    """The rank of an expression's value."""
    if isinstance(expr, (ir.Ref, ir.Intrinsic)):
        return expr.rank
    rank = 0
    while isinstance(expr, ir.Binary):
        rank = max(rank, rank_of(expr.right))
        expr = expr.left
    if isinstance(expr, (ir.Ref, ir.Intrinsic)):
        return max(rank, expr.rank)
    if isinstance(expr, ir.Unary):
        return max(rank, rank_of(expr.operand))
    return 1 if isinstance(expr, ir.ArrayConstructor) else rank


def binary_type(op: str, left: ir.Type, right: ir.Type) -> ir.Type:
    """The type of ``left op right`` for intrinsic operators (Fortran 2018, 10.1.9.3)."""
    if op in _COMPARISONS:
        return ir.LOGICAL
    if op == "//":
        both = left.bytes is not None and right.bytes is not None
        return ir.Type("character", (left.bytes or 0) + (right.bytes or 0) if both else None)
    ranks = _PROMOTION.get(left.kind), _PROMOTION.get(right.kind)
    if ranks[0] is None or ranks[1] is None:
        return ir.UNKNOWN
    if ranks[0] == ranks[1]:
        return left if (left.bytes or 0) >= (right.bytes or 0) else right
    wide, narrow = (left, right) if ranks[0] > ranks[1] else (right, left)
    if wide.kind == "complex" and narrow.kind == "real" and wide.bytes and narrow.bytes:
        return ir.Type("complex", max(wide.bytes, 2 * narrow.bytes))
    return wide


def children(expr: ir.Expr) -> Iterator[ir.Expr]:
    """The expressions directly inside an expression, subscripts and substring bounds included."""
    if isinstance(expr, ir.Ref):
        for part in expr.parts:
            for subscript in part.subscripts or ():
                yield from bounds(subscript)
        if expr.substring is not None:
            yield from bounds(expr.substring)
    elif isinstance(expr, ir.Unary):
        yield expr.operand
    elif isinstance(expr, ir.Binary):
        yield expr.left
        yield expr.right
    elif isinstance(expr, (ir.Intrinsic, ir.Structure)):
        yield from (argument.value for argument in expr.args)
    elif isinstance(expr, ir.ArrayConstructor):
        yield from expr.items
    elif isinstance(expr, ir.ImpliedDo):
        yield from expr.items
        yield expr.start
        yield expr.stop
        if expr.step is not None:
            yield expr.step


def bounds(subscript: ir.Subscript) -> Iterator[ir.Expr]:
    """A subscript's expressions: itself, or what its triplet gives."""
    if isinstance(subscript, ir.Range):
        yield from (bound for bound in (subscript.lower, subscript.upper, subscript.step) if bound is not None)
    else:
        yield subscript


def walk(expr: ir.Expr) -> Iterator[ir.Expr]:
    """An expression and everything inside it, without recursion."""
    stack = [expr]
    while stack:
        top = stack.pop()
        yield top
        stack.extend(children(top))


def larger_than(expr: ir.Expr, limit: int) -> bool:
    """Whether an expression has more than ``limit`` nodes; looks at no more than that."""
    return any(count > limit for count, _ in enumerate(walk(expr), 1))


def names_in(expr: ir.Expr) -> frozenset[str]:
    """The variables an expression names."""
    return frozenset(node.name for node in walk(expr) if isinstance(node, ir.Ref))


# ---------------------------------------------------------------- components of derived types


def meaning(component: ir.Variable) -> object:
    """What two components of the same name must have in common to be one."""
    return component.type, component.shape, component.pointer, component.allocatable, component.polymorphic


def types_of(types: Mapping[str, ir.DerivedType], variables: Iterable[ir.Variable]) -> frozenset[str]:
    """The types of all objects that some variables may be or hold or lead to.

    An object comes into the hands of a program by a variable's name, then by components of objects: those of the type
    that is declared, of what it extends, and where it says CLASS of all that extend it; CLASS(*) may be any.
    """
    extending: dict[str, list[str]] = {}
    for declared in types.values():
        if declared.extends is not None:
            extending.setdefault(declared.extends, []).append(declared.key)
    found, work = set[str](), list(variables)
    while work:
        variable = work.pop()
        key, polymorphic = variable.type.derived, variable.polymorphic
        if key is None and polymorphic:
            return frozenset(types)
        keys = [] if key is None else [key]
        for one in keys:
            if polymorphic:
                keys += (other for other in extending.get(one, ()) if other not in keys)
            if one in types and one not in found:
                found.add(one)
                parent = types[one].extends
                work += types[one].components
                keys += [] if parent is None or parent in keys else [parent]
    return frozenset(found)


def structure(args: tuple[ir.Argument, ...], key: str, types: Mapping[str, ir.DerivedType]) -> ir.Structure:
    """A constructor of the type ``key``, whose keywords are the components' own names."""
    names = {one.area.name: one.name for one in types[key].components} if key in types else {}
    named = tuple(replace(one, keyword=names.get(one.keyword, one.keyword)) if one.keyword else one for one in args)
    return ir.Structure(named, ir.Type("derived", derived=key))

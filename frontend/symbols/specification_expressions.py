"""Specification expressions: array bounds, kinds, lengths and PARAMETER values, from raw to IR.

Unlike executable code (:mod:`snapset.frontend.resolution.expression_resolution`) nothing runs here: a function that is
not an intrinsic leaves an :class:`ir.OpaqueExpr` that reads its arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from snapset.frontend import ir
from snapset.frontend.base.default_kinds import DefaultKinds
from snapset.frontend.base.diagnostics import Span
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.constant_folding import fold_binary, fold_intrinsic, fold_unary, integer, value_of
from snapset.frontend.ir.expression_queries import binary_type, names_in, rank_of, structure, type_of
from snapset.frontend.ir.intrinsics import NAMES, intrinsic
from snapset.frontend.parsing import syntax_tree
from snapset.frontend.parsing.literals import complex_literal, literal
from snapset.frontend.symbols.constructor_types import constructor_type

MOST: Final = 10_000
"""Turns of implied DOs that are written out."""


@frozen
class Names:
    """What an expression may name: ``variable`` finds a variable, ``types`` are derived types by key. ``kinds``: of
    constants that have none. ``constructed``: the type that a name with arguments makes an object of."""

    variable: Callable[[str], ir.Variable | None]
    types: Mapping[str, ir.DerivedType]
    kinds: DefaultKinds
    constructed: Callable[[str], str | None] = lambda _: None


def constant_or_simple(node: syntax_tree.Raw, names: Names) -> ir.Expr:
    """The meaning of a specification expression, folded where it is an integer constant.

    PARAMETERs are replaced by their values. What cannot be expressed is an OpaqueExpr. Never raises for valid
    input.
    """
    if isinstance(node, syntax_tree.Number):
        return literal(node, lambda name: None if (found := names.variable(name)) is None else found.value, names.kinds)
    if isinstance(node, syntax_tree.Name):
        return _name(node, names)
    if isinstance(node, syntax_tree.BinaryOp):
        return _binary(node, names)
    if isinstance(node, syntax_tree.UnaryOp):
        return fold_unary(node.op, constant_or_simple(node.operand, names))
    if isinstance(node, syntax_tree.Complex):
        parts = constant_or_simple(node.real, names), constant_or_simple(node.imag, names)
        return complex_literal(*parts, names.kinds)
    if isinstance(node, syntax_tree.Constructor):
        turns = iter(range(MOST))
        try:
            items = tuple(one for item in node.items for one in _items(item, names, turns))
        except _TooLongError:
            items = tuple(_unwritten(item, names) for item in node.items)
        given = constructor_type(node.type_text, {}, names.kinds, lambda raw: constant_or_simple(raw, names))
        return ir.ArrayConstructor(items, given or (type_of(items[0]) if items else ir.UNKNOWN))
    return _opaque(node, names)


def _items(node: syntax_tree.Raw, names: Names, turns: Iterator[int]) -> Iterator[ir.Expr]:
    """An item of a constructor as the elements it stands for, where that can be said: a constant array's, and those of
    an implied DO over constants."""
    if isinstance(node, syntax_tree.Implied):
        yield from _implied(node, names, turns)
        return
    found = constant_or_simple(node, names)
    if isinstance(found, ir.Ref) and len(found.parts) == 1 and found.parts[0].subscripts is None:
        variable = names.variable(found.name)
        found = variable.value if variable is not None and isinstance(variable.value, ir.ArrayConstructor) else found
    yield from found.items if isinstance(found, ir.ArrayConstructor) else (found,)


def _implied(node: syntax_tree.Implied, names: Names, turns: Iterator[int]) -> Iterator[ir.Expr]:
    """Raises _TooLongError where the bounds are no constants, and where ``turns`` are too few."""
    start, stop = (value_of(constant_or_simple(end, names)) for end in (node.start, node.stop))
    step = 1 if node.step is None else value_of(constant_or_simple(node.step, names))
    if start is None or stop is None or not step:
        raise _TooLongError
    for at in range(start, stop + (1 if step > 0 else -1), step):
        if next(turns, None) is None:
            raise _TooLongError
        inner = replace(names, variable=_with(names, node.var, integer(at)))
        for item in node.items:
            yield from _items(item, inner, turns)


def _unwritten(node: syntax_tree.Raw, names: Names) -> ir.Expr:
    """An item of a constructor as it stands."""
    if not isinstance(node, syntax_tree.Implied):
        return constant_or_simple(node, names)
    return ir.ImpliedDo(tuple(_unwritten(item, names) for item in node.items), node.var,
                        constant_or_simple(node.start, names), constant_or_simple(node.stop, names),
                        None if node.step is None else constant_or_simple(node.step, names))


def _with(names: Names, var: str, value: ir.Expr) -> Callable[[str], ir.Variable | None]:
    """The names where ``var``, which is an implied DO's, is this number."""
    counter = ir.Variable(var, ir.INTEGER, ir.Area("local", "", var), Span("", 0, 0), value=value)
    return lambda name: counter if name == var else names.variable(name)


class _TooLongError(Exception):
    """An implied DO that is not written out."""


def _binary(node: syntax_tree.BinaryOp, names: Names) -> ir.Expr:
    spine: list[syntax_tree.BinaryOp] = []
    first: syntax_tree.Raw = node
    while isinstance(first, syntax_tree.BinaryOp):
        spine.append(first)
        first = first.left
    left = constant_or_simple(first, names)
    for one in reversed(spine):
        right = constant_or_simple(one.right, names)
        left = fold_binary(one.op, left, right, binary_type(one.op, type_of(left), type_of(right)))
    return left


def _name(node: syntax_tree.Name, names: Names) -> ir.Expr:
    first = node.links[0]
    variable = names.variable(first.name)
    if variable is None or (variable.type.kind == "procedure"):
        return _structure(node, names) or _intrinsic(node, names) or _opaque(node, names)
    if first.args is not None and not variable.shape.rank and variable.type.kind != "character":
        return _intrinsic(node, names) or _opaque(node, names)
    if len(node.links) == 1 and first.args is None and variable.value is not None and not variable.shape.rank:
        return variable.value
    known = _constant_component(node, variable, names) if variable.value is not None and len(node.links) > 1 else None
    if known is not None:
        return known
    parts: list[ir.PartRef] = []
    type_, rank = variable.type, 0
    own = variable.shape.rank
    for place, link in enumerate(node.links):
        if place:
            component = _component(names, type_, link.name)
            if component is None:
                return _opaque(node, names)
            type_, own = component.type, component.shape.rank
        if link.args is not None:
            if len(link.args) != own or any(isinstance(arg.value, syntax_tree.Triplet) for arg in link.args):
                return _opaque(node, names)
            subscripts = tuple(
                constant_or_simple(arg.value, names) for arg in link.args if not isinstance(arg.value,
                                                                                            syntax_tree.Triplet)
            )
            parts.append(ir.PartRef(link.name, subscripts))
            rank += sum(map(rank_of, subscripts))
        else:
            parts.append(ir.PartRef(link.name))
            rank += own
    if len(parts) == 1 and variable.value is not None and parts[0].subscripts is not None:
        return _element(variable.value, variable.shape, parts[0].subscripts) or ir.Ref(tuple(parts), type_, rank)
    return ir.Ref(tuple(parts), type_, rank)


def _constant_component(node: syntax_tree.Name, variable: ir.Variable, names: Names) -> ir.Expr | None:
    """The number that a component of a constant is, ``bands(2)%k(1)``; None where its constructor does not say it."""
    value, shape = variable.value, variable.shape
    for place, link in enumerate(node.links):
        if place:
            component = _component(names, type_of(value), link.name) if isinstance(value, ir.Structure) else None
            if component is None or not isinstance(value, ir.Structure):
                return None
            value, shape = _argument(value, component, names), component.shape
        if value is not None and link.args is not None:
            subscripts = tuple(constant_or_simple(arg.value, names) for arg in link.args
                               if not isinstance(arg.value, syntax_tree.Triplet))
            value = _element(value, shape, subscripts) if len(subscripts) == len(link.args) else None
    return value if isinstance(value, ir.Literal_) and (not shape.rank or node.links[-1].args is not None) else None


def _argument(value: ir.Structure, component: ir.Variable, names: Names) -> ir.Expr | None:
    """What a constructor of a type that extends no other gives a component."""
    declared = names.types[value.type.derived or ""]
    if declared.extends is not None:
        return None
    for argument, in_place in zip(value.args, declared.components, strict=False):
        if (argument.keyword or in_place.name) == component.name:
            return argument.value
    return component.start


def _element(value: ir.Expr, shape: ir.Shape, subscripts: tuple[ir.Subscript, ...]) -> ir.Expr | None:
    """An element of a constant array of rank one."""
    if len(subscripts) != 1 or isinstance(subscripts[0], ir.Range) or len(shape.dims) != 1:
        return None
    index = value_of(subscripts[0])
    lower = value_of(shape.dims[0].lower or integer(1))
    if not isinstance(value, ir.ArrayConstructor) or index is None or lower is None:
        return None
    items = value.items
    if any(isinstance(item, ir.ImpliedDo) or rank_of(item) > 0 for item in items):
        return None
    return items[index - lower] if 0 <= index - lower < len(items) else None


def _component(names: Names, type_: ir.Type, name: str) -> ir.Variable | None:
    derived = names.types.get(type_.derived or "")
    if derived is None:
        return None
    return next((component for component in derived.components if component.area.name == name), None)


def _intrinsic(node: syntax_tree.Name, names: Names) -> ir.Expr | None:
    link = node.links[0]
    if len(node.links) > 1 or link.args is None or link.name not in NAMES:
        return None
    args: list[ir.Argument] = []
    for arg in link.args:
        if isinstance(arg.value, syntax_tree.Triplet):
            return None
        args.append(ir.Argument(constant_or_simple(arg.value, names), arg.keyword))
    if not args:
        return None
    if link.name == "size":
        found = _extent(args, link.args, names)
        if found is not None:
            return found
    reference = intrinsic(link.name, tuple(args), names.kinds, lambda ref: _bounds(ref, names))
    return fold_intrinsic(reference)


def _structure(node: syntax_tree.Name, names: Names) -> ir.Structure | None:
    """A constructor of a derived type: ``band(0.5, [1, 2])``, ``node(next=null())``."""
    link = node.links[0]
    key = names.constructed(link.name) if len(node.links) == 1 and link.args is not None and not link.more else None
    given = link.args or ()
    args = tuple(ir.Argument(_given(arg.value, names), arg.keyword) for arg in given
                 if not isinstance(arg.value, syntax_tree.Triplet))
    return None if key is None or len(args) < len(given) else structure(args, key, names.types)


def _given(node: syntax_tree.Raw, names: Names) -> ir.Expr:
    """What a constructor gives a component."""
    if isinstance(node, syntax_tree.Name) and node.links[0].name == "null" and node.links[0].args == ():
        return ir.Intrinsic("null", (), ir.UNKNOWN)
    return constant_or_simple(node, names)


def _bounds(ref: ir.Ref, names: Names) -> ir.Shape | None:
    variable = names.variable(ref.name) if len(ref.parts) == 1 else None
    return None if variable is None else variable.shape


def _extent(args: list[ir.Argument], given: tuple[syntax_tree.Arg, ...], names: Names) -> ir.Expr | None:
    """SIZE of an explicit-shape array, folded where constant."""
    array = given[0].value
    if not isinstance(array, syntax_tree.Name) or len(array.links) > 1 or array.links[0].args is not None:
        return None
    variable = names.variable(array.links[0].name)
    if variable is None or variable.shape.kind != "explicit":
        return None
    dim = value_of(args[1].value) if len(args) > 1 else None
    if len(args) > 1 and (dim is None or not 1 <= dim <= variable.shape.rank):
        return None
    total = 1
    for each in variable.shape.dims if dim is None else (variable.shape.dims[dim - 1],):
        lower, upper = value_of(each.lower or integer(1)), value_of(each.upper)
        if lower is None or upper is None:
            return None
        total *= max(0, upper - lower + 1)
    return integer(total)


def _opaque(node: syntax_tree.Raw, names: Names) -> ir.OpaqueExpr:
    """An expression that reads every variable it names."""
    seen = dict.fromkeys(name for name in _mentioned(node) if names.variable(name) is not None)
    text = node.links[0].name if isinstance(node, syntax_tree.Name) else type(node).__name__.lower()
    reads: dict[str, None] = {}
    for name in seen:
        variable = names.variable(name)
        if variable is not None and variable.value is not None:
            reads.update(dict.fromkeys(names_in(variable.value)))
        else:
            reads[name] = None
    return ir.OpaqueExpr(text, tuple(reads), ir.UNKNOWN)


def _mentioned(node: object) -> Iterator[str]:
    """Every first name in a raw tree, and every keyword-free argument's names."""
    stack = [node]
    while stack:
        top = stack.pop()
        if isinstance(top, syntax_tree.Name):
            yield top.links[0].name
            for link in top.links:
                stack.extend(arg.value for arg in (*(link.args or ()), *(link.more or ())))
        elif isinstance(top, syntax_tree.Triplet):
            stack.extend(part for part in (top.lower, top.upper, top.step) if part is not None)
        elif isinstance(top, syntax_tree.BinaryOp):
            stack += [top.left, top.right]
        elif isinstance(top, syntax_tree.UnaryOp):
            stack.append(top.operand)
        elif isinstance(top, syntax_tree.Complex):
            stack += [top.real, top.imag]
        elif isinstance(top, syntax_tree.Constructor):
            stack.extend(top.items)
        elif isinstance(top, syntax_tree.Implied):
            stack += [*top.items, top.start, top.stop]

"""Which elements the references of a node select: ``w(i, 3)`` by its subscripts, dimension by dimension."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from snapset.analysis.memory.array_sections import is_half, rank
from snapset.analysis.memory.locations import Info
from snapset.analysis.memory.references import References, operands
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.cfg.graph import Node
from snapset.frontend.ir.intrinsics import record

_ALL: Final = ir.Range()


@frozen(quick=True)
class ElementAccess:
    """What is accessed of a location: its subscripts, one for each dimension (None: not plain to see). ``full``: of a
    write that certainly covers all that they select, the dimensions in which that is everything; None: no such write.
    """

    index: int
    given: Sequence[ir.Subscript] | None
    full: frozenset[int] | None = None


def given_subscripts(ref: ir.Ref, info: Info) -> list[ir.Subscript] | None:
    """A reference's subscripts, one for each dimension of the location; None where they are not plain to see.

    Of ``s(i)`` for the location of ``s%t`` all of the component's dimensions are selected: ``s(i)%t(:)``.
    """
    if not info.is_of(ref) or is_half(ref, info):
        return None  # storage that names with other bounds overlay: the same subscripts are other elements
    if ref.substring is not None:
        return None
    given: list[ir.Subscript] = []
    for depth, part in enumerate(ref.parts):
        if part.subscripts is not None:
            given += part.subscripts
        elif (shape := info.shape_at(depth)) is not None:
            given += [_ALL] * shape.rank
    inside = [shape.rank for shape, depth in zip(info.shapes, info.depths, strict=True) if depth >= len(ref.parts)]
    given += [_ALL] * sum(inside)
    return given if len(given) == rank(info) else None


def references(node: Node, refs: References) -> tuple[tuple[ir.Ref, bool], ...]:
    """Every reference a node evaluates, and whether it is written: it stands where an assignment's target does.

    The place tells, not the reference: in ``z = z*z`` one reads and one writes, though they are equal. A reference
    inside an implied DO stands for many elements: it comes without subscripts understood. ``refs``: those of the node's
    procedure, with which each node's are kept: many ask for them.
    """
    return refs.of_nodes.get(node, lambda one: tuple(_references(one)))


def _references(node: Node) -> Iterator[tuple[ir.Ref, bool]]:
    exprs: list[ir.Expr] = [*node.test, *(mask.expr for mask in node.masks)]
    if isinstance(node.stmt, ir.Assign):
        yield node.stmt.target, True
        exprs += [node.stmt.value, *_subscripts(node.stmt.target)]
    elif isinstance(node.stmt, ir.Where):
        exprs.append(node.stmt.mask)
    yield from ((ref, False) for expr in exprs for ref in inside(expr))


def inside(expr: ir.Expr, blurred: bool = False) -> Iterator[ir.Ref]:
    """Every reference of an expression. ``blurred``: without its subscripts."""
    match expr:
        case ir.Ref():
            yield _whole(expr) if blurred else expr
            for subscript in _subscripts(expr):
                yield from inside(subscript, blurred)
        case ir.OpaqueExpr():
            yield from (ir.Ref((ir.PartRef(name),), expr.type) for name in expr.reads)
        case ir.Intrinsic() if record(expr).inquiry:
            yield from (ref for a in expr.args if not isinstance(a.value, ir.Ref) for ref in inside(a.value, blurred))
        case ir.ImpliedDo():
            for item in (*expr.items, expr.start, expr.stop, *((expr.step,) if expr.step else ())):
                yield from inside(item, True)
        case _:
            for operand in operands(expr):
                yield from inside(operand, blurred)


def _whole(ref: ir.Ref) -> ir.Ref:
    return ir.Ref(tuple(ir.PartRef(p.name) for p in ref.parts), ref.type)


def _subscripts(ref: ir.Ref) -> Iterable[ir.Expr]:
    for part in ref.parts:
        for subscript in part.subscripts or ():
            if isinstance(subscript, ir.Range):
                yield from (e for e in (subscript.lower, subscript.upper, subscript.step) if e is not None)
            else:
                yield subscript

"""Loops whose iterations own their elements of an array: no iteration touches another one's.

``do i = 1, n; t(i) = x(i)*2; y(i) = t(i)**2; end do``: what iteration i writes to t, only iteration i
reads. Then a write needs to be taped, or run at all, only for what its own iteration (or the code
behind the loop) still needs, and a write of the single element kills it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from snapset.analysis.dataflow.bitsets import members, union
from snapset.analysis.memory.affine_forms import affine
from snapset.analysis.memory.array_sections import Form, is_half, rank
from snapset.analysis.memory.locations import Info
from snapset.analysis.memory.references import References, operands
from snapset.analysis.procedures.array_proofs import IterationPrivate
from snapset.analysis.procedures.effect_sets import Effect
from snapset.analysis.symbolic.polynomials import Quantity
from snapset.frontend import ir
from snapset.frontend.cfg.graph import FlowGraph, Loop, Node
from snapset.frontend.ir.intrinsics import record


def find_iteration_private(flow: FlowGraph, effects: tuple[Effect, ...],
                           refs: References) -> tuple[IterationPrivate, ...]:
    """All (array, loop) pairs in which iterations own their elements, inner loops after outer ones."""
    found: list[IterationPrivate] = []
    for loop in flow.loops:
        if _is_regular(flow, loop):
            found += _private_in(flow, loop, effects, refs)
    return tuple(found)


def _is_regular(flow: FlowGraph, loop: Loop) -> bool:
    """A counted loop entered at its init and left by its test or to its end."""
    leaves = (loop.test, loop.end)
    return loop.structured and all(t in loop.body or t in leaves for n in loop.body for t in flow.succs[n])


def _private_in(flow: FlowGraph, loop: Loop, effects: tuple[Effect, ...],
                refs: References) -> Iterator[IterationPrivate]:
    written = union(effects[n].out for n in loop.body if n != loop.step)
    var = effects[loop.step].kill
    if written & var:
        return
    steady = partial(affine, usable=lambda ref: not refs.values(ref) & written)
    accesses, killers = _accesses(flow, loop, effects, refs, steady)
    moving = loop.stmt.var.name if isinstance(loop.stmt, ir.Do) else ""
    for index, seen in accesses.items():
        elements = [s for s in seen if s is not None]
        if None not in seen and _disjoint(elements, moving):
            same = frozenset(dim for dim, sub in enumerate(elements[0])
                             if sub is not None and all(other[dim] == sub for other in elements))
            whole = (node for node, full in killers.get(index, {}).items() if len(full | same) == len(elements[0]))
            yield IterationPrivate(index, loop, frozenset(whole))


Element = tuple[Quantity | None, ...]  # one subscript per dimension; None: a section, or not understood


def _accesses(flow: FlowGraph, loop: Loop, effects: tuple[Effect, ...], refs: References,
              form: Form) -> tuple[dict[int, set[Element | None]], dict[int, dict[int, frozenset[int]]]]:
    """By array, the elements its references in the loop select (None: not plain to see), and the nodes
    that write elements of it, with the dimensions in which they write all."""
    accesses: dict[int, set[Element | None]] = {}
    killers: dict[int, dict[int, frozenset[int]]] = {}
    level = flow.nodes[loop.init].level
    for number in sorted(loop.body):
        node = flow.nodes[number]
        plain = node.level == level and (node.kind == "test" or isinstance(node.stmt, ir.Assign | ir.Where | ir.Do))
        if not plain:
            for index in members(effects[number].use | effects[number].out):
                accesses.setdefault(index, set()).add(None)
            continue
        for ref, written in references(node):
            touch = refs.touch(ref)
            for index in members(touch.bits):
                info = refs.space.infos[index]
                if rank(info):
                    given = None if info.aliasable else given_subscripts(ref, info)
                    element = None if given is None else tuple(
                        None if isinstance(s, ir.Range) else form(s) for s in given)
                    accesses.setdefault(index, set()).add(element)
                    if written and not node.masks and given is not None and (touch.bits == 1 << index or info.band):
                        killers.setdefault(index, {})[number] = refs.full_dimensions(ref.name, given, info.band)
    return accesses, killers


def given_subscripts(ref: ir.Ref, info: Info) -> list[ir.Subscript] | None:
    """A reference's subscripts, one for each dimension of the location; None where they are not plain to see."""
    if not info.is_of(ref.name) or is_half(ref, info):
        return None  # storage that names with other bounds overlay: the same subscripts are other elements
    given: list[ir.Subscript] = []
    for depth, part in enumerate(ref.parts):
        shape = info.shape_at(depth)
        whole = (ir.Range(),) * (shape.rank if shape is not None else 0)
        given += whole if part.subscripts is None else part.subscripts
    return given if len(given) == rank(info) and ref.substring is None else None


def _disjoint(seen: list[Element], var: str) -> bool:
    """Is there a dimension in which all references have the same subscript, and it moves with the DO variable?"""
    for dim, subscript in enumerate(seen[0]):
        if subscript is not None and subscript.factor(var) and all(other[dim] == subscript for other in seen):
            return True
    return False


def references(node: Node) -> Iterator[tuple[ir.Ref, bool]]:
    """Every reference a node evaluates, and whether it is written: it stands where an assignment's target does.

    The place tells, not the reference: in ``z = z*z`` one reads and one writes, though they are equal. A reference
    inside an implied DO stands for many elements: it comes without subscripts understood.
    """
    exprs: list[ir.Expr] = [*node.test, *(mask.expr for mask in node.masks)]
    if isinstance(node.stmt, ir.Assign):
        yield node.stmt.target, True
        exprs += [node.stmt.value, *_subscripts(node.stmt.target)]
    elif isinstance(node.stmt, ir.Where):
        exprs.append(node.stmt.mask)
    yield from ((ref, False) for expr in exprs for ref in _inside(expr))


def _inside(expr: ir.Expr, blurred: bool = False) -> Iterator[ir.Ref]:
    match expr:
        case ir.Ref():
            yield _whole(expr) if blurred else expr
            for subscript in _subscripts(expr):
                yield from _inside(subscript, blurred)
        case ir.OpaqueExpr():
            yield from (ir.Ref((ir.PartRef(name),), expr.type) for name in expr.reads)
        case ir.Intrinsic() if record(expr).inquiry:
            yield from (ref for a in expr.args if not isinstance(a.value, ir.Ref) for ref in _inside(a.value, blurred))
        case ir.ImpliedDo():
            for item in (*expr.items, expr.start, expr.stop, *((expr.step,) if expr.step else ())):
                yield from _inside(item, True)
        case _:
            for operand in operands(expr):
                yield from _inside(operand, blurred)


def _whole(ref: ir.Ref) -> ir.Ref:
    return ir.Ref(tuple(ir.PartRef(p.name) for p in ref.parts), ref.type)


def _subscripts(ref: ir.Ref) -> Iterable[ir.Expr]:
    for part in ref.parts:
        for subscript in part.subscripts or ():
            if isinstance(subscript, ir.Range):
                yield from (e for e in (subscript.lower, subscript.upper, subscript.step) if e is not None)
            else:
                yield subscript

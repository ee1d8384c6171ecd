"""Which references the derivative of an assignment reads: of ``b(i) = b(i) - m*c(i)`` m and c(i), not b(i).

The same walk as :meth:`snapset.analysis.memory.references.References.partials`, which tells the locations alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import partial

from snapset.analysis.dataflow.bitsets import EMPTY, Exact, May, members, singleton, union
from snapset.analysis.dataflow.part_graphs import LevelGraph
from snapset.analysis.derivative_rules import derivatives
from snapset.analysis.memory.affine_forms import affine, of_fixed_extents
from snapset.analysis.memory.element_accesses import given_subscripts, inside, references
from snapset.analysis.memory.references import References, operands
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.reversal.weighed_requirements import Weighing
from snapset.analysis.sections.dependence_distance import Access
from snapset.analysis.sections.rewritten_elements import Read, RewrittenElements
from snapset.frontend import ir


def derivative_reads(stmt: ir.Assign, masks: tuple[ir.Expr, ...], refs: References, varied: May,
                     sided: bool) -> Iterator[ir.Ref]:
    """What use(I') is made of, reference by reference. ``varied``: before it; ``sided``: the sides of MAX, MIN ... are
    recorded."""
    yield from _subscripts(stmt.target)
    for mask in masks:
        yield from inside(mask)
    work: list[ir.Expr] = [stmt.value]
    while work:
        expr = work.pop()
        if not refs.flows(expr) & varied:
            continue
        match expr:
            case ir.Ref():
                yield from _subscripts(expr)
            case ir.Unary() | ir.Binary() | ir.Intrinsic():
                for one in derivatives(expr):
                    if refs.flows(one.operand) & varied:
                        work.append(one.operand)
                        if not (sided and one.sided):
                            yield from (ref for read in one.reads for ref in inside(read))
            case ir.ImpliedDo() | ir.OpaqueExpr():
                yield from inside(expr, blurred=True)
            case _:
                work += operands(expr)


def _subscripts(ref: ir.Ref) -> Iterator[ir.Ref]:
    """What is read to find the elements."""
    whole = iter(inside(ref))
    next(whole)  # itself
    yield from whole


def rewritten(weighing: Weighing, sided: Collection[int]) -> Mapping[int, Exact]:
    """By node, the arrays of which it overwrites an element that nobody needs if these statements record their sides;
    roughly: to weigh that (``s(i) = s(i) + dt*w(i); s(i) = max(s(i), 0)``)."""
    found: dict[int, Exact] = {}
    for graph in weighing.graphs:
        model, order = weighing.model, frozenset(graph.forward.order)
        nodes = sorted(order & weighing.running - graph.parts.keys())
        touching = {n: weighing.touched(n, graph) for n in order if n in graph.parts or n in model.calls}
        arrays = May(union(singleton(i) for i, info in enumerate(model.space.infos)
                           if info.shapes and info.bytes is None and not info.other_names))
        changing = {n: bits if n in graph.parts else model.effects[n].out for n, bits in touching.items()}
        elements = RewrittenElements(model, model.scope, graph.forward, nodes, arrays, touching, changing)
        found |= elements.spared(_reads(weighing, graph, sided), ())
    return found


def _reads(weighing: Weighing, graph: LevelGraph, sided: Collection[int]) -> Iterator[Read]:
    model, active = weighing.model, weighing.active
    for node in graph.forward.order:
        at, bits = model.flow.nodes[node], active.derivative.get(node, EMPTY)
        if not bits or node in graph.parts:
            continue
        refs = list(derivative_reads(at.stmt, (), model.refs, active.varied[node], node in sided)
                    if isinstance(at.stmt, ir.Assign) else (ref for ref, _ in references(at, model.refs)))
        for index in members(bits):
            accesses = [_access(model, node, index, ref) for ref in refs
                        if model.refs.touch(ref).bits & singleton(index)]
            if accesses:
                yield node, index, accesses


def _access(model: ProcedureModel, node: int, index: int, ref: ir.Ref) -> Access:
    form = partial(affine, usable=lambda _: True, measured=of_fixed_extents(model.refs.variables))
    given = given_subscripts(ref, model.space.infos[index])
    return Access(node, (None,) if given is None else tuple(
        None if isinstance(one, ir.Range) else form(one) for one in given), (), False)

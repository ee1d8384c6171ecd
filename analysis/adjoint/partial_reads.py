"""Which references the derivative of an assignment reads: of ``b(i) = b(i) - m*c(i)`` m and c(i), not b(i).

The same walk as :meth:`snapset.analysis.memory.references.References.partials`, which tells the locations alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from snapset.analysis.dataflow.bitsets import May
from snapset.analysis.derivative_rules import derivatives
from snapset.analysis.memory.element_accesses import inside
from snapset.analysis.memory.references import References, operands
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

"""Which partial derivative of a statement reads a location: in ``y = a*sin(b)`` that by a is ``sin(b)``, which reads
b."""

from __future__ import annotations

from collections.abc import Iterator

from snapset.analysis.dataflow.bitsets import May, singleton, union
from snapset.analysis.derivative_rules import derivatives
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.symbolic.fortran_text import bare
from snapset.frontend import ir
from snapset.frontend.ir.expression_queries import walk


def reading_partials(model: ProcedureModel, varied: May, node: int, location: int) -> str:
    """In words the first partial derivative of a node's statement that reads a location; "" where what the adjoint
    reads is no partial derivative: a subscript, a bound, a mask."""
    stmt, bit = model.flow.nodes[node].stmt, singleton(location)
    if not isinstance(stmt, ir.Assign):
        return ""
    for expr in walk(stmt.value):
        if isinstance(expr, ir.Unary | ir.Binary | ir.Intrinsic):
            for said in _said(model, varied, expr, bit):
                return said
    if model.refs.subscripts(stmt.target) & bit:
        return "for the subscripts of what is assigned"
    return ""


def _said(model: ProcedureModel, varied: May, expr: ir.Unary | ir.Binary | ir.Intrinsic, bit: May) -> Iterator[str]:
    for one in derivatives(expr):
        if not model.refs.flows(one.operand, varied) & varied:
            continue  # nothing that varies
        if union(model.refs.values(value) for value in one.reads) & bit:
            whole, by, factor = bare(expr), bare(one.operand), None if one.factor is None else bare(one.factor)
            if whole and by and factor:
                yield f"the derivative of {whole} by {by} is {factor}"
            else:
                yield f"for the derivative of {whole or 'an expression'}"

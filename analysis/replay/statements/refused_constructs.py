"""What the machine does not execute, found by trying: so the report names exactly what `snapset replay` refuses.

A READ in a solver, say: the sets of the parts around it are right by analysis, but nobody has executed them. Every
procedure below a head is lowered as for a run, primal and adjoint, but nothing is compiled; what is refused on the way
is kept (:class:`~snapset.analysis.replay.memory.variable_slots.RefusedError`). Something the machine learns to execute
is no longer refused, and so no longer reported: there is no second list.
"""

from __future__ import annotations

from collections.abc import Mapping

from snapset.analysis.replay.memory.variable_slots import RefusedError
from snapset.analysis.replay.statements.node_functions import NodeFunctions
from snapset.analysis.replay.statements.procedure_entry import check_memory, check_start
from snapset.analysis.replay.statements.unexecuted_constructs import CODE, first
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Diagnostic
from snapset.frontend.cfg.graph import FlowGraph, Node
from snapset.frontend.ir.expression_queries import walk
from snapset.frontend.rules import diagnostic


def refused_in(program: ir.Program, procedure: ir.Procedure, flow: FlowGraph,
               shared: Mapping[ir.Area, int]) -> tuple[Diagnostic, ...]:
    """Each kind of construct that the machine refuses in one procedure, at its first place; the message is what.

    ``shared``: the areas that several variables overlay.
    """
    found: list[RefusedError] = []
    lowering = NodeFunctions(program, procedure, flow, found)
    try:
        lowering.lower()
        lowering.adjoints(lambda node: _every if _is_worth(flow.nodes[node]) else None, "a")
    except RefusedError as error:
        found.append(error)
    except Exception as error:  # a report must not fail because the machine would
        found.append(RefusedError(f"`{procedure.name}`, on which it fails ({type(error).__name__})", procedure.span))
    for place in lowering.layout.slots:
        with lowering.trying():
            check_memory(place, shared)
        with lowering.trying():
            check_start(place)
    return tuple(first(diagnostic(CODE, error.what, error.span) for error in found if error.span is not None))


def _every(ref: ir.Ref) -> bool:
    return True


def _is_worth(node: Node) -> bool:
    """Might the machine refuse the adjoint? Sums, products and powers of references it has always differentiated."""
    stmt = node.stmt
    if isinstance(stmt, ir.Assign):
        return any(not isinstance(one, ir.Ref | ir.Literal_ | ir.Unary | ir.Binary) for one in walk(stmt.value))
    return isinstance(stmt, ir.Call)

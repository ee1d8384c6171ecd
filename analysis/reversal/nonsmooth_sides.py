"""MAX, MIN, ABS, SIGN, DIM and MERGE: which side was taken may be recorded, as it is of a branch.

The derivative of ``max(a, b)`` reads a and b only to know which of them it was. Recording that in the forward sweep
takes a byte; keeping a and b until then takes more where they are overwritten and nothing else needs them. Decided
statement by statement for a whole code, by what a To Be Recorded analysis of it would tape either way
(:mod:`snapset.analysis.reversal.weighed_requirements`). Arrays are single locations there. So a statement that reads an
element for its side alone and overwrites it, ``s(i) = s(i) + w(i); s(i) = max(s(i), 0)``, records the side where nobody
else needs what it overwrites.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping

from snapset.analysis.activity.active_sets import Active
from snapset.analysis.dataflow.bitsets import EMPTY, Exact, May
from snapset.analysis.derivative_rules import is_sided
from snapset.analysis.memory.references import References, operands
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.procedures.statement_effects import derivative_use
from snapset.analysis.reversal.recorded_control import NO_SIDES, Sides
from snapset.analysis.reversal.weighed_requirements import WeighedRequirements, Weighing
from snapset.frontend import ir
from snapset.frontend.ir.expression_queries import rank_of, walk


def choose_sides(weighing: Weighing, rewritten: Callable[[Weighing, Collection[int]], Mapping[int, Exact]],
                 ) -> tuple[Mapping[int, Sides], Mapping[int, May]]:
    """The statements that record sides, and use(I') of those statements then. What does not run may record sides all
    the same: evaluating them changes nothing. ``rewritten``: the arrays of which a node overwrites an element that
    nobody needs if some statements record sides."""
    model, active, reversal = weighing.model, weighing.active, weighing.reversal
    found: dict[int, Sides] = {}
    reads: dict[int, May] = {}
    for node, full in active.derivative.items():
        sides, less = _candidate(model, active, node)
        if sides is not None and full & ~less & ~reversal.regenerated(node):
            found[node], reads[node] = sides, less
    if not found:
        return NO_SIDES, {}
    required, again = WeighedRequirements(weighing, reads), rewritten(weighing, found)
    for node, sides in list(found.items()):
        recorded = weighing.times(node, sides.bytes(weighing.elements(node)))
        full = active.derivative[node] & ~reversal.regenerated(node)
        own = weighing.bytes(node, May(again.get(node, EMPTY) & full & ~reads[node]))
        if own + required.more({node: full}, recorded) <= recorded:
            required.keep()
            del found[node]
        else:
            required.take_back()
    return found, {n: reads[n] for n in found}


def _candidate(model: ProcedureModel, active: Active, node: int) -> tuple[Sides | None, May]:
    """What a node would record, and its use(I') then; None where it has no side to record, or not plainly."""
    at = model.flow.nodes[node]
    if not isinstance(at.stmt, ir.Assign) or at.masks:
        return None, EMPTY
    loops = (model.flow.loops[i].stmt for i in at.loops)
    if any(isinstance(loop, ir.Do) and loop.kind == "forall" for loop in loops):
        return None, EMPTY
    if any(isinstance(one, ir.ImpliedDo) for one in walk(at.stmt.value)):
        return None, EMPTY  # as many sides as it has turns
    ranks = [rank_of(expr) for expr in _switches(at.stmt.value, model.refs, active.varied[node])]
    if not ranks or any(rank not in (0, at.stmt.target.rank) for rank in ranks):
        return None, EMPTY
    arrays = sum(1 for rank in ranks if rank)
    less = derivative_use(at.stmt, (), model.refs, active.varied[node], sided=True)
    return Sides(len(ranks) - arrays, arrays), model.space.with_aliases(less)


def _switches(expr: ir.Expr, refs: References, varied: May) -> Iterator[ir.Intrinsic]:
    """The active MAX, MIN ... of an expression."""
    if not refs.flows(expr) & varied:
        return
    if isinstance(expr, ir.Intrinsic) and is_sided(expr):
        yield expr
    for operand in operands(expr):
        yield from _switches(operand, refs, varied)

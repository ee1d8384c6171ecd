"""WHERE: its mask may be recorded, as the way of a branch is.

    where (c < 0)
      c = 0
    end where

The derivative of ``c = 0`` reads c only to know which elements were set. Recording that takes a byte for each; keeping
what the mask was computed from until then takes more where it is overwritten, here by the very statement, and nothing
else needs it. Decided for all assignments of a mask together, by what a To Be Recorded analysis would tape either way
(:mod:`snapset.analysis.reversal.weighed_requirements`); what may be computed again counts as there. Where one
assignment of a WHERE overwrites what its mask was computed from and another follows, it is recorded in any case
(:func:`~snapset.analysis.procedures.statement_effects.stored_masks`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TypeAlias

from snapset.analysis.dataflow.bitsets import Exact, May, exactly
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.procedures.statement_effects import derivative_use
from snapset.analysis.reversal.nonsmooth_sides import choose_sides
from snapset.analysis.reversal.recorded_control import NO_SIDES, Sides
from snapset.analysis.reversal.weighed_requirements import NO_READS, WeighedRequirements, Weighing
from snapset.frontend import ir

MASK_BYTES = 1  # of an element
Repeatable: TypeAlias = Callable[[ProcedureModel, int], bool]


def choose_masks(weighing: Weighing, reads: Mapping[int, May], repeatable: Repeatable) -> Mapping[int, May]:
    """The assignments whose mask is recorded to save bytes, and use(I') of them then. ``reads``: that of the
    statements that record sides."""
    groups = _candidates(weighing)
    less = {node: _without_mask(weighing, node) for group in groups for node in group}
    if not less:
        return {}
    required, again = WeighedRequirements(weighing, {**reads, **less}), _computed_again(weighing, repeatable)
    for group in groups:
        recorded = sum(weighing.times(n, MASK_BYTES * weighing.elements(n)) for n in group)
        full = {n: weighing.active.derivative[n] & ~weighing.reversal.regenerated(n) & ~again for n in group}
        if required.more(full, recorded) <= recorded:
            required.keep()
            for node in group:
                del less[node]
        else:
            required.take_back()
    return less


def _computed_again(weighing: Weighing, repeatable: Repeatable) -> Exact:
    """The procedure's own locations that only assignments write which may run again."""
    model = weighing.model
    other: May = model.visible
    for node in model.graph.order:
        if model.effects[node].out and not repeatable(model, node):
            other |= model.effects[node].out
    return exactly(model.space.all() & ~other)


def _candidates(weighing: Weighing) -> list[list[int]]:
    """The assignments with a derivative that reads a mask, those of one mask together."""
    model, active = weighing.model, weighing.active
    groups: dict[tuple[int, ...], list[int]] = {}
    for node in sorted(active.derivative):
        at = model.flow.nodes[node]
        if not at.masks or not isinstance(at.stmt, ir.Assign) or node in model.stored_masks:
            continue
        loops = (model.flow.loops[i].stmt for i in at.loops)
        if any(isinstance(loop, ir.Do) and loop.kind == "forall" for loop in loops):
            continue
        full = active.derivative[node] & ~weighing.reversal.regenerated(node)
        if full & ~_without_mask(weighing, node):
            groups.setdefault(tuple(mask.where for mask in at.masks), []).append(node)
    return list(groups.values())


def _without_mask(weighing: Weighing, node: int) -> May:
    """use(I') of a masked assignment whose mask is known."""
    model, stmt = weighing.model, weighing.model.flow.nodes[node].stmt
    assert isinstance(stmt, ir.Assign)
    return model.space.with_aliases(derivative_use(stmt, (), model.refs, weighing.active.varied[node]))


def choose_statements(weighing: Weighing, rewritten: Callable[[Weighing, Collection[int]], Mapping[int, Exact]],
                      repeatable: Repeatable, sided: bool,
                      ) -> tuple[Mapping[int, Sides], frozenset[int], Mapping[int, May]]:
    """The statements that record sides, those that record masks, and use(I') of both then; not ``sided``: only masks
    that must be."""
    if not sided:
        return NO_SIDES, weighing.model.stored_masks, NO_READS
    sides, reads = choose_sides(weighing, rewritten)
    masked = choose_masks(weighing, reads, repeatable)
    return sides, weighing.model.stored_masks | masked.keys(), {**reads, **masked}

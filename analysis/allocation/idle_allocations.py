"""Allocations and associations that an adjoint's forward sweep need not make: nothing that it runs can tell.

    if (z > limit) call warn('too large')    ! allocates a list of messages, and appends to it
    z = z*sin(z)

The adjoint of these two lines reads z alone. ``call warn`` writes nothing that it needs, and of the list, which the
call may allocate, it runs no other statement that reads, writes or asks for it. So the call is left out, and no
snapshot holds the list.

What is needed, adjoint liveness knows: a reference to what is allocatable, and an inquiry of its shape, reads its
allocation (``a[]``), so an ALLOCATE that is needed runs like any statement that gives a value. What the adjoint does
work with is allocated and given back where the program does so all the same: a DEALLOCATE gives nothing that anybody
reads, but without it memory would grow (but see :mod:`snapset.analysis.allocation.final_deallocations`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from snapset.analysis.dataflow.bitsets import union
from snapset.analysis.procedures.effect_sets import Effect
from snapset.analysis.procedures.live_code import ControlDependence
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.frontend import ir


def idle_allocations(model: ProcedureModel, bound: Iterable[int], control: ControlDependence) -> frozenset[int]:
    """The nodes that are kept only for what they allocate or associate, of which a code in joint mode, behind which
    nothing is needed, runs nothing else.

    ``bound``: the nodes that have an adjoint. These, and what is kept for other reasons, are bound; and so is what
    writes, allocates or associates anything that a bound node reads, and the tests that decide about bound nodes.
    """
    effects = model.effects
    candidates = frozenset(n for n in model.graph.order if _for_shape_alone(model, n))
    if not candidates:
        return frozenset()
    found = frozenset(n for n in model.graph.order if effects[n].keep) - candidates | frozenset(bound)
    while True:
        found |= control.tests_for(found)
        read = union(effects[n].use for n in found)
        more = frozenset(n for n in model.graph.order if effects[n].out & read) - found
        if not more:
            return candidates - found
        found |= more


def without_idle(model: ProcedureModel, bound: Iterable[int], control: ControlDependence) -> tuple[Effect, ...]:
    """The effects of a procedure's nodes, idle allocations no longer being kept."""
    idle = idle_allocations(model, bound, control)
    if not idle:
        return model.effects
    return tuple(replace(e, keep=False) if node in idle else e for node, e in enumerate(model.effects))


def _for_shape_alone(model: ProcedureModel, node: int) -> bool:
    """Is a node kept for nothing but the shapes and associations that it changes? Not the entry, which reads bounds,
    nor the call of a function, whose result has its shape from there."""
    e, stmt = model.effects[node], model.flow.nodes[node].stmt
    function = isinstance(stmt, ir.Call) and stmt.result is not None
    return bool(e.keep and e.shaped and not e.unseen and not function and node != model.flow.entry)

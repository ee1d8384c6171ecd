"""The last DEALLOCATE of what is a procedure's own, which does what its end does in any case.

    allocate (w(n))
    w = x*x
    y = sum(w*w)        ! its derivative reads w
    deallocate (w)      ! nothing behind it touches w
    end

What is a procedure's own, without SAVE, is deallocated where it ends. Without that statement the program is the same,
and its adjoint may be that of the program without: w stays allocated until the backward sweep has read it. Were it
deallocated in the forward sweep, all of w would be taped, and allocated again at once. The adjoint holds no more memory
for that: w would be on the stack.

Why the two programs are the same: behind the statement no way to the end refers to w, asks whether it is allocated,
allocates or passes it, by whatever name: what the statement deallocates is in out under all names that may lead there,
and none of them may be the caller's or a global one's. So it is with a pointer that is the procedure's own: at the end
what it leads to is not deallocated, but nobody can reach it any more; and the adjoint does not lose memory for that, as
taking back the ALLOCATE deallocates it.

Why only outside marked parts: a part's first run and its adjoint are two runs of the same code in the same memory, and
the second one's ALLOCATE must find w as the first one found it. And only in joint mode: in split mode a procedure ends
between its two sweeps.
"""

from __future__ import annotations

from collections.abc import Iterable

from snapset.analysis.allocation.idle_allocations import without_idle
from snapset.analysis.dataflow.bitsets import May
from snapset.analysis.procedures.effect_sets import NO_EFFECT, Effect
from snapset.analysis.procedures.live_code import ControlDependence
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.frontend import ir


def without_idle_and_final(model: ProcedureModel, bound: Iterable[int],
                           control: ControlDependence) -> tuple[Effect, ...]:
    """The effects of a procedure's nodes, idle allocations (:func:`without_idle`) no longer being kept, and its final
    deallocations doing nothing."""
    effects, final = without_idle(model, bound, control), final_deallocations(model)
    return tuple(NO_EFFECT if node in final else e for node, e in enumerate(effects)) if final else effects


def final_deallocations(model: ProcedureModel) -> frozenset[int]:
    """The nodes that deallocate nothing but the procedure's own, outside marked parts, and behind which nothing touches
    it."""
    return frozenset(node for node in model.graph.order if model.flow.nodes[node].level == 0
                     and _deallocates_own(model, node) and not _touched_behind(model, node))


def _deallocates_own(model: ProcedureModel, node: int) -> bool:
    stmt, out = model.flow.nodes[node].stmt, model.effects[node].out
    return isinstance(stmt, ir.Deallocate) and not stmt.automatic and stmt.stat is None and not out & model.visible


def _touched_behind(model: ProcedureModel, node: int) -> bool:
    gone, effects = model.effects[node].out, model.effects
    seen, todo = set[int](), list(model.graph.succs.get(node, ()))
    while todo:
        at = todo.pop()
        if at in seen:
            continue
        seen.add(at)
        if effects[at].everything or gone & May(effects[at].use | effects[at].out | effects[at].shaped):
            return True
        todo.extend(model.graph.succs.get(at, ()))
    return False

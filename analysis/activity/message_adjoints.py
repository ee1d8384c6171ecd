"""The adjoint of a call of MPI: another call of MPI, which needs the same peers, tags and requests."""

from __future__ import annotations

from snapset.analysis.activity.active_sets import Border
from snapset.analysis.dataflow.bitsets import EMPTY, May
from snapset.analysis.messages.mpi_calls import known_call
from snapset.analysis.procedures.effect_sets import Effect
from snapset.analysis.procedures.procedure_model import ProcedureModel


def has_other_end(model: ProcedureModel, effect: Effect, at: Border) -> bool:
    """Is it, for a call, a message's end? That has an adjoint at both ends or at none.

    What is sent need not vary here, for the receiver cannot know; what is received need not be useful here. The
    completion of a message begins the message back, also where its buffer is nowhere to be seen, for the request alone
    is passed.
    """
    if effect.completes and (effect.completes & model.visible or at.varied or at.useful or at.once):
        return True
    return bool((effect.counts | effect.varies) & model.smooth)


def as_another_call(model: ProcedureModel, node: int, derivative: dict[int, May]) -> set[int]:
    """The active call, if its adjoint is its callee's. Of a call of MPI ``derivative`` is given what the other call
    reads: its arguments but for values that have adjoints, and requests that it completes."""
    if known_call(model.calls[node].stmt) is None:
        return {node}
    effect = model.effects[node]
    arguments = May(effect.use & ~model.smooth & ~effect.completes)  # what a request was is the library's
    derivative[node] = derivative.get(node, EMPTY) | model.space.with_descriptors(model.space.with_aliases(arguments))
    return set()

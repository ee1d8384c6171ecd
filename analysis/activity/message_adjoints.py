"""The adjoint of a call of MPI: another call of MPI, which needs the same peers, tags and requests."""

from __future__ import annotations

from snapset.analysis.dataflow.bitsets import EMPTY, May
from snapset.analysis.messages.mpi_calls import known_call
from snapset.analysis.procedures.procedure_model import ProcedureModel


def as_another_call(model: ProcedureModel, node: int, derivative: dict[int, May]) -> set[int]:
    """The active call, if its adjoint is its callee's. Of a call of MPI ``derivative`` is given what the other call
    reads: its arguments but for values that have adjoints."""
    if known_call(model.calls[node].stmt) is None:
        return {node}
    arguments = model.effects[node].use & ~model.smooth
    derivative[node] = derivative.get(node, EMPTY) | model.space.with_descriptors(model.space.with_aliases(arguments))
    return set()

"""MPI_START of a receive that another procedure has prepared, in memory that is not seen where it is started.

    call mpi_recv_init(u(0), ..., req, ierr)      in model, whose argument u is
    call begin(req)                               which starts it: nothing here shows that u(0) is overwritten

Where the procedure that starts also prepares, its buffers count as written (``started_effect``); where it prepares
nothing, all that it can reach does, so that what it calls may have prepared, and global buffers, are covered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from snapset.analysis.messages.mpi_calls import STARTING, known_call, prepared_buffers
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Span
from snapset.frontend.interprocedural.call_graph import reachable
from snapset.frontend.ir.statement_walk import statements

_EVERYWHERE = ("module", "common", "saved")


def foreign_starts(program: ir.Program, keys: Iterable[str]) -> Iterator[tuple[Span, str]]:
    """Where such a receive may be started by one of the procedures ``keys``, and what it may receive into."""
    component = tuple(keys)
    starts = {key: spans for key in component if (spans := _starts(program.procedures[key]))}
    if not starts:
        return
    hidden = {key: found for key in component if (found := _hidden_receives(program.procedures[key]))}
    for key, spans in starts.items():
        own = prepared_buffers(program.procedures[key])
        below = frozenset((key,) if own else reachable(program, key))
        for span in spans:
            for buffer in _unseen(hidden, below):
                yield span, buffer


def _starts(procedure: ir.Procedure) -> tuple[Span, ...]:
    """The calls of MPI_START whose requests are not prepared here by the same name."""
    own: set[str | None] = set()
    found: list[tuple[str | None, Span]] = []
    for stmt in statements(procedure.body):
        call = known_call(stmt)
        if call is None or not isinstance(stmt, ir.Call):
            continue
        given = call.bind(stmt) or {}
        request = given.get("request", given.get("array_of_requests"))
        name = request.name if isinstance(request, ir.Ref) else None
        if call.name in STARTING:
            found.append((name, stmt.span))
        elif call.role.startswith("prepare"):
            own.add(name)
    return tuple(span for name, span in found if name is None or name not in own)


def _hidden_receives(procedure: ir.Procedure) -> tuple[str, ...]:
    """The buffers of prepared receives that are a procedure's arguments or its own, with their places."""
    return tuple(f"{buffer.name} ({span.file}:{span.line})" for buffer, receives, span in prepared_buffers(procedure)
                 if receives and procedure.variables[buffer.name].area.kind not in _EVERYWHERE)


def _unseen(hidden: Mapping[str, tuple[str, ...]], below: frozenset[str]) -> Iterator[str]:
    """Those of procedures that the starting one does not call; what it calls was given what it can reach."""
    return (one for key, found in hidden.items() if key not in below for one in found)

"""Programs that certainly never end: they are refused before they are run.

Example: ``10 continue; goto 10``. Of ``do while (.true.)`` nothing is certain here: its test is one like any other.
"""

from __future__ import annotations

from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import InputError


def check_end(model: ProcedureModel) -> None:
    """Raises InputError where no path leads to a procedure's END, nor to a STOP: it runs for ever."""
    flow, seen = model.flow, {model.flow.entry}
    pending = [flow.entry]
    while pending:
        node = pending.pop()
        if node == flow.exit or isinstance(flow.nodes[node].stmt, ir.Stop):
            return
        fresh = [one for one in flow.succs[node] if one not in seen]
        seen.update(fresh)
        pending += fresh
    raise InputError(f"{model.procedure.name} never ends: no path leads out of a loop", model.procedure.span)

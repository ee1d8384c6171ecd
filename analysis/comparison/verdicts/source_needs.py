"""What the source's own analysis says that derivatives read, and where what they read is taped."""

from __future__ import annotations

from collections.abc import Mapping

from snapset.analysis.adjoint.level_adjoint import ProcedureAdjoint
from snapset.analysis.dataflow.bitsets import members
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.recording.to_be_recorded import ProcedureRecord
from snapset.frontend.base.frozen_records import frozen


@frozen
class SourceNeeds:
    """What the source's own analysis says of a procedure. ``read``: by line, what derivatives of its statements read;
    ``taped``: by location, the lines before which its adjoint tapes it. ``model``: None of one that the head does not
    reach."""

    read: Mapping[int, frozenset[str]]
    taped: Mapping[str, tuple[int, ...]]
    model: ProcedureModel | None = None


def source_needs(adjoints: Mapping[str, ProcedureAdjoint], records: Mapping[str, ProcedureRecord],
                 procedure: str) -> SourceNeeds:
    """Of all adjoint codes that a procedure has."""
    read: dict[int, set[str]] = {}
    taped: dict[str, set[int]] = {}
    found: ProcedureModel | None = None
    for key, record in records.items():
        model, adjoint = adjoints[key].model, adjoints[key]
        if model.procedure.name != procedure:
            continue
        found = found or model
        for node, bits in adjoint.derivative.items():
            read.setdefault(model.flow.nodes[node].span.line, set()).update(model.space.infos[one].name
                                                                            for one in members(bits))
        for level in record.levels:
            for node, bits in level.taped.items():
                for one in members(bits):
                    taped.setdefault(model.space.infos[one].name, set()).add(model.flow.nodes[node].span.line)
    return SourceNeeds({line: frozenset(names) for line, names in read.items()},
                       {name: tuple(sorted(lines)) for name, lines in taped.items()}, found)

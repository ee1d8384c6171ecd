"""What the source's own analysis says that derivatives read, and where what they read is taped."""

from __future__ import annotations

from collections.abc import Mapping

from snapset.analysis.adjoint.level_adjoint import LevelAdjoint, ProcedureAdjoint
from snapset.analysis.dataflow.bitsets import May, members
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.recording.to_be_recorded import ProcedureRecord
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen


@frozen
class SourceNeeds:
    """What the source's own analysis says of a procedure. ``read``: by line, what derivatives of its statements read;
    ``taped``: by location, the lines before which its adjoint tapes it; ``left_out``: by location, the lines that
    overwrite it and that its forward sweep leaves out, since no adjoint needs what they compute. A forward sweep that
    runs them all the same has to keep what they overwrite."""

    read: Mapping[int, frozenset[str]]
    taped: Mapping[str, tuple[int, ...]]
    left_out: Mapping[str, tuple[int, ...]]

    def overwritten(self, location: str) -> frozenset[int]:
        """The lines that have to keep it if they run, where a derivative reads it."""
        return frozenset((*self.taped.get(location, ()), *self.left_out.get(location, ())))


def source_needs(adjoints: Mapping[str, ProcedureAdjoint], records: Mapping[str, ProcedureRecord],
                 procedure: str) -> SourceNeeds:
    """Of all adjoint codes that a procedure has."""
    read: dict[int, set[str]] = {}
    taped: dict[str, set[int]] = {}
    left_out: dict[str, set[int]] = {}
    for key, record in records.items():
        model, adjoint = adjoints[key].model, adjoints[key]
        if model.procedure.name != procedure:
            continue
        for node, bits in adjoint.derivative.items():
            read.setdefault(model.flow.nodes[node].span.line, set()).update(model.space.infos[one].name
                                                                            for one in members(bits))
        for level, recorded in zip(adjoint.levels, record.levels, strict=True):
            _note(taped, model, recorded.taped)
            _note(left_out, model, _left_out(model, level))
    return SourceNeeds({line: frozenset(names) for line, names in read.items()}, _sorted(taped), _sorted(left_out))


def _left_out(model: ProcedureModel, level: LevelAdjoint) -> Mapping[int, May]:
    """By node, what the assignments overwrite that a level's forward sweep leaves out."""
    return {node: model.effects[node].out for node in level.graph.forward.order
            if node not in level.running and node not in level.parts
            and isinstance(model.flow.nodes[node].stmt, ir.Assign)}


def _note(found: dict[str, set[int]], model: ProcedureModel, places: Mapping[int, May]) -> None:
    for node, bits in places.items():
        for one in members(bits):
            found.setdefault(model.space.infos[one].name, set()).add(model.flow.nodes[node].span.line)


def _sorted(found: Mapping[str, set[int]]) -> Mapping[str, tuple[int, ...]]:
    return {name: tuple(sorted(lines)) for name, lines in found.items()}

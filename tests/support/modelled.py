"""Models of procedures from text, for tests of the analyses' parts."""

from __future__ import annotations

from snapset.analysis.dataflow.bitsets import members
from snapset.analysis.procedures.model_builder import Models
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.frontend.load import load_text


def model(text: str, key: str, name: str = "t.f90") -> ProcedureModel:
    """The model of procedure ``key`` and of all it calls."""
    program = load_text(text, name=name)
    models = Models(program)
    return models.by_key[key]


def summary(text: str, key: str = "s", name: str = "t.f90") -> dict[str, set[str]]:
    """use, out and kill of a procedure, by name."""
    found = model(text, key, name)
    s = found.summary
    return {"use": names(found, s.use), "out": names(found, s.out), "kill": names(found, s.kill)}


def names(found: ProcedureModel, bits: int) -> set[str]:
    return {found.space.infos[i].name for i in members(bits) if i < len(found.space)}

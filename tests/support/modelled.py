"""Models of procedures from text, for tests of the analyses' parts."""

from __future__ import annotations

from snapset.analysis.dataflow.bitsets import members
from snapset.analysis.memory.locations import HIGHEST, LOWEST
from snapset.analysis.procedures.effect_sets import NO_EFFECT
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


def parts(found: ProcedureModel, bits: int) -> str:
    """Locations in the order of their names; of an array that is cut into bands each with its region: ``b(1:9)``."""
    shown = []
    for i in members(bits):
        info = found.space.infos[i]
        ends = [":".join("" if end in (LOWEST, HIGHEST) else str(end) for end in pair) for pair in info.band or ()]
        shown.append(info.name + (f"({','.join(ends)})" if ends else ""))
    return " ".join(sorted(shown))


def effects_at(found: ProcedureModel, line: int) -> list[str]:
    """``use -> out ! kill`` of each evaluation at a line that does anything; behind it ``keep`` and ``shaped: ..``."""
    said = []
    for node in found.flow.nodes:
        e = found.effects[node.index]
        if node.span.line == line and node.index not in (found.flow.entry, found.flow.exit) and e != NO_EFFECT:
            words = [*(["keep"] if e.keep else []), *(["unseen"] if e.unseen else [])]
            words += [f"shaped: {parts(found, e.shaped)}"] if e.shaped else []
            text = f"{parts(found, e.use)} -> {parts(found, e.out)} ! {parts(found, e.kill)}"
            said.append(" ".join([*text.split(), *words]))
    return said

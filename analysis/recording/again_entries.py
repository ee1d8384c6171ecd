"""What the backward sweep computes again, as the report names it: line 12, ``t = a*b``, for t, in C."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal

from snapset.analysis.adjoint.level_adjoint import ProcedureAdjoint
from snapset.analysis.adjoint.repeatable_groups import Guarded, Steps
from snapset.analysis.adjoint.reruns import NOT_AGAIN
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.recording.tape_sites import Stretch
from snapset.analysis.recording.to_be_recorded import PartRecord, ProcedureRecord
from snapset.analysis.results import AgainEntry
from snapset.analysis.symbolic.fortran_text import bare, source
from snapset.frontend import ir


def again_entries(adjoint: ProcedureAdjoint, record: ProcedureRecord, stretches: Iterable[Stretch],
                  solved: PartRecord, node: int, line_of: Callable[[int], int]) -> tuple[AgainEntry, ...]:
    """What is computed again: by the part's adjoint once the snapshot is back, and in stretches of code. ``line_of``: a
    node's line, a part's first."""
    model, found = adjoint.model, set[AgainEntry]()

    def entries(steps: Steps, part: Literal["C", "D", "Snp"], at: int) -> None:
        for assignment, prefix in assignments_of(model, steps):
            stmt = model.flow.nodes[assignment].stmt
            assert stmt is not None
            span, names = stmt.span, model.space.names(model.effects[assignment].out)
            text = f"{prefix}{text_again(stmt, names[0])}"
            found.update(AgainEntry(span.file, span.line, name, text, part, line_of(at)) for name in names)

    entries(solved.again.steps, "Snp", node)
    own = next(level.again for level in record.levels if node in level.solved).at.get(node, NOT_AGAIN)
    entries(own.steps, "D", node)
    for stretch in stretches:
        again = record.levels[stretch.level].again
        for reruns in (again.at, again.behind):
            for at in stretch.nodes & reruns.keys():
                entries(reruns[at].steps, stretch.part, at)
    return tuple(sorted(found, key=lambda e: (e.part, e.at, e.file, e.line, e.location, e.text)))


def text_again(stmt: ir.Stmt, name: str) -> str:
    """``t = a*b``; of a call ``speed@7 = speed(q, h)``, or ``call flux(u, f)``."""
    if isinstance(stmt, ir.Call):
        call = f"{stmt.name}({', '.join(bare(one.value) or '...' for one in stmt.args)})"
        return f"{name} = {call}" if stmt.result is not None else f"call {call}"
    assert isinstance(stmt, ir.Assign)
    return f"{source(stmt.target) or name} = {bare(stmt.value) or '...'}"


def assignments_of(model: ProcedureModel, steps: Steps, prefix: str = "") -> Iterator[tuple[int, str]]:
    """The assignments that run, with the tests before them: ``if (im < 1)``, or ``else`` for the other way."""
    for step in steps:
        if isinstance(step, Guarded):
            tests = model.flow.nodes[step.test].test
            text = bare(tests[0]) if tests else ""
            for (_, inside), way in zip(step.ways, (f"if ({text or '...'}) ", "else "), strict=True):
                yield from assignments_of(model, inside, prefix + way)
        else:
            yield step, prefix

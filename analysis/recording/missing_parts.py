"""Why a head has no checkpointed part, in words: ``2 calls (f at a.f90:7, g at a.f90:9) in split mode``.

"There is no call" would be wrong where the calls are there and no derivative passes through them, and would not say
what to change.
"""

from __future__ import annotations

from collections.abc import Iterable

from snapset.analysis.adjoint.interprocedural import Adjoints
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.frontend.base.diagnostics import Diagnostic, Span

NONE_AT_ALL = "no !$AD CHECKPOINT-START, no call, no --region"
_FEW = 3


def why_no_parts(adjoints: Adjoints, zero: Diagnostic | None) -> str:
    """What to say of a head without parts; ``zero``: why its gradient is zero, where it is."""
    every = sorted(adjoints.models.by_key.items())
    split = {(adjoint.code.procedure, node) for adjoint in adjoints.by_key.values() for node in adjoint.split_calls}
    marked = [_at(level.marked.span) for _, model in every for level in model.flow.levels if level.marked is not None]
    calls = [(f"{site.stmt.name} at {_at(model.place(node))}", (key, node) in split) for key, model in every
             for node, site in sorted(model.calls.items()) if not site.stmt.intrinsic and _runs(model, node)]
    if not marked and not calls:
        return NONE_AT_ALL
    said = []
    split_calls = [text for text, is_split in calls if is_split]
    idle = [text for text, is_split in calls if not is_split]
    if split_calls:
        said.append(f"{_counted(split_calls, 'call')} in split mode")
    because = "for the gradient is zero, see SN303" if zero is not None else (
        "no derivative passes through it" if len(idle) + len(marked) == 1 else "no derivative passes through them")
    if idle:
        said.append(f"{_counted(idle, 'call')} without an adjoint")
    if marked:
        said.append(f"{_counted(marked, 'marked part')} in what has no adjoint")
    return "; ".join(said) + (f": {because}" if idle or marked else "")


def _runs(model: ProcedureModel, node: int) -> bool:
    """Can the call be reached at all?"""
    return node in model.graph.preds


def _at(span: Span) -> str:
    return f"{span.file}:{span.line}"


def _counted(what: Iterable[str], noun: str) -> str:
    every = sorted(set(what))
    more = f" and {len(every) - _FEW} more" if len(every) > _FEW else ""
    return f"{len(every)} {noun}{'s' if len(every) > 1 else ''} ({', '.join(every[:_FEW])}{more})"

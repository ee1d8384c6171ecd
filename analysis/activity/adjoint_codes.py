"""The adjoint codes of a head: which procedures have one, in which mode, and which code each call runs.

Joint mode: a call is a checkpoint, its adjoint one piece of code (forward sweep, then backward sweep). Split mode:
the callee's forward sweep runs within the caller's forward sweep, its backward sweep when the caller's backward
sweep comes to the call, so that the caller's D runs in between. A procedure called in both modes has both codes.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TypeAlias

from snapset.analysis.activity.activity import Activity
from snapset.analysis.activity.code_table import NO_CONTEXTS, AdjointCode, Codes, Contexts
from snapset.analysis.procedures.model_builder import Models
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Diagnostic, Span
from snapset.frontend.base.nearest_name import nearest
from snapset.frontend.ir.expression_queries import rank_of
from snapset.frontend.ir.statement_walk import statements
from snapset.frontend.rules import diagnostic

_PLACE = re.compile(r"(.+):(\d+)")
Splits: TypeAlias = Mapping[str, frozenset[int]]  # by procedure the call nodes in split mode


def find_splits(models: Models, wanted: Collection[str], call_checkpoints: bool,
                components: Sequence[Sequence[str]]) -> Splits:
    """The calls in split mode: those behind ``!$AD NOCHECKPOINT``, of a procedure or at a place (``FILE:LINE``) in
    ``wanted``, or all. Calls of unknown procedures, within a recursion, and elemental ones for arrays (a run for each
    element) stay checkpoints."""
    together = {key: set(component) for component in components for key in component}
    procedures = models.program.procedures
    return {key: frozenset(n for n, site in model.calls.items() if site.targets
                           and not any(t.key in together[key] or is_elementwise(site.stmt, procedures[t.key])
                                       for t in site.targets)
                           and (not call_checkpoints or not site.stmt.checkpoint or is_named(models, model, n, wanted)))
            for key, model in models.by_key.items()}


def is_elementwise(stmt: ir.Call, callee: ir.Procedure) -> bool:
    """Does an elemental procedure run once for each element?"""
    return callee.elemental and any(rank_of(arg.value) > 0 for arg in stmt.args)


def unknown_names(program: ir.Program, wanted: Collection[str], span: Span) -> Iterator[Diagnostic]:
    """What is asked to be split and is no procedure that the heads reach, nor the place of a call in one. ``span``:
    of the head."""
    if not wanted:
        return
    known: set[str] = set()
    for key, procedure in program.procedures.items():
        known |= names_of(procedure.name, key)
        known.update(f"{s.span.file}:{s.span.line}" for s in statements(procedure.body) if isinstance(s, ir.Call))
    for name in sorted(set(wanted) - known):
        what = "no call at that place" if _PLACE.fullmatch(name) else "no procedure of that name"
        yield diagnostic("SN302", f"split '{name}': the heads reach {what}, so nothing is split for it; "
                         f"give a procedure's name, module%name, or FILE:LINE of a call{nearest(name, known)}", span)


def is_named(models: Models, model: ProcedureModel, node: int, wanted: Collection[str]) -> bool:
    """Is the call at a node, or what it calls, among the names?"""
    if not wanted:
        return False
    span = model.flow.nodes[node].span
    names = {f"{span.file}:{span.line}"}
    for target in model.calls[node].targets:
        names |= names_of(models.program.procedures[target.key].name, target.key)
    return not names.isdisjoint(wanted)


def names_of(name: str, key: str) -> set[str]:
    """What a user may call a procedure: its name, ``module%name``, ``module::name``."""
    return {name, key, key.replace("::", "%")}


def make_codes(models: Models, activity: Activity, root: str, splits: Splits,
               components: Sequence[Sequence[str]], contexts: Contexts = NO_CONTEXTS) -> Codes:
    """The codes reached from the head's procedure through active calls."""
    found: dict[str, AdjointCode] = {}
    callers: dict[str, set[str]] = {}
    work = [(root, False, 0)]
    while work:
        procedure, split, context = work.pop()
        key = code_key(procedure, split, context)
        if key in found:
            continue
        pattern = contexts.by_number.get((procedure, context))
        active = activity.of[procedure] if pattern is None else pattern.active
        apart = active.active_calls & splits.get(procedure, frozenset())
        callees: dict[tuple[int, str], str] = {}
        for node in active.active_calls:
            for target in models.by_key[procedure].calls[node].targets:
                border = None if pattern is None else pattern.calls.get((node, target.key))
                run = target.key, node in apart, contexts.number(target.key, border)
                callee = callees[node, target.key] = code_key(*run)
                callers.setdefault(callee, set()).add(key)
                work.append(run)
        found[key] = AdjointCode(key, procedure, split, context, active, callees, apart)
    place = {p: i for i, p in enumerate(p for component in reversed(components) for p in component)}
    order = sorted(found.values(), key=lambda code: (place[code.procedure], code.split, code.context))
    return Codes({code.key: code for code in order}, {k: frozenset(v) for k, v in callers.items()}, contexts)


def code_key(procedure: str, split: bool, context: int) -> str:
    return f"{procedure}{' split' if split else ''}{f' {context}' if context else ''}"

"""The adjoint codes of a head: which procedures have one, in which mode, and which code each call runs.

Joint mode: a call is a checkpoint, its adjoint one piece of code (forward sweep, then backward sweep). Split mode:
the callee's forward sweep runs within the caller's forward sweep, its backward sweep when the caller's backward
sweep comes to the call, so that the caller's D runs in between. A procedure called in both modes has both codes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from snapset.analysis.activity.active_sets import Border
from snapset.analysis.activity.activity import Activity
from snapset.analysis.activity.calling_contexts import CallingPatterns, find_contexts
from snapset.analysis.activity.code_table import NO_CONTEXTS, AdjointCode, Codes, Contexts
from snapset.analysis.incremental.query_engine import QueryOwner, derived, query
from snapset.analysis.procedures.call_binding import is_elementwise
from snapset.analysis.procedures.model_builder import Models
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Diagnostic, Span
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.nearest_name import nearest
from snapset.frontend.interprocedural.lazy_procedures import body_facts_of
from snapset.frontend.ir.statement_walk import statements
from snapset.frontend.rules import diagnostic

_PLACE = pattern_of(r"(.+):(\d+)")


class Splitting(QueryOwner):
    """The calls in split mode: those behind ``!$AD NOCHECKPOINT``, of a procedure or at a place (``FILE:LINE``) in
    ``wanted``, or all. Calls of unknown procedures, within a recursion, and elemental ones for arrays (a run for each
    element) stay checkpoints."""

    def __init__(self, models: Models, wanted: Collection[str], call_checkpoints: bool) -> None:
        super().__init__(models.engine)
        self.models = models
        self.wanted = wanted
        self.call_checkpoints = call_checkpoints

    @query("value")
    def nodes(self, key: str) -> tuple[int, ...]:
        """The call nodes of a procedure that are."""
        models = self.models
        models.statements(key)
        if self.call_checkpoints and not self.wanted and body_facts_of(models.program.procedures[key]).checkpoints:
            return ()
        model, together, procedures = models.by_key[key], models.group(key), models.program.procedures
        if self.wanted:
            models.place(key)
        return tuple(sorted(
            n for n, site in model.calls.items() if site.targets
            and not any(t.key in together or is_elementwise(site.stmt, procedures[t.key]) for t in site.targets)
            and (not self.call_checkpoints or not site.stmt.checkpoint or is_named(models, model, n, self.wanted))))


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


class CodePlanning(QueryOwner):
    """The codes reached from the head's procedure through active calls."""

    def __init__(self, activity: Activity, splitting: Splitting, patterns: CallingPatterns | None) -> None:
        """``patterns``: with a code for each calling pattern that gains by it."""
        super().__init__(activity.engine)
        self.activity = activity
        self.splitting = splitting
        self.patterns = patterns

    @query("file")
    def plan(self) -> Codes:
        """All of them."""
        root = self.activity.head
        contexts = NO_CONTEXTS if self.patterns is None else find_contexts(self.patterns, root)
        found: dict[str, AdjointCode] = {}
        callers: dict[str, set[str]] = {}
        work = [(root, False, 0)]
        while work:
            one = work.pop()
            code = self._code(*one, contexts)
            if code.key in found:
                continue
            found[code.key] = code
            for (node, procedure), callee in code.callees.items():
                callers.setdefault(callee, set()).add(code.key)
                number = contexts.number(procedure, self._at(code, node, procedure, contexts))
                work.append((procedure, node in code.split_calls, number))
        components = self.activity.models.components
        place = {p: i for i, p in enumerate(p for component in reversed(components) for p in component)}
        order = sorted(found.values(), key=lambda code: (place[code.procedure], code.split, code.context))
        return Codes({code.key: code for code in order}, {k: frozenset(v) for k, v in callers.items()}, contexts)

    def _code(self, procedure: str, split: bool, context: int, contexts: Contexts) -> AdjointCode:
        activity, key = self.activity, code_key(procedure, split, context)
        pattern = contexts.by_number.get((procedure, context))
        border = activity.borders[procedure] if pattern is None else pattern.border
        active = activity.active_calls(procedure, border)
        split_calls = active & frozenset(self.splitting.nodes(procedure))
        callees: dict[tuple[int, str], str] = {}
        for node, callee in activity.calls(procedure, border):
            if node in active:
                at = None if pattern is None else pattern.calls.get((node, callee))
                callees[node, callee] = code_key(callee, node in split_calls, contexts.number(callee, at))
        return AdjointCode(key, procedure, split, context, border, callees, split_calls)

    def _at(self, code: AdjointCode, node: int, callee: str, contexts: Contexts) -> Border | None:
        pattern = contexts.by_number.get((code.procedure, code.context))
        return None if pattern is None else pattern.calls.get((node, callee))

    @query("value")
    def code(self, key: str) -> AdjointCode:
        return self.plan().by_key[key]

    @query("value")
    def callers(self, key: str) -> tuple[str, ...]:
        """The codes that run one."""
        return tuple(sorted(self.plan().callers.get(key, ())))

    @query("value")
    def any_split(self) -> bool:
        """Is some call's adjoint made of two sweeps that run apart?"""
        return self._splits()

    @derived
    def _splits(self) -> bool:
        return self.plan().any_split

    @query("value")
    def order(self) -> tuple[str, ...]:
        """All keys, callers before callees."""
        return self.plan().order

    @query("value")
    def together(self, key: str) -> tuple[str, ...]:
        """The codes that are made together with one: those of a recursion, all where sweeps run apart."""
        plan, models = self.plan(), self.activity.models
        if self._splits():
            return plan.order
        procedure = plan.by_key[key].procedure
        if not models.recurs(procedure):
            return (key,)
        group = models.group(procedure)
        return tuple(one for one, code in plan.by_key.items() if code.procedure in group)


def code_key(procedure: str, split: bool, context: int) -> str:
    return f"{procedure}{' split' if split else ''}{f' {context}' if context else ''}"

"""Where the dependents stop depending on the independents: why a gradient is zero.

``k = int(x(1)); y = real(k)`` has the derivative zero, and nothing to save. The statement to name is the first one
that reads what depends on x, writes what y is computed from, and passes no derivative on; where there is none, the
one that overwrites what depends on x, or the last that gives y a value. Nothing else is made of it: the sets follow
from :mod:`snapset.analysis.activity.activity`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from snapset.analysis.activity.active_sets import Border
from snapset.analysis.activity.activity import Activity
from snapset.analysis.dataflow.bitsets import EMPTY, May, union
from snapset.analysis.dataflow.framework import Direction, MayProblem
from snapset.analysis.procedures.effect_sets import Effect
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Diagnostic, Span
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.rules import diagnostic

CODE = "SN303"


@frozen(eq=False)
class Influences(MayProblem):
    """What the values wanted at the end are computed from, by whatever arithmetic.

        wanted(entry I) = (wanted(exit I) \\ kill(I)) ∪ use(I)    if out(I) ∩ wanted(exit I) ≠ ∅
                          wanted(exit I) \\ kill(I)              otherwise
    """

    name = "influences"
    direction = Direction.BACKWARD

    effects: tuple[Effect, ...]

    def transfer(self, node: int, state: May) -> May:
        e = self.effects[node]
        return (state & ~e.kill) | (e.use if e.out & state else EMPTY)


@frozen(eq=False)
class ReachingTheEnd(MayProblem):
    """The values wanted at the end that a statement could still give, because nothing overwrites them later.

        reaching(entry I) = reaching(exit I) \\ kill(I)
    """

    name = "reaching-the-end"
    direction = Direction.BACKWARD

    effects: tuple[Effect, ...]

    def transfer(self, node: int, state: May) -> May:
        return state & ~self.effects[node].kill


@frozen
class _Within:
    """One procedure: by node, what varies before it (``varied``), what the dependents are computed from, by whatever
    arithmetic, behind it (``wanted``)."""

    key: str
    model: ProcedureModel
    varied: dict[int, May]
    wanted: dict[int, May]

    def after(self, node: int) -> May:
        """What varies behind a node."""
        graph = self.model.graph
        return union(self.varied.get(n, EMPTY) for n in graph.succs[node]) if graph.succs[node] else self.varied[node]

    def by_place(self) -> list[int]:
        return sorted(self.model.graph.order, key=lambda node: (self.model.place(node), node))


def no_dependence(activity: Activity, head: str, independents: May, dependents: May) -> Diagnostic | None:
    """A warning at the statement that cuts the dependence; None where some dependent may depend on an independent."""
    model = activity.models.by_key[head]
    exit_varied = activity.of[head].varied.get(model.flow.exit, EMPTY)
    if not independents or not dependents:
        what = "independents" if not independents else "dependents"
        return diagnostic(CODE, f"{model.procedure.name} has no real argument that could be its {what}: "
                          "nothing is differentiated; name module or COMMON variables in the head",
                          model.procedure.span)
    if exit_varied & model.space.with_aliases(dependents):
        return None
    span, why = _cause(activity, head, independents, dependents)
    ins, outs = (_listed(model, bits) for bits in (independents, dependents))
    return diagnostic(CODE, f"no derivative leads from {ins} to {outs}, so the gradient is zero and there "
                      f"is nothing to save for it: {why}", span)


def _cause(activity: Activity, head: str, independents: May, dependents: May) -> tuple[Span, str]:
    """The statement, in the innermost callee that can be named, and what it does."""
    here = _within(activity, head, independents, dependents)
    lost = _lost(here)
    if lost is None:
        return _last_given(here, independents, dependents)
    seen = {head}
    while True:
        inside = _entered(activity, here, lost, seen)
        deeper = None if inside is None else _lost(inside)
        if inside is None or deeper is None:
            break
        here, lost = inside, deeper
        seen.add(here.key)
    return here.model.place(lost), _said(here, lost)


def _within(activity: Activity, key: str, entering: May, leaving: May) -> _Within:
    model = activity.models.by_key[key]
    active, _ = activity.within(key, Border(varied=entering, useful=EMPTY, once=EMPTY))
    solved = Influences(model.scope, model.space.with_aliases(leaving), model.effects).solve(model.backward)
    return _Within(key, model, dict(active.varied), dict(solved.exits))


def _entered(activity: Activity, here: _Within, node: int, seen: set[str]) -> _Within | None:
    """The procedure that a call runs, entered and left as there; None for no call, several procedures, a recursion."""
    site = here.model.calls.get(node)
    if site is None or len(site.targets) != 1 or site.targets[0].key in seen:
        return None
    target = site.targets[0]
    return _within(activity, target.key, target.depending(here.varied[node]), target.holding(here.wanted[node]))


def _lost(here: _Within) -> int | None:
    """The first statement that takes no derivative on, else the first that overwrites what varies."""
    return next(_first(here, _passes_none_on), None) or next(_first(here, _overwrites), None)


def _first(here: _Within, wanted: Callable[[_Within, int], int]) -> Iterator[int]:
    return (node for node in here.by_place() if wanted(here, node))


def _passes_none_on(here: _Within, node: int) -> May:
    e = here.model.effects[node]
    written = e.out & here.wanted.get(node, EMPTY)
    return written if e.use & here.varied[node] and not written & here.after(node) else EMPTY


def _overwrites(here: _Within, node: int) -> int:
    found = here.model.effects[node].kill & here.varied[node] & here.wanted.get(node, EMPTY)
    return found & ~here.after(node)


def _said(here: _Within, node: int) -> str:
    model, stmt = here.model, here.model.flow.nodes[node].stmt
    written = _passes_none_on(here, node)
    if not written:
        return f"{_listed(model, _overwrites(here, node))} is overwritten here with what does not depend on it"
    read = _listed(model, model.effects[node].use & here.varied[node])
    to = _listed(model, written)
    if isinstance(stmt, ir.Assign) and not written & model.smooth:
        return f"{to}, computed here from {read}, is of type {stmt.target.type.kind}, which has no derivative"
    if isinstance(stmt, ir.Assign):
        return (f"{to} depends here on {read} through an integer, a comparison, a subscript or a function such as "
                "FLOOR alone, which have no derivative")
    if isinstance(stmt, ir.Call):
        return f"the call of {stmt.name} reads {read} and writes {to}, but passes no derivative on"
    if isinstance(stmt, ir.IO):
        return f"{to} gets here what was {read} as text or through a file, which has no derivative"
    return f"{to} is written here from {read}, but no derivative is passed on"


def _last_given(here: _Within, independents: May, dependents: May) -> tuple[Span, str]:
    """The last statement that gives the dependents a value."""
    model = here.model
    outs = _listed(model, dependents)
    reaching = ReachingTheEnd(model.scope, model.space.with_aliases(dependents), model.effects).solve(model.backward)
    last = [node for node in here.by_place()
            if node != model.flow.entry and model.effects[node].out & reaching.at_exit(node)]
    if not last:
        return model.procedure.span, f"nothing that {model.procedure.name} runs gives {outs} a value"
    node = last[-1]
    read = model.effects[node].use
    ins = _listed(model, independents)
    source = f"from {_listed(model, read)}, which has nothing of {ins}" if read else "from constants"
    return model.place(node), f"{outs} gets its value here, {source}"


def _listed(model: ProcedureModel, bits: int) -> str:
    names = model.space.names(bits)
    return ", ".join(names[:6]) + (", ..." if len(names) > 6 else "")

"""What calls do to allocations, and what they ask of them: ALLOCATED in one procedure, ALLOCATE in another.

``call ready(w)`` with ``if (.not. allocated(w)) allocate (w(n))`` in it changes the answer that the next one gets. A
procedure's summary has what it does to each location
(:class:`~snapset.analysis.allocation.allocation_states.CallChange`) and, for each statement at or below it that asks,
the states in which it does so, as seen from the procedure's beginning.
Summaries are made bottom-up; those of a recursion are the least fixpoint.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field

from snapset.analysis.allocation.allocation_changes import Allocations, AllocationStretch, Asks, Where
from snapset.analysis.allocation.allocation_queries import asked
from snapset.analysis.allocation.allocation_states import NOWHERE, AllocationState, CallChange, lifted, unchanged
from snapset.analysis.dataflow.bitsets import EMPTY, May, Must, exactly
from snapset.analysis.incremental.query_engine import QueryOwner, query
from snapset.analysis.procedures.model_builder import Models
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.frontend.base.diagnostics import Span
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.cfg.builder import build_flow

_MOST_ROUNDS = 50


@frozen
class AllocationSummary:
    """``change``: None of a procedure that changes nothing. ``asks``: by statement, of what it asks in which states."""

    change: CallChange | None = None
    asks: Mapping[Where, AllocationState] = field(default_factory=dict)


_NOTHING_YET = AllocationSummary(NOWHERE)


class AllocationSummaries(QueryOwner):
    """The summaries of all procedures, made when they are asked for."""

    def __init__(self, models: Models) -> None:
        super().__init__(models.engine)
        self.models = models
        self._settling: dict[str, AllocationSummary] = {}

    @query("value")
    def of(self, key: str) -> AllocationSummary:
        """One procedure's."""
        return self.together(self.models.group(key))[key]

    @query()
    def together(self, group: tuple[str, ...]) -> Mapping[str, AllocationSummary]:
        """Those of procedures that call each other, or of one."""
        if not self.models.recurs(group[0]):
            return {group[0]: self.find(group[0])}
        found = dict.fromkeys(group, _NOTHING_YET)
        for _ in range(_MOST_ROUNDS):
            self._settling.update(found)
            before, found = found, {key: _either(found[key], self.find(key)) for key in group}
            if before == found:
                break
        for key in group:
            del self._settling[key]
        return found

    def known(self, key: str) -> AllocationSummary:
        """One procedure's, or what it is so far."""
        return self._settling.get(key) or self.of(key)

    def find(self, key: str) -> AllocationSummary:
        """One procedure's, those of what it calls being known."""
        model = self.models.by_key[key]
        stretch = self.stretch(model, model.graph.order, model.flow.entry, model.flow.exit)
        every = model.space.all()
        (before, both), (_, there), (_, absent) = (
            stretch.run(AllocationState(none, held)) for none, held in ((every, every), (0, every), (every, 0)))
        change = CallChange(both, there, absent) if stretch.changes else None
        return AllocationSummary(change, self.asks(stretch, before))

    def span(self, where: Where) -> Span:
        """The place of a statement."""
        (file, first), (there, line, end, column) = self.models.at(where[0]), self.lines(*where)
        return Span(file, line + first, end + first, column) if there is None else Span(there, line, end, column)

    @query("value")
    def lines(self, key: str, node: int) -> tuple[str | None, int, int, int]:
        """The same as seen from the line that its procedure begins in; no model is made for it."""
        self.models.statements(key)
        procedure = self.models.program.procedures[key]
        span, home = build_flow(procedure).nodes[node].span, procedure.span
        if span.file != home.file:
            return span.file, span.line, span.end_line, span.column
        return None, span.line - home.line, span.end_line - home.line, span.column

    def kept(self, model: ProcedureModel, written: May, nodes: Iterable[int], enter: int, leave: int) -> Must:
        """The allocations that a stretch of code changes (of what is ``written``), and leaves as it found them."""
        space = model.space
        if not written & space.allocations:
            return EMPTY
        changed = self.within(model, nodes, enter, leave)
        return exactly(space.allocations & ~space.descriptors_of(May(changed.made | changed.gone | changed.anew)))

    def within(self, model: ProcedureModel, nodes: Iterable[int], enter: int, leave: int) -> Allocations:
        """What a stretch of a procedure leaves changed."""
        stretch = self.stretch(model, nodes, enter, leave)
        return stretch.of(lambda before: self.asks(stretch, before))

    def stretch(self, model: ProcedureModel, nodes: Iterable[int], enter: int, leave: int) -> AllocationStretch:
        """A stretch of code whose calls do what is known of them."""
        inside = tuple(nodes)
        calls = {node: found for node in inside if (found := self._called(model, node)) is not None}
        return AllocationStretch(model, self.models.program.procedures, inside, enter, leave, calls)

    def asks(self, stretch: AllocationStretch, before: Mapping[int, AllocationState]) -> Asks:
        """What a stretch and all it calls ask, in which states; ``before``: those before its nodes."""
        model, nowhere, found = stretch.model, AllocationState(), dict[Where, AllocationState]()
        for node in sorted(stretch.inside):
            bits = asked(model, node)
            if bits:
                found[model.procedure.key, node] = before.get(node, nowhere).only_of(bits)
            site = model.calls.get(node)
            for target in site.targets if site is not None else ():
                for where, state in self.known(target.key).asks.items():
                    seen = before.get(node, nowhere).followed_by(lifted(state, target))
                    found[where] = found.get(where, nowhere) | seen
        return found

    def _called(self, model: ProcedureModel, node: int) -> CallChange | None:
        """What a call does to allocations; None: nothing."""
        site = model.calls.get(node)
        known = [(target, self.known(target.key).change) for target in site.targets] if site is not None else []
        if all(change is None for _, change in known):
            return None
        every, found = model.space.all(), NOWHERE
        for target, change in known:
            found |= unchanged(every) if change is None else change.called(target, every)
        return found


def _either(old: AllocationSummary, new: AllocationSummary) -> AllocationSummary:
    """What one of two rounds of a recursion found."""
    asks = dict(old.asks)
    for where, state in new.asks.items():
        asks[where] = asks.get(where, AllocationState()) | state
    changes = [one.change for one in (old, new) if one.change is not None]
    return AllocationSummary(changes[0] | changes[-1] if changes else None, asks)

"""What calls do to allocations, and what they ask of them: ALLOCATED in one procedure, ALLOCATE in another.

``call ready(w)`` with ``if (.not. allocated(w)) allocate (w(n))`` in it changes the answer that the next one gets. A
procedure's summary has what it does to each location
(:class:`~snapset.analysis.allocation.allocation_states.CallChange`) and, for each statement at or below it that asks,
the states in which it does so, as seen from the procedure's beginning.
Summaries are made bottom-up; those of a recursion are the least fixpoint.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from snapset.analysis.allocation.allocation_changes import Allocations, AllocationStretch, Asks, Where
from snapset.analysis.allocation.allocation_queries import asked
from snapset.analysis.allocation.allocation_states import NOWHERE, AllocationState, CallChange, lifted, unchanged
from snapset.analysis.procedures.model_builder import Models
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.frontend.base.diagnostics import Span
from snapset.frontend.interprocedural.call_graph import call_graph
from snapset.frontend.interprocedural.strongly_connected import components

_MOST_ROUNDS = 50


@dataclass(frozen=True, slots=True)
class AllocationSummary:
    """``change``: None of a procedure that changes nothing. ``asks``: by statement, of what it asks in which states."""

    change: CallChange | None = None
    asks: Mapping[Where, AllocationState] = field(default_factory=dict)


_NOTHING_YET = AllocationSummary(NOWHERE)


class AllocationSummaries:
    """The summaries of all procedures, made when they are asked for."""

    def __init__(self, models: Models) -> None:
        self.models = models
        self._graph = call_graph(models.program)
        self._groups = {key: group for group in components(self._graph) for key in group}
        self._of: dict[str, AllocationSummary] = {}

    def of(self, key: str) -> AllocationSummary:
        """One procedure's. Those of what it calls are made before it, not one within the other."""
        work = [key]
        while key not in self._of:
            group = self._groups[work[-1]]
            first = [one for member in group for one in self._graph[member]
                     if one not in self._of and one not in group]
            if first:
                work += first
            else:
                if group[0] not in self._of:
                    self._settle(group)
                work.pop()
        return self._of[key]

    def _settle(self, group: tuple[str, ...]) -> None:
        """Make the summaries of procedures that call each other, or of one."""
        if len(group) == 1 and group[0] not in self._graph[group[0]]:
            self._of[group[0]] = self.find(group[0])
            return
        self._of.update(dict.fromkeys(group, _NOTHING_YET))
        for _ in range(_MOST_ROUNDS):
            before = [self._of[key] for key in group]
            self._of.update({key: _either(self._of[key], self.find(key)) for key in group})
            if before == [self._of[key] for key in group]:
                return

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
        return self.models.by_key[where[0]].flow.nodes[where[1]].span

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
                for where, state in self.of(target.key).asks.items():
                    seen = before.get(node, nowhere).followed_by(lifted(state, target))
                    found[where] = found.get(where, nowhere) | seen
        return found

    def _called(self, model: ProcedureModel, node: int) -> CallChange | None:
        """What a call does to allocations; None: nothing."""
        site = model.calls.get(node)
        known = [(target, self.of(target.key).change) for target in site.targets] if site is not None else []
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
